package project

import (
	"path/filepath"
	"strings"

	"github.com/slipstream-mcp/slipstream/mapper"
	"github.com/slipstream-mcp/slipstream/mermaid"
)

// Tree returns the mapped files of a project as a tree of folders, named after the folder it is in. A file ranks by how
// much the rest of the project refers to it.
func Tree(m *mapper.Map, dir string) mermaid.Tree {
	root := mermaid.Tree{Label: filepath.Base(dir)}
	for _, f := range m.Mapped() {
		at := &root
		folders := strings.Split(f.Path, "/")
		for _, name := range folders[:len(folders)-1] {
			// Files come in the order of their folders, so an open folder is the last one.
			if n := len(at.Children); n == 0 || at.Children[n-1].Label != name+"/" {
				at.Children = append(at.Children, mermaid.Tree{Label: name + "/"})
			}
			at = &at.Children[len(at.Children)-1]
		}
		at.Children = append(at.Children, mermaid.Tree{Label: folders[len(folders)-1], Rank: m.Importance(f.Path)})
	}
	return root
}

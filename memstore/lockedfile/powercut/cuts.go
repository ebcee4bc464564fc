package powercut

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Cut is one state that a power cut can leave.
type Cut struct {
	// After is how many operations were begun before the cut.
	After int
	// Marks are the labels of the marks before the cut: what was acknowledged.
	Marks []string
	// Files are the files that are left, by name, of those that were written.
	Files map[string][]byte
}

// Restore writes the files into dir, with the folders they need.
func (c Cut) Restore(dir string) error {
	for name, data := range c.Files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// maxLoose is up to how many loose changes of names every subset is told; of
// more, only those that keep the order.
const maxLoose = 6

// Cuts tells each state that a cut during or after the recorded operations can
// leave, equal ones once.
func (d *Disk) Cuts() iter.Seq[Cut] {
	d.mu.Lock()
	ops := slices.Clone(d.ops)
	files := slices.Clone(d.files)
	first := make(map[string]int)
	maps.Copy(first, d.first)
	d.mu.Unlock()
	return func(yield func(Cut) bool) {
		seen := make(map[string]bool)
		var marks []string
		for n := 0; n <= len(ops); n++ {
			if n > 0 && ops[n-1].Kind == Mark {
				marks = append(marks, ops[n-1].Name)
			}
			contents := make([][][]byte, len(files))
			for i, f := range files {
				contents[i] = variants(f.first, i, ops[:n])
			}
			for _, names := range namings(first, ops[:n]) {
				for left := range combine(names, contents) {
					key := fmt.Sprint(len(marks))
					for _, name := range slices.Sorted(maps.Keys(left)) {
						key += fmt.Sprintf("|%q:%q", name, left[name])
					}
					if seen[key] {
						continue
					}
					seen[key] = true
					if !yield(Cut{n, slices.Clone(marks), left}) {
						return
					}
				}
			}
		}
	}
}

// variants returns what file i can hold: what its last Sync made sure, and on
// top of that some of the later writes, the last of them whole, torn or zeros.
func variants(first []byte, i int, ops []Op) [][]byte {
	sure := first
	var loose []Op
	for _, op := range ops {
		if op.file != i {
			continue
		}
		switch op.Kind {
		case Write, Truncate:
			loose = append(loose, op)
		case Sync:
			for _, l := range loose {
				sure = l.apply(sure)
			}
			loose = nil
		}
	}
	out := [][]byte{sure}
	for _, op := range loose {
		if op.Kind == Write && len(op.Data) > 0 {
			torn, zeros := op, op
			torn.Data = op.Data[:len(op.Data)/2]
			zeros.Data = make([]byte, len(op.Data))
			out = append(out, torn.apply(sure), zeros.apply(sure))
		}
		sure = op.apply(sure)
		out = append(out, sure)
	}
	return out
}

// namings returns which file can have which name, when first says which had
// it before the record began.
func namings(first map[string]int, ops []Op) []map[string]int {
	var changes, loose []int
	synced := make(map[int]bool)
	for n, op := range ops {
		switch op.Kind {
		case Create, Rename, Remove, Mkdir:
			changes = append(changes, n)
		case SyncDir:
			for _, c := range changes {
				name := ops[c].Name
				if ops[c].Kind == Rename {
					name = ops[c].To
				}
				if folder(name) == op.Name || folder(name) == "" && op.Name == "." {
					synced[c] = true
				}
			}
		}
	}
	for _, c := range changes {
		if !synced[c] {
			loose = append(loose, c)
		}
	}
	var out []map[string]int
	for _, kept := range choices(loose) {
		names := maps.Clone(first)
		folders := make(map[string]bool)
		for _, c := range changes {
			op := ops[c]
			if !synced[c] && !slices.Contains(kept, c) {
				if op.Kind == Mkdir {
					folders[op.Name] = false
				}
				continue
			}
			switch op.Kind {
			case Create:
				names[op.Name] = op.file
			case Rename:
				delete(names, op.Name)
				names[op.To] = op.file
			case Remove:
				delete(names, op.Name)
			case Mkdir:
				folders[op.Name] = true
			}
		}
		for dir, there := range folders {
			if !there {
				maps.DeleteFunc(names, func(name string, _ int) bool { return strings.HasPrefix(name, dir+"/") })
			}
		}
		out = append(out, names)
	}
	return out
}

// choices returns the subsets of loose that a cut can have kept.
func choices(loose []int) [][]int {
	if len(loose) > maxLoose {
		var out [][]int
		for n := range len(loose) + 1 {
			out = append(out, loose[:n])
		}
		return out
	}
	out := [][]int{nil}
	for _, c := range loose {
		for _, o := range slices.Clone(out) {
			out = append(out, append(slices.Clone(o), c))
		}
	}
	return out
}

// combine yields the names with every combination of what their files can hold.
func combine(names map[string]int, contents [][][]byte) iter.Seq[map[string][]byte] {
	keys := slices.Sorted(maps.Keys(names))
	return func(yield func(map[string][]byte) bool) {
		var rec func(k int, left map[string][]byte) bool
		rec = func(k int, left map[string][]byte) bool {
			if k == len(keys) {
				return yield(maps.Clone(left))
			}
			for _, data := range contents[names[keys[k]]] {
				left[keys[k]] = data
				if !rec(k+1, left) {
					return false
				}
			}
			delete(left, keys[k])
			return true
		}
		rec(0, make(map[string][]byte))
	}
}

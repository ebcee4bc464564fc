package mapper_test

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/slipstream-mcp/slipstream/mapper"
)

var (
	goDecl = regexp.MustCompile(`^(?:func(?: \(\w* ?\*?(\w+)[^)]*\))? (\w+)|type (\w+)|(?:var|const) (\w+))`)
	tsDecl = regexp.MustCompile(`^(export )?(?:async )?(function|class|interface|const|enum|type) (\w+)`)
	pyDecl = regexp.MustCompile(`^( {4})?(def|class) (\w+)`)
)

// naive is a parse function good enough for tests: one declaration a line,
// found by its first words. A file's purpose is its first line of comment.
func naive(_ context.Context, name string, src []byte) (mapper.File, error) {
	var f mapper.File
	switch path.Ext(name) {
	case ".go":
		f.Language = "go"
	case ".ts":
		f.Language = "typescript"
	case ".py":
		f.Language = "python"
	default:
		f.Skipped = mapper.SkipUnknown
		return f, nil
	}
	line, class := 0, ""
	for raw := range bytes.Lines(src) {
		line++
		text := strings.TrimRight(string(raw), "\r\n")
		if line == 1 {
			for _, mark := range []string{"// ", "# ", `"""`} {
				if purpose, ok := strings.CutPrefix(text, mark); ok && !strings.HasPrefix(purpose, "Copyright") {
					f.Purpose = strings.Trim(purpose, `" `)
				}
			}
		}
		s := mapper.Symbol{Line: line, End: line, Signature: text, Top: true}
		switch f.Language {
		case "go":
			m := goDecl.FindStringSubmatch(text)
			switch {
			case m == nil:
				continue
			case m[1] != "":
				s.Name, s.Qualified, s.Kind, s.Top = m[2], m[1]+"."+m[2], "method", false
			case m[2] != "":
				s.Name, s.Kind = m[2], "function"
			case m[3] != "":
				s.Name, s.Kind = m[3], "type"
			default:
				s.Name, s.Kind = m[4], "var"
			}
			s.Exported = s.Name[0] >= 'A' && s.Name[0] <= 'Z'
		case "typescript":
			m := tsDecl.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			s.Name, s.Kind, s.Exported = m[3], m[2], m[1] != ""
		case "python":
			m := pyDecl.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			s.Name, s.Exported = m[3], m[3][0] != '_'
			s.Kind = map[string]string{"def": "function", "class": "class"}[m[2]]
			if m[1] != "" {
				s.Top, s.Qualified, s.Kind = false, class+"."+m[3], "method"
			} else {
				class = m[3]
			}
		}
		if s.Qualified == "" {
			s.Qualified = s.Name
		}
		f.Symbols = append(f.Symbols, s)
	}
	return f, nil
}

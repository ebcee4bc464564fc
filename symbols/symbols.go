// Package symbols finds the declarations of one source file and cuts them out
// exactly: the doc comment, the decorators, the declaration and its body, and
// nothing of a neighbour.
//
// Spans come from real parsers, never from counting brackets. Each language is
// a small package of its own; package languages is the table of all of them:
//
//	file, err := languages.Parse(ctx, "greet.ts", src)
//	decls, err := file.Find("greet")
//	os.Stdout.Write(decls[0].Slice(src))
//
// The package reads no files and follows no imports: a file is judged by its
// own text. Lines are separated by "\n" ("\r\n" keeps its "\r" in the line),
// are counted from 1, and a final newline opens no further line.
package symbols

// Kind says what a declaration is, in the word that a listing shows.
type Kind string

// The kinds of declarations. A language uses those that it has a notion of.
const (
	Function    Kind = "function"
	Method      Kind = "method"
	Constructor Kind = "constructor"
	Accessor    Kind = "accessor" // a getter or setter
	Class       Kind = "class"
	Interface   Kind = "interface"
	Struct      Kind = "struct"
	Type        Kind = "type"
	Enum        Kind = "enum"
	EnumMember  Kind = "member" // one value of an enum
	Const       Kind = "const"
	Var         Kind = "var"
	Field       Kind = "field"    // of a class or struct
	Property    Kind = "property" // of an interface or object
	Namespace   Kind = "namespace"
	Default     Kind = "default"   // a default export that is no declaration itself
	ReExport    Kind = "re-export" // a name that comes from another file
)

// File is what one source file declares.
type File struct {
	Language string   // the language's name, "typescript"
	Decls    []Decl   // in source order, members after their type
	Imports  []string // specifiers as written, in order, without duplicates
	Purpose  string   // what the file says of itself in its head, one line of at most 160 characters; "" when it says nothing
	Errors   bool     // the text has syntax errors; what is whole is in Decls all the same
}

// Decl is one declaration.
type Decl struct {
	Name      string // as written, "Serve"
	Qualified string // with the names around it, "Server.Serve"
	Kind      Kind
	Exported  bool     // reachable from outside the file by the language's own rule; a member when its type is, too
	Default   bool     // the default export of an ECMAScript module
	Top       bool     // declared at top level, no member
	Aliases   []string // other names it is exported under

	Start    int // first line, with doc comment, decorators and attributes
	NameLine int // line of the name
	End      int // last line

	// StartByte and EndByte bound the slice in the text that was parsed:
	// whole lines without the final line end, unless other code shares the
	// first or the last line; then the slice begins or ends within that line.
	StartByte, EndByte int

	Signature string // first line of the declaration itself, trimmed, at most 200 bytes
}

// Slice cuts the declaration out of src, which must be the text given to
// Parse. It aliases src and is empty when the span does not lie in it.
func (d Decl) Slice(src []byte) []byte {
	if d.StartByte < 0 || d.EndByte > len(src) || d.StartByte >= d.EndByte {
		return nil
	}
	return src[d.StartByte:d.EndByte:d.EndByte]
}

// Owner is the qualified name of what the declaration is a member of; "" at
// top level.
func (d Decl) Owner() string {
	if n := len(d.Qualified) - len(d.Name) - 1; n > 0 {
		return d.Qualified[:n]
	}
	return ""
}

package filestore

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/internal/frontmatter"
)

// timeForm is how times are written; they are read in any of timeForms.
const timeForm = "2006-01-02T15:04:05.000Z"

var timeForms = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

// space is what is cut from both ends of a body.
const space = " \t\n\v\f\r\u00a0\u2028\u2029\ufeff"

// decodeFact reads a fact's file. A file needs a description; what else is
// missing has a default.
func decodeFact(key string, src []byte, redact func(string) string) (*memstore.Fact, error) {
	doc, err := frontmatter.Parse(src)
	if err != nil {
		return nil, err
	}
	text := func(name string) string {
		s, _ := doc.Scalar(name)
		return strings.Trim(redact(s), space)
	}
	f := &memstore.Fact{
		Name:        cmp.Or(text("name"), key),
		Description: text("description"),
		Type:        cmp.Or(memstore.FactType(text("type")), memstore.Decision),
		Body:        strings.Trim(redact(doc.Body), space),
		Created:     parseTime(text("created")),
		Updated:     parseTime(text("updated")),
	}
	if f.Description == "" {
		return nil, fmt.Errorf("it has no description")
	}
	tags, _ := doc.List("tags")
	if one, ok := doc.Scalar("tags"); ok {
		tags = strings.Split(one, ",")
	}
	for _, t := range tags {
		if t = strings.Trim(redact(t), space); t != "" {
			f.Tags = append(f.Tags, t)
		}
	}
	return f, nil
}

func parseTime(s string) time.Time {
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// encodeFact writes a fact's file, keeping what old has beside the fact.
func encodeFact(old []byte, f *memstore.Fact) []byte {
	doc := factDoc(old, f)
	return doc.Bytes()
}

func factDoc(old []byte, f *memstore.Fact) frontmatter.Doc {
	doc, err := frontmatter.Parse(old)
	if err != nil {
		doc = frontmatter.Doc{}
	}
	doc.SetScalar("name", f.Name, "")
	doc.SetScalar("description", f.Description, "name")
	doc.SetScalar("type", string(f.Type), "description")
	doc.SetList("tags", f.Tags, "type")
	setTime(&doc, "created", f.Created, "tags")
	setTime(&doc, "updated", f.Updated, "created")
	doc.Body = f.Body
	return doc
}

// encodeReadable is encodeFact for what can be read again; the error names what
// makes it too large and the way out.
func encodeReadable(key string, old []byte, f *memstore.Fact) ([]byte, error) {
	doc := factDoc(old, f)
	if field, size, all := doc.Size(); all > frontmatter.MaxHead {
		return nil, fmt.Errorf("fact %q: with %d bytes of %s its frontmatter has %d, more than the limit of %d; make the %s shorter",
			key, size, field, all, frontmatter.MaxHead, field)
	}
	text := doc.Bytes()
	if len(text) > maxFile {
		return nil, fmt.Errorf("fact %q: with %d bytes of text its file has %d, more than the limit of %d; keep the fact shorter",
			key, len(f.Body), len(text), maxFile)
	}
	if _, err := decodeFact(key, text, func(s string) string { return s }); err != nil {
		return nil, fmt.Errorf("fact %q could not be read again: %w", key, err)
	}
	return text, nil
}

func setTime(doc *frontmatter.Doc, key string, t time.Time, after string) {
	old, ok := doc.Scalar(key)
	if ok && parseTime(old).Equal(t) || t.IsZero() {
		return
	}
	doc.SetScalar(key, t.UTC().Format(timeForm), after)
}

// page returns what MEMORY.md should hold.
func (d *Dir) page() []byte {
	entries := d.byPage.all()
	facts, lines := make([]*memstore.Fact, len(entries)), make([]string, len(entries))
	for i, e := range entries {
		if e.line == "" {
			e.line = pageLine(e.fact)
		}
		facts[i], lines[i] = e.fact, e.line
	}
	return renderPage(facts, lines)
}

func comparePage(a, b *entry) int { return compareFacts(a.fact, b.fact) }

// compareFacts gives the order of MEMORY.md.
func compareFacts(a, b *memstore.Fact) int {
	if c := cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Description, b.Description), slices.Compare(a.Tags, b.Tags))
}

// renderPage lists facts that are in the order of compareFacts by their lines.
func renderPage(facts []*memstore.Fact, lines []string) []byte {
	size := 1 << 10
	for _, line := range lines {
		size += len(line)
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString("# Project memory index\n\nGenerated from the files in this folder after each change; edit those, not this page.\n\n")
	if len(facts) == 0 {
		b.WriteString("No memories yet.\n")
	}
	for i, f := range facts {
		if i == 0 || facts[i-1].Type != f.Type {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "## %s\n\n", oneLine(string(f.Type)))
		}
		b.WriteString(lines[i])
	}
	if len(facts) > 0 {
		b.WriteString("\n")
	}
	return b.Bytes()
}

func pageLine(f *memstore.Fact) string {
	line := fmt.Sprintf("- **%s**: %s", oneLine(f.Name), oneLine(f.Description))
	if len(f.Tags) > 0 {
		line += fmt.Sprintf(" (tags: %s)", oneLine(strings.Join(f.Tags, ", ")))
	}
	return line + "\n"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// pageProblem says what is wrong with MEMORY.md, if anything is.
func (d *Dir) pageProblem() string {
	root, err := d.openRoot()
	if root == nil || err != nil {
		return ""
	}
	defer root.Close()
	page, _, err := readFile(root, path.Join(factFolder, pageName))
	switch {
	case len(d.facts) == 0:
		return ""
	case err != nil:
		return reason(err) + "; it comes back with the next fact"
	case string(page) != string(d.page()):
		return "it does not list the facts as they are; it will after the next change made through the program"
	}
	return ""
}

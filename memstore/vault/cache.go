package vault

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// cacheHead begins what save writes. What follows it changes with what the
// index is made by, so that nothing of another make is taken for ours.
func (v *Vault) cacheHead() string {
	const sample = "The Größe of fooBar42, 東京: running jumps."
	vector := embed.Text(sample)
	terms, words := rank.Terms(sample)
	sum := crc32.ChecksumIEEE(fmt.Appendf(nil, "%v %v %d %d %d", vector, terms, words, pieceBytes, overlapBytes))
	return fmt.Sprintf("thoughts 1 %08x %q %q\n", sum, v.user, v.thoughts)
}

// save keeps the index for the next process when at least n changes are not in
// what was kept. It is a cache: what goes wrong costs the next process some time.
func (v *Vault) save(n int) {
	if v.cache == nil || v.ahead < n {
		return
	}
	v.ahead = 0
	_ = v.cache.SaveWhole(v.encode())
}

// load takes in what save kept; whatever is wrong with it, the index is begun
// anew.
func (v *Vault) load() {
	v.loaded = true
	if v.cache == nil {
		return
	}
	data := v.cache.LoadWhole()
	if data == "" {
		return
	}
	if err := v.decode(data); err != nil {
		v.known, v.index, v.ahead = newKnown(), searchIndex{}, 0
		v.vectors.reset()
	}
}

// encoder writes numbers and texts. A text that came before is its number.
type encoder struct {
	b     []byte
	texts map[string]uint64
}

func (e *encoder) int(n int64)   { e.b = binary.AppendVarint(e.b, n) }
func (e *encoder) uint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) shared(s string) {
	n, ok := e.texts[s]
	if !ok {
		n = uint64(len(e.texts))
		e.texts[s] = n
	}
	e.uint(n)
	if !ok {
		e.text(s)
	}
}

func (e *encoder) bool(b bool) {
	e.b = append(e.b, 0)
	if b {
		e.b[len(e.b)-1] = 1
	}
}

func (v *Vault) encode() []byte {
	e := &encoder{texts: map[string]uint64{}}
	e.text(v.cacheHead())
	e.text(v.vectors.serving.name)
	x := &v.index
	kept := func(d *doc) bool { return d.row != nil && !d.row.secret }
	to := make([]uint64, len(x.docs))
	n := uint64(0)
	for i := range x.docs {
		if kept(&x.docs[i]) {
			n++
		}
	}
	e.uint(n)
	n = 0
	for i := range x.docs {
		d := &x.docs[i]
		if !kept(d) {
			continue
		}
		to[i] = n
		n++
		e.row(d.row)
		e.uint(uint64(d.words))
		pieces := d.now.pieces
		if d.now.space != localSpace {
			pieces = nil
		}
		e.uint(uint64(len(pieces)))
		for _, p := range pieces {
			e.b = append(e.b, p.vector...)
		}
	}
	var broken []*row
	for _, r := range v.known.files {
		if r.broken != "" {
			broken = append(broken, r)
		}
	}
	e.uint(uint64(len(broken)))
	for _, r := range broken {
		e.file(r)
		e.text(r.broken)
	}
	lists := make(map[string]int, len(x.lists)) // to how many are kept
	for term, list := range x.lists {
		for _, p := range list {
			if kept(&x.docs[p.doc]) {
				lists[term]++
			}
		}
	}
	e.uint(uint64(len(lists)))
	for term, count := range lists {
		e.text(term)
		e.uint(uint64(count))
		last := uint64(0)
		for _, p := range x.lists[term] {
			if kept(&x.docs[p.doc]) {
				e.uint(to[p.doc] - last)
				e.uint(uint64(p.count))
				last = to[p.doc]
			}
		}
	}
	return e.b
}

// file writes what is known of the file itself.
func (e *encoder) file(r *row) {
	e.text(r.FilePath)
	for _, n := range [...]int64{r.stamp.Size, r.stamp.Modified, r.stamp.Changed, int64(r.stamp.Inode)} {
		e.int(n)
	}
	e.bool(r.sure)
	e.bool(r.linked)
}

func (e *encoder) row(r *row) {
	e.file(r)
	e.shared(r.note)
	e.text(r.ID)
	e.int(int64(r.SchemaVersion))
	for _, s := range [...]string{r.Prefix, r.Portability, r.Source, r.Vault, r.CapturedBy} {
		e.shared(s)
	}
	e.text(r.LegacyID)
	sum, _ := hex.DecodeString(r.Fingerprint)
	e.text(string(sum))
	for _, at := range [...]time.Time{r.CreatedAt, r.UpdatedAt} {
		e.int(at.Unix())
		e.int(int64(at.Nanosecond()))
	}
	e.bool(r.Tags != nil)
	e.uint(uint64(len(r.Tags)))
	for _, tag := range r.Tags {
		e.shared(tag)
	}
	e.uint(uint64(len(r.Extra)))
	for _, f := range r.Extra {
		e.shared(f.Key)
		e.text(string(f.Value))
	}
}

var errCache = errors.New("the kept index is not what was written")

// decoder reads what encoder wrote. Its texts are parts of what it reads.
type decoder struct {
	s     string
	bad   bool
	texts []string
}

func (d *decoder) uint() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		if d.s == "" {
			break
		}
		c := d.s[0]
		d.s = d.s[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) int() int64 {
	n := d.uint()
	return int64(n>>1) ^ -int64(n&1)
}

// count reads a number of things that take at least a byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) take(n int) string {
	if n > len(d.s) {
		d.bad = true
		return ""
	}
	s := d.s[:n]
	d.s = d.s[n:]
	return s
}

func (d *decoder) text() string { return d.take(d.count()) }

func (d *decoder) shared() string {
	n := d.uint()
	if n == uint64(len(d.texts)) {
		d.texts = append(d.texts, d.text())
	}
	if n >= uint64(len(d.texts)) {
		d.bad = true
		return ""
	}
	return d.texts[n]
}

func (d *decoder) bool() bool { return d.take(1) == "\x01" }

func (v *Vault) decode(data string) error {
	d := &decoder{s: data}
	if d.text() != v.cacheHead() {
		return errCache
	}
	e := &v.vectors
	if name := d.text(); name == localSpace.name {
		e.serving = localSpace
	} else if name != e.target.name && e.embedder != nil {
		e.serving = &space{name: name, weight: modelLikeness}
	}
	var rows []*row
	var gone []*row // have no vectors that serve
	for range d.count() {
		r := d.row()
		words := d.uint()
		n := d.count()
		var local vectors
		for range n {
			if local.pieces = append(local.pieces, newPiece(d.take(embed.Dim))); d.bad {
				break
			}
		}
		if d.bad {
			return errCache
		}
		if n > 0 {
			local.space = localSpace
		}
		if e.local(r) && n == 0 {
			gone = append(gone, r)
		}
		if !e.local(r) && e.serving != localSpace {
			local = vectors{}
		}
		changed := v.known.add(r)
		v.index.enter(r, int(words), local)
		v.show(changed)
		rows = append(rows, r)
	}
	for range d.count() {
		r := d.file()
		if r.broken = d.text(); d.bad || r.broken == "" {
			return errCache
		}
		v.known.add(r)
	}
	n := d.count()
	v.index.lists = make(map[string][]posting, n)
	for range n {
		term := d.text()
		list := make([]posting, d.count())
		last := uint64(0)
		for i := range list {
			last += d.uint()
			list[i] = posting{uint32(last), uint16(d.uint())}
			if last >= uint64(len(rows)) {
				return errCache
			}
		}
		v.index.lists[term] = list
	}
	if d.bad || d.s != "" {
		return errCache
	}
	e.recall(context.Background(), v.cache, &v.index, rows)
	v.promote()
	for _, r := range gone { // they are read anew
		v.index.remove(r)
		v.vectors.forget(r)
		v.show(v.known.remove(r))
	}
	return nil
}

// file reads what is known of a file itself.
func (d *decoder) file() *row {
	r := &row{}
	r.FilePath = d.text()
	r.stamp = folder.Stamp{Size: d.int(), Modified: d.int(), Changed: d.int(), Inode: uint64(d.int())}
	r.sure, r.linked = d.bool(), d.bool()
	return r
}

func (d *decoder) row() *row {
	r := d.file()
	r.note, r.ID, r.SchemaVersion = d.shared(), d.text(), int(d.int())
	for _, s := range [...]*string{&r.Prefix, &r.Portability, &r.Source, &r.Vault, &r.CapturedBy} {
		*s = d.shared()
	}
	r.LegacyID = d.text()
	r.Fingerprint = hex.EncodeToString([]byte(d.text()))
	for _, at := range [...]*time.Time{&r.CreatedAt, &r.UpdatedAt} {
		*at = time.Unix(d.int(), d.int()).UTC()
	}
	isList := d.bool()
	if n := d.count(); isList {
		r.Tags = make([]string, 0, n)
		for range n {
			r.Tags = append(r.Tags, d.shared())
		}
	}
	for range d.count() {
		r.Extra = append(r.Extra, thought.Field{Key: d.shared(), Value: json.RawMessage(d.text())})
	}
	r.Tags = slices.Clip(r.Tags)
	return r
}

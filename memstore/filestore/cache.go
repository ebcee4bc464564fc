package filestore

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/index"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// loadIndex takes in what an earlier process made of the files. Whether a file
// is still the same is for a look at it to find out.
func (d *Dir) loadIndex(ctx context.Context) {
	d.facts, d.loose, d.corpus = map[string]*entry{}, map[string]bool{}, &rank.Corpus{}
	d.dirty, d.rows = map[string]bool{}, map[string]bool{}
	if d.cache == nil {
		return
	}
	rows, err := d.cache.Load(ctx, string(memstore.KindFact))
	if ctx.Err() != nil {
		d.facts = nil // next time, then
		return
	}
	if err != nil {
		d.giveUpIndex()
		return
	}
	if entries, corpus, err := decodeAll(d.cache.LoadWhole()); err == nil {
		d.corpus = corpus
		for i := range entries {
			d.add(&entries[i])
		}
	}
	// Of a file in both, the row is the newer one.
	for _, row := range rows {
		d.rows[row.Key] = true
		e, doc, err := decodeRow(row)
		if err != nil {
			continue
		}
		d.remove(e.key)
		d.add(e)
		if e.problem == "" {
			d.corpus.Put(e.key, doc)
		}
	}
	clear(d.dirty) // the index has it all
}

// saveIndex writes what changed, when that is at least so many files. Those
// changed a moment ago wait for the next time.
func (d *Dir) saveIndex(ctx context.Context, from int) {
	if d.cache == nil || len(d.dirty) < from {
		return
	}
	var put []*entry
	var gone []string
	for key := range d.dirty {
		switch e := d.facts[key]; {
		case e == nil || e.stamp == (folder.Stamp{}):
			gone = append(gone, key)
		case !e.young:
			put = append(put, e)
		}
	}
	if len(put)+len(gone) < from {
		return
	}
	// From a part of them on, all are written in one piece, which is read much
	// sooner.
	if len(d.rows)+len(put)+len(gone) >= max(saveFrom, len(d.facts)/16) {
		d.saveAll(ctx)
		return
	}
	rows := make([]index.Row, len(put))
	for i, e := range put {
		rows[i] = encodeRow(e)
	}
	if !d.save(ctx, rows, gone) {
		return
	}
	for _, e := range put {
		e.doc = nil
		gone = append(gone, e.key)
	}
	for _, key := range gone {
		delete(d.dirty, key)
		d.rows[key] = true
	}
}

// saveAll writes all facts in one piece, but for those changed a moment ago.
func (d *Dir) saveAll(ctx context.Context) {
	settled := func(e *entry) bool { return e != nil && !e.young && e.stamp != (folder.Stamp{}) }
	if err := d.cache.SaveWhole(d.encodeAll(settled)); err != nil {
		d.giveUpIndex()
		return
	}
	if !d.save(ctx, nil, slices.Collect(maps.Keys(d.rows))) {
		return
	}
	clear(d.rows)
	for key := range d.dirty {
		switch e := d.facts[key]; {
		case settled(e):
			e.doc = nil
			delete(d.dirty, key)
		case e == nil:
			delete(d.dirty, key)
		}
	}
}

// save reports whether it could write to the index.
func (d *Dir) save(ctx context.Context, put []index.Row, gone []string) bool {
	err := d.cache.Save(ctx, string(memstore.KindFact), put, gone)
	if err != nil && ctx.Err() == nil {
		d.giveUpIndex()
	}
	return err == nil
}

// giveUpIndex goes on without the index: the files are still all there.
func (d *Dir) giveUpIndex() {
	_ = d.cache.Close()
	d.cache = nil
}

// A row's data is its entry, with the length before it, and the fact's Doc when
// there is a fact.

func encodeRow(e *entry) index.Row {
	b := appendText(nil, string(appendEntry(nil, e)))
	if e.fact != nil {
		doc := e.doc
		if doc == nil {
			made := memstore.Doc(e.record())
			doc = &made
		}
		b = doc.Append(b)
	}
	return index.Row{Key: e.key, Stamp: e.stamp.String(), Data: b}
}

func decodeRow(row index.Row) (*entry, rank.Doc, error) {
	n, size := binary.Uvarint(row.Data)
	if size <= 0 || n > uint64(len(row.Data)-size) {
		return nil, rank.Doc{}, errCut
	}
	r := reader{b: string(row.Data[size : size+int(n)])}
	e := &entry{}
	r.entry(e, &memstore.Fact{})
	if r.bad || e.key != row.Key {
		return nil, rank.Doc{}, errCut
	}
	if e.fact == nil {
		return e, rank.Doc{}, nil
	}
	doc, err := rank.DecodeDoc(row.Data[size+int(n):])
	return e, doc, err
}

// All is the number of entries, the entries by key, and their corpus.

func (d *Dir) encodeAll(keep func(*entry) bool) []byte {
	kept := make([]*entry, 0, len(d.facts))
	for _, key := range slices.Sorted(maps.Keys(d.facts)) {
		if e := d.facts[key]; keep(e) {
			kept = append(kept, e)
		}
	}
	b := binary.AppendUvarint(nil, uint64(len(kept)))
	for _, e := range kept {
		b = appendEntry(b, e)
	}
	return d.corpus.Append(b, func(key string) bool { return keep(d.facts[key]) })
}

func decodeAll(data string) ([]entry, *rank.Corpus, error) {
	r := reader{b: data}
	n := r.uvarint()
	if r.bad || n > uint64(len(data)) {
		return nil, nil, errCut
	}
	entries, facts := make([]entry, n), make([]memstore.Fact, n)
	for i := range entries {
		r.entry(&entries[i], &facts[i])
		if r.bad || i > 0 && entries[i].key <= entries[i-1].key {
			return nil, nil, errCut
		}
	}
	corpus, err := rank.DecodeCorpus(r.b)
	if err != nil {
		return nil, nil, err
	}
	kept := 0
	for i := range entries {
		if entries[i].fact != nil && corpus.Has(entries[i].key) {
			kept++
		}
	}
	if corpus.Len() != kept {
		return nil, nil, errCut
	}
	return entries, corpus, nil
}

// appendEntry writes the key, the stamp, the version, the problem and, when
// there is none, the fact.
func appendEntry(b []byte, e *entry) []byte {
	b = appendText(b, e.key)
	for _, v := range [...]int64{e.stamp.Size, e.stamp.Modified, e.stamp.Changed, int64(e.stamp.Inode)} {
		b = binary.AppendVarint(b, v)
	}
	b = appendText(appendText(b, e.version), e.problem)
	if f := e.fact; f != nil {
		for _, s := range [...]string{f.Name, f.Description, string(f.Type), f.Body} {
			b = appendText(b, s)
		}
		b = binary.AppendVarint(b, unixMilli(f.Created))
		b = binary.AppendVarint(b, unixMilli(f.Updated))
		b = binary.AppendUvarint(b, uint64(len(f.Tags)))
		for _, t := range f.Tags {
			b = appendText(b, t)
		}
	}
	return b
}

// entry reads one into e and its fact into f.
func (r *reader) entry(e *entry, f *memstore.Fact) {
	e.key = r.text()
	e.stamp = folder.Stamp{Size: r.varint(), Modified: r.varint(), Changed: r.varint(), Inode: uint64(r.varint())}
	e.version, e.problem = r.text(), r.text()
	if e.problem != "" {
		return
	}
	f.Name, f.Description, f.Type, f.Body = r.text(), r.text(), memstore.FactType(r.text()), r.text()
	f.Created, f.Updated = fromMilli(r.varint()), fromMilli(r.varint())
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return
	}
	if n > 0 {
		f.Tags = make([]string, n)
	}
	for i := range f.Tags {
		f.Tags[i] = r.text()
	}
	e.fact = f
}

// Zero times are kept apart from those of 1970.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMilli()
}

func fromMilli(ms int64) time.Time {
	if ms == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errCut = errors.New("cut short")

// reader takes values from the front of b. Once bad, it gives what must not be
// used.
type reader struct {
	b   string
	bad bool
}

func (r *reader) uvarint() uint64 {
	var v uint64
	for i := range min(len(r.b), binary.MaxVarintLen64) {
		c := r.b[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.b = r.b[i+1:]
			return v
		}
	}
	r.b, r.bad = "", true
	return 0
}

func (r *reader) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader) text() string {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.b, r.bad = "", true
		return ""
	}
	text := r.b[:n]
	r.b = r.b[n:]
	return text
}

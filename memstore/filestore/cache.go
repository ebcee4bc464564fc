package filestore

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/index"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// loadIndex takes in what an earlier process made of the files. Whether a file
// is still the same is for the walk to find out.
func (d *Dir) loadIndex(ctx context.Context) {
	if d.cache == nil {
		return
	}
	rows, err := d.cache.Load(ctx, string(memstore.KindFact))
	if err != nil {
		d.giveUpIndex()
		return
	}
	for _, row := range rows {
		e, doc, err := decodeRow(row)
		if err != nil {
			continue
		}
		d.facts[e.key] = e
		if e.problem == "" {
			d.corpus.Put(e.key, doc)
		}
	}
}

// saveIndex writes what changed, when that is at least so many files. Those
// changed a moment ago wait for the next time.
func (d *Dir) saveIndex(ctx context.Context, from int) {
	if d.cache == nil || len(d.dirty) < from {
		return
	}
	var put []index.Row
	var gone []string
	for key := range d.dirty {
		switch e := d.facts[key]; {
		case e == nil || e.stamp == (stamp{}):
			gone = append(gone, key)
		case !e.young:
			put = append(put, encodeRow(e))
		}
	}
	if len(put)+len(gone) < from {
		return
	}
	if err := d.cache.Save(ctx, string(memstore.KindFact), put, gone); err != nil {
		if ctx.Err() == nil {
			d.giveUpIndex()
		}
		return
	}
	for _, row := range put {
		d.facts[row.Key].doc = nil
		delete(d.dirty, row.Key)
	}
	for _, key := range gone {
		delete(d.dirty, key)
	}
}

// giveUpIndex goes on without the index: the files are still all there.
func (d *Dir) giveUpIndex() {
	_ = d.cache.Close()
	d.cache = nil
}

// A row's data is the version, the problem, the fact's fields when there is
// none, and the fact's Doc.

func encodeRow(e *entry) index.Row {
	b := appendText(appendText(nil, e.version), e.problem)
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
	r := reader{b: row.Data}
	at, err := parseStamp(row.Stamp)
	if err != nil {
		return nil, rank.Doc{}, err
	}
	e := &entry{key: row.Key, stamp: at, version: r.text(), problem: r.text()}
	if e.problem != "" || r.err != nil {
		return e, rank.Doc{}, r.err
	}
	f := &memstore.Fact{Name: r.text(), Description: r.text(), Type: memstore.FactType(r.text()), Body: r.text()}
	f.Created, f.Updated = fromMilli(r.varint()), fromMilli(r.varint())
	for n := r.uvarint(); n > 0 && r.err == nil; n-- {
		f.Tags = append(f.Tags, r.text())
	}
	if r.err != nil {
		return nil, rank.Doc{}, r.err
	}
	e.fact = f
	doc, err := rank.DecodeDoc(r.b)
	return e, doc, err
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

// reader takes values from the front of b; after an error all are zero.
type reader struct {
	b   []byte
	err error
}

var errCut = errors.New("row is cut short")

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	return r.take(v, n)
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	return int64(r.take(uint64(v), n))
}

func (r *reader) take(v uint64, n int) uint64 {
	if n <= 0 || r.err != nil {
		r.err = errCut
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) text() string {
	n := r.uvarint()
	if r.err != nil || n > uint64(len(r.b)) {
		r.err = errCut
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

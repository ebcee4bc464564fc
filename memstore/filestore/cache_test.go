package filestore

import (
	"reflect"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/index"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// kept is a store with two facts and a file that is none, as the index has it.
func kept() *Dir {
	d := &Dir{facts: map[string]*entry{}, corpus: &rank.Corpus{}}
	for _, key := range []string{"a", "b"} {
		f := &memstore.Fact{Name: key, Description: "about " + key, Type: memstore.Todo, Tags: []string{"x", key}, Body: "text"}
		e := &entry{key: key, stamp: folder.Stamp{Size: 1, Inode: 1 << 63}, version: "v", fact: f}
		d.facts[key] = e
		d.corpus.Put(key, memstore.Doc(e.record()))
	}
	d.facts["c"] = &entry{key: "c", stamp: folder.Stamp{Size: 2}, version: "w", problem: "no fact"}
	return d
}

func every(*entry) bool { return true }

func FuzzDecodeAll(f *testing.F) {
	f.Add(string(kept().encodeAll(every)))
	f.Add(string(kept().encodeAll(func(e *entry) bool { return e.key != "a" })))
	f.Add("")
	f.Fuzz(func(t *testing.T, data string) {
		entries, corpus, err := decodeAll(data)
		if err != nil {
			return
		}
		d := &Dir{facts: map[string]*entry{}, corpus: corpus}
		for i := range entries {
			d.facts[entries[i].key] = &entries[i]
		}
		for _, hit := range corpus.Search("about text", 5) {
			if e := d.facts[hit.Key]; e == nil || e.fact == nil {
				t.Errorf("hit %q is no fact", hit.Key)
			}
		}
		text := d.encodeAll(every)
		again, _, err := decodeAll(string(text))
		if err != nil || len(again) != len(d.facts) {
			t.Errorf("got %d, %v, want %d", len(again), err, len(d.facts))
		}
	})
}

func FuzzDecodeRow(f *testing.F) {
	for key, e := range kept().facts {
		f.Add(key, encodeRow(e).Data)
	}
	f.Fuzz(func(t *testing.T, key string, data []byte) {
		e, doc, err := decodeRow(index.Row{Key: key, Data: data})
		if err != nil {
			return
		}
		if e.fact != nil {
			e.doc = &doc
		}
		again, _, err := decodeRow(encodeRow(e))
		if err != nil || again.stamp != e.stamp || again.version != e.version || !reflect.DeepEqual(again.fact, e.fact) {
			t.Errorf("got %+v, %v, want %+v", again, err, e)
		}
	})
}

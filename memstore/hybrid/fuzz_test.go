package hybrid_test

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// FuzzLoad takes bytes whose sum is right, whatever they are: Load refuses
// them or returns an index that works.
func FuzzLoad(f *testing.F) {
	x := hybrid.New()
	f.Add(x.Encode(nil))
	x.Add(some(40, 4)...)
	f.Add(x.Encode([]byte("note")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= 4 {
			body := b[:len(b)-4]
			b = binary.LittleEndian.AppendUint32(body[:len(body):len(body)], crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		}
		x, _, err := hybrid.Load(b)
		if err != nil {
			return
		}
		for _, q := range queries {
			for _, h := range x.Search(hybrid.Query{Text: q}) {
				if e, ok := x.Entry(h.ID); !ok || e != h.Entry || h.Score <= 0 {
					t.Fatalf("hit %+v, entry %+v", h, e)
				}
			}
		}
		x.Around(20, 3, "s1")
		x.Add(some(5, 8)...)
		x.RemoveSession("s0")
		if n := x.Len(); n > 0 {
			x.Remove(x.MaxID())
			if x.Len() != n-1 {
				t.Fatalf("removed one of %d, left %d", n, x.Len())
			}
		}
		if _, _, err := hybrid.Load(x.Encode(nil)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzAdd holds that any text can be added, and found by its own words.
func FuzzAdd(f *testing.F) {
	for _, s := range []string{"applyCoupon in src/cart/total.ts", "don’t 'quote' it's", "数据库连接 é̂ ß", "a-b_c/d.e:f\\g", strings.Repeat("xY9", 99), "\xff\xfe?", "İstanbul ŉ"} {
		f.Add(s, "some other text")
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		x := hybrid.New()
		x.Add(hybrid.Doc{ID: 1, Session: "a", Text: text}, hybrid.Doc{ID: 2, Session: "b", Text: "nothing of it"})
		x.Search(hybrid.Query{Text: query})
		terms, _ := hybrid.Terms(text)
		if len(terms) == 0 || len(text) > 1000 {
			return
		}
		hits := x.Search(hybrid.Query{Text: text})
		for _, h := range hits {
			if h.ID == 1 {
				return
			}
		}
		t.Fatalf("%q does not find itself: terms %q", text, terms)
	})
}

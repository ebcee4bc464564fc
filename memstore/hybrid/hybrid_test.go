package hybrid_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

var day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// ids returns what a query finds, in order.
func ids(x *hybrid.Index, q hybrid.Query) []int64 {
	var found []int64
	for _, h := range x.Search(q) {
		found = append(found, h.ID)
	}
	return found
}

// apart is an index of texts that have nothing to do with one another.
func apart(texts ...string) *hybrid.Index {
	x := hybrid.New()
	for i, text := range texts {
		x.Add(hybrid.Doc{ID: int64(i + 1), Session: fmt.Sprint(i), Time: day, Text: text})
	}
	return x
}

func TestSearch_Finds(t *testing.T) {
	texts := []string{
		1:  "applyCoupon in src/cart/total.ts rounds twice",
		2:  "the coupon field of the cart page",
		3:  "error[E0308]: mismatched types in the parser",
		4:  "TS2345: argument of type string",
		5:  "connect ECONNRESET 10.0.0.7:5432 while migrating",
		6:  "the API answered HTTP 429 and we waited",
		7:  "max_retry_count is now 5",
		8:  "São Paulo naïve façade",
		9:  "数据库连接超时",
		10: "ユーザーの設定を保存する",
		11: "webhook signatures are verified with HMAC",
		12: "see internal/queue/worker_pool.go for the pool",
		13: "apply the patch",
		14: "we shipped version v2.14.3 on time",
		15: "commit 7d4a872 broke it",
		16: "Straße und Größe",
	}
	x := apart(texts[1:]...)
	for _, c := range []struct {
		name, query string
		want        int64 // first
	}{
		{"camel", "applyCoupon", 1},
		{"camel_lower", "applycoupon", 1},
		{"camel_snake", "apply_coupon", 1},
		{"camel_parts", "apply coupon", 1},
		{"camel_typo", "aplyCoupon", 1},
		{"path", "src/cart/total.ts", 1},
		{"path_backslash", `src\cart\total.ts`, 1},
		{"base", "total.ts", 1},
		{"part", "coupon field", 2},
		{"rust", "E0308", 3},
		{"rust_lower", "what is e0308?", 3},
		{"typescript", "TS2345", 4},
		{"errno", "ECONNRESET", 5},
		{"address", "10.0.0.7:5432", 5},
		{"status", "HTTP 429", 6},
		{"status_joined", "http429", 6},
		{"snake", "max_retry_count", 7},
		{"snake_camel", "maxRetryCount", 7},
		{"accents_none", "sao paulo", 8},
		{"accents", "naïve", 8},
		{"chinese", "数据库", 9},
		{"chinese_part", "连接", 9},
		{"japanese", "設定", 10},
		{"stem", "verifying signature", 11},
		{"typo", "webhok", 11},
		{"typo_swap", "singatures", 11},
		{"file", "worker_pool.go", 12},
		{"file_word", "worker pool", 12},
		{"version", "v2.14.3", 14},
		{"hash", "7d4a872", 15},
		{"german", "strasse", 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ids(x, hybrid.Query{Text: c.query}); len(got) == 0 || got[0] != c.want {
				t.Errorf("%q: got %v, want %d first", c.query, got, c.want)
			}
		})
	}
	for _, q := range []string{"", "what is it?", "zzzzqqqq", "...", "\x00\xff"} {
		if got := ids(x, hybrid.Query{Text: q}); len(got) > 0 {
			t.Errorf("%q: got %v, want nothing", q, got)
		}
	}
}

// A name in one piece outranks its parts, however often they occur.
func TestSearch_Whole(t *testing.T) {
	x := apart("apply coupon apply coupon: coupon, apply", "after lunch somebody mentioned that applyCoupon does too much at once for a test", "apply coupon")
	if got := ids(x, hybrid.Query{Text: "applyCoupon"}); got[0] != 2 {
		t.Errorf("got %v, want 2 first", got)
	}
}

func TestSearch_Order(t *testing.T) {
	at := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	x := hybrid.New()
	x.Add(
		hybrid.Doc{ID: 1, Session: "a", Time: at("2023-05-04"), Text: "Ann: What do you grow on the balcony?"},
		hybrid.Doc{ID: 2, Session: "a", Time: at("2023-05-04"), Text: "Bob: Tomatoes, mostly, and some mint."},
		hybrid.Doc{ID: 3, Session: "b", Time: at("2023-06-09"), Text: "Ann: The festival was loud."},
		hybrid.Doc{ID: 4, Session: "c", Time: at("2023-07-14"), Text: "Bob: The festival was loud."},
		hybrid.Doc{ID: 5, Session: "d", Time: at("2023-07-20"), Text: "Cleo: The festival was loud."},
	)
	for _, c := range []struct {
		name, query string
		want        []int64 // first
	}{
		{"newest", "festival", []int64{5, 4, 3}},
		{"speaker", "What did Bob say about the festival?", []int64{4}},
		{"month", "the festival in June", []int64{3}},
		{"date", "who was loud on July 14?", []int64{4}},
		{"month_alone", "July", []int64{5, 4}},
		{"answer", "what grows on the balcony", []int64{2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ids(x, hybrid.Query{Text: c.query})
			if len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
				t.Errorf("%q: got %v, want %v first", c.query, got, c.want)
			}
		})
	}
}

func TestSearch_Same(t *testing.T) {
	x := hybrid.New()
	for i := range int64(6) {
		x.Add(hybrid.Doc{ID: i + 1, Session: fmt.Sprint(i % 2), Kind: []string{"edit", "read"}[i/3], Same: 7, Text: "the build broke"})
	}
	x.Add(hybrid.Doc{ID: 9, Text: "the build is green", Session: "z"})
	hits := x.Search(hybrid.Query{Text: "build"})
	if len(hits) != 2 {
		t.Fatalf("got %d hits, want 2: %v", len(hits), hits)
	}
	for _, h := range hits {
		if h.Same == 7 && len(h.Others) != 5 {
			t.Errorf("others: got %v, want five", h.Others)
		}
	}
	hits = x.Search(hybrid.Query{Text: "broke", Kind: "read", Session: "0"})
	if len(hits) != 1 || hits[0].ID != 5 || hits[0].Others != nil {
		t.Errorf("filtered: got %+v, want 5 alone", hits)
	}
}

// some makes docs of few words, so that queries match many.
func some(n int, seed uint64) []hybrid.Doc {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("cache queue worker applyCoupon src/cart/total.ts E0308 deploy retry failing tests migration token budget 数据库 timeout handler parser index")
	docs := make([]hybrid.Doc, n)
	for i := range docs {
		var text strings.Builder
		fmt.Fprintf(&text, "%s: ", []string{"Ann", "Bob", "note"}[r.IntN(3)])
		for range 3 + r.IntN(12) {
			text.WriteString(words[min(r.IntN(len(words)), r.IntN(len(words)))] + " ")
		}
		if r.IntN(4) == 0 {
			text.WriteString("?")
		}
		docs[i] = hybrid.Doc{
			ID: int64(i + 1), Session: fmt.Sprint("s", r.IntN(1+n/8)), Time: day.Add(time.Duration(i) * 7 * time.Hour),
			Kind: []string{"edit", "read", "command"}[r.IntN(3)], Text: text.String(), Tags: []string{"tag" + fmt.Sprint(r.IntN(5))},
			Offset: int64(i) * 100, Length: i,
		}
		if r.IntN(5) == 0 {
			docs[i].Same = uint64(1 + r.IntN(n/10+1))
		}
	}
	return docs
}

var queries = []string{"cache", "retry the migration in March", "applyCoupon timeouts", "what did Ann say about tests?", "数据库 E0308",
	"deploi", "src/cart/total.ts", "monday budget handler parser queue", "quux worker", "tag3"}

// answers is all that an index says, for comparison.
func answers(x *hybrid.Index) string {
	var b strings.Builder
	for _, q := range queries {
		for _, f := range []hybrid.Query{{}, {Kind: "edit"}, {Session: "s1"}, {Since: day.AddDate(0, 0, 20)}, {Limit: 3, Kind: "read"}} {
			f.Text = q
			fmt.Fprintf(&b, "%+v\n", x.Search(f))
		}
	}
	x.Each(func(e hybrid.Entry) bool { fmt.Fprintf(&b, "%+v\n", e); return true })
	fmt.Fprintln(&b, x.Len(), x.MaxID(), x.Sessions())
	before, after := x.Around(40, 5, "")
	fmt.Fprintln(&b, before, after)
	before, after = x.Around(41, 3, "s1")
	fmt.Fprintln(&b, before, after)
	return b.String()
}

// However an index came about, it says the same.
func TestIndex_Ways(t *testing.T) {
	docs := some(300, 2)
	whole := hybrid.New()
	whole.Add(docs...)
	want := answers(whole)
	if strings.Count(want, "\n") < 300 {
		t.Fatalf("too little to compare: %s", want)
	}

	single := hybrid.New()
	for _, d := range docs {
		single.Add(d)
	}
	backwards := hybrid.New()
	for _, d := range slices.Backward(docs) {
		backwards.Add(d)
	}
	shuffled, r := hybrid.New(), rand.New(rand.NewPCG(3, 3))
	for left := slices.Clone(docs); len(left) > 0; {
		n := min(len(left), 1+r.IntN(40))
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		shuffled.Add(left[:n]...)
		left = left[n:]
	}
	removed := hybrid.New()
	for i, d := range some(400, 9) {
		d.ID += int64(i % 3 * 1000)
		removed.Add(d)
	}
	for i := range int64(3000) {
		if i%2 == 0 {
			removed.Add(hybrid.Doc{ID: i + 1, Session: "gone", Text: "cache deploi " + fmt.Sprint(i)})
		}
	}
	removed.RemoveSession("gone")
	removed.Each(func(hybrid.Entry) bool { return true })
	var old []int64
	removed.Each(func(e hybrid.Entry) bool {
		if e.ID > 300 || e.ID%2 == 0 {
			old = append(old, e.ID)
		}
		return true
	})
	removed.Remove(old...)
	removed.Add(docs...)

	loaded, note, err := hybrid.Load(single.Encode([]byte("a note")))
	if err != nil || string(note) != "a note" {
		t.Fatalf("Load: note %q, %v", note, err)
	}
	half, _, err := hybrid.Load(func() []byte { x := hybrid.New(); x.Add(docs[100:]...); return x.Encode(nil) }())
	if err != nil {
		t.Fatal(err)
	}
	half.Add(docs[:150]...)
	for name, x := range map[string]*hybrid.Index{"single": single, "backwards": backwards, "shuffled": shuffled, "removed": removed, "loaded": loaded, "half": half} {
		if got := answers(x); got != want {
			t.Errorf("%s: says\n%.2000s\nwant\n%.2000s", name, difference(got, want), difference(want, got))
		}
		if !bytes.Equal(x.Encode(nil), whole.Encode(nil)) {
			t.Errorf("%s: encodes otherwise", name)
		}
		if got := answers(x); got != want {
			t.Errorf("%s: says something else after Encode", name)
		}
		if x.Pending() != 0 {
			t.Errorf("%s: pending %d after Encode", name, x.Pending())
		}
	}
}

// difference returns the lines of a that are not in b.
func difference(a, b string) string {
	var d []string
	other := strings.Split(b, "\n")
	for line := range strings.SplitSeq(a, "\n") {
		if !slices.Contains(other, line) {
			d = append(d, line)
		}
	}
	return strings.Join(d, "\n")
}

// A filter leaves out what does not pass it and changes nothing else.
func TestSearch_Filters(t *testing.T) {
	docs := some(400, 5)
	for i := range docs {
		docs[i].Same = 0
	}
	x := hybrid.New()
	x.Add(docs...)
	since := day.AddDate(0, 0, 30)
	for _, text := range queries {
		all := x.Search(hybrid.Query{Text: text, Limit: 1000})
		for name, f := range map[string]struct {
			q    hybrid.Query
			pass func(hybrid.Hit) bool
		}{
			"kind":    {hybrid.Query{Kind: "read"}, func(h hybrid.Hit) bool { return h.Kind == "read" }},
			"session": {hybrid.Query{Session: "s2"}, func(h hybrid.Hit) bool { return h.Session == "s2" }},
			"since":   {hybrid.Query{Since: since}, func(h hybrid.Hit) bool { return !h.Time.Before(since) }},
			"none":    {hybrid.Query{Kind: "other"}, func(hybrid.Hit) bool { return false }},
			"limit":   {hybrid.Query{}, func(hybrid.Hit) bool { return true }},
		} {
			for _, limit := range []int{1, 7, 1000} {
				f.q.Text, f.q.Limit = text, limit
				var want []hybrid.Hit
				for _, h := range all {
					if f.pass(h) && len(want) < limit {
						want = append(want, h)
					}
				}
				got := x.Search(f.q)
				if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
					t.Errorf("%q, %s, limit %d: got %v, want %v", text, name, limit, got, want)
				}
			}
		}
	}
}

func TestLoad_Refuses(t *testing.T) {
	x := hybrid.New()
	x.Add(some(30, 1)...)
	b := x.Encode(nil)
	for i := range b {
		bad := bytes.Clone(b)
		bad[i] ^= 0x10
		if _, _, err := hybrid.Load(bad); err == nil {
			t.Fatalf("byte %d is wrong, and Load takes it", i)
		}
	}
	for n := range b {
		if _, _, err := hybrid.Load(b[:n]); err == nil {
			t.Fatalf("%d of %d bytes, and Load takes them", n, len(b))
		}
	}
}

// Searches run while a writer adds, removes and encodes.
func TestIndex_Concurrent(t *testing.T) {
	x := hybrid.New()
	docs := some(200, 6)
	x.Add(docs[:100]...)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range 200 {
				x.Search(hybrid.Query{Text: queries[i%len(queries)]})
				x.Around(int64(i), 2, "")
				x.Entry(x.MaxID())
			}
		})
	}
	wg.Go(func() {
		for i, d := range docs[100:] {
			x.Add(d)
			x.Remove(int64(i + 1))
			if i%25 == 0 {
				x.Encode(nil)
			}
		}
	})
	wg.Wait()
	if x.Len() != 100 || x.MaxID() != 200 {
		t.Errorf("got %d docs up to %d, want 100 up to 200", x.Len(), x.MaxID())
	}
}

func TestIndex_Around(t *testing.T) {
	x := hybrid.New()
	for i := range int64(9) {
		x.Add(hybrid.Doc{ID: 10 * (i + 1), Session: []string{"a", "b"}[i%2], Text: "text"})
	}
	for _, c := range []struct {
		id      int64
		session string
		want    string
	}{
		{50, "", "[30 40] [60 70]"},
		{55, "", "[40 50] [60 70]"},
		{50, "a", "[10 30] [70 90]"},
		{50, "b", "[20 40] [60 80]"},
		{10, "a", "[] [30 50]"},
		{99, "", "[80 90] []"},
		{50, "none", "[] []"},
	} {
		before, after := x.Around(c.id, 2, c.session)
		if got := fmt.Sprint(idsOf(before), idsOf(after)); got != c.want {
			t.Errorf("Around(%d, 2, %q): got %s, want %s", c.id, c.session, got, c.want)
		}
	}
}

func idsOf(entries []hybrid.Entry) []int64 {
	var ids []int64
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

// A doc is replaced, its words with it; one without an id is not kept.
func TestIndex_Replace(t *testing.T) {
	x := apart("the old words", "others")
	x.Add(hybrid.Doc{ID: 1, Text: "an elephant"}, hybrid.Doc{ID: 1, Text: "a giraffe"}, hybrid.Doc{Text: "nobody"}, hybrid.Doc{ID: -4, Text: "nobody"})
	if got := fmt.Sprint(x.Len(), ids(x, hybrid.Query{Text: "old"}), ids(x, hybrid.Query{Text: "elephant"}), ids(x, hybrid.Query{Text: "giraffe"}), ids(x, hybrid.Query{Text: "nobody"})); got != "2 [] [] [1] []" {
		t.Errorf("got %s, want 2 docs and the last text of 1", got)
	}
}

// What an entry says is what the doc said, times to the millisecond and UTC.
func TestIndex_Entry(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 123456789, time.FixedZone("", 3600))
	x := hybrid.New()
	x.Add(hybrid.Doc{ID: 5, Session: "s", Time: at, Kind: "k", Text: "t", Same: 1 << 63, Offset: 1 << 40, Length: 77}, hybrid.Doc{ID: 6})
	want := hybrid.Entry{ID: 5, Session: "s", Time: at.Truncate(time.Millisecond).UTC(), Kind: "k", Same: 1 << 63, Offset: 1 << 40, Length: 77}
	if got, ok := x.Entry(5); !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if got, ok := x.Entry(6); !ok || got != (hybrid.Entry{ID: 6}) {
		t.Errorf("a doc of nothing: got %+v, %v", got, ok)
	}
	if _, ok := x.Entry(7); ok {
		t.Error("an entry of no doc")
	}
}

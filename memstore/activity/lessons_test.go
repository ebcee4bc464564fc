package activity_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// worked makes observations from lines "session kind summary: files".
func worked(lines ...string) []activity.Observation {
	var out []activity.Observation
	for i, l := range lines {
		head, files, _ := strings.Cut(l, ":")
		f := strings.SplitN(head, " ", 3)
		out = append(out, activity.Observation{ID: int64(i + 1), Session: f[0], Kind: activity.Kind(f[1]), Summary: f[2], Files: strings.Fields(files)})
	}
	return out
}

func TestLessons(t *testing.T) {
	tests := []struct {
		name  string
		o     activity.LessonOptions
		lines []string
		want  string
	}{
		{"none", activity.LessonOptions{}, nil, ""},
		{"too-few", activity.LessonOptions{}, []string{"a edit x: src/cart.ts", "a edit y: src/cart.ts"}, ""},
		{"three", activity.LessonOptions{}, []string{"a edit x: src/cart.ts", "b read y: src/cart.ts", "b edit z: src/cart.ts"}, "cart 3/2 edit src/cart.ts [1 2 3]"},
		{"restated", activity.LessonOptions{}, []string{"a edit x: src/cart.ts", "a edit x: src/cart.ts", "b edit x: src/cart.ts"}, ""},
		{"fewer-asked", activity.LessonOptions{MinCount: 2}, []string{"a edit x: src/cart.ts", "b edit x: src/cart.ts"}, "cart 2/2 edit src/cart.ts [1 2]"},
		{"together", activity.LessonOptions{}, []string{"a edit x: src/cartTotal.ts", "a edit y: src/cartTotal.ts", "a edit z: src/cartTotal.ts"}, "cart total 3/1 edit src/cartTotal.ts [1 2 3]"},
		{
			"contained", activity.LessonOptions{},
			[]string{"a edit x: pay/hook.ts", "a edit y: pay/hook.ts", "a edit z: pay/hook.ts", "a edit w: pay/card.ts"},
			"pay 4/1 edit pay/hook.ts,pay/card.ts [1 2 3 4]",
		},
		{
			"apart-by-sessions", activity.LessonOptions{},
			[]string{"a edit 1: cart.ts", "a edit 2: cart.ts", "a edit 3: cart.ts", "a edit 4: cart.ts", "a edit 5: token.ts", "b edit 6: token.ts", "c edit 7: token.ts"},
			"token 3/3 edit token.ts [5 6 7]\ncart 4/1 edit cart.ts [1 2 3 4]",
		},
		{
			"limit", activity.LessonOptions{Limit: 1},
			[]string{"a edit 1: cart.ts", "a edit 2: cart.ts", "a edit 3: cart.ts", "a edit 4: token.ts", "b edit 5: token.ts", "c edit 6: token.ts"},
			"token 3/3 edit token.ts [4 5 6]",
		},
		{
			"outside", activity.LessonOptions{},
			[]string{"a edit 1: ~/dev/cart.ts", "a edit 2: /opt/cart.ts", "a edit 3: ../cart.ts"}, "",
		},
		{
			"words", activity.LessonOptions{},
			[]string{"a prompt why does the deployment fail", "b prompt check the Deployment please", "c command deployment again"},
			"deployment 3/3 prompt  [1 2 3]",
		},
		{
			"files-first", activity.LessonOptions{},
			[]string{"a prompt deployment x: a1.go", "b prompt deployment y: b1.go", "c prompt deployment z: c1.go"}, "",
		},
		{
			"three-files", activity.LessonOptions{},
			[]string{"a edit 1: pay/a.ts pay/b.ts pay/c.ts", "a edit 2: pay/b.ts pay/d.ts", "a edit 3: pay/d.ts pay/b.ts"},
			"pay 3/1 edit pay/b.ts,pay/d.ts,pay/a.ts [1 2 3]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range activity.Lessons(worked(tt.lines...), tt.o) {
				got = append(got, fmt.Sprintf("%s %d/%d %s %s %v", l.Topic, l.Count, l.Sessions, l.Kind, strings.Join(l.Files, ","), l.IDs))
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}

// What nearly everything is about is no lesson, once there is enough to tell.
func TestLessons_Everywhere(t *testing.T) {
	for _, n := range []int{9, 10} {
		var lines []string
		for i := range n {
			file := "shop/x.ts"
			if i >= 7 {
				file = "token.ts"
			}
			lines = append(lines, fmt.Sprintf("a edit s%d: %s", i, file))
		}
		var topics []string
		for _, l := range activity.Lessons(worked(lines...), activity.LessonOptions{}) {
			topics = append(topics, l.Topic)
		}
		if got, want := strings.Join(topics, " "), map[int]string{9: "shop", 10: "token"}[n]; got != want {
			t.Errorf("%d observations: got %q, want %q", n, got, want)
		}
	}
}

// No two lessons share most of their observations, whatever the order and
// whether they are counted at once or bit by bit.
func TestLessons_Apart(t *testing.T) {
	obs := history(2000)
	var tally activity.Tally
	for i, o := range obs {
		tally.Add(o)
		if i%500 == 0 {
			tally.Lessons(activity.LessonOptions{})
		}
	}
	lessons := tally.Lessons(activity.LessonOptions{Limit: 50})
	if len(lessons) < 10 {
		t.Fatalf("got %d lessons, want at least 10", len(lessons))
	}
	if again := activity.Lessons(obs, activity.LessonOptions{Limit: 50}); !reflect.DeepEqual(again, lessons) {
		t.Error("lessons at once differ from those of a tally")
	}
	for i, a := range lessons {
		in := map[int64]bool{}
		for j, id := range a.IDs {
			in[id] = true
			if j > 0 && id <= a.IDs[j-1] {
				t.Fatalf("%s: ids are not ascending", a.Topic)
			}
		}
		if len(a.IDs) != a.Count {
			t.Errorf("%s: %d ids for a count of %d", a.Topic, len(a.IDs), a.Count)
		}
		for _, b := range lessons[i+1:] {
			if a.Count*a.Sessions < b.Count*b.Sessions {
				t.Errorf("%s (%d×%d) stands before %s (%d×%d)", a.Topic, a.Count, a.Sessions, b.Topic, b.Count, b.Sessions)
			}
			both := 0
			for _, id := range b.IDs {
				if in[id] {
					both++
				}
			}
			if float64(both) >= 0.8*float64(min(a.Count, b.Count)) || float64(both) >= 0.6*float64(a.Count+b.Count-both) {
				t.Errorf("%s and %s share %d of %d and %d", a.Topic, b.Topic, both, a.Count, b.Count)
			}
		}
	}
}

// history makes n observations of a project of 3,000 files, a few of
// which most of the work is about.
func history(n int) []activity.Observation {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(skew float64) string {
		n := int(r.ExpFloat64() * skew)
		return string([]byte{'k' + byte(n%7), 'a' + byte(n/7%26), 'e', 'a' + byte(n/182%26), 'n'})
	}
	files := make([]string, 3000)
	for i := range files {
		files[i] = "src/" + word(8) + "/" + word(60) + "/" + word(900) + ".ts"
	}
	kinds := activity.Kinds()
	obs := make([]activity.Observation, n)
	for i := range obs {
		o := activity.Observation{ID: int64(i + 1), Session: fmt.Sprint("s", i/50), Kind: kinds[r.IntN(len(kinds))], Summary: fmt.Sprint("request ", i)}
		for range r.IntN(4) {
			o.Files = append(o.Files, files[int(r.ExpFloat64()*400)%len(files)])
		}
		obs[i] = o
	}
	return obs
}

func TestSameKey(t *testing.T) {
	base := activity.Observation{Kind: activity.Edit, Summary: "Fix run 12 of 2026-06-04", Files: []string{"a", "b"}}
	with := func(change func(*activity.Observation)) activity.Observation { o := base; change(&o); return o }
	tests := []struct {
		name string
		o    activity.Observation
		same bool
	}{
		{"itself", base, true},
		{"case-space-digits", with(func(o *activity.Observation) { o.Summary = " fix  RUN 7 of 2025-11-30" }), true},
		{"order-of-files", with(func(o *activity.Observation) { o.Files = []string{"b", "a", "b"} }), true},
		{"else", with(func(o *activity.Observation) { o.ID, o.Session, o.Time, o.Detail = 4, "x", noon, "y" }), true},
		{"kind", with(func(o *activity.Observation) { o.Kind = activity.Read }), false},
		{"words", with(func(o *activity.Observation) { o.Summary += " again" }), false},
		{"files", with(func(o *activity.Observation) { o.Files = []string{"a"} }), false},
		{"boundaries", with(func(o *activity.Observation) { o.Files = []string{"ab"} }), false},
	}
	for _, tt := range tests {
		if got := activity.SameKey(tt.o) == activity.SameKey(base); got != tt.same {
			t.Errorf("%s: same is %v, want %v", tt.name, got, tt.same)
		}
	}
	if activity.SameKey(activity.Observation{}) == 0 {
		t.Error("the key of nothing is 0")
	}
}

// Run with go test -bench Lessons. 100,000 observations of 2,000 sessions, on
// a machine of 2 shared cores: 74 ms and 29 MB at once, 3.1 ms from a tally.
func BenchmarkLessons(b *testing.B) {
	obs := history(100_000)
	b.Run("n=100000/at-once", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			activity.Lessons(obs, activity.LessonOptions{})
		}
	})
	b.Run("n=100000/tally", func(b *testing.B) {
		var t activity.Tally
		for _, o := range obs {
			t.Add(o)
		}
		b.ReportAllocs()
		for b.Loop() {
			t.Lessons(activity.LessonOptions{})
		}
	})
}

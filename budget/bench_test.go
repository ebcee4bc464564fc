package budget

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func BenchmarkTokens(b *testing.B) {
	texts := samples(b)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := strings.Repeat(texts[name], 64<<10/len(texts[name])+1)
		b.Run("text="+strings.TrimSuffix(name, ".txt"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Tokens(text)
			}
		})
	}
}

func BenchmarkFitLines(b *testing.B) {
	text := strings.Repeat(together(b), 50)
	for b.Loop() {
		FitLines(text, 4000, note)
	}
}

func BenchmarkFitItems(b *testing.B) {
	items := strings.SplitAfter(strings.Repeat(together(b), 50), "\n")
	for b.Loop() {
		FitItems(items, 4000, note)
	}
}

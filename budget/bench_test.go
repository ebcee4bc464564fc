package budget

import (
	"strings"
	"testing"
)

func BenchmarkTokens(b *testing.B) {
	for name, text := range samples(b) {
		text = strings.Repeat(text, 64<<10/len(text)+1)
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

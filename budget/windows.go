package budget

import "strings"

// windows lists the context windows, in tokens, that the makers of models state
// for them, by the start of a model's name; the longest start that fits counts.
var windows = []struct {
	prefix string
	tokens int
}{
	{"claude", 200_000},
	{"gpt-3.5", 16_385},
	{"gpt-4", 8_192},
	{"gpt-4-turbo", 128_000},
	{"gpt-4o", 128_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-5", 400_000},
	{"codex", 400_000},
	{"o1", 200_000},
	{"o3", 200_000},
	{"o4", 200_000},
	{"gemini", 1_048_576},
	{"gemini-1.5-pro", 2_097_152},
	{"grok", 131_072},
	{"grok-4", 256_000},
	{"deepseek", 128_000},
	{"mistral", 128_000},
	{"llama", 128_000},
	{"qwen", 131_072},
}

// Window returns the context window of a model in tokens, by its family, and
// whether the family is known. A maker's name before a slash is passed over,
// and a name that says "1m" in brackets has a million.
func Window(model string) (tokens int, ok bool) {
	model = strings.ToLower(strings.TrimSpace(model))
	if strings.HasSuffix(model, "[1m]") {
		return 1_000_000, true
	}
	model = model[strings.LastIndexByte(model, '/')+1:]
	longest := 0
	for _, w := range windows {
		if len(w.prefix) > longest && strings.HasPrefix(model, w.prefix) {
			longest, tokens = len(w.prefix), w.tokens
		}
	}
	return tokens, longest > 0
}

package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/vault"
	"github.com/slipstream-mcp/slipstream/memstore/vault/remote"
)

const key = "sk-" + "0123456789abcdef"

// server answers each text with a vector of its length and 1.
func server(t testing.TB, f http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s
}

func client(t testing.TB, o remote.Options) *remote.Client {
	t.Helper()
	if o.Model == "" {
		o.Model = "m"
	}
	c, err := remote.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTexts(t *testing.T) {
	requests := 0
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		var q struct {
			Model      string
			Input      []string
			Dimensions int
			Encoding   string `json:"encoding_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != "m" || r.Header.Get("Authorization") != "Bearer "+key || len(q.Input) > 64 {
			t.Errorf("got %+v, %v, %v", q, r.Header, err)
		}
		var data []map[string]any
		var embeddings [][]float64
		for i, text := range q.Input {
			v := []float64{float64(len(text)), 1}
			data = append([]map[string]any{{"index": i, "embedding": v}}, data...) // out of order
			embeddings = append(embeddings, v)
		}
		switch r.URL.Path {
		case "/v1/embeddings":
			if q.Encoding != "float" {
				t.Errorf("encoding %q", q.Encoding)
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
		case "/api/embed":
			_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": embeddings})
		default:
			http.NotFound(w, r)
		}
	})
	for _, o := range []remote.Options{
		{URL: s.URL + "/v1"}, {URL: s.URL + "/v1/embeddings"}, {URL: s.URL + "/api"}, {URL: s.URL, API: remote.Ollama}, {URL: s.URL + "/api/embed/", Dimensions: 2},
	} {
		o.Key, o.QueryPrefix, o.TextPrefix = key, "query: ", "text:"
		c := client(t, o)
		requests = 0
		texts := make([]string, 130)
		for i := range texts {
			texts[i] = strings.Repeat("x", i)
		}
		got, err := c.Texts(t.Context(), texts)
		if err != nil || len(got) != len(texts) || requests != 3 {
			t.Fatalf("%s: %d vectors, %d requests, %v", o.URL, len(got), requests, err)
		}
		for i, v := range got {
			n := math.Hypot(float64(i+5), 1)
			if math.Abs(float64(v[0])-float64(i+5)/n) > 1e-6 || math.Abs(float64(v[1])-1/n) > 1e-6 {
				t.Fatalf("%s: text %d: got %v", o.URL, i, v)
			}
		}
		if v, err := c.Query(t.Context(), "abc"); err != nil || math.Abs(float64(v[0]/v[1])-10) > 1e-4 {
			t.Errorf("%s: got %v, %v", o.URL, v, err)
		}
	}
}

func TestTexts_Bad(t *testing.T) {
	answer := func(code int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(code)
			fmt.Fprint(w, text)
		}
	}
	elsewhere := server(t, func(w http.ResponseWriter, r *http.Request) { t.Error("another host was asked") })
	for name, c := range map[string]struct {
		f       http.HandlerFunc
		want    string
		refused bool
	}{
		"500": {answer(500, "<html>"), "500 Internal Server Error", false},
		"429": {answer(429, `{"error": {"message": "slow\ndown"}}`), `429 Too Many Requests: "slow down"`, false},
		"401": {answer(401, `{"error": {"message": "bad key `+key+`"}}`), `"bad key ***"`, false},
		"400": {answer(400, `{"error": "too long"}`), `"too long"`, true},
		"413": {answer(413, ""), "413", true},
		"422": {answer(422, ""), "422", true},
		"hang": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "no answer within 200ms", false},
		"html":      {answer(200, "<html>"), "not JSON of vectors", false},
		"null":      {answer(200, "null"), "0 vectors came back for 2 texts", false},
		"few":       {answer(200, `{"data": [{"index": 0, "embedding": [1]}]}`), "1 vectors came back for 2 texts", false},
		"twice":     {answer(200, `{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`), "vector 0 came back twice", false},
		"index":     {answer(200, `{"data": [{"index": 0, "embedding": [1]}, {"index": 7, "embedding": [1]}]}`), "vector 7", false},
		"negative":  {answer(200, `{"data": [{"index": -1, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`), "vector -1", false},
		"empty":     {answer(200, `{"data": [{"embedding": []}, {"embedding": [1]}]}`), "0 dimensions", false},
		"no vector": {answer(200, `{"data": [{}, {"embedding": [1]}]}`), "0 dimensions", false},
		"uneven":    {answer(200, `{"data": [{"embedding": [1, 2]}, {"embedding": [1]}]}`), "1 dimensions came back, where 2 are due", false},
		"zeros":     {answer(200, `{"data": [{"embedding": [0, 0]}, {"embedding": [1, 2]}]}`), "without direction", false},
		"too large": {answer(200, `{"data": [{"embedding": [1e39]}, {"embedding": [1]}]}`), "not JSON of vectors", false},
		"text":      {answer(200, `{"data": [{"embedding": "AACAPw=="}, {"embedding": [1]}]}`), "not JSON of vectors", false},
		"other API": {answer(200, `{"embeddings": [[1], [2]]}`), "0 vectors", false},
		"redirection": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "it leads on to", false},
	} {
		s := server(t, c.f)
		at := strings.Replace(s.URL, "http://", "http://user:hunter2@", 1)
		_, err := client(t, remote.Options{URL: at + "/v1?token=hunter3", Key: key, Timeout: 200 * time.Millisecond}).Texts(t.Context(), []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, vault.ErrRefused) != c.refused {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
			continue
		}
		for _, secret := range []string{key, "hunter"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: a secret is in %v", name, err)
			}
		}
	}
	down := server(t, answer(200, ""))
	down.Close()
	if _, err := client(t, remote.Options{URL: down.URL}).Query(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client(t, remote.Options{URL: down.URL}).Query(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTexts_Change has a model that changes its dimensions between answers.
func TestTexts_Change(t *testing.T) {
	vector := "[1, 2]"
	s := server(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"embeddings": [%s]}`, vector) })
	c := client(t, remote.Options{URL: s.URL, API: remote.Ollama})
	if _, err := c.Query(t.Context(), "x"); err != nil {
		t.Error(err)
	}
	vector = "[1, 2, 3]"
	if _, err := c.Query(t.Context(), "x"); err == nil {
		t.Error("another dimension is taken")
	}
	if _, err := client(t, remote.Options{URL: s.URL, API: remote.Ollama, Dimensions: 2}).Query(t.Context(), "x"); err == nil {
		t.Error("a dimension that was not asked for is taken")
	}
}

func TestNew_Refuses(t *testing.T) {
	for _, o := range []remote.Options{
		{URL: "", Model: "m"}, {URL: "127.0.0.1:11434", Model: "m"}, {URL: "ftp://x", Model: "m"}, {URL: "http://x"},
		{URL: "http://x", Model: "m", Dimensions: -1}, {URL: "http://x", Model: "m", Dimensions: 1 << 20}, {URL: "http://x", Model: "m", API: "soap"},
		{URL: "http://user:hunter2@%zz", Model: "m"}, {URL: "http://x", Model: "m", Timeout: -1},
	} {
		if _, err := remote.New(o); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestFormer(t *testing.T) {
	a := client(t, remote.Options{URL: "http://user:hunter2@localhost:11434/?k=hunter2", Key: key, Model: "a", Dimensions: 3, TextPrefix: "t: "})
	b := client(t, remote.Options{URL: "http://localhost:11434", Model: "b"})
	if strings.Contains(a.Name(), "hunter") || strings.Contains(a.Name(), key) {
		t.Errorf("a secret is in %s", a.Name())
	}
	if former, ok := b.Former(a.Name()); !ok || former.Name() != a.Name() {
		t.Errorf("got %v, %v", former, ok)
	}
	for _, name := range []string{"spelling", "[]", `["openai","http://localhost:11434/embeddings","a",0,"",""]`, client(t, remote.Options{URL: "http://other:11434"}).Name()} {
		if _, ok := b.Former(name); ok {
			t.Errorf("%s is taken for one of the same endpoint", name)
		}
	}
	if !a.Local() || !client(t, remote.Options{URL: "http://[::1]:80"}).Local() || client(t, remote.Options{URL: "https://localhost.example.org"}).Local() {
		t.Error("what is local?")
	}
}

// FuzzTexts takes any answer: vectors come back, as many as texts and of length
// 1, or an error.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{`{"data": [{"index": 1, "embedding": [1, 2]}, {"index": 0, "embedding": [3, 4]}]}`, `{"embeddings": [[1], [2]]}`, `{"data": null}`, `[`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		for _, api := range []remote.API{remote.OpenAI, remote.Ollama} {
			c := client(t, remote.Options{URL: "http://x", API: api, Client: &http.Client{Transport: canned(answer)}})
			vectors, err := c.Texts(t.Context(), []string{"a", "b"})
			if err != nil {
				continue
			}
			if len(vectors) != 2 || len(vectors[0]) != len(vectors[1]) {
				t.Errorf("got %v", vectors)
			}
			for _, v := range vectors {
				sum := 0.0
				for _, x := range v {
					sum += float64(x) * float64(x)
				}
				if math.Abs(sum-1) > 1e-3 {
					t.Errorf("length %v of %v", sum, v)
				}
			}
		}
	})
}

// canned is a transport that gives one answer.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	fmt.Fprint(w, string(c))
	return w.Result(), nil
}

// Package remote has texts turned into vectors by a model behind HTTP: by any
// endpoint that speaks as OpenAI's does, or by Ollama.
//
//	model, err := remote.New(remote.Options{URL: "http://127.0.0.1:11434", Model: "nomic-embed-text"})
//	v, err := vault.Open(dir, vault.Options{Embedder: model, Trusted: model.Local(), CacheDir: cache, Retry: time.Second})
//
// Each request has a deadline, an answer is checked before it is believed, and
// neither the key nor what stands in the URL before the host comes into an error.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

// What a request may take and bring.
const (
	// DefaultTimeout is how long a request may take when Options name no time.
	DefaultTimeout = 10 * time.Second
	// MaxDimensions is the most that a vector may have.
	MaxDimensions = 1 << 16
	// maxBatch is the most texts of one request.
	maxBatch = 64
	// maxAnswer is the most bytes of an answer.
	maxAnswer = 64 << 20
)

// API is how an endpoint is spoken to.
type API string

// The ways of speaking that are known.
const (
	OpenAI API = "openai" // POST /embeddings
	Ollama API = "ollama" // POST /api/embed
)

// Options say where the model is.
type Options struct {
	// URL is the endpoint or what stands before it, such as
	// https://api.openai.com/v1 or http://127.0.0.1:11434.
	URL string
	// API is guessed from the URL when it is "": Ollama on its port 11434 or
	// where the path ends in /api or /api/embed.
	API API
	// Key is sent as a bearer token unless it is "".
	Key string
	// Model is the model's name; it must not be "".
	Model string
	// Dimensions is asked for and held to unless it is 0.
	Dimensions int
	// QueryPrefix and TextPrefix go before a question and before a text, for
	// models that want to be told which is which.
	QueryPrefix, TextPrefix string
	// Timeout is how long one request may take; 0 means DefaultTimeout.
	Timeout time.Duration
	// Client sends the requests; nil means one of the package's own. Its
	// CheckRedirect is not used: the key is not carried to another host.
	Client *http.Client
}

// Client is a vault.Embedder and a vault.Former. It is safe for concurrent use.
type Client struct {
	o        Options
	endpoint *url.URL
	http     http.Client

	mu  sync.Mutex
	dim int // 0 before the first answer
}

// New returns a client; nothing is sent yet. An error says which option is
// wrong.
func New(o Options) (*Client, error) {
	at, err := url.Parse(strings.TrimSpace(o.URL))
	switch {
	case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
		return nil, errors.New("the URL of the embedder must look like http://127.0.0.1:11434 or https://host/v1")
	case strings.TrimSpace(o.Model) == "":
		return nil, errors.New("the embedder needs the name of a model")
	case o.Timeout < 0:
		return nil, errors.New("the embedder's timeout must look like 10s")
	case o.Dimensions < 0 || o.Dimensions > MaxDimensions:
		return nil, fmt.Errorf("%d dimensions are not from 0 to %d", o.Dimensions, MaxDimensions)
	}
	path := strings.TrimRight(at.Path, "/")
	if o.API == "" {
		o.API = OpenAI
		if at.Port() == "11434" && path == "" || strings.HasSuffix(path, "/api") || strings.HasSuffix(path, "/api/embed") {
			o.API = Ollama
		}
	}
	switch {
	case o.API == OpenAI && !strings.HasSuffix(path, "/embeddings"):
		path += "/embeddings"
	case o.API == Ollama && strings.HasSuffix(path, "/api"):
		path += "/embed"
	case o.API == Ollama && !strings.HasSuffix(path, "/api/embed"):
		path += "/api/embed"
	case o.API != OpenAI && o.API != Ollama:
		return nil, fmt.Errorf("the embedder's API %q is none of %s, %s", o.API, OpenAI, Ollama)
	}
	at.Path, at.RawPath, at.Fragment = path, "", ""
	c := &Client{o: o, endpoint: at, dim: o.Dimensions}
	if o.Client != nil {
		c.http = *o.Client
	}
	c.http.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		if next.URL.Host != at.Host || next.URL.Scheme != at.Scheme {
			return fmt.Errorf("it leads on to %s", next.URL.Host)
		}
		return nil
	}
	if c.o.Timeout == 0 {
		c.o.Timeout = DefaultTimeout
	}
	return c, nil
}

// Name tells the vectors of this client from those of others: what decides them
// is in it, and no secret.
func (c *Client) Name() string {
	at := url.URL{Scheme: c.endpoint.Scheme, Host: c.endpoint.Host, Path: c.endpoint.Path}
	name, _ := json.Marshal([]any{c.o.API, at.String(), c.o.Model, c.o.Dimensions, c.o.TextPrefix, c.o.QueryPrefix})
	return string(name)
}

// Former returns the client whose Name it is, when it asks the same endpoint.
func (c *Client) Former(name string) (vault.Embedder, bool) {
	var api, at string
	o := c.o
	var parts []json.RawMessage
	if json.Unmarshal([]byte(name), &parts) != nil || len(parts) != 6 {
		return nil, false
	}
	for i, into := range []any{&api, &at, &o.Model, &o.Dimensions, &o.TextPrefix, &o.QueryPrefix} {
		if json.Unmarshal(parts[i], into) != nil {
			return nil, false
		}
	}
	former, err := New(o)
	if err != nil || former.Name() != name {
		return nil, false
	}
	return former, true
}

// Local reports whether the endpoint is on this machine, so that what is sent
// to it does not leave it.
func (c *Client) Local() bool {
	host := c.endpoint.Hostname()
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Texts returns the vectors of texts, of length 1. The error is
// vault.ErrRefused's kind when the endpoint will not take them.
func (c *Client) Texts(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		some := texts[:min(maxBatch, len(texts))]
		texts = texts[len(some):]
		prefixed := make([]string, len(some))
		for i, text := range some {
			prefixed[i] = c.o.TextPrefix + text
		}
		made, err := c.ask(ctx, prefixed)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, made...)
	}
	return vectors, nil
}

// Query returns the vector of a question, of length 1.
func (c *Client) Query(ctx context.Context, text string) ([]float32, error) {
	made, err := c.ask(ctx, []string{c.o.QueryPrefix + text})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// question is a request of either API.
type question struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
	Encoding   string   `json:"encoding_format,omitempty"`
}

// ask sends one request.
func (c *Client) ask(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	q := question{Model: c.o.Model, Input: texts, Dimensions: c.o.Dimensions}
	if c.o.API == OpenAI {
		q.Encoding = "float"
	}
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, c.explain(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if c.o.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.explain(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return nil, c.explain(err)
	}
	if len(text) > maxAnswer {
		return nil, c.explain(fmt.Errorf("the answer has more than %d bytes", maxAnswer))
	}
	if answer.StatusCode != http.StatusOK {
		return nil, c.refusal(answer.StatusCode, text)
	}
	vectors, err := decode(c.o.API, text, len(texts))
	if err == nil {
		err = c.hold(vectors)
	}
	if err != nil {
		return nil, c.explain(err)
	}
	return vectors, nil
}

// hold checks that all vectors have the dimensions of those before.
func (c *Client) hold(vectors [][]float32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	dim := cmp.Or(c.dim, len(vectors[0]))
	for _, v := range vectors {
		if len(v) != dim {
			return fmt.Errorf("a vector of %d dimensions came back, where %d are due", len(v), dim)
		}
	}
	c.dim = dim
	return nil
}

// refusal is the error of an answer other than 200 OK. What is asked wrongly
// stays wrong when it is asked again, but for the key and what is not there yet:
// those a person mends.
func (c *Client) refusal(code int, text []byte) error {
	err := fmt.Errorf("%d %s%s", code, http.StatusText(code), reason(text))
	switch code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		err = fmt.Errorf("%w: %w", vault.ErrRefused, err)
	}
	return c.explain(err)
}

// reason is what an endpoint says went wrong, in a line.
func reason(text []byte) string {
	var said struct{ Error json.RawMessage }
	if json.Unmarshal(text, &said) != nil || len(said.Error) == 0 {
		return ""
	}
	var inner struct{ Message string }
	message := ""
	if json.Unmarshal(said.Error, &inner) == nil {
		message = inner.Message
	} else if json.Unmarshal(said.Error, &message) != nil {
		return ""
	}
	const most = 200
	line := []rune(strings.Join(strings.Fields(message), " "))
	if len(line) > most {
		line = append(line[:most], '…')
	}
	if len(line) == 0 {
		return ""
	}
	return fmt.Sprintf(": %q", string(line))
}

// explain says in an error which endpoint it is about, and keeps the key and the
// rest of its URL out of it.
func (c *Client) explain(err error) error {
	var sent *url.Error
	if errors.As(err, &sent) {
		err = sent.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v: %w", c.o.Timeout, context.DeadlineExceeded)
	}
	err = fmt.Errorf("the embedder %s://%s: %w", c.endpoint.Scheme, c.endpoint.Host, err)
	if c.o.Key != "" && strings.Contains(err.Error(), c.o.Key) {
		return errors.New(strings.ReplaceAll(err.Error(), c.o.Key, "***"))
	}
	return err
}

// decode reads the vectors of an answer to n texts, and gives them length 1.
func decode(api API, text []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int
			Embedding []float32
		}
		Embeddings [][]float32
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, errors.New("the answer is not JSON of vectors")
	}
	vectors := answer.Embeddings
	if api == OpenAI {
		vectors = make([][]float32, len(answer.Data))
		for i, d := range answer.Data {
			at := i
			if d.Index != nil {
				at = *d.Index
			}
			if at < 0 || at >= len(vectors) || vectors[at] != nil {
				return nil, fmt.Errorf("vector %d came back twice or was not asked for", at)
			}
			if vectors[at] = d.Embedding; d.Embedding == nil {
				vectors[at] = []float32{}
			}
		}
	}
	if len(vectors) != n {
		return nil, fmt.Errorf("%d vectors came back for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) > MaxDimensions {
			return nil, fmt.Errorf("a vector of %d dimensions came back", len(v))
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		norm := math.Sqrt(sum)
		if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
			return nil, errors.New("a vector without direction came back")
		}
		for i, x := range v {
			v[i] = float32(float64(x) / norm)
		}
	}
	return vectors, nil
}

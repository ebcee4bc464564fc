package vault

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/index"
)

// Embedder turns texts into vectors whose cosine tells how alike they are.
// Package remote asks a model for them.
type Embedder interface {
	// Name tells apart vectors that cannot be compared: it names the model.
	Name() string
	// Texts returns the vectors of texts that are kept, in their order, all of
	// one length. An error of ErrRefused's kind says that a text is at fault,
	// any other that it is worth while to try again later.
	Texts(ctx context.Context, texts []string) ([][]float32, error)
	// Query returns the vector of a question to such texts.
	Query(ctx context.Context, text string) ([]float32, error)
}

// Former is an Embedder that knows others like it. While thoughts are given
// new vectors the old ones serve, as long as queries can be given such too.
type Former interface {
	// Former returns the Embedder of a name.
	Former(name string) (Embedder, bool)
}

// ErrRefused says that an Embedder will never take a text.
var ErrRefused = errors.New("the text is refused")

// What a cosine adds at most to the share of the query's words that a thought
// holds: a rare word that is there outweighs a mere resemblance of spelling,
// less so what a model takes for the same.
const (
	likeness      = 0.3
	modelLikeness = 0.6
)

// promptly is how long a search waits for its vector before it goes by words,
// and a capture for its own before that is left for later.
const promptly = 3 * time.Second

// space is a kind of vectors that can be compared with one another.
type space struct {
	name   string
	weight float64 // of a cosine
	dim    int     // 0 when it is not known yet
}

// localSpace holds the vectors of package embed.
var localSpace = &space{name: "spelling", weight: likeness, dim: embed.Dim}

// vectors are those of one text's pieces.
type vectors struct {
	space  *space
	pieces []piece
}

// piece is a vector, a signed byte a dimension: a cosine is right to three
// decimals.
type piece struct {
	vector string
	norm   float64
}

// probe is a query in one space.
type probe struct {
	space *space
	piece piece
}

func newPiece(vector string) piece {
	sum := 0
	for i := range len(vector) {
		sum += int(int8(vector[i])) * int(int8(vector[i]))
	}
	return piece{vector, math.Sqrt(float64(sum))}
}

func (p *piece) cosine(q *piece) float64 {
	if p.norm == 0 || q.norm == 0 || len(p.vector) != len(q.vector) {
		return 0
	}
	return float64(dot(p.vector, q.vector)) / (p.norm * q.norm)
}

func dot(a, b string) int32 {
	b = b[:len(a)]
	var w, x, y, z int32
	for len(a) >= 4 && len(b) >= 4 {
		w += int32(int8(a[0])) * int32(int8(b[0]))
		x += int32(int8(a[1])) * int32(int8(b[1]))
		y += int32(int8(a[2])) * int32(int8(b[2]))
		z += int32(int8(a[3])) * int32(int8(b[3]))
		a, b = a[4:], b[4:]
	}
	for i := range len(a) {
		w += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return w + x + y + z
}

func signed(v []int8) string {
	b := make([]byte, len(v))
	for i, x := range v {
		b[i] = byte(x)
	}
	return string(b)
}

// rounded is a vector of floats in signed bytes; ok is false when it has no
// direction.
func rounded(v []float32) (_ string, ok bool) {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(float64(x))) // NaN stays
	}
	if top == 0 || math.IsNaN(top) || math.IsInf(top, 0) {
		return "", false
	}
	b := make([]byte, len(v))
	for i, x := range v {
		b[i] = byte(int8(math.Round(float64(x) / top * 127)))
	}
	return string(b), true
}

// status says whether a thought can be searched.
type status uint8

const (
	pending status = iota
	embedded
	failed
)

func (s status) String() string { return [...]string{"pending", "ok", "failed"}[s] }

// status returns that of a row.
func (x *searchIndex) status(r *row) string {
	if d := x.doc(r); d != nil {
		return d.status.String()
	}
	return pending.String()
}

// embedding is what is known of vectors. But for the first fields it is under
// the vault's lock.
type embedding struct {
	embedder Embedder
	trusted  bool
	retry    time.Duration
	ctx      context.Context // of what runs in the background
	cancel   context.CancelFunc
	running  sync.WaitGroup

	target, serving *space
	due             map[*row]bool   // have no vectors of target yet
	refused         map[*row]string // why they get none
	working         bool            // in the background
	wait            time.Duration   // after the last failure
	quiet           time.Time       // until then the Embedder is left alone
	patience        time.Duration   // until refused ones are tried again
}

func (e *embedding) init(opts Options) {
	e.embedder, e.trusted, e.retry = opts.Embedder, opts.Trusted, opts.Retry
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.reset()
}

// reset forgets all vectors.
func (e *embedding) reset() {
	e.target = localSpace
	if e.embedder != nil {
		e.target = &space{name: e.embedder.Name(), weight: modelLikeness}
	}
	e.serving = e.target
	e.due, e.refused = map[*row]bool{}, map[*row]string{}
}

// stop ends what runs in the background.
func (e *embedding) stop() {
	e.cancel()
	e.running.Wait()
}

// local reports whether a row is compared by package embed.
func (e *embedding) local(r *row) bool {
	return e.embedder == nil || !e.trusted && r.Portability != "portable"
}

func (e *embedding) forget(r *row) {
	delete(e.due, r)
	delete(e.refused, r)
}

func kindOf(s *space) string { return "vectors " + s.name }

// recall gives rows the vectors that were kept; the others become due.
func (e *embedding) recall(ctx context.Context, cache *index.Index, x *searchIndex, rows []*row) {
	if e.embedder == nil {
		return
	}
	var ours []*row
	var keys []string
	for _, r := range rows {
		if d := x.doc(r); d != nil && !e.local(r) {
			ours, keys = append(ours, r), append(keys, r.Fingerprint)
		}
	}
	if len(ours) == 0 {
		return
	}
	old := map[string][]piece{}
	if e.serving != e.target && e.serving != localSpace {
		old = stored(ctx, cache, e.serving, keys)
	}
	made := stored(ctx, cache, e.target, keys)
	for _, r := range ours {
		d := x.doc(r)
		if p := old[r.Fingerprint]; p != nil {
			d.now = vectors{e.serving, p}
		}
		if p := made[r.Fingerprint]; p != nil {
			e.give(d, p)
			continue
		}
		e.due[r] = true
		d.status = pending
		if d.now.pieces != nil {
			d.status = embedded
		}
	}
}

// give gives a doc its vectors of target.
func (e *embedding) give(d *doc, p []piece) {
	if e.serving == e.target {
		d.now = vectors{e.target, p}
	} else {
		d.next = vectors{e.target, p}
	}
	d.status = embedded
	e.forget(d.row)
}

// stored returns vectors that were kept, by the texts' fingerprints.
func stored(ctx context.Context, cache *index.Index, s *space, keys []string) map[string][]piece {
	found := map[string][]piece{}
	if cache == nil {
		return found
	}
	rows, _ := cache.Get(ctx, kindOf(s), keys) // it is a cache
	for _, r := range rows {
		if p := decodePieces(r.Data, s); p != nil {
			found[r.Key] = p
		}
	}
	return found
}

func encodePieces(p []piece) []byte {
	b := []byte{byte(len(p)), byte(len(p) >> 8)}
	for _, one := range p {
		b = append(b, one.vector...)
	}
	return b
}

// decodePieces returns nil for what encodePieces did not make for that space.
func decodePieces(b []byte, s *space) []piece {
	if len(b) < 2 {
		return nil
	}
	n := int(b[0]) | int(b[1])<<8
	b = b[2:]
	if n == 0 || len(b)%n != 0 || len(b) == 0 {
		return nil
	}
	dim := len(b) / n
	if s.dim == 0 {
		s.dim = dim
	}
	if dim != s.dim {
		return nil
	}
	p := make([]piece, n)
	for i := range p {
		p[i] = newPiece(string(b[i*dim : (i+1)*dim]))
	}
	return p
}

// resting reports whether the Embedder is left alone after a failure.
func (e *embedding) resting() bool { return time.Now().Before(e.quiet) }

// failure notes that the Embedder failed.
func (e *embedding) failure() {
	if e.retry <= 0 {
		return
	}
	e.wait = min(max(e.retry, 2*e.wait), 64*e.retry)
	e.quiet = time.Now().Add(e.wait)
}

// success notes that it answers.
func (e *embedding) success() { e.wait, e.quiet = 0, time.Time{} }

// job is a thought that is to get its vectors.
type job struct {
	row   *row
	parts []string
}

// embedRows gives rows their vectors. An error says that the Embedder is not to
// be had; a row that it refuses is none.
func (v *Vault) embedRows(ctx context.Context, rows []*row) error {
	e := &v.vectors
	jobs, err := v.jobs(ctx, rows)
	if err != nil || len(jobs) == 0 {
		return err
	}
	var texts []string
	for _, j := range jobs {
		texts = append(texts, j.parts...)
	}
	made, err := e.embedder.Texts(ctx, texts)
	if errors.Is(err, ErrRefused) && len(jobs) > 1 {
		for _, j := range jobs {
			if err := v.embedRows(ctx, []*row{j.row}); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil && len(made) != len(texts) {
		err = fmt.Errorf("%d vectors came back for %d texts", len(made), len(texts))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if errors.Is(err, ErrRefused) {
		r := jobs[0].row
		if d := v.index.doc(r); d != nil {
			delete(e.due, r)
			e.refused[r] = err.Error()
			if d.status == pending {
				d.status = failed
			}
		}
		e.success()
		v.promote()
		return nil
	}
	var keep []index.Row
	for _, j := range jobs {
		if err != nil {
			break
		}
		var p []piece
		if p, err = e.pieces(made[:len(j.parts)]); err == nil {
			made = made[len(j.parts):]
			if d := v.index.doc(j.row); d != nil {
				e.give(d, p)
			}
			keep = append(keep, index.Row{Key: j.row.Fingerprint, Data: encodePieces(p)})
		}
	}
	if v.cache != nil && len(keep) > 0 {
		_ = v.cache.Save(ctx, kindOf(e.target), keep, nil) // else they are made again
	}
	if err != nil {
		return err
	}
	e.success()
	v.promote()
	return nil
}

// pieces checks what an Embedder made of one text.
func (e *embedding) pieces(made [][]float32) ([]piece, error) {
	var p []piece
	for _, vector := range made {
		if e.target.dim == 0 {
			e.target.dim = len(vector)
		}
		if len(vector) != e.target.dim {
			return nil, fmt.Errorf("a vector of %d dimensions came back; the others have %d, and if the model was changed all have to be made anew by reindex", len(vector), e.target.dim)
		}
		s, ok := rounded(vector)
		if !ok {
			return nil, errors.New("a vector without direction came back")
		}
		p = append(p, newPiece(s))
	}
	return p, nil
}

// jobs reads what rows say; those that changed meanwhile are left out, and
// those whose vectors another process made get them.
func (v *Vault) jobs(ctx context.Context, rows []*row) (jobs []job, err error) {
	var keys []string
	for _, r := range rows {
		keys = append(keys, r.Fingerprint)
	}
	root, err := v.folder.Open()
	if err != nil {
		return nil, v.explain("reading", err)
	}
	defer root.Close()
	v.mu.Lock()
	defer v.mu.Unlock()
	there := stored(ctx, v.cache, v.vectors.target, keys)
	for _, r := range rows {
		d := v.index.doc(r)
		if d == nil {
			continue
		}
		if p := there[r.Fingerprint]; p != nil {
			v.vectors.give(d, p)
			continue
		}
		t, ok := v.whole(root, r)
		if !ok || t.Fingerprint != r.Fingerprint {
			continue
		}
		j := job{row: r}
		for part := range parts(t.Body) {
			if part = v.redact.Text(part); strings.TrimSpace(part) == "" {
				part = "-" // some models refuse nothing at all
			}
			j.parts = append(j.parts, part)
		}
		jobs = append(jobs, j)
	}
	v.promote()
	return jobs, nil
}

// promote lets the new vectors serve when all are there; v.mu is held.
func (v *Vault) promote() {
	e := &v.vectors
	if e.serving == e.target || len(e.due) > 0 {
		return
	}
	for i := range v.index.docs {
		d := &v.index.docs[i]
		switch {
		case d.row == nil || v.vectors.local(d.row):
		case d.next.pieces != nil:
			d.now, d.next = d.next, vectors{}
		default: // refused
			d.now, d.status = vectors{}, failed
		}
	}
	if v.cache != nil && e.serving != localSpace {
		_ = v.cache.Clear(context.Background(), kindOf(e.serving))
	}
	e.serving = e.target
	v.ahead += len(v.known.files) // what was saved tells of the old ones
}

// atOnce is how many thoughts are given vectors by one request.
const atOnce = 16

// takeDue returns up to n rows that are due.
func (e *embedding) takeDue(n int) []*row {
	rows := make([]*row, 0, min(n, len(e.due)))
	for r := range e.due {
		if len(rows) == n {
			break
		}
		rows = append(rows, r)
	}
	return rows
}

// kick starts the work in the background when there is some; v.mu is held.
func (v *Vault) kick() {
	e := &v.vectors
	if e.embedder == nil || e.retry <= 0 || e.working || len(e.due)+len(e.refused) == 0 || e.ctx.Err() != nil {
		return
	}
	e.working = true
	e.running.Go(v.work)
}

// work gives all rows their vectors, however often it has to try.
func (v *Vault) work() {
	e := &v.vectors
	for {
		v.mu.Lock()
		wait := time.Until(e.quiet)
		rows := e.takeDue(4 * atOnce)
		if len(rows) == 0 {
			if len(e.refused) == 0 {
				e.working, e.patience = false, 0
				v.mu.Unlock()
				return
			}
			e.patience = min(max(64*e.retry, 2*e.patience), 64*64*e.retry)
			wait = e.patience
		}
		v.mu.Unlock()
		if wait > 0 {
			select {
			case <-e.ctx.Done():
			case <-time.After(wait):
			}
		}
		if e.ctx.Err() != nil {
			v.mu.Lock()
			e.working = false
			v.mu.Unlock()
			return
		}
		if len(rows) == 0 {
			v.mu.Lock()
			e.again()
			v.mu.Unlock()
			continue
		}
		for some := range slices.Chunk(rows, atOnce) {
			err := v.embedRows(e.ctx, some)
			if err == nil && v.remain(some) {
				// They changed or are gone: another look at the files tells.
				err = v.read(e.ctx, func(*os.Root) error { return errors.New("try again later") })
			}
			if err != nil {
				v.mu.Lock()
				e.failure()
				v.mu.Unlock()
				break
			}
		}
	}
}

// remain reports whether some of the rows are due still, and has all files
// looked at again if so.
func (v *Vault) remain(rows []*row) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range rows {
		if v.vectors.due[r] {
			v.walked = time.Time{}
			return true
		}
	}
	return false
}

// again makes refused rows due.
func (e *embedding) again() {
	for r := range e.refused {
		e.due[r] = true
	}
	clear(e.refused)
}

// embedOne gives a thought its vectors now, unless the Embedder is down.
func (v *Vault) embedOne(ctx context.Context, id string) {
	e := &v.vectors
	v.mu.Lock()
	r := v.known.thought(id)
	skip := r == nil || !e.due[r] || e.resting()
	v.mu.Unlock()
	if skip {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, promptly)
	defer cancel()
	if err := v.embedRows(ctx, []*row{r}); err != nil {
		v.mu.Lock()
		e.failure()
		v.mu.Unlock()
	}
}

// probes returns the query in every space that serves; ok is false when one
// could not be had.
func (v *Vault) probes(ctx context.Context, query string) (list []probe, ok bool) {
	e := &v.vectors
	vector := embed.Text(query)
	list = []probe{{localSpace, newPiece(signed(vector[:]))}}
	if e.embedder == nil {
		return list, true
	}
	v.mu.Lock()
	target, serving, resting, due := e.target, e.serving, e.resting(), len(e.due) > 0
	v.mu.Unlock()
	if resting {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, promptly)
	defer cancel()
	query = v.redact.Text(query)
	ask := func(embedder Embedder, s *space) bool {
		vector, err := embedder.Query(ctx, query)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				v.mu.Lock()
				e.failure()
				v.mu.Unlock()
			}
			return false
		}
		piece, ok := rounded(vector)
		if ok {
			list = append(list, probe{s, newPiece(piece)})
		}
		return ok
	}
	if serving != target && serving != localSpace {
		former, isFormer := e.embedder.(Former)
		if !isFormer {
			return nil, false
		}
		old, known := former.Former(serving.name)
		if !known || !ask(old, serving) {
			return nil, false
		}
	}
	if serving == localSpace && due {
		// Most are compared by spelling still; a query that fails spoils nothing.
		ask(e.embedder, target)
		return list, true
	}
	if !ask(e.embedder, target) {
		return nil, false
	}
	return list, true
}

// Repaired says what Repair did.
type Repaired struct {
	// Embedded got their vectors; Failed are refused by the Embedder, and
	// Pending have still none.
	Embedded, Failed, Pending int
}

// Repair gives vectors to the thoughts that are pending or failed. The error
// says why some are pending still.
func (v *Vault) Repair(ctx context.Context) (done Repaired, err error) {
	e := &v.vectors
	if err := v.read(ctx, func(*os.Root) error { return nil }); err != nil {
		return done, err
	}
	v.mu.Lock()
	e.again()
	rows := e.takeDue(len(e.due))
	v.mu.Unlock()
	for some := range slices.Chunk(rows, atOnce) {
		if err = v.embedRows(ctx, some); err != nil {
			break
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	done.Failed, done.Pending = len(e.refused), len(e.due)
	done.Embedded = len(rows) - done.Failed - done.Pending
	if err == nil {
		err = ctx.Err()
	}
	return done, err
}

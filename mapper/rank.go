package mapper

import "math"

// How the ranking of files works. A file that uses a name which another file
// exports refers to it; a reference counts more when few files export the name
// and few use it, and less from a test. Importance flows along references as
// in PageRank, so that what important files lean on is important.
const (
	damping    = 0.85
	iterations = 20
	ambiguous  = 8    // a name exported by more files than this points nowhere
	testWeight = 0.2  // of a reference that a test makes
	startBoost = 3.0  // an entry point against a file nobody refers to
	testRank   = 0.15 // of a test against a file nobody refers to
	vendorRank = 0.15 // and of a file that another project made
)

type edge struct {
	to     int32
	weight float32
}

// rank gives every file's importance, 1 on average over the mapped files.
func (m *Map) rank() []float64 {
	n := len(m.Files)
	edges := m.references()
	base := make([]float64, n)
	total := 0.0
	for i, b := range m.bodies {
		switch {
		case m.Files[i].Skipped != "":
			continue
		case b.test:
			base[i] = testRank
		case isVendored(m.Files[i].Path):
			base[i] = vendorRank
		default:
			base[i] = 1
		}
		total += base[i]
	}
	for _, p := range m.EntryPoints {
		if i, ok := m.find(p); ok && m.Files[i].Skipped == "" {
			base[i] += startBoost
			total += startBoost
		}
	}
	if total == 0 {
		return base
	}
	scale := float64(m.mapped) / total
	for i := range base {
		base[i] *= scale
	}
	now, next := append([]float64(nil), base...), make([]float64, n)
	for range iterations {
		lost := 0.0 // importance of files that refer to nothing goes back to all
		clear(next)
		for i, out := range edges {
			if len(out) == 0 {
				lost += now[i]
				continue
			}
			for _, e := range out {
				next[e.to] += now[i] * float64(e.weight)
			}
		}
		spread := (1 - damping) + damping*lost/float64(m.mapped)
		for i := range next {
			next[i] = damping*next[i] + spread*base[i]
		}
		now, next = next, now
	}
	return now
}

// references gives, for each file, the files whose exports it uses; the
// weights of one file add up to 1.
func (m *Map) references() [][]edge {
	m.vocab.mu.RLock()
	known := len(m.vocab.texts)
	m.vocab.mu.RUnlock()
	exporters := make([][]int32, known)
	users := make([]int32, known)
	for i, b := range m.bodies {
		for _, id := range b.exportIDs {
			if b.test {
				break // what a test declares is for tests
			}
			exporters[id] = append(exporters[id], int32(i))
		}
		for _, id := range b.idents {
			users[id]++
		}
	}
	edges := make([][]edge, len(m.bodies))
	sums := make([]float64, len(m.bodies))
	var touched []int32
	for i, b := range m.bodies {
		for _, id := range b.idents {
			to := exporters[id]
			if len(to) == 0 || len(to) > ambiguous {
				continue
			}
			w := math.Log1p(float64(m.mapped)/float64(users[id])) / float64(len(to))
			if b.test {
				w *= testWeight
			}
			for _, t := range to {
				if int(t) == i {
					continue
				}
				if sums[t] == 0 {
					touched = append(touched, t)
				}
				sums[t] += w
			}
		}
		total := 0.0
		for _, t := range touched {
			total += sums[t]
		}
		edges[i] = make([]edge, len(touched))
		for k, t := range touched {
			edges[i][k] = edge{t, float32(sums[t] / total)}
			sums[t] = 0
		}
		touched = touched[:0]
	}
	return edges
}

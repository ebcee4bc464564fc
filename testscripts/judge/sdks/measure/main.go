//go:build ignore

// Command measure drives echo servers over their pipes, in turn, and compares
// them: measure [-rounds N] [-write README] NAME=BINARY...
//
// The first is ours; it fails when another is ahead of it by more than noise.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// round is what one server did in one round; times in nanoseconds.
type round struct {
	start       float64 // from exec to the answer to initialize, median of coldStarts
	list        float64 // median
	call, worst float64 // median and 99th of a hundred
	idle, used  float64 // bytes resident after initialize, and after the calls
}

// contender is one server and its rounds.
type contender struct {
	name, binary string
	rounds       []round
}

// typical returns the median over the rounds of one figure.
func (c contender) typical(of func(round) float64) float64 {
	var all []float64
	for _, r := range c.rounds {
		all = append(all, of(r))
	}
	return rank(all, 50)
}

// rank returns the value that percent of all values do not exceed.
func rank(all []float64, percent int) float64 {
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*percent/100)]
}

func main() {
	rounds := flag.Int("rounds", 5, "how often each server has its turn")
	readme := flag.String("write", "", "README whose table to write")
	flag.Parse()
	if err := run(*rounds, *readme, flag.Args()); err != nil {
		fmt.Println("FAIL", err)
		os.Exit(1)
	}
}

func run(rounds int, readme string, args []string) error {
	var all []contender
	for _, arg := range args {
		name, binary, _ := strings.Cut(arg, "=")
		all = append(all, contender{name: name, binary: binary})
	}
	for range rounds {
		for i := range all {
			r, err := measure(all[i].binary)
			if err != nil {
				return fmt.Errorf("%s: %w", all[i].name, err)
			}
			all[i].rounds = append(all[i].rounds, r)
		}
	}
	table := render(all)
	fmt.Print(table)
	if readme != "" {
		if err := replace(readme, table); err != nil {
			return err
		}
	}
	return compare(all)
}

const (
	coldStarts = 7
	lists      = 200
	calls      = 2000
)

func measure(binary string) (round, error) {
	var starts []float64
	for range coldStarts {
		begin := time.Now()
		s, err := open(binary)
		if err != nil {
			return round{}, err
		}
		starts = append(starts, float64(time.Since(begin)))
		if err := s.close(); err != nil {
			return round{}, err
		}
	}
	s, err := open(binary)
	if err != nil {
		return round{}, err
	}
	r := round{start: rank(starts, 50), idle: s.resident()}
	list, err := s.repeat(lists, `"method":"tools/list"`, `"name":"echo"`)
	if err != nil {
		return round{}, err
	}
	call, err := s.repeat(calls, `"method":"tools/call","params":{"name":"echo","arguments":{"text":"to be heard again"}}`, `"text":"to be heard again"`)
	if err != nil {
		return round{}, err
	}
	r.list, r.call, r.worst, r.used = rank(list, 50), rank(call, 50), rank(call, 99), s.resident()
	return r, s.close()
}

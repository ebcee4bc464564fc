//go:build ignore

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// session is a running server that has answered initialize.
type session struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	id      int
}

func open(binary string) (*session, error) {
	s := &session{process: exec.Command(binary)}
	var err error
	if s.in, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	const hello = `"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"judge-sdks","version":"1"}}`
	if err := s.ask(hello, `"protocolVersion":"2025-11-25"`); err != nil {
		return nil, err
	}
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, err
}

// ask sends one request and reads its answer, which must hold what is wanted.
func (s *session) ask(request, want string) error {
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", s.id, request); err != nil {
		return err
	}
	answer, err := s.out.ReadString('\n')
	if err == nil && !strings.Contains(answer, want) {
		err = fmt.Errorf("answer to %s is %q", request, answer)
	}
	return err
}

// repeat times n requests, one after another, after a tenth as many untimed.
func (s *session) repeat(n int, request, want string) ([]float64, error) {
	var times []float64
	for i := range n + n/10 {
		begin := time.Now()
		if err := s.ask(request, want); err != nil {
			return nil, err
		}
		if i >= n/10 {
			times = append(times, float64(time.Since(begin)))
		}
	}
	return times, nil
}

// resident returns the bytes in memory, or zero where /proc does not tell.
func (s *session) resident() float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kib float64
	fmt.Sscan(rest, &kib)
	return kib * 1024
}

func (s *session) close() error {
	s.in.Close()
	return s.process.Wait()
}

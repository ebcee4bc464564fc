package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
)

// sessionFile is a session's file in one of the folders, as a look at the folder
// tells.
type sessionFile struct {
	session  string
	size     int64
	modified time.Time
}

// openDir opens a folder; a pipe in its place does not block.
func openDir(root *os.Root, dir string) (*os.File, error) {
	in, err := folder.OpenRoot(root, dir)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.Open(".")
}

// sessionNames lists the sessions that have a file in a folder, in no order.
func sessionNames(root *os.Root, dir string) ([]string, error) {
	f, err := openDir(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	sessions := names[:0]
	for _, name := range names {
		if session, ok := sessionOf(name); ok {
			sessions = append(sessions, session)
		}
	}
	return sessions, err
}

// sessionFiles lists the sessions that have a file in a folder, in no order.
func sessionFiles(root *os.Root, dir string) ([]sessionFile, error) {
	f, err := openDir(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	files := make([]sessionFile, 0, len(entries))
	for _, e := range entries {
		session, is := strings.CutSuffix(e.Name(), logSuffix)
		if !is || !e.Type().IsRegular() || checkSession(session) != nil {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, sessionFile{session, info.Size(), info.ModTime()})
	}
	return files, nil
}

func readWhole(root *os.Root, name string) ([]byte, error) {
	f, info, err := folder.OpenFile(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, info.Size())
	n, err := io.ReadFull(f, text)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return text[:n], err
}

// afterNewline returns the text behind its first newline.
func afterNewline(text []byte) []byte {
	_, after, _ := bytes.Cut(text, []byte("\n"))
	return after
}

// cutUnits cuts a text to n UTF-16 units.
func cutUnits(s string, n int) string {
	if len(s) <= n {
		return s
	}
	units := 0
	for i, r := range s {
		units++
		if r > 0xffff {
			units++
		}
		if units > n {
			return s[:i]
		}
		if r == utf8.RuneError {
			continue
		}
	}
	return s
}

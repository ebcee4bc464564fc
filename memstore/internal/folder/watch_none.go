//go:build !linux

package folder

import (
	"io/fs"
	"os"
)

// Watch is nil here: all files are looked at each time.
type Watch struct{}

// NewWatch returns nil.
func NewWatch(*os.File) *Watch { return nil }

// Add cannot.
func (*Watch) Add(*os.File, string) bool { return false }

// Changed cannot tell.
func (*Watch) Changed(fs.FileInfo) (names []string, ok bool) { return nil, false }

// Close does nothing.
func (*Watch) Close() {}

// Elsewhere reports nothing: no watch relies on it.
func Elsewhere(fs.FileInfo) bool { return false }

package journal

import "github.com/slipstream-mcp/slipstream/memstore/lockedfile"

// Wrap puts what wrap makes between the journal and the disk.
func (j *Journal) Wrap(wrap func(lockedfile.FS) lockedfile.FS) { j.folder.Wrap = wrap }

// Sources encodes what the note of an index would hold after it was decoded;
// false when it is none.
func Sources(note []byte) ([]byte, bool) {
	sources, err := decodeSources(note)
	if err != nil {
		return nil, false
	}
	return encodeSources(sources), true
}

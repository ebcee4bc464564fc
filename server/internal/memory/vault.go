package memory

import (
	"errors"

	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

// Vault returns the vault of thoughts; one serves all projects. It stays open: Close closes it.
func (m *Memories) Vault() (*vault.Vault, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.vault != nil {
		return m.vault, nil
	}
	if m.o.Vault == "" {
		return nil, errors.New("there is no folder for thoughts; name one by --vault or SLIPSTREAM_VAULT, or set HOME")
	}
	v, err := vault.Open(m.o.Vault, vault.Options{CacheDir: m.o.CacheDir, Now: m.o.Now, User: m.o.User})
	if err != nil {
		return nil, err
	}
	m.vault = v
	return v, nil
}

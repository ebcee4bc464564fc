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
	v, err := m.openVault(m.o.Vault)
	if err != nil {
		return nil, err
	}
	m.vault = v
	return v, nil
}

// OtherVault opens another vault, to be read. The caller closes it.
func (m *Memories) OtherVault(dir string) (*vault.Vault, error) {
	return vault.Open(dir, vault.Options{Now: m.o.Now, User: m.o.User})
}

func (m *Memories) openVault(dir string) (*vault.Vault, error) {
	return vault.Open(dir, vault.Options{
		CacheDir: m.o.CacheDir, Embedder: m.o.Embedder, Trusted: m.o.Trusted, Retry: m.o.Retry, Now: m.o.Now, User: m.o.User,
	})
}

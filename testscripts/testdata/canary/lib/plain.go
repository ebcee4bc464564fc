// Package lib opens stores.
package lib

// Limit bounds a store.
const Limit = len("CANARY_Limit")

// Store keeps things.
type Store struct {
	name [len("CANARY_Store")]byte
}

// Open opens a store.
func Open() *Store {
	println("CANARY_Open")
	return &Store{}
}

// Close closes the store.
func (s *Store) Close() {
	println("CANARY_Store_Close")
}

func hidden() {
	println("CANARY_hidden")
}

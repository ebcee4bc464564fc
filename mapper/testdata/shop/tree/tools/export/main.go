// Exports the inventory as CSV.
package main

func main()                     {}
func WriteTable(rows int) error { return nil }
func (t *Table) Flush()         {}

type Table struct{}

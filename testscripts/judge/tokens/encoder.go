//go:build ignore

package main

import "github.com/tiktoken-go/tokenizer/codec"

// encoder is the real tokenizer.
type encoder struct{ c *codec.Codec }

func newEncoder() encoder { return encoder{codec.NewO200kBase()} }

// encode returns the tokens of t.
func (e encoder) encode(t string) []string {
	_, tokens, err := e.c.Encode(t)
	if err != nil {
		panic("the tokenizer refuses a text: " + err.Error()) // it does so only for a broken pattern
	}
	return tokens
}

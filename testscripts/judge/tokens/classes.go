//go:build ignore

package main

import "strings"

// Classes of bytes: class 0 is the start of a text, a byte's class is 1..63.
// Letters, on which the vocabulary of words turns, have one each; of marks
// those stand together that the tokenizer's split treats alike and code uses
// alike; bytes of longer characters are told apart by script.
const (
	firstLetter = 1  // a..z, with j and q as one
	upperVowel  = 26 // AEIOU
	upperOther  = 27
	digit       = 28
	space       = 29
	tab         = 30
	newline     = 31
	control     = 32
	firstMark   = 33
	firstHigh   = firstMark + 16
	numClasses  = 64
)

var marks = [16]string{"_", "-", "=", "*#~+", `/\`, `"`, "'`", ".", ",", ":;", "([{", "<", ")]}", ">", "!?&|%^", "$@"}

// highs holds the last byte of each class from 0x80 on: four of
// continuation bytes, then leading bytes by script: Latin, the rest of Latin
// and Greek, Cyrillic, Semitic, Indic, symbols, kana, Han, Hangul, wide
// marks, and what lies beyond the basic plane.
var highs = [15]byte{0x8f, 0x9f, 0xaf, 0xbf, 0xc3, 0xcf, 0xd1, 0xdf, 0xe1, 0xe2, 0xe3, 0xe9, 0xed, 0xef, 0xff}

func classOf(b byte) int {
	switch {
	case b >= 'a' && b <= 'z':
		switch {
		case b == 'q':
			b = 'j'
		case b > 'q':
			b--
		}
		return firstLetter + int(b-'a')
	case strings.IndexByte("AEIOU", b) >= 0:
		return upperVowel
	case b >= 'A' && b <= 'Z':
		return upperOther
	case b >= '0' && b <= '9':
		return digit
	case b == ' ':
		return space
	case b == '\t':
		return tab
	case b == '\n':
		return newline
	}
	for i, m := range marks {
		if strings.IndexByte(m, b) >= 0 {
			return firstMark + i
		}
	}
	if b < 0x80 {
		return control
	}
	i := 0
	for highs[i] < b {
		i++
	}
	return firstHigh + i
}

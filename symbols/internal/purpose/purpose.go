// Package purpose finds, in the comment at the head of a file, the one line
// that says what the file is for, and knows what such a comment says besides:
// licences, directives to tools, marks of generators.
package purpose

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Longest is how many characters a purpose has at most.
const Longest = 160

type patterns struct {
	licence, directive, fileTag, tag, ornament, fileName *regexp.Regexp
}

// compiled is lazy: a start that parses nothing need not pay for it.
var compiled = sync.OnceValue(func() patterns {
	return patterns{
		licence: regexp.MustCompile(`(?i)copyright|\blicen[cs]ed?\b|spdx-|all rights reserved|permission is hereby|` +
			`redistribution and use|\(c\) *[12]\d\d\d|©|this file is part of|governed by|@preserve|@licen[cs]e|without warranty`),
		directive: regexp.MustCompile(`(?i)^(#!|/ *<|@ts-|@flow|@jsx|@format|@generated|@noflow|@vitest|@jest|eslint\b|tslint|prettier|jshint|jslint|` +
			`istanbul|c8 |v8 |biome|deno-|oxlint|stylelint|globals? |exported |use (strict|client|server)\b|` +
			`-\*-|vim?:|ex:|emacs:|coding[:=]|pylint|pyright|type: *ignore|mypy|noqa|flake8|isort|ruff|fmt:|yapf|pragma|` +
			`go:|\+build|nolint|lint:|cgo |code generated|webpack|sourcemappingurl|region|endregion|import\b.*['";]|from \S+ import|#include)`),
		fileTag:  regexp.MustCompile(`(?m)^ *@(fileoverview|file|overview|packageDocumentation|module)\b:?`),
		tag:      regexp.MustCompile(`^@\w+`),
		ornament: regexp.MustCompile(`^[^\pL\pN]*$`),
		fileName: regexp.MustCompile(`^[\w./\\-]+\.\w{1,4}:?$`),
	}
})

// IsLicence reports whether a comment is about rights.
func IsLicence(comment string) bool {
	return compiled().licence.MatchString(comment)
}

// OfFile reports whether a comment says by a tag that it is about the whole file.
func OfFile(comment string) bool {
	return compiled().fileTag.MatchString(Strip(comment))
}

// Strip takes the marks off a comment: /* */, a * that opens a line, //, #.
func Strip(comment string) string {
	block := strings.HasPrefix(comment, "/*")
	if block {
		comment = strings.TrimSuffix(strings.TrimLeft(comment[1:], "*!"), "*/")
	}
	lines := strings.Split(strings.ReplaceAll(comment, "\r\n", "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case block:
			l = strings.TrimLeft(l, "*")
		case strings.HasPrefix(l, "//"):
			l = strings.TrimLeft(l[2:], "!")
		case strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "#!"):
			l = strings.TrimLeft(l, "#")
		}
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

// Line returns the purpose in text, a comment without its marks or a
// docstring: the first sentence of the first paragraph that says something. A
// single word, such as the file's own name, says nothing.
func Line(text string) string {
	if s := line(strings.ToValidUTF8(text, "\uFFFD")); strings.Contains(s, " ") {
		return s
	}
	return ""
}

func line(text string) string {
	re := compiled()
	if at := re.fileTag.FindStringIndex(text); at != nil {
		if s := line(text[at[1]:]); strings.Contains(s, " ") {
			return s
		}
		text = text[:at[0]]
	}
	var words []string
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case re.licence.MatchString(l), re.tag.MatchString(l) && !re.directive.MatchString(l):
			return sentence(words)
		case re.ornament.MatchString(l):
			if len(words) > 0 {
				return sentence(words)
			}
		case re.directive.MatchString(l), len(words) == 0 && re.fileName.MatchString(l):
		default:
			words = append(words, strings.Fields(l)...)
		}
	}
	return sentence(words)
}

// sentence joins words up to the end of the first sentence or the limit.
func sentence(words []string) string {
	const mark = " …"
	var b strings.Builder
	n := 0
	for i, w := range words {
		size := utf8.RuneCountInString(w)
		if n+1+size+2 > Longest { // 2 for the mark
			if i == 0 {
				return string([]rune(w)[:Longest-2]) + mark
			}
			return b.String() + mark
		}
		if i > 0 {
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += size
		if ends(w) && i+1 < len(words) {
			break
		}
	}
	return b.String()
}

// ends reports whether a word ends a sentence.
func ends(w string) bool {
	if !strings.HasSuffix(w, ".") && !strings.HasSuffix(w, "!") && !strings.HasSuffix(w, "?") {
		return false
	}
	switch strings.ToLower(strings.TrimLeft(w, "(")) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "resp.", "no.", "mr.", "dr.", "st.", "approx.":
		return false
	}
	return len(w) > 2
}

package mapper

import (
	"path"
	"slices"
	"strings"
)

// isTest reports whether a path is a test's by the habits of its language: a
// folder of tests, a name that ends in a separate word "test" or "spec", or a
// class name that ends in "Test". A word that merely ends in these letters
// (latest.java, contest.py) is none.
func isTest(file string) bool {
	dir, name := splitPath(file)
	for part := range strings.SplitSeq(dir, "/") {
		switch part {
		case "test", "tests", "__tests__", "testing", "spec", "specs", "testdata", "fixtures", "__fixtures__", "__mocks__", "e2e":
			return true
		}
	}
	if name == "conftest.py" {
		return true
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	words := strings.FieldsFunc(stem, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	if len(words) > 1 {
		last := words[len(words)-1]
		if words[0] == "test" || slices.Contains([]string{"test", "tests", "spec", "specs"}, last) {
			return true
		}
	}
	for _, end := range []string{"Test", "Tests", "Spec", "TestCase"} {
		if before, ok := strings.CutSuffix(stem, end); ok && before != "" && isLowerOrDigit(before[len(before)-1]) {
			return true
		}
	}
	return false
}

func isLowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// isVendored reports whether a file lies in a folder for copies of other
// projects.
func isVendored(file string) bool {
	dir, _ := splitPath(file)
	for part := range strings.SplitSeq(dir, "/") {
		switch part {
		case "vendor", "node_modules", "third_party", "thirdparty", "_vendor":
			return true
		}
	}
	return false
}

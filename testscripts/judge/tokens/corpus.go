//go:build ignore

package main

import (
	"archive/zip"
	"compress/gzip"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// pieceSize is how long a text is that one comparison is made on, in bytes.
const pieceSize = 8 << 10

// use says what pieces are for: no file serves both.
type use int

const (
	fitting use = iota
	judging
)

// most is how many pieces one corpus gives at most.
func (u use) most() int { return [...]int{180, 60}[u] }

// has reports whether the file of that name (relative to its root, so that
// it is the same on every machine) is for u: three in ten judge.
func (u use) has(name string) bool {
	h := fnv.New32a()
	io.WriteString(h, name)
	return (h.Sum32()%10 < 3) == (u == judging)
}

// A corpus is texts of one kind: files with one of the endings below one of
// the roots, in which $GOROOT, $HOME and $EXTRA stand for folders and which
// may have stars or be a zip archive. A name that holds one of the words in
// skip is left out.
type corpus struct {
	name    string
	endings string
	roots   string
	skip    string
}

func corpora() []corpus {
	return []corpus{
		{"go", ".go", "$GOROOT/src", "testdata"},
		{"python", ".py", "/usr/lib/python3* $HOME/.pyenv/versions/3.12*/lib/python3*", "site-packages"},
		{"typescript", ".ts .tsx", "$EXTRA/npm", "test"},
		{"javascript", ".js .jsx .mjs", "/usr/lib/node_modules/npm /usr/share/nodejs $EXTRA/npm", ".min. /dist/ mermaid"},
		{"minified", ".min.js .min.mjs", "$EXTRA/npm", ""},
		{"rust", ".rs", "$HOME/.rustup/toolchains/*/lib/rustlib/src $EXTRA/deb", ""},
		{"java", ".java", "/usr/lib/jvm/*/lib/src.zip", "/sun/ jdk/internal"},
		{"c", ".h .c", "/usr/include/linux /usr/include/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu/perl $EXTRA/deb/linux-headers*", "c++ openssl"},
		{"c++", ".hpp .h .cpp .tcc", "/usr/include/c++ $EXTRA/deb/libboost* $EXTRA/deb/libeigen3-dev $EXTRA/deb/libfmt-dev $EXTRA/deb/libspdlog-dev $EXTRA/npm/react-native/package/ReactCommon", "preprocessed"},
		{"ruby", ".rb", "/usr/lib/ruby $EXTRA/deb", ""},
		{"php", ".php", "/usr/share/php $EXTRA/deb", "locale"},
		{"c#", ".cs", "$EXTRA/npm", ""},
		{"kotlin", ".kt", "$EXTRA/npm", ""},
		{"swift", ".swift", "$EXTRA/npm", ""},
		{"perl", ".pm .pl", "/usr/share/perl/5*", "unicore"},
		{"shell", ".sh", "/usr/share /usr/lib /etc /usr/bin", ""},
		{"html", ".html", "/usr/share/doc $GOROOT/src $GOROOT/doc $EXTRA/deb", "libreoffice-help gimp-help handbook installation-guide"},
		{"css", ".css .scss", "/usr/share /usr/lib/node_modules $EXTRA", ".min"},
		{"yaml, toml", ".yml .yaml .toml", "/usr/share /usr/lib $EXTRA", ""},
		{"json", ".json", "/usr/lib/node_modules $EXTRA/npm", "annotations emoji mermaid .min. iconv-lite"},
		{"markdown", ".md", "/usr/lib/node_modules $GOROOT $EXTRA/npm", "LICENSE"},
		{"english", ".gz .pod", "/usr/share/man/man* /usr/share/perl/5*/pod $EXTRA/deb/perl-doc", ""},
		{"german, french, spanish", ".gz", "/usr/share/man/de $EXTRA/deb/manpages-de $EXTRA/deb/manpages-fr $EXTRA/deb/manpages-es", "/doc/"},
		{"russian", ".gz .html", "$EXTRA/deb/manpages-ru $EXTRA/deb/installation-guide-*/usr/share/doc/*/ru $EXTRA/deb/debian-handbook/usr/share/doc/*/html/ru-RU", "/doc/manpages"},
		{"chinese", ".html", "$EXTRA/deb/libreoffice-help-zh-cn $EXTRA/deb/debian-reference-zh-cn $EXTRA/deb/gimp-help-zh-cn $EXTRA/deb/installation-guide-*/usr/share/doc/*/zh_CN $EXTRA/deb/debian-handbook/usr/share/doc/*/html/zh-CN", ""},
		{"chinese manuals", ".gz", "$EXTRA/deb/manpages-zh/usr/share/man/zh_CN", ""},
		{"japanese", ".html", "$EXTRA/deb/libreoffice-help-ja $EXTRA/deb/debian-reference-ja $EXTRA/deb/installation-guide-*/usr/share/doc/*/ja $EXTRA/deb/debian-handbook/usr/share/doc/*/html/ja-JP", ""},
		{"japanese manuals", ".gz", "$EXTRA/deb/manpages-ja/usr/share/man", ""},
		{"korean", ".html", "$EXTRA/deb/libreoffice-help-ko $EXTRA/deb/gimp-help-ko $EXTRA/deb/installation-guide-*/usr/share/doc/*/ko $EXTRA/deb/debian-handbook/usr/share/doc/*/html/ko-KR", ""},
		{"emoji data", ".json", "$EXTRA/npm/emojibase-data/package/en $EXTRA/npm/unicode-emoji-json $EXTRA/npm/cldr-annotations-full/package/annotations", ""},
	}
}

// A piece is one text to compare on, with its true tokens.
type piece struct {
	corpus string
	text   string
	tokens []string
}

// finder collects pieces.
type finder struct {
	tree  string // the repository
	extra string // a folder with more sources; "" for none
}

// counts is the folder of the texts that ship with the budget module.
const counts = "budget/testdata/counts"

// own begins the name of a corpus that is one of those texts.
const own = "own "

// pieces returns the pieces for u of every corpus, in the order of corpora,
// then the generated ones and those shipped. What is not on this machine is
// said on standard error.
func (f finder) pieces(u use) []piece {
	goroot, _ := exec.Command("go", "env", "GOROOT").Output()
	vars := map[string]string{"GOROOT": strings.TrimSpace(string(goroot)), "HOME": os.Getenv("HOME"), "EXTRA": f.extra}
	enc := newEncoder()
	var out []piece
	for _, c := range corpora() {
		texts := cut(c.files(vars, u), u.most())
		if len(texts) == 0 {
			os.Stderr.WriteString("skipped: no " + c.name + " on this machine\n")
		}
		for _, t := range texts {
			out = append(out, piece{c.name, t, enc.encode(t)})
		}
	}
	for _, g := range generators() {
		rng := rand.New(rand.NewPCG(uint64(u), 7))
		for range u.most() / 6 {
			t := g.text(rng)
			out = append(out, piece{g.corpus, t, enc.encode(t)})
		}
	}
	if u == judging {
		names, _ := filepath.Glob(filepath.Join(f.tree, counts, "*.txt"))
		for _, n := range names {
			if b, err := os.ReadFile(n); err == nil {
				name := own + strings.TrimSuffix(filepath.Base(n), ".txt")
				out = append(out, piece{name, string(b), enc.encode(string(b))})
			}
		}
	}
	return out
}

// files yields the texts of c's files that are for u, in an order that is
// shuffled but the same each time, until yield says no.
func (c corpus) files(vars map[string]string, u use) func(yield func(string) bool) {
	type entry struct {
		name string
		read func() ([]byte, error)
	}
	var all []entry
	add := func(name string, read func() ([]byte, error)) {
		ending := slices.ContainsFunc(strings.Fields(c.endings), func(e string) bool { return strings.HasSuffix(name, e) })
		skip := slices.ContainsFunc(strings.Fields(c.skip), func(s string) bool { return strings.Contains(name, s) })
		if ending && !skip && u.has(name) {
			all = append(all, entry{name, read})
		}
	}
	for _, root := range strings.Fields(c.roots) {
		if strings.HasPrefix(root, "$EXTRA") && vars["EXTRA"] == "" {
			continue
		}
		dirs, _ := filepath.Glob(os.Expand(root, func(k string) string { return vars[k] }))
		for _, dir := range dirs {
			if strings.HasSuffix(dir, ".zip") {
				if z, err := zip.OpenReader(dir); err == nil {
					for _, e := range z.File {
						add(e.Name, func() ([]byte, error) {
							r, err := e.Open()
							if err != nil {
								return nil, err
							}
							return io.ReadAll(r)
						})
					}
				}
				continue
			}
			filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					rel, _ := filepath.Rel(filepath.Dir(dir), p)
					add("/"+filepath.ToSlash(rel), func() ([]byte, error) { return os.ReadFile(p) })
				}
				return nil
			})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return func(yield func(string) bool) {
		for _, e := range all {
			b, err := e.read()
			if err != nil {
				continue
			}
			if t, ok := plain(e.name, b, c); ok && !yield(t) {
				return
			}
		}
	}
}

var (
	noText   = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]+>`)
	manLine  = regexp.MustCompile(`(?m)^(\.\\".*|\.[A-Za-z]{1,2}\b ?)`)
	manFont  = regexp.MustCompile(`\\f[A-Z]|\\&`)
	tooBlank = regexp.MustCompile(`\n\s*\n+`)
)

// plain is the text of a file: a manual page without its commands, a page of
// prose without its tags. It is not ok when it is no UTF-8 or next to empty.
func plain(name string, b []byte, c corpus) (string, bool) {
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(strings.NewReader(string(b)))
		if err != nil {
			return "", false
		}
		if b, err = io.ReadAll(z); err != nil {
			return "", false
		}
		b = manFont.ReplaceAll(manLine.ReplaceAll(b, nil), nil)
		b = []byte(strings.ReplaceAll(string(b), `\-`, "-"))
	}
	if strings.HasSuffix(name, ".html") && c.name != "html" {
		b = tooBlank.ReplaceAll(noText.ReplaceAll(b, nil), []byte("\n\n"))
	}
	return string(b), utf8.Valid(b) && len(b) >= 200 && strings.IndexByte(string(b), 0) < 0
}

// cut makes at most n pieces: up to three from a long file, at line starts
// spread over it, and short files joined.
func cut(texts func(yield func(string) bool), n int) []string {
	var out []string
	rest := ""
	for t := range texts {
		if len(out) >= n {
			break
		}
		if len(t) < pieceSize {
			if rest += t; len(rest) >= pieceSize {
				out = append(out, whole(rest[:pieceSize]))
				rest = ""
			}
			continue
		}
		for k := range min(3, len(t)/(4*pieceSize)+1) {
			at := (len(t) - pieceSize) * (2*k + 1) / 6
			if i := strings.IndexByte(t[at:], '\n'); i >= 0 && at+i+1+pieceSize <= len(t) {
				at += i + 1
			}
			out = append(out, whole(t[at:at+pieceSize]))
		}
	}
	return out[:min(n, len(out))]
}

// whole drops the parts of characters at both ends of t.
func whole(t string) string { return strings.ToValidUTF8(t, "") }

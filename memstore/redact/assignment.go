package redact

import (
	"slices"
	"strings"
)

// kind is what an identifier says about its value.
type kind int

const (
	noSecret kind = iota
	weakKey       // key, alone: mostly not a secret
	keyLike       // api_key, token, auth, credentials: secrets look drawn by lot
	secret        // secret: nearly so
	password      // password, passphrase: a person may have chosen it
)

// The lists of words, each between spaces.
const (
	// after may follow the telling word without changing it.
	after = " value string str text raw plain plaintext b64 base64 hex prod production dev development staging stage test testing live sandbox old current default main backup secondary do not commit env admin root user db v x a b c encoded encrypted new "
	// keys make a secret of a "key" that they stand before.
	keys = " api access secret private auth encryption encrypt decryption signing sign master account app application license service storage session admin webhook deploy deployment ssh shared aes hmac jwt crypto cipher client consumer subscription server write root rsa security user integration management test live prod dev project account "
	// open make a key or token that is no secret.
	open = " public pub authenticity csrf xsrf primary foreign page next prev continuation sort partition cache idempotency cancel cancellation sync pagination "
	// pretended say that the value is made up.
	pretended = " non fake mock dummy sample example invalid bad wrong bogus "
	// passing make a "pass" that is a run or a way through.
	passing = " by first second last next test one multi single render "
	// types stand where a password would, in declarations and notes.
	types = " string str bytes bool boolean int any object optional required none null nil true false undefined mandatory missing wrong invalid disabled enabled hidden unset default varchar number char unknown needed correct incorrect expired prompt "
)

func listed(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// kindOf reads an identifier: its last telling word decides.
func kindOf(name string) kind {
	words := splitName(name)
	for len(words) > 0 {
		last := words[len(words)-1]
		words = words[:len(words)-1]
		if len(words) == 0 || !isDigit(last[0]) && !listed(after, last) {
			return kindOfWord(last, words)
		}
	}
	return noSecret
}

func kindOfWord(w string, before []string) kind {
	is := func(list string) bool {
		return slices.ContainsFunc(before, func(b string) bool { return listed(list, b) })
	}
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(w, s) })
	}
	switch {
	case w == "cwd", w == "pwd" && is(" old o "):
		return noSecret
	case ends("password", "passwd", "passphrase", "passwort", "pwd"), listed(" dbpass pw passcode ", w), w == "pass" && len(before) > 0 && !is(passing):
		return password
	case w == "pass" && len(before) == 0:
		return secret
	case is(pretended), is(open), w == "csrftoken":
		return noSecret
	case ends("secret"):
		return secret
	case ends("token"), listed(" credential credentials creds cred auth authkey authorization ", w):
		return keyLike
	case w == "key" && (len(before) == 0 || !listed(keys, before[len(before)-1])):
		return weakKey
	case w == "key", ends("key") && listed(keys, strings.TrimSuffix(w, "key")):
		return keyLike
	}
	return noSecret
}

// isAssigned judges what an identifier is given as a value.
func isAssigned(m *match) bool {
	begin := m.start
	for begin > 0 && m.start-begin < 64 && (isWord(m.text[begin-1]) || m.text[begin-1] == '-') {
		begin--
	}
	if begin > 1 && m.text[begin-1] == '\\' && strings.IndexByte("nrt", m.text[begin]) >= 0 {
		begin++
	}
	end := identifierEnd(m.text[:m.from], m.start)
	name := m.text[begin:end]
	k := kindOf(name)
	if k == noSecret || name == "PWD" { // the shell's working directory
		return false
	}
	if k == weakKey && begin > 1 && m.text[begin-1] == ' ' { // "API key" in a sentence
		word := back(m.text, begin-1, 16, isLetter)
		k = max(k, kindOf(m.text[begin-1-word:begin-1]+"_"+name))
	}
	between := m.text[end:m.from]
	if stated(operator(between)) {
		return acceptsStated(k, m)
	}
	if strings.LastIndexAny(between, "\"'`") == len(between)-1 {
		m.to = m.from + len(strings.TrimRight(m.secret(), `\`))
		return acceptsQuoted(k, name, operator(between), m.secret())
	}
	if op := operator(between); strings.HasPrefix(op, ",") || strings.HasPrefix(op, "(") {
		return false
	}
	trimBare(m)
	return acceptsBare(k, name, between, m, begin)
}

// operator returns what stands between a name and its value without quotes.
func operator(between string) string { return strings.Trim(between, "\"' `\\]*\t\n\r") }

// stated says whether the operator is a sentence's: the password is …
func stated(op string) bool { return strings.HasPrefix(op, "is") || strings.HasPrefix(op, "was") }

// acceptsStated judges what a sentence says that a secret is. Sentences say
// much about secrets, so the value must look like one by itself.
func acceptsStated(k kind, m *match) bool {
	trimBare(m)
	s := m.secret()
	if placeholder(s+" ") || names(s) || reference(s) || isExpression(s) || strings.ContainsAny(s, "()[]{} ") {
		return false
	}
	lower := strings.ToLower(s)
	for _, t := range []string{"base64", "base32", "sha", "md5", "utf", "bcrypt", "argon2", "pbkdf2", "oauth", "hex", "bit", "byte", "rfc", "v1", "v2", "ed25519", "x509"} {
		if strings.Contains(lower, t) && !strewn(s) {
			return false
		}
	}
	if k == password || k == secret {
		return len(s) >= 6 && some(s, isLetter) && (some(s, isDigit) || random(s)) && !strings.HasPrefix(lower, "0x")
	}
	return len(s) >= 16 && some(s, isDigit) && random(s) && issued(s) && k > weakKey
}

// secretAssigned judges the value of a key in a decoded document.
func secretAssigned(key, s string) bool {
	k := kindOf(key)
	return k != noSecret && acceptsQuoted(k, key, ":", s)
}

func acceptsQuoted(k kind, name, operator, s string) bool {
	if s == "" || placeholder(s) || names(s) || reference(s) || echoes(name, s) || sampled(s) {
		return false
	}
	if strings.IndexByte(",;)+", s[0]) >= 0 { // the quote was one that ends
		return false
	}
	digit, drawn := some(s, isDigit), random(s)
	if operator == "," && (!isConstant(name) || isConstant(s)) || strings.HasPrefix(operator, "(") { // an argument after a name
		return len(s) >= 8 && digit && drawn && k > weakKey && issued(s)
	}
	switch k {
	case password:
		return len(s) >= 4 && (!prose(s) || isConstant(name))
	case secret:
		return len(s) >= 6 && (drawn || digit || strings.ContainsAny(s, "!@#$%^&*+=") || isConstant(name) || len(s) >= 8 && all(s, isLetter)) && !prose(s)
	case keyLike:
		return len(s) >= 8 && issued(s) && (drawn && entropy(s) >= 2.5 || digit && len(s) >= 10 && entropy(s) >= 3)
	}
	return len(s) >= 16 && !strings.ContainsAny(s, " \t/:.") && drawn && digit && entropy(s) >= 3.6 && !sequence(s)
}

// issued says whether s is made of what tokens that machines give out are made
// of. A colon behind a number is a Telegram bot's, which has a rule of its own.
func issued(s string) bool {
	id, rest, pair := strings.Cut(s, ":")
	return (!pair || !all(id, isDigit) && random(rest) && !strings.Contains(s, "://")) &&
		all(s, func(b byte) bool { return isWord(b) || strings.IndexByte(".=+/~-:|%", b) >= 0 })
}

// echoes says whether s is the name again, with a number perhaps.
func echoes(name, s string) bool {
	letters := func(s string) string { return strings.Join(splitName(s), "") }
	name, s = letters(name), strings.TrimRight(letters(s), "0123456789")
	return len(s) >= 12 && strings.HasSuffix(name, s)
}

// isConstant says whether a name is all capitals, as of the environment.
func isConstant(name string) bool { return some(name, isUpper) && !some(name, isLower) }

// reference says whether s is a path, a URL or a hexadecimal number.
func reference(s string) bool {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "file:") {
		return true
	}
	if digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "0x"); len(digits) < len(s) && len(digits) <= 16 && all(digits, isHex) {
		return true
	}
	path := s[0] == '/' || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "~/")
	return path && !random(s)
}

// trimBare cuts a value without quotes where it ends in the notation around it.
func trimBare(m *match) {
	s := m.secret()
	for i := range len(s) {
		rest := s[i+1:]
		if s[i] == '<' || s[i] == '\\' && rest != "" && strings.IndexByte("nrt\"", rest[0]) >= 0 ||
			(s[i] == '&' || s[i] == ';' || s[i] == ',') && (rest == "" || beginsPair(rest)) {
			s = s[:i]
			break
		}
	}
	m.to = m.from + len(strings.TrimRight(s, ",;)]}>.:"))
}

// beginsPair says whether s begins as name=… does.
func beginsPair(s string) bool {
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '-' || s[i] == ' ') {
		i++
	}
	return i > 0 && i < len(s) && (s[i] == '=' || s[i] == ':') || strings.HasPrefix(s, "amp;")
}

func acceptsBare(k kind, name, between string, m *match, begin int) bool {
	s := m.secret()
	if s == "" || placeholder(s) || names(s) || reference(s) || strings.HasPrefix(m.text[m.to:], "...") {
		return false
	}
	digit, drawn := some(s, isDigit), random(s)
	if between == "=" && isConstant(name) { // the environment's own form
		switch {
		case k == password:
			return len(s) >= 3
		case k >= keyLike:
			return len(s) >= 6 && (digit || drawn || k == secret && !strings.ContainsAny(s, "()."))
		}
	}
	if strings.ContainsAny(s, "()[]{}") && k != password || isExpression(s) {
		return false
	}
	whole := lineStarts(m.text, begin) && lineEnds(m.text, m.to)
	switch k {
	case password:
		if len(s) < 5 || strings.ContainsAny(s, "()[]{}*") && !whole {
			return false
		}
		return drawn || mixed(s) || all(s, isDigit) && len(s) >= 6 || whole && !listed(types, strings.ToLower(s)) && len(s) >= 6
	case secret, keyLike:
		return len(s) >= 10 && digit && drawn && entropy(s) >= 2.5 && (k == secret || issued(s))
	}
	return len(s) >= 16 && drawn && digit && entropy(s) >= 3.6 && !strings.ContainsAny(s, "/:.") && !sequence(s)
}

// mixed says whether s has a digit and a letter, or a sign of the kind that
// password rules ask for.
func mixed(s string) bool {
	return some(s, isLetter) && (some(s, isDigit) || strings.ContainsAny(s, "!@#$%^&*?"))
}

// isExpression says whether s reads like an expression: names joined by dots,
// arrows or calls.
func isExpression(s string) bool {
	if strings.Contains(s, "->") || strings.Contains(s, "::") || strings.HasPrefix(s, "*") || strings.HasPrefix(s, "&") || strings.HasPrefix(s, "!") || strings.HasPrefix(s, "@") {
		return true
	}
	head, _, called := strings.Cut(s, "(")
	if called && head != "" && all(head, func(b byte) bool { return isWord(b) || b == '.' }) {
		return true
	}
	if strings.Contains(s, ".") {
		for part := range strings.SplitSeq(s, ".") {
			if part == "" || isDigit(part[0]) || !all(part, isWord) || len(part) > 12 && random(part) {
				return false
			}
		}
		return true
	}
	return false
}

func lineStarts(s string, at int) bool {
	for at > 0 && strings.IndexByte(" \t-\"'", s[at-1]) >= 0 {
		at--
	}
	return at == 0 || s[at-1] == '\n' || strings.HasSuffix(s[:at], "export") || strings.HasSuffix(s[:at], `\n`)
}

func lineEnds(s string, at int) bool {
	for at < len(s) && strings.IndexByte(" \t\r", s[at]) >= 0 {
		at++
	}
	return at == len(s) || s[at] == '\n' || s[at] == '#' || strings.HasPrefix(s[at:], `\n`)
}

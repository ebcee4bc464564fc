package redact

import "strings"

// Secrets whose ends are found by reading lines or by looking back.

// keyAfter returns the private key that begins at m, up to the line that ends
// it, or, where that is cut off, up to the last line that can be part of it.
func keyAfter(m match, _ int) ([]span, int) {
	rest := m.text[m.end:]
	if i := indexFold(rest, "-----begin"); i >= 0 {
		rest = rest[:i]
	}
	if i := indexFold(rest, "-----end"); i >= 0 && len(strings.TrimSpace(rest[:i])) >= 24 {
		end := m.end + i + len("-----end")
		if j := strings.Index(m.text[end:min(len(m.text), end+100)], "-----"); j >= 0 {
			end += j + len("-----")
		}
		return []span{{m.start, end}}, end
	}
	end := 0
	for at := 0; at < len(rest); {
		line, size := nextLine(rest[at:])
		if !armoured(line) {
			break
		}
		at += size
		if strings.Trim(line, lineTrim) != "" {
			end = at - (size - len(line))
		}
	}
	if end < 16 {
		return nil, m.end
	}
	return []span{{m.start, m.end + end}}, m.end + end
}

// keyBefore returns the private key that ends at m and whose beginning is cut
// off; what a key with a beginning took already is below low.
func keyBefore(m match, low int) ([]span, int) {
	from := m.start
	for at := m.start; at > low; {
		line, size := lastLine(m.text[low:at])
		if body := strings.Trim(line, lineTrim); body != "" && (len(body) < 4 || !armoured(line)) {
			break
		} else if body != "" {
			from = at - size + strings.Index(line, body)
		}
		at -= size
	}
	if m.start-from < 24 {
		return nil, m.end
	}
	return []span{{from, m.end}}, m.end
}

// lineTrim is what may stand around a line of a key in a quoted or commented text.
const lineTrim = " \t\r\"'+,;#>*/|`"

// nextLine returns the first line of s, ended by a newline or by the two
// characters \n, and its size with that end.
func nextLine(s string) (line string, size int) {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i], i + 1
		}
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == 'n' {
			return s[:i], i + 2
		}
	}
	return s, len(s)
}

// lastLine is nextLine from the end: the line before the last line's end.
func lastLine(s string) (line string, size int) {
	end := len(s)
	if strings.HasSuffix(s, "\n") {
		end--
	} else if strings.HasSuffix(s, `\n`) {
		end -= 2
	}
	for i := end - 1; i >= 0; i-- {
		if s[i] == '\n' || s[i] == 'n' && i > 0 && s[i-1] == '\\' {
			return s[i+1 : end], len(s) - i - 1
		}
	}
	return s[:end], len(s)
}

// armoured says whether a line can be part of a key in armour: base64, a
// header, or empty.
func armoured(line string) bool {
	line = strings.TrimSuffix(strings.Trim(line, lineTrim), `\`)
	if line == "" || all(line, isBase64) && (len(line) >= 16 || strings.HasSuffix(line, "=") || some(line, isDigit)) {
		return true
	}
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"} {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}

func indexFold(s, lower string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], lower[0])
		if i < 0 {
			return -1
		}
		at += i
		if hasFold(s[at:], lower) {
			return at
		}
	}
}

// urlPassword takes the text between scheme://user: and the last @ before what
// a URL does not hold for a password, unless it is a port or a variable.
func urlPassword(m match, _ int) ([]span, int) {
	const most = 256
	s := m.text[m.end:min(len(m.text), m.end+most)]
	if i := strings.IndexAny(s, " \t\r\n\"'<>`"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[:i]
	}
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	if digits > 0 && digits < len(s) && strings.IndexByte("/?#", s[digits]) >= 0 {
		return nil, m.end
	}
	// An @ in a path or a query belongs to those when there is one before it.
	if i := strings.IndexAny(s, "/?#"); i >= 0 && strings.Contains(s[:i], "@") {
		s = s[:i]
	}
	i := strings.LastIndexByte(s, '@')
	if i < 2 || i+1 == len(s) {
		return nil, m.end
	}
	s = s[:i]
	if strings.IndexByte("${%[:", s[0]) >= 0 || strings.HasPrefix(s, "***") || strings.HasPrefix(s, "...") || strings.Contains(s, "${") || strings.Contains(s, "{{") {
		return nil, m.end
	}
	return []span{{m.end, m.end + i}}, m.end + i
}

// kubernetes returns the values below data: and stringData: of the document
// that m says is a secret. What was read already is below low.
func kubernetes(m match, low int) ([]span, int) {
	from, to := low, len(m.text)
	if i := strings.LastIndex(m.text[from:m.start], "\n---"); i >= 0 {
		from += i + 1
	}
	if i := strings.Index(m.text[m.end:to], "\n---"); i >= 0 {
		to = m.end + i
	}
	var spans []span
	inside, depth := false, 0
	for at := from; at < to; {
		line, size := nextLine(m.text[at:to])
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		body := strings.TrimSpace(line)
		switch {
		case body == "" || body[0] == '#':
		case body == "data:" || body == "stringData:":
			inside, depth = true, indent
		case inside && indent <= depth:
			inside = false
		case inside:
			v := body
			if key, value, ok := strings.Cut(body, ":"); ok && all(strings.Trim(key, `"'`), func(b byte) bool { return isWord(b) || b == '.' || b == '-' }) {
				v = strings.TrimSpace(value)
			}
			v = strings.Trim(v, `"'`)
			if len(v) >= 10 && !placeholder(v) && v != ">-" && v[0] != '|' && v[0] != '>' {
				begin := at + strings.LastIndex(line, v)
				spans = append(spans, span{begin, begin + len(v)})
			}
		}
		at += size
	}
	return spans, to
}

// back returns how many bytes before at are of the kind, at most most.
func back(s string, at, most int, is func(byte) bool) int {
	n := 0
	for n < most && at-n > 0 && is(s[at-n-1]) {
		n++
	}
	return n
}

// withHead adds the letters and digits that a Terraform token begins with.
func withHead(m match, _ int) ([]span, int) {
	if n := back(m.text, m.start, 14, isWord); n == 14 && entropy(m.text[m.start-n:m.end]) > 3.5 && !strings.Contains(m.text[m.start:m.end], "xxxx") {
		return []span{{m.start - n, m.to}}, m.end
	}
	return nil, m.end
}

// withMaxmind takes the key that a _mmk ends.
func withMaxmind(m match, _ int) ([]span, int) {
	if n := back(m.text, m.start, 36, isWord); n == 36 && m.text[m.start-30] == '_' && entropy(m.text[m.start-n:m.start]) > 3.5 {
		return []span{{m.start - n, m.start + len("_mmk")}}, m.end
	}
	return nil, m.end
}

// withMailchimp takes the key that the name of a data centre ends.
func withMailchimp(m match, _ int) ([]span, int) {
	const digits = 32
	n := back(m.text, m.start, digits+1, isHex)
	// An escape such as %20 before the key ends in digits of its own.
	if n == digits || n > digits && begins(m.text, m.start-digits) {
		if from := m.start - digits; entropy(m.text[from:m.start]) > 2.5 {
			return []span{{from, m.to}}, m.end
		}
	}
	return nil, m.end
}

// withBotID wants a Telegram bot's number before the colon, and keeps it.
func withBotID(m match, _ int) ([]span, int) {
	n := back(m.text, m.start, 17, isDigit)
	if n < 5 || n > 16 || !random(m.secret()) || placeholder(m.secret()) {
		return nil, m.end
	}
	return []span{{m.start + 1, m.to}}, m.end
}

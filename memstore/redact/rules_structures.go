package redact

// structures are secrets known by what stands around them: keys in armour,
// tokens in three parts, URLs, headers, command lines.
var structures = []rule{
	{"private key", "-----begin", `(?i)-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----`, 0, glued, "-----BEGIN RSA PRIVATE " + "KEY-----\n{b64}\n{b64}\n-----END RSA PRIVATE " + "KEY-----", "-----BEGIN PUBLIC KEY-----\nMIIB", nil, keyAfter},
	{"private key without its beginning", "-----end", `(?i)-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----`, 0, glued, "{b64}\n{b64}\n-----END OPENSSH PRIVATE " + "KEY-----", "-----END PUBLIC KEY-----", nil, keyBefore},
	{"putty key", "private-lines:", `(?i)Private-Lines: \d+\r?\n((?:[A-Za-z0-9+/=]+\r?\n?)+)`, 0, glued, "Private-Lines: 1\n{b64}\n", "Private-Lines: none", nil, nil},
	{"jwt", "ey", `(?:eyJ[\w=-]{14,}\.[\w/\\=-]{16,}|ey[A-Za-z0-9]{17,}\.ey[\w/\\-]{17,}\.)(?:\.?[\w/\\+=-]+)*`, 3, token, "eyJhbGciOiJIUzI1NiJ9.eyJ{a20}.{a43}", "eyJust.a.name", nil, nil},
	{"jwt, twice encoded", "zxlk", `ZXlK[\w/+\\-]{20,}(?:[\r\n]+[\w/+\\-]{20,})*[\w/+]*={0,2}`, 3, token, "ZXlK{a90}", "ZXlKb", nil, nil},
	{"kubernetes secret", "kind", `(?i)kind["']?:[ \t]*["']?secret\b`, 0, token, "kind: Secret\ndata:\n  extra: {a24}\n", "kind: ExternalSecret\ndata:\n  extra: name", nil, kubernetes},
	{"url", "://", `://[^\s/?#"'<>@:` + "`" + `\\]{0,64}:`, 0, glued, "postgres://app:{a12}@db/x", "http://localhost:8080/@scope/pkg", nil, urlPassword},
	{"url user", "://", `://([\w.~+=-]{20,})@`, 3.5, glued, "https://{a32}@example.org/1", "https://averylonghumannamehere@example.org", drawnToken, nil},
	{"authorization", "authorization", `(?i)authorization\\?["']?\]?\s{0,3}[:=,]\s{0,3}\\?["'` + "`" + `]?(?:(?:bearer|basic|token|apikey|api-key|api-token|key|digest|negotiate|aws4-hmac-sha256|sso-key|bot)\s+)?([\w=~@.+/:-]{8,})`, 0, glued, "Authorization: Basic {a16}=", "Authorization: required", isHeaderValue, nil},
	{"key header", "x-|api|private-token|token:|cookie:", `(?i)(?:x-[a-z-]{0,30}(?:key|token|secret|auth)|api-?key|api-?token|private-token|token)\\?["']?:\s{0,3}\\?["']?([\w=~@.+/-]{8,})`, 2.75, token, `-H "X-Api-Key: {x16}"`, "x-api-key: optional", isHeaderValue, nil},
	{"session cookie", "session=|sessionid=|sid=", `(?i)[a-z]+=([\w%.:+/-]{16,})`, 3.2, glued, "Cookie: sid={a24}", "session=default", drawnToken, nil},
	{"bearer", "bearer", `(?i)bearer\s+([\w=~.+/-]{12,})`, 2.75, token, "bearer {a20}", "bearer authentication", isHeaderValue, nil},
	{"basic", "basic", `Basic\s+([A-Za-z0-9+/]{12,}={0,2})(?:[^\w]|$)`, 3, token, "Basic dXNlcjp{y13}", "Basic understanding", isBasic, nil},
	{"user flag", "-u|--user|--proxy-user", `(?i)(?:-u|--user|--proxy-user)(?:=|[ \t]{0,5})((?:"[^"\n]*"|'[^'\n]*'|[^\s"':]*):(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+)|"[^"\n]*"|'[^'\n]*')`, 0, token, "cu" + "rl -u elastic:{a12} https://localhost", "curl -u username:token", isUserPassword, nil},
	{"password flag", "--pass|--password|--passwd|--token|--secret|--api-key|--apikey|--access-token|--auth-token|--client-secret|--secret-key|--access-key|--private-key|--storepass|--keypass|-storepass|-keypass|--with-token|--pwd",
		`(?i)--?[a-z-]+(?:=|[ \t]+)("[^"\n]+"|'[^'\n]+'|[^\s"'` + "`" + `]+)`, 0, token, "mysql --password {a12}", "login --password-stdin", isFlagValue, nil},
	{"short password flag", "-p|-a|-w", `-[paw][ =]?("[^"\n]+"|'[^'\n]+'|[^\s"']+)`, 0, token, "sshpass -p {a10} ssh host", "mkdir -p a1/b2", isShortFlag, nil},
	{"openssl", "-pass", `-pass(?:in|out)?\s+pass:(\S+)`, 0, token, "openssl rsa -passin pass:{a10} -in k", "openssl -passin env:P", isFlagValue, nil},
	{"netrc", "login", `login\s+\S+\s+password\s+(\S+)`, 0, token, "machine h login me password {a10}", "login and password", isFlagValue, nil},
	{"sql", "identified by|password '|encrypted password", `(?i)(?:identified\s+by(?:\s+password)?|(?:encrypted\s+)?password)\s+'([^'\n]+)'`, 0, token, "CREATE USER a IDENTIFIED BY '{a10}'", "identified by name", isQuotedPassword, nil},
}

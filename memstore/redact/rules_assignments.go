package redact

// value is what follows a telling identifier: an operator, then the value in
// quotes (plain, escaped or back) or bare up to a space. What the identifier
// and the value look like is judged in assignment.go.
const value = `[\\*]{0,3}["'\]]{0,3}(?:[ \t]{0,24}\s{0,3}(?::\s?[\w.\[\]]{1,20}\s?=|=>|:{0,3}=|\?=|\+=|\.=|:)\s{0,3}|\s?[,(]\s?|>\s{0,12}|\s+value\s?=\s?|[ \t]+(?:is|was)[ \t]+(?:now[ \t]+|set to[ \t]+)?|[ \t]+(?:string|str|String)\s{1,3}=\s{0,3})` +
	`(?:\*\*\s?)?(?:[rbfu@$]{0,2}\\{1,3}"((?:[^"\\\n]|\\[^"\n])*)|[rbfu@$]{0,2}"((?:[^"\\\n]|\\.)*)|[rbfu@$]{0,2}'((?:[^'\\\n]|\\.)*)|` + "`([^`\\n]*)" + `|([^\s"'` + "`" + `]+))`

// assignments are values of identifiers that say they hold a secret.
var assignments = []rule{
	{"password", "pass|pwd", value, 0, ident, `password: "{a12}"`, "password: required", isAssigned, nil},
	{"secret", "secret", value, 0, ident, `CLIENT_SECRET='{a20}'`, "secret_length = X25519.secret_length", isAssigned, nil},
	{"token", "token", value, 0, ident, `{"token": "{a24}"}`, "tokens: 123456", isAssigned, nil},
	{"key", "key", value, 0, ident, "API_KEY={a24}", "monkey: business", isAssigned, nil},
	{"credential", "cred", value, 0, ident, "creds = {a24}", `credentialsId: 'ff083f76'`, isAssigned, nil},
	{"auth", "auth", value, 0, ident, `"auth": "{a24}=="`, `author = "james.fake@example.com"`, isAssigned, nil},
}

package redact_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// lot returns n letters and digits drawn by lot, so that no secret stands in
// this file.
func lot(n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	rng := rand.New(rand.NewPCG(11, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return string(b)
}

func TestText_Masked(t *testing.T) {
	// «s» is a secret: the text with Mark in its place is wanted.
	for _, in := range []string{
		// assignments in the notations of shells, data and programs
		"PASSWORD=«hunter2»", "DB_PASSWORD=«letmein»", "export DB_PASSWORD='«two words»'", `export API_KEY="«` + lot(24) + `»"`,
		"FOO=1 SECRET_KEY=«" + lot(20) + "» ./run", `{"password": "«hunter2»"}`, `{"password":"«correct horse battery staple»","n":1}`,
		`{"api_key": "«` + lot(20) + `»"}`, `{\"token\": \"«` + lot(30) + `»\"}`, "password: «hunter2»", "  password: «s3cr3t!»\n", "password: \"«hunter2»\"",
		"secret: '«" + lot(16) + "»'", "db:\n  password: «letmeinplease»\n  user: me", "client_secret = \"«" + lot(32) + "»\"", "[db]\npassword = '«hunter2»'",
		"const apiKey = '«" + lot(32) + "»';", "$password = '«hunter2»';", "'password' => '«hunter2»',", "os.environ['SECRET_TOKEN'] = '«" + lot(24) + "»'",
		"dbPassword := `«hunter2»`", "Password=«abc123»;Server=db", "jdbc:x://h/db?user=a&password=«abc123»&ssl=true", "spring.datasource.password=«hunter2»",
		"<password>«hunter2»</password>", "aws_secret_access_key = «" + lot(40) + "»", "AWS_SECRET_ACCESS_KEY=«" + lot(40) + "»", "PGPASSWORD=«x9y8z7»  psql",
		"my password is set: passwd=«q1w2e3»", "ENV TOKEN=«" + lot(20) + "»", "-e MYSQL_ROOT_PASSWORD=«rootpw1»", "setx OPENAI_API_KEY \"«sk-" + lot(48) + "»\"",
		// command lines
		"mysql --password «hunter2»", "x --password=«hunter2» -v", "x --token=«" + lot(20) + "»", "x --api-key \"«" + lot(20) + "»\"", "x --client-secret «" + lot(20) + "»",
		"mysql -u root -p«hunter2» db", "sshpass -p «hunter2» ssh h", "docker login -u me -p «hunter2» r", "redis-cli -a «hunter2» ping",
		"curl -u me:«hunter2» https://h", "curl -u 'me:«hunter2»' https://h", "curl -X POST \\\n  --user \"me:«pa:ss»\" https://h", "wget --password=«hunter2» x",
		// headers
		"Authorization: Bearer «" + lot(40) + "»", "authorization: token «" + lot(40) + "»", `-H "Authorization: Basic «dXNlcjpwYXNz»"`, `{"Authorization": "Bearer «` + lot(30) + `»"}`,
		"X-Api-Key: «" + lot(20) + "»", "bearer «" + lot(20) + "»", "Cookie: sessionid=«" + lot(30) + "»",
		// URLs
		"postgres://app:«s3cr3t»@db:5432/x", "postgres://user:«pass»@host/db", "redis://:«hunter2»@cache:6379/0", "mongodb+srv://u:«p@ss@word»@c.example.net/x", "amqp://u:«p/w»@h",
		"https://«" + lot(32) + "»@o1.ingest.example.org/2", "see https://me:«hunter2»@example.org/a?b=c@d.", "a://u:«pw1»@h,a://u:«pw2»@h",
		// shapes
		"%20«6c662888e3a15320" + "145e74556a478481-us18» x", `\u0026«6c662888e3a15320` + "145e74556a478481-us18»",
		"«AKIA" + strings.ToUpper("abcdefghij234567") + "»", "«gh" + "p_" + lot(36) + "»", "\\n«gh" + "p_" + lot(36) + "»\\n", "%20«xo" + "xb-123456789012-123456789012-" + lot(24) + "»", "x=«sk" + "-ant-api03-" + lot(93) + "AA»",
		"url/«glp" + "at-" + lot(20) + "»/x", "«ey" + "JhbGciOiJIUzI1NiJ9.ey" + lot(40) + "." + lot(43) + "»",
		"The staging password is «Tr0ub4dor&3».", "db passphrase was «x9-y8-z7-w6», rotate it", "the API key is «" + lot(32) + "» for now", "**Password:** «hunter2»", "Password: `«hunter2»`",
		"define('DB_PASSWORD', '«hunter2»');", `{"body": "{\\\"password\\\": \\\"«hunter2»\\\"}"}`, "PASS=«hunter2»", "openssl rsa -passin pass:«hunter2» -in k",
		"aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYEXAMPLEKEY»", `{"SecretAccessKey": "«` + lot(40) + `»"}`,
		"«AKIAIOSFODNN7" + "EXAMPLE»", "password: \"«my pass phrase»\"", `{"password": «12345678»}`, `{"secret":"«topsecretvalue»"}`,
		"«sk" + "-proj-" + lot(30) + "»", "«gh" + "p_" + lot(24) + "» cut",
		"machine h login me password «hunter2»", "CREATE USER a IDENTIFIED BY '«hunter2»'",
	} {
		want := regexp.MustCompile(`«[^»]*»`).ReplaceAllString(in, redact.Mark)
		in = strings.NewReplacer("«", "", "»", "").Replace(in)
		if got := redact.Text(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestText_LeftAlone(t *testing.T) {
	for _, in := range []string{
		"", "monkey: business", "keyboard: layout1", "re-evaluating123", "tokens: 123456", "max_tokens: 4096", "token = next()", "key: value", "keys = sorted(d)",
		"API_KEY=<your-key>", "API_KEY=${API_KEY}", "API_KEY=$API_KEY", "TOKEN=xxxxxxxxxxxxxxxx", "password: changeme", "password=example", "PASSWORD=********", "password: {{ .Values.password }}",
		"password = os.environ['DB_PASSWORD']", "password := getPassword(ctx)", "password: string", "password?: string;", "def login(user, password):", "token: Token", "secret := hmac.New(sha256.New, key)",
		"commit 16b3760c0ffee5ea1e6b1c8a7f3c1d2e4b5a6978", "id: 123e4567-e89b-12d3-a456-426614174000", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"/usr/local/share/keys/token.go", "Enter your password: ", "The password must be at least 8 characters.", "password: required", "The token is invalid", "the password is base64-encoded", "the key is sha256", "the secret is required", "the token is 32 bytes long", "the password is hashed", "the api key is optional", "passes: 12", "pass: true", "bypass=1a2b3c", "unexpected token: '}'",
		"public_key = \"" + lot(44) + "\"", "primaryKey: 'id'", "foreign_key: user_id", "csrf_token=" + lot(40), "http://localhost:8080/@scope/pkg@1.2.3", "git@github.com:a/b.git", "mailto:a@b.c",
		"author: Jane Doe <jane@example.org>", "authority: 3", "Bearer authentication is used", "Basic understanding", "sk-learn", "scikit-learn sk-image", "curl -u $USER:$PASS https://h", "mkdir -p a/b", "cp -p x1 y2", "ssh -p 2222 h",
		"secretary: Bob1234567", "passwordless login", "PWD=/home/me/x", "token_type: bearer", "grant_type=client_credentials", "keyword: \"Befähigung_P2\"", "a <b>key</b>: c", "\"key\": \"theme-dark\"",
	} {
		if got := redact.Text(in); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestText_Private(t *testing.T) {
	for _, c := range [][2]string{
		{"a <private>b</private> c", "a  c"},
		{"a<PRIVATE>b</Private>c", "ac"},
		{"a<private>b<private>c</private>d</private>e", "ae"},
		{"a<private>b<private>c</private>d", "a"},
		{"a<private>b", "a"},
		{"a</private>b", "a</private>b"},
		{"<private></private>", ""},
		{"a<pri<private></private>vate>b</private>c", "ac"},
		{"a<private >b", "a<private >b"},
	} {
		if got := redact.Text(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}

func TestText_PrivateKeys(t *testing.T) {
	begin, end := "-----BEGIN RSA PRIVATE "+"KEY-----", "-----END RSA PRIVATE "+"KEY-----"
	body := lot(64) + "\n" + lot(63) + "=\n"
	for name, c := range map[string][2]string{
		"whole":     {"a\n" + begin + "\n" + body + end + "\nb", "a\n[redacted]\nb"},
		"cut":       {"a\n" + begin + "\n" + body + "b and more text\n", "a\n[redacted]\nb and more text\n"},
		"cutline":   {begin + "\n" + lot(64) + "\n" + lot(17), "[redacted]"},
		"headless":  {"a b c.\n" + body + end + "\nd", "a b c.\n[redacted]\nd"},
		"json":      {`{"k": "` + begin + `\n` + strings.ReplaceAll(body, "\n", `\n`) + end + `\n", "b": 1}`, `{"k": "[redacted]\n", "b": 1}`},
		"encrypted": {begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + body + "text goes on", "[redacted]\ntext goes on"},
		"two":       {begin + "\n" + body + end + "\n" + begin + "\n" + body + end, "[redacted]\n[redacted]"},
		"pgp":       {"-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\nVersion: x\n\n" + body + "-----END PGP PRIVATE " + "KEY BLOCK-----", "[redacted]"},
		"public":    {"-----BEGIN PUBLIC KEY-----\n" + body + "-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n" + body + "-----END PUBLIC KEY-----"},
		"empty":     {begin + "\nanything\n" + end, begin + "\nanything\n" + end},
	} {
		if got := redact.Text(c[0]); got != c[1] {
			t.Errorf("%s: got %q, want %q", name, got, c[1])
		}
	}
}

func TestText_UTF8(t *testing.T) {
	for _, in := range []string{"\xff", "a\xc3", "password: \"é\xffx1y2\"", "gh" + "p_" + lot(36) + "\xf0\x9f"} {
		if got := redact.Text(in); !utf8.ValidString(got) {
			t.Errorf("%q became %q", in, got)
		}
	}
	if got := redact.Text("a\xffb"); got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
}

func TestRules_User(t *testing.T) {
	patterns, err := redact.ParseUser([]byte(`{"patterns": [
		{"pattern": "(cust-)[0-9]{6}", "flags": "gi", "label": "customer"},
		{"pattern": "(?<=x)y", "label": "behind"},
		{"pattern": "^z$", "flags": "m"},
		{"pattern": "a", "flags": "y"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := redact.New(patterns)
	if err == nil || !strings.Contains(err.Error(), `"behind"`) || !strings.Contains(err.Error(), `"4"`) {
		t.Errorf("error %v does not name the patterns", err)
	}
	if got, want := r.Text("CUST-123456\nz\nPASSWORD=hunter2"), "CUST-[redacted]\n[redacted]\nPASSWORD=[redacted]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := redact.ParseUser([]byte(`[]`)); err == nil {
		t.Error("a list for a file is taken")
	}
	if r, err := redact.New([]redact.Pattern{{Pattern: `\w+`}}); err != nil || r.Text("a b [redacted]") != "[redacted] [redacted] [redacted]" {
		t.Errorf("marks are not let be: %q, %v", r.Text("a b [redacted]"), err)
	}
}

func TestRules_Value(t *testing.T) {
	var in, want any
	decode := func(s string, v *any) {
		if err := json.Unmarshal([]byte(s), v); err != nil {
			t.Fatal(err)
		}
	}
	decode(`{"a": ["postgres://u:hunter2@h", 1, null, {"password": "hunter2", "note": "hunter2"}], "token": "`+lot(30)+`", "n": {"api_key": ""}}`, &in)
	decode(`{"a": ["postgres://u:[redacted]@h", 1, null, {"password": "[redacted]", "note": "hunter2"}], "token": "[redacted]", "n": {"api_key": ""}}`, &want)
	var r redact.Rules
	if got := r.Value(in); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := r.Value([]string{"PASSWORD=hunter2"}); !reflect.DeepEqual(got, []string{"PASSWORD=[redacted]"}) {
		t.Errorf("got %v", got)
	}
	if got := r.Value(map[string]string{"secret": lot(20), "x": "y"}); !reflect.DeepEqual(got, map[string]string{"secret": "[redacted]", "x": "y"}) {
		t.Errorf("got %v", got)
	}
}

// The text is full of the words that rules begin with: 20 MB/s on one core of a
// shared cloud machine, where Go's own sources go through at 90.
//
//	go test -bench Text -run - ./redact
func BenchmarkText(b *testing.B) {
	text := strings.Repeat("The handler reads the next token, checks its key and passes it on.\n"+
		"func (s *Server) Token(ctx context.Context, key string) (string, error) { return s.keys[key], nil }\n"+
		"| name | what it does | since |\n- see https://example.org/docs/a-b-c#usage for the author's notes\n", 4000)
	redact.Text(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text)
	}
}

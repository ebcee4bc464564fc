//go:build unix

package redact_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// Eight times the text may take eight times as long; quadratic would be 64
// times. What is measured is this process's own time, not the clock's.
func TestText_Linear(t *testing.T) {
	took := func(s string) float64 {
		cpu := func() int64 {
			var u syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
				t.Fatal(err)
			}
			return u.Utime.Nano() + u.Stime.Nano()
		}
		begin := cpu()
		redact.Text(s)
		return float64(cpu() - begin)
	}
	for _, unit := range []string{
		"://", "a:b@c://", "://a:b@", "key", "key=", "password=\"", "token='a\\", "-us=", "--password ", "sk" + "-ant-api03-", "x-api-key: ", "lob ", "facebook ",
		"-----BEGIN RSA PRIVATE " + "KEY-----\n", "-----END RSA PRIVATE " + "KEY-----\n", "kind: Secret\n", "data:\n kind: secret\n a: bcdefghijk12345\n",
		"<private>", "<private></private>", "curl -u ", "curl\n", "[redacted]", "password=[redacted]", "ey" + "JhbGciOiJIUzI1NiJ9.", "api_key=" + lot(16) + " ",
		"password is ", "pass ", "a key ", "\\\\\"key\\\\\": ",
	} {
		const n = 8 << 10
		redact.Text(unit) // compiles what it needs
		var ratio float64
		for range 3 {
			short, long := took(strings.Repeat(unit, n/len(unit))), took(strings.Repeat(unit, 8*n/len(unit)))
			if ratio = long / max(short, 1e6); ratio < 24 {
				break
			}
		}
		if ratio >= 24 {
			t.Errorf("%q: eight times the text takes %.0f times as long", unit, ratio)
		}
	}
}

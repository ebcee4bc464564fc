package transfer_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/transfer"
)

func Example() {
	_ = transfer.WriteFact(os.Stdout, memstore.Fact{Name: "deploys", Type: memstore.Convention, Description: "Deploys run from main.", Body: "Deploys run from main."})
	for item, err := range transfer.Read(strings.NewReader(`{"record":"observation","id":7,"summary":"Fix the checkout"}`)) {
		fmt.Println(item.Observation.ID, item.Observation.Summary, err)
	}
	// Output:
	// {"record":"fact","name":"deploys","type":"convention","description":"Deploys run from main.","body":"Deploys run from main."}
	// 7 Fix the checkout <nil>
}

func TestRoundTrip(t *testing.T) {
	at := time.Date(2026, 6, 4, 10, 2, 0, 5e6, time.UTC)
	fact := memstore.Fact{Name: "a <b> & c", Type: memstore.Gotcha, Description: "d", Tags: []string{"x", "y"}, Created: at, Updated: at.Add(time.Hour), Body: "line\nline"}
	observation := activity.Observation{ID: 9, Session: "s", Time: at, Kind: activity.Edit, Summary: "s", Detail: "d", Files: []string{"a/b.go"}, Tags: []string{"t"}, First: 1, Last: 4,
		Other: map[string][]byte{"owner": []byte(`"me"`)}}
	var b bytes.Buffer
	if err := transfer.WriteFact(&b, fact); err != nil {
		t.Fatal(err)
	}
	if err := transfer.WriteObservation(&b, observation); err != nil {
		t.Fatal(err)
	}
	var items []transfer.Item
	for item, err := range transfer.Read(&b) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	if len(items) != 2 || !reflect.DeepEqual(*items[0].Fact, fact) || !reflect.DeepEqual(*items[1].Observation, observation) {
		t.Errorf("read %+v and %+v", items[0].Fact, items[1].Observation)
	}
}

// A line that cannot be read costs itself alone.
func TestRead_BadLines(t *testing.T) {
	good := `{"record":"fact","body":"x"}`
	in := strings.Join([]string{"\uFEFF" + good, "", "{", `{"record":"other"}`, `{"record":"fact","created":"yesterday","body":"x"}`, strings.Repeat("x", 9<<20), good + "\r", `{"record":"observation"}`, good}, "\n")
	items := 0
	var errs []string
	for _, err := range transfer.Read(strings.NewReader(in)) {
		if err == nil {
			items++
		} else {
			line, _, _ := strings.Cut(err.Error(), ":")
			errs = append(errs, line)
		}
	}
	if got := strings.Join(errs, ", "); items != 3 || got != "line 3, line 4, line 5, line 6, line 8" {
		t.Errorf("%d items; errors: %s", items, got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"record\":\"fact\",\"body\":\"x\"}\n{\"record\":\"observation\",\"id\":1,\"summary\":\"s\"}\n"))
	f.Add([]byte("{\"record\":\"fact\",\"created\":1}\n\n\xff"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for item, err := range transfer.Read(bytes.NewReader(in)) {
			if (item.Fact != nil) == (item.Observation != nil) && err == nil {
				t.Errorf("an item that is neither or both: %+v", item)
			}
			if item.Observation != nil {
				var b bytes.Buffer
				if err := transfer.WriteObservation(&b, *item.Observation); err != nil {
					t.Error(err)
				}
				for again, err := range transfer.Read(&b) {
					if err != nil || again.Observation == nil {
						t.Errorf("%q is not read again: %v", b.String(), err)
					}
				}
			}
		}
	})
}

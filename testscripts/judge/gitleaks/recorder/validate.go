//go:build ignore

// Package recorder is copied over two files of gitleaks: this one over the
// check of its rules' cases, which are written down instead, one JSON object a
// line, to the file that JUDGE_CASES names.
package recorder

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/base"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

type recordedCase struct {
	Rule    string   `json:"rule"`
	Text    string   `json:"text"`
	True    bool     `json:"true"`
	Secrets []string `json:"secrets,omitempty"`
}

// Validate writes the cases of a rule down.
func Validate(rule config.Rule, truePositives, falsePositives []string) *config.Rule {
	d := singleRule(&rule)
	for _, text := range truePositives {
		record(recordedCase{rule.RuleID, text, true, secretsOf(d.DetectString(text))})
	}
	for _, text := range falsePositives {
		record(recordedCase{rule.RuleID, text, false, nil})
	}
	return &rule
}

// ValidateWithPaths writes the cases of a rule that looks at paths down.
func ValidateWithPaths(rule config.Rule, truePositives, falsePositives map[string]string) *config.Rule {
	d := singleRule(&rule)
	for _, path := range slices.Sorted(maps.Keys(truePositives)) {
		text := truePositives[path]
		record(recordedCase{rule.RuleID, text, true, secretsOf(d.Detect(detect.Fragment{Raw: text, FilePath: path}))})
	}
	for _, path := range slices.Sorted(maps.Keys(falsePositives)) {
		record(recordedCase{rule.RuleID, falsePositives[path], false, nil})
	}
	return &rule
}

func record(c recordedCase) {
	line, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(os.Getenv("JUDGE_CASES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

func singleRule(r *config.Rule) *detect.Detector {
	words := make(map[string]struct{})
	for i, k := range r.Keywords {
		r.Keywords[i] = strings.ToLower(k)
		words[r.Keywords[i]] = struct{}{}
	}
	cfg := base.CreateGlobalConfig()
	cfg.Rules = map[string]config.Rule{r.RuleID: *r}
	cfg.Keywords = words
	for _, a := range cfg.Allowlists {
		if err := a.Validate(); err != nil {
			panic(err)
		}
	}
	return detect.NewDetector(cfg)
}

func secretsOf(findings []report.Finding) []string {
	var secrets []string
	for _, f := range findings {
		secrets = append(secrets, f.Secret)
	}
	slices.Sort(secrets)
	return slices.Compact(secrets)
}

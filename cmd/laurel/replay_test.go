package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

func TestReplayTellsWhatAChangedRuleWouldHavePaid(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		site := s.site(p)
		rule := site.rule("unlimited")
		for i := range 5 {
			site.post(completion(rule), object{"walletAddress": walletOf(i % 2)}).ok(t)
		}
		file := filepath.Join(t.TempDir(), "rule.json")
		write := func(text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		names := `{"id":"` + rule + `","organizationId":"` + p.OrganizationID + `","websiteId":"` + p.WebsiteID + `"`
		replay := func(more ...string) ended {
			return run(
				t,
				append(
					[]string{"replay", "--database", database, "--rule", file, "--from", "2020-01-01", "--to", "2100-01-01"},
					more...)...)
		}
		write(names + `,"amount":25}`)
		prints := func(e ended, words ...string) {
			t.Helper()
			for _, w := range words {
				if e.status != 0 || !strings.Contains(e.stdout, w) {
					t.Errorf("%s: status %d, %q is not in\n%s%s", e.line, e.status, w, e.stdout, e.stderr)
				}
			}
		}
		prints(replay(), "rule "+rule, "50", "125", "75")
		prints(replay("--json"), `"difference": 75`, `"withoutFacts": 0`)
		write(names + `}`)
		prints(replay("--json"), `"wouldPay": 50`, `"difference": 0`)
		write(names + `,"amount":-1}`)
		replay().fails("amount")
		write(`{"id":"` + rule + `"}`)
		replay().fails("organizationId is required")
		write(`nonsense`)
		replay().fails("the rule")
	})
}

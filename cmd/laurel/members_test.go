package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

func TestMembersAreImportedFromAFile(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		file := filepath.Join(t.TempDir(), "members.csv")
		write := func(content string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		arguments := []string{"members", "import", file, "--website", p.WebsiteID, "--database", database}
		write("walletAddress,displayName,balance\ncust_1,Ana,12.5\ncust_2,,lots\n")
		refused := run(t, arguments...).fails("1 of 2 rows are bad: row 3: balance must be a number")
		if refused.status != 2 {
			t.Errorf("a bad row ends with status %d", refused.status)
		}
		write("walletAddress,displayName,balance\ncust_1,Ana,12.5\ncust_2,,0\n")
		type record struct {
			ID, Status, Message string
			Members, NewMembers int
			OpeningBalances     int
			IsEarlier           bool
		}
		first := decode[record](t, run(t, append(arguments, "--json")...).ok())
		if first.Status != "complete" || first.Members != 2 || first.NewMembers != 2 || first.OpeningBalances != 1 || first.IsEarlier {
			t.Errorf("imported %+v", first)
		}
		again := run(t, append(arguments, "--json")...)
		if got := decode[record](t, again.ok()); got.ID != first.ID || !got.IsEarlier || !strings.Contains(again.stderr, "--again") {
			t.Errorf("the same file is imported as %+v: %s", got, again.stderr)
		}
		run(t, append(arguments, "--again", "--currency", p.LoyaltyCurrencyID)...).ok()
		site := serve(t, database).caller(p.WebsiteAPIKey)
		if got := site.get("/api/loyalty/accounts?walletAddress=cust_1"); !strings.Contains(got.body, `"amount":25`) {
			t.Errorf("the account is %s", got.body)
		}
		if got := site.get("/api/users/imports"); strings.Count(got.body, `"complete"`) != 2 {
			t.Errorf("the imports are %s", got.body)
		}
		run(t, "members", "import", file, "--website", p.OrganizationID, "--database", database).fails("Website not found")
		run(t, "members", "import", file+".missing", "--website", p.WebsiteID, "--database", database).fails("no such file")
	})
}

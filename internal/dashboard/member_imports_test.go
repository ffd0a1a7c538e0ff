package dashboard_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestMembersAreImportedByAForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		page, currency := b.Site("/members/imports"), s.LoyaltyCurrencyID.String()
		b.Get(b.Site("/members")).Shows(200, "Import members")
		b.Get(page).Shows(200, "No imports yet", "walletAddress", currency)
		const head = "walletAddress,displayName,joinedAt,balance\n"
		b.PostFile(page, "file", "m.csv", head+"cust_1,Ana,2021-03-14,5\ncust_2,,,lots\n", "currency", currency, "again", "true").
			Shows(400, `href="#f-file"`, "1 of 2 rows are bad: row 3: balance must be a number. Nothing was imported.", "checked")
		b.PostFile(page, "file", "m.csv", "", "currency", currency).Shows(400, `href="#f-file"`)
		b.PostFile(page, "file", "m.csv", head+"cust_1,,,5\n", "currency", "x").Shows(400, `href="#f-currency"`)
		if n := len(s.Get("/api/users/imports").Data()); n != 0 {
			t.Fatalf("%d imports by forms that were refused", n)
		}
		file := head + "cust_1,Ana <b>,2021-03-14,5\n"
		b.PostFile(page, "file", "members <i>.csv", file, "currency", currency).FollowsTo(page).
			Shows(200, "The members are being imported.", "members <i>.csv", "Pending")
		s.RunMemberImports()
		b.Get(page).Shows(200, "Complete", "1 members were imported, 1 of them new; 1 opening balances were written.")
		b.PostFile(page, "file", "m.csv", file, "currency", currency).FollowsTo(page).Shows(200, "This file was imported before")
		s.RunMemberImports()
		if got := s.Balance("cust_1"); got != "5" {
			t.Errorf("the balance is %s", got)
		}
		b.PostFile(page, "file", "m.csv", file, "currency", currency, "again", "true").FollowsTo(page).
			Shows(200, "The members are being imported.")
		s.RunMemberImports()
		if got := s.Balance("cust_1"); got != "10" {
			t.Errorf("the balance is %s", got)
		}
		if list := s.Get("/api/assets").Data(); len(list) != 0 {
			t.Errorf("the file of members is stored: %v", list)
		}
		sheet := b.Get(page + "/imports.csv").Body
		if strings.Count(sheet, `"complete","1","1",`) != 2 || !strings.Contains(sheet, "members <i>.csv") {
			t.Errorf("the export is %s", sheet)
		}
		b.Get(b.Site("/members/"+s.UserOf("cust_1"))).Shows(200, "Ana <b>", "2021")
		s.Transact(apptest.Points("cust_1", 1)).OK() // an import alone is no activity
		s.UpdateFigures()
		b.Get(b.Site("")).Shows(200, "Opening balances")
	})
}

// A file may hold balances of any size, so an import needs the right to adjust without a limit.
func TestSupportImportsNoMembers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleModerator)
		b.Get(b.Site("/members/imports")).Shows(403)
		b.PostFile(b.Site("/members/imports"), "file", "m.csv", "walletAddress\ncust_1\n").Shows(403)
	})
}

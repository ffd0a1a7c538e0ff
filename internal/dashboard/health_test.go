package dashboard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/tenancy"
)

// sealEntries lets the sealer of the server work until nothing waits.
func sealEntries(s *apptest.Server) {
	s.T.Helper()
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.App.Sealer.Run(ctx, seal.NewKey(make([]byte, seal.SeedSize)))
	}()
	defer func() { stop(); <-over }()
	s.WaitUntil(func() bool {
		state, err := s.App.Sealer.State(ctx)
		return err == nil && state.Started && state.Entries == 0 && !state.LastBlock.IsZero()
	})
}

// runCheck runs a check to its end and returns the page.
func runCheck(b *apptest.Browser) (page apptest.Page) {
	b.T.Helper()
	b.Post(b.Site("/health/check")).FollowsTo(b.Site("/health"))
	wait.Until(b.T, "the check ends", func() bool {
		page = b.Get(b.Site("/health")).Shows(200, "Ledger check")
		return !strings.Contains(page.Body, "every 2s")
	})
	return page
}

func TestOwnersCheckTheLedgerAndProveEntries(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		s.Credit(apptest.Alice, 30)
		entry := s.Get("/api/loyalty/transaction_entries").Data()[0]["id"].(string)
		b.Get(b.Site("/health")).Shows(200, "Ledger health", "Check now", "No check has run").Hides("every 2s")
		b.Get(b.Site("/health/proof?entry="+entry)).Shows(400, "is not sealed yet", entry)
		sealEntries(s)
		runCheck(b).Shows(200, "No problems found", "Block 1 (latest)", "Check again")

		file := b.Get(b.Site("/health/proof?entry=" + entry)).Shows(200)
		if got := file.Header.Get("Content-Disposition"); !strings.Contains(got, "proof-"+entry+".json") {
			t.Errorf("sent as %q", got)
		}
		var proof seal.Proof
		if parsed, err := seal.ParseProof([]byte(file.Body)); err != nil {
			t.Errorf("no proof: %v: %s", err, file.Body)
		} else {
			proof = parsed
		}
		if err := proof.Check(proof.Block.PublicKey); err != nil || proof.Row.Entry[0].Value != entry {
			t.Errorf("the proof does not hold: %v", err)
		}
		b.Get(b.Site("/health/proof?entry=%3Cb%3Ex")).Shows(400, "Must be an entry ID", `value="<b>x"`)

		developer := s.SignInAdmin(tenancy.RoleDeveloper)
		developer.Get(b.Site("/health")).Shows(200, "Only owners of the organization can run it").Hides("Check now", "No problems found")
		developer.Post(b.Site("/health/check")).Shows(403)
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/health")).Shows(403, "The Viewer role")

		other := s.NewProgram("Other")
		o := s.SignInOwner(other.OrganizationID)
		o.Get("/admin/"+other.WebsiteID.String()+"/health/proof?entry="+entry).Shows(400, "an entry of Other site")
		b.Get("/admin/" + other.WebsiteID.String() + "/health").Shows(404)
	})
}

func TestFindingsOfOthersAreOnlyCounted(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		s.Credit(apptest.Alice, 30)
		other := s.NewProgram("Other")
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		account := s.Account(apptest.Alice)
		db.Exec("UPDATE loyalty_accounts SET amount = amount + 1 WHERE id = '" + account + "'")
		runCheck(b).Shows(200, "on this server", account, "are listed below").Hides("No problems found")
		o := s.SignInOwner(other.OrganizationID)
		o.Get("/admin/"+other.WebsiteID.String()+"/health").Shows(200, "on this server", "None of them concern Other").Hides(account)
	})
}

func TestACheckSaysThatItsListIsCut(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for i := range 10 {
			var entries []apptest.Object
			for j := range 100 {
				entries = append(entries, apptest.Object{"walletAddress": fmt.Sprintf("wallet-%d-%d", i, j), "amount": 1})
			}
			s.Transact(entries...).OK()
		}
		db.Exec("UPDATE loyalty_accounts SET amount = amount + 1 WHERE user_id IS NOT NULL")
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		runCheck(b).Shows(200, "1,000 discrepancies or more", "stops listing at 1,000")
	})
}

package memberimports_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/memberimports"
)

// many returns a file of members with a balance of 2 each.
func many(members int) string {
	var out strings.Builder
	out.WriteString("walletAddress,balance\n")
	for i := range members {
		fmt.Fprintf(&out, "cust_%d,2\n", i)
	}
	return out.String()
}

// stopAfterChunk runs the due import and stops its node once it has written some of its opening balances.
func stopAfterChunk(t *testing.T, s *apptest.Server, db apptest.Database) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	var hasEnded atomic.Bool
	running.Go(func() {
		_, _ = s.App.MemberImports.RunDue(ctx)
		hasEnded.Store(true)
	})
	for db.Count("loyalty_transactions") == 0 && !hasEnded.Load() { // more often than WaitUntil looks
		time.Sleep(time.Millisecond)
	}
	stop()
	running.Wait()
}

// equalsOnce fails unless each of the members has been imported once.
func equalsOnce(t *testing.T, s *apptest.Server, db apptest.Database, members int) {
	t.Helper()
	var sums struct {
		N      int   `db:"n"`
		Amount int64 `db:"amount"`
	}
	if err := db.Get(t.Context(), &sums, `SELECT COUNT(*) AS n, CAST(SUM(amount) AS BIGINT) AS amount
		FROM loyalty_transaction_entries WHERE user_id IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	if sums.N != members || sums.Amount != int64(members)*2_000_000 || db.Count("user_metadata") != members {
		t.Errorf("%d entries credit %d, and there are %d records", sums.N, sums.Amount, db.Count("user_metadata"))
	}
	s.Sound()
}

func TestAnImportThatStopsGoesOn(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const members = 1200
		id := s.Post(path, object{
			"csvUrl": s.Upload("m.csv", many(members)), "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		}).OK()["id"].(string)
		stopAfterChunk(t, s, db)
		if got := s.Get(path + "/" + id).OK(); got["status"] != "complete" && !strings.HasSuffix(got["message"].(string), "of 1200 members are imported") {
			t.Errorf("the stopped import is %v", got)
		}
		s.RunMemberImports()
		got := s.Get(path + "/" + id).OK()
		if got["status"] != "complete" || got["message"] != "1200 members were imported, 1200 of them new; 1200 opening balances were written" {
			t.Errorf("the import is %v", got)
		}
		equalsOnce(t, s, db, members)
	})
}

// Even where its position is lost, an import writes no balance a second time: the key of each is unique.
func TestABalanceHasAUniqueKey(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		done := s.ImportMembers("walletAddress,balance\ncust_0,2\ncust_1,2\n", nil)
		for _, statement := range []string{
			`INSERT INTO member_import_rows (import_id, line, wallet_address, external_identifier, display_name, email_address,
				phone_number, balance) SELECT id, 2, 'cust_0', '', '', '', '', 2000000 FROM member_imports`,
			`INSERT INTO member_import_rows (import_id, line, wallet_address, external_identifier, display_name, email_address,
				phone_number, balance) SELECT id, 3, 'cust_1', '', '', '', '', 2000000 FROM member_imports`,
			`UPDATE member_imports SET status = 'pending', finished_at = NULL, position = 0, written = 0,
				opening_balances = 0, due_at = 0`,
		} {
			db.Exec(statement)
		}
		s.RunMemberImports()
		got := s.Get(path + "/" + done["id"].(string)).OK()
		if got["status"] != "complete" || !strings.HasSuffix(got["message"].(string), "0 opening balances were written") {
			t.Errorf("the import is %v", got)
		}
		equalsOnce(t, s, db, 2)
	})
}

func TestTwoNodesImportAFileOnce(t *testing.T) {
	t.Parallel()
	nodes, _ := apptest.NodesWith(t, app.Config{NoRateLimits: true, DataDir: t.TempDir()})
	s := nodes[0]
	const members = 700
	id := s.Post(path, object{
		"csvUrl": s.Upload("m.csv", many(members)), "loyaltyCurrencyId": s.LoyaltyCurrencyID,
	}).OK()["id"].(string)
	var running sync.WaitGroup
	for _, node := range nodes {
		running.Go(node.RunMemberImports)
	}
	running.Wait()
	s.RunMemberImports()
	if got := s.Get(path + "/" + id).OK(); got["status"] != "complete" {
		t.Errorf("the import is %v", got)
	}
	for _, wallet := range []string{"cust_0", "cust_499", "cust_500", "cust_699"} {
		if got := s.Balance(wallet); got != "2" {
			t.Errorf("%s has %s", wallet, got)
		}
	}
	s.Sound()
}

// A command that is run again finishes what was begun, and does not credit twice.
func TestACommandImportsAFileOnce(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		started, isEarlier, err := s.App.MemberImports.StartFile(t.Context(), s.WebsiteScope(), memberimports.File{
			Name: "m.csv", Content: open(many(600)),
		})
		if err != nil || isEarlier || started.Status != memberimports.Pending || started.Total != 600 {
			t.Fatalf("started %+v, %t, %v", started, isEarlier, err)
		}
		stopAfterChunk(t, s, db)
		for range 2 {
			done, err := command(s, many(600), false)
			if err != nil || !done.IsEarlier || done.ID != started.ID || done.Members != 600 || done.Openings != 600 {
				t.Errorf("the command returns %+v, %v", done, err)
			}
		}
		equalsOnce(t, s, db, 600)
		if done, err := command(s, many(600), true); err != nil || done.IsEarlier || done.NewMembers != 0 || done.Openings != 600 {
			t.Errorf("the repeated command returns %+v, %v", done, err)
		}
		if got := s.Balance("cust_0"); got != "4" {
			t.Errorf("the balance is %s", got)
		}
	})
}

// A node that dies while it stores the rows of an uploaded file leaves an import that ends by itself.
func TestAFileThatWasNotReadWholeImportsNothing(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		if _, _, err := s.App.MemberImports.StartFile(t.Context(), s.WebsiteScope(), memberimports.File{
			Name: "m.csv", Content: open(many(10)),
		}); err != nil {
			t.Fatal(err)
		}
		db.Exec("UPDATE member_imports SET is_staged = FALSE, due_at = due_at + 3600000000")
		s.RunMemberImports()
		if got := s.Get(path).Data()[0]; got["status"] != "pending" {
			t.Errorf("the import is %v", got)
		}
		s.Clock.Advance(61 * time.Minute)
		s.RunMemberImports()
		got := s.Get(path).Data()[0]
		if got["status"] != "failed" || got["message"] != "Reading the file was interrupted. Nothing was imported" {
			t.Errorf("the import is %v", got)
		}
		if n := db.Count("member_import_rows") + db.Count("loyalty_transactions"); n != 0 {
			t.Errorf("%d rows or transactions are left", n)
		}
	})
}

package main_test

import (
	"database/sql"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// memberCount is how many members have points: several times what one step clears.
const memberCount = 3000

// fill pays every member of the crowd 10 by the rule.
func (c caller) fill(rule string) {
	c.t.Helper()
	var wg sync.WaitGroup
	for n := range clients {
		wg.Go(func() {
			for i := n; i < memberCount; i += clients {
				if r, err := c.send(
					http.MethodPost,
					completion(rule),
					object{"walletAddress": walletOf(i + 1)},
				); err != nil ||
					r.status != http.StatusOK {
					c.t.Errorf("completion: %d %s %v", r.status, r.body, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// count returns a number of the database.
func count(t testing.TB, db *sql.DB, query string) int {
	t.Helper()
	n, err := strconv.Atoi(one(t, db, "SELECT CAST(COALESCE(("+query+"), 0) AS TEXT)"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const debited = "SELECT COUNT(*) FROM loyalty_transaction_entries WHERE user_id IS NOT NULL AND direction = 'debit' AND amount > 0"

// killedInTheMiddle kills the server when some of the crowd is debited, and reports whether that was in time.
func (p *process) killedInTheMiddle(db *sql.DB) bool {
	p.t.Helper()
	wait.Until(p.t, "the first debits", func() bool { return count(p.t, db, debited) > 0 })
	p.kill()
	n := count(p.t, db, debited)
	p.t.Logf("killed after %d of %d", n, memberCount)
	return n < memberCount
}

// emptied fails unless everybody was debited what they had, once.
func emptied(t testing.TB, database string, db *sql.DB) {
	t.Helper()
	for what, query := range map[string]string{
		"debits":              debited,
		"members debited":     "SELECT COUNT(DISTINCT user_id) FROM loyalty_transaction_entries WHERE user_id IS NOT NULL AND direction = 'debit' AND amount = 10000000",
		"balances of nothing": "SELECT COUNT(*) FROM loyalty_accounts WHERE user_id IS NOT NULL AND amount = 0",
	} {
		if n := count(t, db, query); n != memberCount {
			t.Errorf("%d %s, want %d", n, what, memberCount)
		}
	}
	green(t, database)
}

func TestAClearingGoesOnWhereAKilledServerLeftIt(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(c caller, rule string) (reply, error){
		"debit of a deleted rule": func(c caller, rule string) (reply, error) {
			return c.send(http.MethodDelete, "/api/loyalty/rules/"+rule+"?debitLoyaltyPoints=true", nil)
		},
		"reset with data": func(c caller, _ string) (reply, error) {
			return c.send(http.MethodPost, "/api/loyalty/reset", object{"loyaltyCurrencyId": c.currency, "type": "loyalty_reset_balances_data_and_rules"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.EachURL(t, func(t *testing.T, database string) {
				made := initProgram(t, database)
				s, db := serve(t, database), open(t, database)
				site := s.site(made)
				rule := site.rule("once")
				site.fill(rule)
				go func() { _, _ = begin(site, rule) }() // its answer is lost
				if !s.killedInTheMiddle(db) {
					t.Error("it was done before the kill: this shows nothing")
				}
				again := serve(t, database).site(made)
				wait.Until(t, "the end of the job", func() bool {
					return count(t, db, "SELECT COUNT(*) FROM clearing_jobs WHERE status = 'complete'") == 1
				})
				emptied(t, database, db)
				again.post(completion(rule), object{"walletAddress": walletOf(1)}).refused(t, 404, "Loyalty rule not found")
				if n := count(t, db, "SELECT COUNT(*) FROM rule_claims"); (n == 0) != (name == "reset with data") {
					t.Errorf("%d windows are closed", n)
				}
			})
		})
	}
}

func TestAnExpiryGoesOnWhereAKilledServerLeftIt(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		made := initProgram(t, database)
		s, db := serve(t, database), open(t, database)
		site := s.site(made)
		site.fill(site.rule("once"))
		site.post("/api/loyalty/currencies/"+made.LoyaltyCurrencyID, object{"pointsExpireAfterDays": 1}).ok(t)
		wait.Until(
			t,
			"the lots",
			func() bool {
				return count(t, db, "SELECT COUNT(*) FROM account_lots WHERE state = 'open'") == memberCount
			},
		)
		execute(t, db, "UPDATE account_lots SET expires_at = 1") // a day has gone by
		if !s.killedInTheMiddle(db) {
			t.Error("it was done before the kill: this shows nothing")
		}
		serve(t, database)
		wait.Until(
			t,
			"the end of the lots",
			func() bool {
				return count(t, db, "SELECT COUNT(*) FROM account_lots WHERE state = 'expired'") == memberCount
			},
		)
		emptied(t, database, db)
		if n := count(t, db, "SELECT COUNT(*) FROM lot_allocations"); n != memberCount {
			t.Errorf("%d allocations", n)
		}
	})
}

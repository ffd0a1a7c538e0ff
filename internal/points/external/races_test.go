package external_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// TestAPostThatLookedTooEarlyIsNotWritten has one node stand still between looking for holds and writing its own, while
// another pays the same from the first look to the last entry. SQLite's writers cannot meet so.
func TestAPostThatLookedTooEarlyIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		send  func(s *apptest.Server, rule, currency string) apptest.Response
		who   string
		again func(a apptest.Response)
	}{
		"a completion of a new user": {
			func(s *apptest.Server, rule, _ string) apptest.Response {
				return s.Complete(rule, object{"walletAddress": apptest.Alice})
			}, apptest.Alice,
			func(a apptest.Response) { a.Refused(400, "You have already been rewarded") },
		},
		"a transaction with a key": {
			func(s *apptest.Server, _, currency string) apptest.Response {
				return s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 10, object{"idempotencyKey": "K"}))
			}, apptest.Bob,
			func(a apptest.Response) { a.OK() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both, address := apptest.NodesWith(t, app.Config{NoRateLimits: true, Dev: true})
			slow, fast, b := both[0], both[1], apptest.NewBank(t)
			currency := slow.Post("/api/loyalty/currencies", b.CurrencyBody()).OK()["id"].(string)
			rule := slow.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
			stand := standsStill(t, address, "outside_holds")

			late := make(chan apptest.Response)
			go func() { late <- of.send(slow, rule, currency) }()
			stand.waited(t)
			of.send(fast, rule, currency).OK()
			stand.ends(t)
			of.again(<-late)

			b.CheckBalance(t, of.who, "10")
			if got := mirror(slow, currency, of.who); got != "10" || b.Applied != 1 {
				t.Errorf("the mirror has %s, the bank wrote %d times", got, b.Applied)
			}
			slow.Sound()
		})
	}
}

// TestAGroupIsNotPaidForWhatItsMemberAskedForAsANewUser: what is asked for a wallet that is nobody's yet is held by
// that wallet alone, also once its user is in a group.
func TestAGroupIsNotPaidForWhatItsMemberAskedForAsANewUser(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		set(b, func(b *apptest.Bank) { b.After = func(int) int { return -1 } })
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.After = nil })
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.User(wallet, object{"userGroupExternalIdentifier": "family"})
		}
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, "You have already been rewarded")
		s.Clock.Advance(time.Hour)
		carryOn(s)
		b.CheckBalance(t, apptest.Alice, "10")
		b.CheckBalance(t, apptest.Bob, "0")
		if b.Applied != 1 {
			t.Errorf("the bank wrote %d times", b.Applied)
		}
		s.Sound()
	})
}

// TestWhatIsOverOutsideIsForgottenInItsTime: holds stay a day after their post, posts that ended thirty days; what is
// open stays.
func TestWhatIsOverOutsideIsForgottenInItsTime(t *testing.T) {
	t.Parallel()
	const dave = "0x000000000000000000000000000000000000da7e"
	storetest.EachURL(t, func(t *testing.T, address string) {
		s, b := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true}), apptest.NewBank(t)
		currency := s.Post("/api/loyalty/currencies", b.CurrencyBody()).OK()["id"].(string)
		send := func(wallet, key string) apptest.Response {
			return s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, wallet, 5, object{"idempotencyKey": key}))
		}
		left := func(posts, holds, open int) {
			t.Helper()
			if err := s.App.External.RemoveOld(t.Context()); err != nil {
				t.Fatal(err)
			}
			for query, want := range map[string]int{"outside_posts": posts, "outside_holds": holds, "outside_holds WHERE ended_at IS NULL": open} {
				if got := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM "+query); got != want {
					t.Errorf("%d of %s, want %d", got, query, want)
				}
			}
		}
		send(apptest.Alice, "done").OK()
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 400 } })
		send(apptest.Bob, "refused").Refused(400, "Refused by the system that keeps the balances")
		set(b, func(b *apptest.Bank) { b.Before, b.After = nil, func(int) int { return -1 } })
		send(apptest.Carol, "in doubt").Refused(503, "Service unavailable")
		left(3, 3, 1)
		s.Clock.Advance(25 * time.Hour)
		left(3, 1, 1)
		send(apptest.Alice, "done").OK()
		s.Clock.Advance(30 * 24 * time.Hour)
		left(1, 1, 1)
		set(b, func(b *apptest.Bank) { b.After = nil })
		carryOn(s)
		send(apptest.Carol, "in doubt").OK()
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 400 } })
		send(dave, "again").Refused(400, "Refused by the system that keeps the balances")
		set(b, func(b *apptest.Bank) { b.Before = nil })
		send(dave, "again").OK() // with the hold of the one that was refused
		left(3, 2, 0)
		for wallet, has := range map[string]string{apptest.Alice: "5", apptest.Bob: "0", apptest.Carol: "5", dave: "5"} {
			b.CheckBalance(t, wallet, has)
		}
		s.Sound()
	})
}

// still has the first transaction that inserts into a table of PostgreSQL wait there.
type still struct {
	db   *sql.DB
	held *sql.Tx
}

const stillLock = 20261122

func standsStill(t *testing.T, address, table string) *still {
	t.Helper()
	apptest.Tamper(t, address, "CREATE SEQUENCE stood")
	apptest.Tamper(t, address, fmt.Sprintf(`CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('stood') = 1 THEN PERFORM pg_advisory_xact_lock(%d); END IF; RETURN NEW; END $$`, stillLock))
	apptest.Tamper(
		t,
		address,
		"CREATE TRIGGER stand_still BEFORE INSERT ON "+table+" FOR EACH ROW EXECUTE FUNCTION stand_still()",
	)
	s := &still{db: apptest.OpenSQL(t, address)}
	var err error
	if s.held, err = s.db.BeginTx(t.Context(), nil); err == nil {
		_, err = s.held.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock($1)", stillLock)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// waited waits until somebody stands still.
func (s *still) waited(t *testing.T) {
	t.Helper()
	wait.Until(t, "somebody stands still", func() bool {
		var n int
		err := s.db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, stillLock).
			Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	})
}

// ends lets it go on.
func (s *still) ends(t *testing.T) {
	t.Helper()
	if err := s.held.Rollback(); err != nil {
		t.Fatal(err)
	}
}

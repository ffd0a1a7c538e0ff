package app_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// TestAPostThatLookedTooEarlyIsNotWritten has one node stand still between looking for holds and writing its own, while
// another pays the same from the first look to the last entry. SQLite's writers cannot meet so.
func TestAPostThatLookedTooEarlyIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		send  func(s *server, rule, currency string) answer
		who   string
		again func(a answer)
	}{
		"a completion of a new user": {
			func(s *server, rule, _ string) answer { return s.complete(rule, object{"walletAddress": alice}) }, alice,
			func(a answer) { a.refused(400, "You have already been rewarded") },
		},
		"a transaction with a key": {
			func(s *server, _, currency string) answer {
				return s.post("/api/loyalty/transactions", gift(currency, bob, 10, object{"idempotencyKey": "K"}))
			}, bob,
			func(a answer) { a.ok() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both, address := nodesWith(t, app.Config{NoRateLimits: true, Dev: true})
			slow, fast, b := both[0], both[1], newBank(t)
			currency := slow.post("/api/loyalty/currencies", b.currency()).ok()["id"].(string)
			rule := slow.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
			stand := standsStill(t, address, "outside_holds")

			late := make(chan answer)
			go func() { late <- of.send(slow, rule, currency) }()
			stand.waited(t)
			of.send(fast, rule, currency).ok()
			stand.ends(t)
			of.again(<-late)

			b.has(t, of.who, "10")
			if got := slow.mirror(currency, of.who); got != "10" || b.applied != 1 {
				t.Errorf("the mirror has %s, the bank wrote %d times", got, b.applied)
			}
			slow.sound()
		})
	}
}

// TestAGroupIsNotPaidForWhatItsMemberAskedForAsANewUser: what is asked for a wallet that is nobody's yet is held by
// that wallet alone, also once its user is in a group.
func TestAGroupIsNotPaidForWhatItsMemberAskedForAsANewUser(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		b.set(func(b *bank) { b.after = func(int) int { return -1 } })
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.after = nil })
		for _, wallet := range []string{alice, bob} {
			s.user(wallet, object{"userGroupExternalIdentifier": "family"})
		}
		s.complete(rule, object{"walletAddress": bob}).refused(400, "You have already been rewarded")
		s.clock.advance(time.Hour)
		s.carryOn()
		b.has(t, alice, "10")
		b.has(t, bob, "0")
		if b.applied != 1 {
			t.Errorf("the bank wrote %d times", b.applied)
		}
		s.sound()
	})
}

// TestWhatIsOverOutsideIsForgottenInItsTime: holds stay a day after their post, posts that ended thirty days; what is
// open stays.
func TestWhatIsOverOutsideIsForgottenInItsTime(t *testing.T) {
	t.Parallel()
	const dave = "0x000000000000000000000000000000000000da7e"
	storetest.EachURL(t, func(t *testing.T, address string) {
		s, b := openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true}), newBank(t)
		currency := s.post("/api/loyalty/currencies", b.currency()).ok()["id"].(string)
		send := func(wallet, key string) answer {
			return s.post("/api/loyalty/transactions", gift(currency, wallet, 5, object{"idempotencyKey": key}))
		}
		left := func(posts, holds, open int) {
			t.Helper()
			if err := s.app.External.Forget(t.Context()); err != nil {
				t.Fatal(err)
			}
			for query, want := range map[string]int{"outside_posts": posts, "outside_holds": holds, "outside_holds WHERE ended_at IS NULL": open} {
				if got := counted(t, address, "SELECT COUNT(*) FROM "+query); got != want {
					t.Errorf("%d of %s, want %d", got, query, want)
				}
			}
		}
		send(alice, "done").ok()
		b.set(func(b *bank) { b.before = func(int) int { return 400 } })
		send(bob, "refused").refused(400, "Refused by the system that keeps the balances")
		b.set(func(b *bank) { b.before, b.after = nil, func(int) int { return -1 } })
		send(carol, "in doubt").refused(503, "Service unavailable")
		left(3, 3, 1)
		s.clock.advance(25 * time.Hour)
		left(3, 1, 1)
		send(alice, "done").ok()
		s.clock.advance(30 * 24 * time.Hour)
		left(1, 1, 1)
		b.set(func(b *bank) { b.after = nil })
		s.carryOn()
		send(carol, "in doubt").ok()
		b.set(func(b *bank) { b.before = func(int) int { return 400 } })
		send(dave, "again").refused(400, "Refused by the system that keeps the balances")
		b.set(func(b *bank) { b.before = nil })
		send(dave, "again").ok() // with the hold of the one that was refused
		left(3, 2, 0)
		for wallet, has := range map[string]string{alice: "5", bob: "0", carol: "5", dave: "5"} {
			b.has(t, wallet, has)
		}
		s.sound()
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
	tamper(t, address, "CREATE SEQUENCE stood")
	tamper(t, address, fmt.Sprintf(`CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('stood') = 1 THEN PERFORM pg_advisory_xact_lock(%d); END IF; RETURN NEW; END $$`, stillLock))
	tamper(t, address, "CREATE TRIGGER stand_still BEFORE INSERT ON "+table+" FOR EACH ROW EXECUTE FUNCTION stand_still()")
	s := &still{db: opened(t, address)}
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
	for range 1000 {
		var n int
		err := s.db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, stillLock).
			Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("nobody stood still")
}

// ends lets it go on.
func (s *still) ends(t *testing.T) {
	t.Helper()
	if err := s.held.Rollback(); err != nil {
		t.Fatal(err)
	}
}

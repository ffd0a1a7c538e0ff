package main_test

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// nodes starts two servers on one database with one program.
func nodes(t testing.TB, database string) (program, [2]*process, [2]caller) {
	t.Helper()
	p := initProgram(t, database)
	servers := [2]*process{serve(t, database), serve(t, database)}
	return p, servers, [2]caller{servers[0].site(p), servers[1].site(p)}
}

func TestAThousandCompletionsOfOneWindowOnTwoNodesGiveOneReward(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		_, _, sites := nodes(t, database)
		rule := sites[0].rule("daily")
		var paid, refused atomic.Int64
		var wg sync.WaitGroup
		ready := make(chan struct{})
		for i := range 1000 {
			wg.Go(func() {
				<-ready
				switch r, err := sites[i%2].send(http.MethodPost, completion(rule), object{"walletAddress": walletOf(1)}); {
				case err != nil:
					t.Error(err)
				case r.status == http.StatusOK:
					paid.Add(1)
				case r.status == http.StatusBadRequest && strings.Contains(r.body, `"code":"already_rewarded","rewarded":true`):
					refused.Add(1)
				default:
					t.Errorf("%d %s", r.status, r.body)
				}
			})
		}
		close(ready)
		wg.Wait()
		effects, _ := written(t, database)
		if paid.Load() != 1 || refused.Load() != 999 || len(effects) != 1 {
			t.Errorf("%d paid, %d refused, %d effects", paid.Load(), refused.Load(), len(effects))
		}
		green(t, database)
	})
}

func TestOppositeOrdersOfTheSameAccountsOnTwoNodesNeverFailByDeadlock(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		_, servers, sites := nodes(t, database)
		const wallets, each, rounds, callers = 6, 40, 12, 16
		for i := range wallets {
			sites[0].post(transactions, sites[0].transfer("", move{walletOf(i), each})).ok(t)
		}
		var moved, refused atomic.Int64
		var wg sync.WaitGroup
		for worker := range callers {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(uint64(worker), 7))
				for range rounds {
					order := random.Perm(wallets)
					transfer := sites[0].transfer("",
						move{walletOf(order[0]), -9}, move{walletOf(order[1]), 5}, move{walletOf(order[2]), 4})
					r, err := sites[worker%2].send(http.MethodPost, transactions, transfer)
					for tries := 0; err == nil && r.status == http.StatusServiceUnavailable && tries < 20; tries++ {
						time.Sleep(500 * time.Millisecond) // the machine is busy, or so many deadlocks: the log says which
						r, err = sites[worker%2].send(http.MethodPost, transactions, transfer)
					}
					switch {
					case err == nil && r.status == http.StatusOK:
						moved.Add(1)
					case err == nil && r.status == http.StatusBadRequest && strings.Contains(r.body, "Insufficient balance"):
						refused.Add(1)
					default:
						t.Errorf("%v %d %s", err, r.status, r.body)
					}
				}
			})
		}
		wg.Wait()
		total := one(t, open(t, database), "SELECT CAST(SUM(amount) AS TEXT) FROM loyalty_accounts WHERE user_id IS NOT NULL")
		if total != "240000000" || moved.Load() == 0 {
			t.Errorf("%d moved, %d refused, %s millionths in all accounts, want 240000000", moved.Load(), refused.Load(), total)
		}
		for _, server := range servers {
			if strings.Contains(server.out.String(), "deadlock") {
				t.Errorf("a server failed by deadlock: %s", server.out)
			}
		}
		t.Logf("%d moved, %d refused", moved.Load(), refused.Load())
		green(t, database)
	})
}

func TestAKeyRevokedOnTheCommandLineStopsWorkingOnBothNodes(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		p, _, sites := nodes(t, database)
		made := decode[apiKey](
			t,
			run(
				t,
				"keys",
				"create",
				"--database",
				database,
				"--organization",
				p.OrganizationID,
				"--role",
				"ORGANIZATION_API_KEY",
				"--json",
			).ok(),
		)
		mine := []caller{sites[0].with(made.Key), sites[1].with(made.Key)}
		for _, c := range mine {
			c.get("/api/loyalty/rules").ok(t)
		}
		run(t, "keys", "revoke", "--database", database, made.ID).ok()
		refusedWithinASecond(t, mine...)
	})
}

func TestOneNodeKilledUnderLoadLeavesTheOtherGoingOn(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		_, servers, sites := nodes(t, database)
		l := begin(t, sites[0], sites[1])
		l.reach(300)
		servers[0].kill()
		l.reach(300)
		l.check(database)
		if lost := len(l.unanswered); lost == 0 || lost > clients/2 {
			t.Errorf("%d requests without an answer, want those of the killed node only", lost)
		}
		l.retry(sites[1], database)
		green(t, database)
	})
}

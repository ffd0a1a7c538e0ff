package worker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/worker"
)

// office has owners 1 to n, each with something due at any time, and records when each was served.
type office struct {
	owners int
	groups byte // organizations that they belong to; 0: each to one of its own
	idle   map[byte]bool
	events journal
	begun  time.Time

	mu     sync.Mutex
	served map[byte][]int // the seconds after which each share of an owner began
	at     map[byte]int
	most   int // that were served at a time
	twice  bool
}

func (o *office) next(_ context.Context, after laurel.ID) (worker.Owner, bool, error) {
	if int(after[15]) >= o.owners {
		return worker.Owner{}, false, nil
	}
	n := after[15] + 1
	of := worker.Tenant{Organization: laurel.ID{14: n}, Website: laurel.ID{15: n}}
	if o.groups > 0 {
		of.Organization = laurel.ID{14: n%o.groups + 1}
	}
	return worker.Owner{ID: laurel.ID{15: n}, Tenant: of}, !o.idle[n], nil
}

// rota serves with what a share of an owner does; shares count from one.
func (o *office) rota(many, looks int, share func(owner byte, n int) (bool, error)) *worker.RoundRobin {
	o.begun, o.served, o.at = time.Now(), map[byte][]int{}, map[byte]int{}
	return &worker.RoundRobin{
		Loop:      worker.Loop{Every: 10 * time.Second, Log: o.events.logger(), Fault: "serving met a fault"},
		MaxOwners: many,
		MaxLooks:  looks,
		Next:      o.next,
		ServeBatch: func(_ context.Context, id laurel.ID) (bool, error) {
			owner := id[15]
			n := o.enter(owner)
			defer o.leave(owner)
			return share(owner, n)
		},
	}
}

func (o *office) enter(owner byte) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.served[owner] = append(o.served[owner], int(time.Since(o.begun).Seconds()))
	o.at[owner]++
	o.twice = o.twice || o.at[owner] > 1
	o.most = max(o.most, len(o.at))
	return len(o.served[owner])
}

func (o *office) leave(owner byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at[owner]--
	if o.at[owner] == 0 {
		delete(o.at, owner)
	}
}

// run serves for a while, and returns when the last has been served.
func (o *office) run(t *testing.T, r *worker.RoundRobin, during time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), during)
	defer cancel()
	r.Run(ctx)
	if len(o.at) > 0 || o.twice {
		t.Errorf("%d are still being served; twice at a time: %v", len(o.at), o.twice)
	}
}

func TestAnOwnerWhoTakesLongDelaysNoOtherAndIsNotServedTwiceAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 3}
		o.run(t, o.rota(3, 10, func(owner byte, _ int) (bool, error) {
			if owner == 1 {
				time.Sleep(25 * time.Second)
			}
			return false, nil
		}), 35*time.Second)
		same(t, "slow", o.served[1], []int{0, 30})
		for _, quick := range []byte{2, 3} {
			same(t, "quick", o.served[quick], []int{0, 10, 20, 30})
		}
	})
}

func TestAllHaveTheirTurnWhereThereAreMoreThanTheCrowd(t *testing.T) {
	t.Parallel()
	for _, looks := range []int{3, 7, 100} {
		t.Run(fmt.Sprintf("%d looks", looks), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := &office{owners: 10, idle: map[byte]bool{4: true}}
				o.run(t, o.rota(3, looks, func(byte, int) (bool, error) {
					time.Sleep(4 * time.Second)
					return false, nil
				}), 85*time.Second)
				for owner := byte(1); owner <= 10; owner++ {
					if got := len(o.served[owner]); (got >= 2) == o.idle[owner] || o.idle[owner] && got > 0 {
						t.Errorf("owner %d was served after %v s", owner, o.served[owner])
					}
				}
				if o.most > 3 {
					t.Errorf("%d were served at a time", o.most)
				}
			})
		})
	}
}

func TestAnOwnerIsServedUntilNothingMoreIsDue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 1}
		o.run(t, o.rota(2, 10, func(_ byte, n int) (bool, error) {
			time.Sleep(time.Second)
			return n < 4, nil
		}), 15*time.Second)
		same(t, "shares", o.served[1], []int{0, 1, 2, 3, 10})
	})
}

func TestAnOwnerWhoFailsOrPanicsIsServedAgainInTheNextRound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 3}
		o.run(t, o.rota(3, 10, func(owner byte, n int) (bool, error) {
			switch {
			case owner == 1 && n == 1:
				panic("a mistake")
			case owner == 2 && n == 1:
				return true, errors.New("a small fault")
			}
			return false, nil
		}), 15*time.Second)
		for owner := byte(1); owner <= 3; owner++ {
			same(t, "served", o.served[owner], []int{0, 10})
		}
		all := strings.Join(o.events.lines(), "\n")
		for _, want := range []string{"level=ERROR", "panicked: a mistake", "level=WARN", "a small fault", laurel.ID{15: 2}.String()} {
			if !strings.Contains(all, want) {
				t.Errorf("%q is not in %s", want, all)
			}
		}
	})
}

func TestARotaThatCannotLookSaysSoAndLooksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 1}
		r := o.rota(1, 10, func(byte, int) (bool, error) { return false, nil })
		looks := 0
		r.Next = func(ctx context.Context, after laurel.ID) (worker.Owner, bool, error) {
			looks++
			if looks == 1 {
				return worker.Owner{}, false, errors.New("no database")
			}
			return o.next(ctx, after)
		}
		o.run(t, r, 15*time.Second)
		same(t, "served", o.served[1], []int{10})
		if lines := o.events.lines(); len(lines) != 1 || !strings.Contains(lines[0], "no database") {
			t.Errorf("logged %q", lines)
		}
	})
}

func TestOnceIsOneShareOfEachOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 3}
		r := o.rota(5, 10, func(owner byte, _ int) (bool, error) {
			time.Sleep(time.Second)
			if owner == 2 {
				panic("a mistake")
			}
			return true, nil
		})
		if err := r.RunOnce(t.Context()); !errors.Is(err, panics.ErrCaught) {
			t.Errorf("answered %v", err)
		}
		for owner := byte(1); owner <= 3; owner++ {
			if !slices.Equal(o.served[owner], []int{0}) {
				t.Errorf("owner %d was served after %v s", owner, o.served[owner])
			}
		}
	})
}

func TestAnOrganizationLeavesPlacesToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 10, groups: 2}
		r := o.rota(4, 100, func(owner byte, _ int) (bool, error) {
			if owner%2 == 1 {
				time.Sleep(time.Minute)
			}
			return false, nil
		})
		o.run(t, r, 55*time.Second)
		if slow := len(o.served[1]) + len(o.served[3]) + len(o.served[5]); slow != 2 {
			t.Errorf("%d of a slow group are served", slow)
		}
		for owner := byte(2); owner <= 10; owner += 2 {
			if len(o.served[owner]) == 0 {
				t.Errorf("owner %d waits for another group", owner)
			}
		}
	})
}

func TestAllOwnersOfAnOrganizationHaveTheirTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &office{owners: 12, groups: 2}
		o.run(t, o.rota(2, 100, func(byte, int) (bool, error) {
			time.Sleep(4 * time.Second)
			return false, nil
		}), 125*time.Second)
		for owner := byte(1); owner <= 12; owner++ {
			if n := len(o.served[owner]); n < 2 || n > 3 {
				t.Errorf("owner %d was served %d times", owner, n)
			}
		}
	})
}

func TestATurnEnds(t *testing.T) {
	t.Parallel()
	for turn, want := range map[time.Duration][]int{0: {0, 1, 2, 3, 4}, 2 * time.Second: {0, 1, 10, 11}, -1: {0, 10}} {
		t.Run(turn.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := &office{owners: 1}
				during := 15 * time.Second
				if turn == 0 {
					during = 4500 * time.Millisecond
				}
				r := o.rota(1, 10, func(byte, int) (bool, error) {
					time.Sleep(time.Second)
					return true, nil
				})
				r.TimeSlice, r.Now = turn, time.Now
				o.run(t, r, during)
				same(t, "shares", o.served[1], want)
			})
		})
	}
}

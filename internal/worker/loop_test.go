package worker_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/worker"
)

// journal is what was logged.
type journal struct{ storetest.Log }

func (j *journal) lines() []string {
	return slices.DeleteFunc(strings.Split(j.String(), "\n"), func(line string) bool { return line == "" })
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// rounds runs a loop for a while and returns after how many seconds each round began.
func rounds(t *testing.T, loop worker.Loop, during time.Duration, round func(n int) (bool, error)) (begun []int) {
	t.Helper()
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), during)
	defer cancel()
	loop.Run(ctx, func(context.Context) (bool, error) {
		begun = append(begun, int(time.Since(start).Seconds()))
		return round(len(begun))
	})
	return begun
}

func same(t *testing.T, what string, got, want []int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: rounds after %v s, not %v", what, got, want)
	}
}

func TestALoopBeginsAtOnceAndThenEverySoOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		idle := func(int) (bool, error) { return false, nil }
		same(t, "at once", rounds(t, worker.Loop{Every: 10 * time.Second}, 35*time.Second, idle), []int{0, 10, 20, 30})
		same(
			t,
			"later",
			rounds(t, worker.Loop{Every: 10 * time.Second, DelayFirst: true}, 35*time.Second, idle),
			[]int{10, 20, 30},
		)
		same(t, "over before", rounds(t, worker.Loop{Every: 10 * time.Second, DelayFirst: true}, 5*time.Second, idle), nil)
		same(t, "a long round", rounds(t, worker.Loop{Every: 10 * time.Second}, 35*time.Second, func(n int) (bool, error) {
			if n == 1 {
				time.Sleep(15 * time.Second)
			}
			return false, nil
		}), []int{0, 15, 20, 30})
	})
}

func TestALoopGoesOnAtOnceWhereThereIsMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		same(
			t,
			"more",
			rounds(t, worker.Loop{Every: 10 * time.Second}, 15*time.Second, func(n int) (bool, error) { return n < 3, nil }),
			[]int{0, 0, 0, 10},
		)
		begun := rounds(t, worker.Loop{Every: 10 * time.Second}, 3500*time.Millisecond, func(int) (bool, error) {
			time.Sleep(time.Second)
			return true, nil // there is always more, and it ends all the same
		})
		same(t, "for ever", begun, []int{0, 1, 2, 3})
	})
}

func TestALoopIsWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{}, 1)
		go func() {
			time.Sleep(3 * time.Second)
			wake <- struct{}{}
		}()
		same(
			t,
			"woken",
			rounds(
				t,
				worker.Loop{Every: 10 * time.Second, Wake: wake},
				15*time.Second,
				func(int) (bool, error) { return false, nil },
			),
			[]int{0, 3, 10},
		)
	})
}

func TestWhatFailsOrPanicsInARoundIsToldAndTheLoopGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events journal
		loop := worker.Loop{Every: 10 * time.Second, Log: events.logger(), Fault: "it went wrong; it is tried again"}
		begun := rounds(t, loop, 25*time.Second, func(n int) (bool, error) {
			switch n {
			case 1:
				return false, errors.New("a small fault")
			case 2:
				panic("a mistake")
			}
			return false, nil
		})
		same(t, "after faults", begun, []int{0, 10, 20})
		lines := events.lines()
		if len(lines) != 2 {
			t.Fatalf("logged %d times: %q", len(lines), lines)
		}
		for i, all := range [][]string{
			{"level=WARN", `msg="it went wrong; it is tried again"`, `error="a small fault"`},
			{"level=ERROR", `msg="it went wrong; it is tried again"`, "panicked: a mistake", "loop_test.go"},
		} {
			for _, want := range all {
				if !strings.Contains(lines[i], want) {
					t.Errorf("%q is not in %s", want, lines[i])
				}
			}
		}
	})
}

func TestALoopEndsWithItsContextAndIsSilentAboutIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events journal
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			worker.Loop{Every: time.Hour, Log: events.logger(), Fault: "it went wrong"}.RunEach(ctx, func(ctx context.Context) error {
				<-ctx.Done()
				return ctx.Err()
			})
		}()
		synctest.Wait()
		cancel()
		<-ended
		if lines := events.lines(); len(lines) > 0 {
			t.Errorf("logged: %q", lines)
		}
		worker.Loop{Every: time.Hour}.RunEach(ctx, func(context.Context) error {
			t.Error("a round began after the end")
			return nil
		})
	})
}

func TestTogetherIsManyAtATimeAndContainsWhatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var done []int
		at, most := 0, 0
		begun := time.Now()
		err := worker.ForEach([]int{1, 2, 3, 4, 5, 6, 7}, 3, func(n int) error {
			mu.Lock()
			at++
			most = max(most, at)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			at--
			switch n {
			case 2:
				panic("two")
			case 5:
				return errors.New("five")
			}
			done = append(done, n)
			return nil
		})
		slices.Sort(done)
		same(t, "done", done, []int{1, 3, 4, 6, 7})
		if took := time.Since(begun); most != 3 || took != 3*time.Second {
			t.Errorf("%d at once, in %s", most, took)
		}
		if err == nil || !errors.Is(err, panics.ErrCaught) || !strings.Contains(err.Error(), "panicked: two") ||
			!strings.HasSuffix(err.Error(), "\nfive") {
			t.Errorf("answered %v", err)
		}
	})
}

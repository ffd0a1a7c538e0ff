package tenancy_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/tenancy"
)

func TestHerdOnOneKeyIsOneRead(t *testing.T) {
	t.Parallel()
	c := tenancy.NewCache(time.Second, newClock().now, small)
	var reads atomic.Int64
	gate := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			v, err := c.GetCached(t.Context(), "k", func(context.Context) (int, error) {
				<-gate
				return int(reads.Add(1)), nil
			})
			if v != 1 || err != nil {
				t.Error(v, err)
			}
		})
		if i == 50 {
			close(gate)
		}
	}
	wg.Wait()
	if reads.Load() != 1 {
		t.Fatalf("%d reads", reads.Load())
	}
}

func TestCallerThatGivesUpDoesNotEndTheReadOfOthers(t *testing.T) {
	t.Parallel()
	c := tenancy.NewCache(time.Second, newClock().now, small)
	ctx, cancel := context.WithCancel(t.Context())
	started, gate := make(chan struct{}), make(chan struct{})
	read := func(ctx context.Context) (int, error) {
		close(started)
		<-gate
		return 7, ctx.Err()
	}
	first := make(chan error)
	go func() { _, err := c.GetCached(ctx, "k", read); first <- err }()
	<-started
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	second := make(chan error)
	go func() {
		v, err := c.GetCached(t.Context(), "k", func(context.Context) (int, error) { return 7, nil })
		if v != 7 {
			err = fmt.Errorf("got %d", v)
		}
		second <- err
	}()
	close(gate)
	if err := <-second; err != nil {
		t.Fatal(err)
	}
}

func TestEntriesLiveTheirTimeAndNoLongerWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	now := newClock()
	c := tenancy.NewCache(time.Second, now.now, small)
	reads := 0
	get := func() int {
		t.Helper()
		v, err := c.GetCached(t.Context(), "k", func(context.Context) (int, error) { reads++; return reads, nil })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	steps := []struct {
		move time.Duration
		want int
	}{{0, 1}, {999 * time.Millisecond, 1}, {time.Millisecond, 2}, {-time.Hour, 3}, {0, 3}}
	for i, s := range steps {
		now.move(s.move)
		if got := get(); got != s.want {
			t.Fatalf("step %d: %d, want %d", i, got, s.want)
		}
	}
	c.ForgetCached("k")
	if got := get(); got != 4 {
		t.Fatalf("after forgetting: %d", got)
	}
}

func TestReadBegunBeforeForgettingIsNotKept(t *testing.T) {
	t.Parallel()
	c := tenancy.NewCache(time.Second, newClock().now, small)
	_, err := c.GetCached(t.Context(), "k", func(context.Context) (int, error) {
		c.ForgetCached("k")
		return 1, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.GetCached(t.Context(), "k", func(context.Context) (int, error) { return 2, nil })
	if v != 2 || err != nil {
		t.Fatalf("got %d, %v", v, err)
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	t.Parallel()
	c := tenancy.NewCache(time.Second, newClock().now, small)
	if _, err := c.GetCached(
		t.Context(),
		"k",
		func(context.Context) (int, error) { return 0, errors.New("down") },
	); err == nil {
		t.Fatal("no error")
	}
	if v, err := c.GetCached(
		t.Context(),
		"k",
		func(context.Context) (int, error) { return 5, nil },
	); v != 5 ||
		err != nil {
		t.Fatal(v, err)
	}
}

// small is the size of the values of most tests.
func small(int) int { return 8 }

func TestTheCacheIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 1 << 10, 1 << 20} {
		c := tenancy.NewCache(time.Hour, newClock().now, func(int) int { return size })
		for i := range 100_000 {
			if _, err := c.GetCached(
				t.Context(),
				fmt.Sprint(i),
				func(context.Context) (int, error) { return i, nil },
			); err != nil {
				t.Fatal(err)
			}
		}
		if held := c.Len() * size; held > 8<<20 || c.Len() == 0 || c.Len() > 100_000 {
			t.Errorf("%d entries of %d bytes", c.Len(), size)
		}
	}
}

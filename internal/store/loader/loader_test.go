package loader_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store/loader"
)

func TestALoaderNeverAnswersFromBeforeItWasAsked(t *testing.T) {
	t.Parallel()
	var state, reads, keysRead atomic.Int64
	l := loader.New(func(_ context.Context, keys []int) (map[int]int64, error) {
		reads.Add(1)
		keysRead.Add(int64(len(keys)))
		if len(keys) > 256 {
			t.Errorf("%d keys in one read", len(keys))
		}
		now, out := state.Load(), map[int]int64{}
		for _, k := range keys {
			if k%3 != 0 { // these have no row
				out[k] = now
			}
		}
		return out, nil
	})
	var wg sync.WaitGroup
	for caller := range 600 {
		wg.Go(func() {
			for range 20 {
				at := state.Add(1)
				got, found, err := l.Get(t.Context(), caller)
				if err != nil || found != (caller%3 != 0) || found && got < at {
					t.Errorf("key %d: %d %v %v, asked at %d", caller, got, found, err, at)
				}
			}
		})
	}
	wg.Wait()
	if reads.Load() == 0 || reads.Load() >= keysRead.Load() {
		t.Errorf("%d reads for %d keys: nothing was shared", reads.Load(), keysRead.Load())
	}
}

func TestALoaderTellsEveryCallerOfItsFault(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	l := loader.New(func(context.Context, []string) (map[string]bool, error) { return nil, broken })
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, _, err := l.Get(t.Context(), "a"); !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestAReadThatPanicsIsAFaultOfAllItsCallersAndTheNextOneIsMade(t *testing.T) {
	t.Parallel()
	var reads atomic.Int64
	broken := true
	l := loader.New(func(context.Context, []string) (map[string]bool, error) {
		reads.Add(1)
		if broken {
			panic("of the reader")
		}
		return map[string]bool{"a": true}, nil
	})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, found, err := l.Get(t.Context(), "a"); !errors.Is(err, panics.ErrCaught) || found {
				t.Error(found, err)
			}
		})
	}
	wg.Wait()
	broken = false
	before := reads.Load()
	if v, found, err := l.Get(t.Context(), "a"); !v || !found || err != nil || reads.Load() != before+1 {
		t.Errorf("%v %v %v after %d reads", v, found, err, reads.Load()-before)
	}
}

func TestACallerMayGiveUpAndTheReadGoesOn(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	l := loader.New(func(ctx context.Context, _ []string) (map[string]bool, error) {
		close(begun)
		<-release
		return map[string]bool{"a": true}, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := make(chan error)
	go func() {
		_, _, err := l.Get(ctx, "a")
		cancelled <- err
	}()
	<-begun
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
}

func TestAReadThatTakesTooLongIsAnUnavailableDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := loader.New(func(ctx context.Context, _ []string) (map[string]bool, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("read: %w", ctx.Err())
		})
		if _, _, err := l.Get(t.Context(), "a"); laurel.CodeOf(err) != laurel.Unavailable {
			t.Error(err)
		}
	})
}

package dashboard

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"
)

func TestReplaysGoOnWithoutTheirRequestAndAreBounded(t *testing.T) {
	t.Parallel()
	r := replays{now: time.Now}
	request, gone := context.WithCancel(t.Context())
	ended := make(chan struct{})
	slow := func(ctx context.Context, one *replaying) error {
		one.judged.Add(1)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return nil
		}
	}
	first, err := r.ask(request, "0", slow)
	if err != nil {
		t.Fatal(err)
	}
	gone()
	if again, err := r.ask(t.Context(), "0", nil); err != nil || again != first || first.over() {
		t.Fatalf("another replay, %v", err)
	}
	for n := 1; n < replaysAtOnce; n++ {
		if _, err := r.ask(t.Context(), strconv.Itoa(n), slow); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.ask(t.Context(), "one more", slow); !errors.Is(err, errReplays) {
		t.Fatalf("got %v", err)
	}
	close(ended)
	<-first.done
	if first.err != nil || first.judged.Load() != 1 {
		t.Errorf("it ended with %v", first.err)
	}
}

package apptest

import (
	"context"
	"sync"
	"testing"

	"laurel/internal/dev/wait"
)

// RunWorkers runs workers until they are stopped, which waits for their end.
func RunWorkers(workers ...func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, work := range workers {
		running.Go(func() { work(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// WaitUntil waits until workers have done something. The clock stands still between the things that they do.
func (s *Server) WaitUntil(until func() bool) {
	s.T.Helper()
	wait.Until(s.T, "the workers have done it", until)
}

// CallConcurrently makes many calls side by side and returns their responses in the order of the calls.
func CallConcurrently(many int, call func(i int) Response) []Response {
	answers := make([]Response, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { answers[i] = call(i) })
	}
	wg.Wait()
	return answers
}

// CheckOutcomes demands a number of successes and one refusal for all others.
func CheckOutcomes(t *testing.T, answers []Response, good int, message string) {
	t.Helper()
	ok := 0
	for _, a := range answers {
		if a.Status == 200 {
			ok++
		} else if a.Status != 400 || a.JSON()["message"] != message {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	if ok != good {
		t.Errorf("%d succeeded, want %d", ok, good)
	}
}

package apptest

import (
	"context"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/wait"
)

// RunWorkers starts workers and returns a function that stops them and waits for their end.
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

// WaitUntil waits until the condition holds, which workers bring about. The clock of the server stands still meanwhile,
// apart from its milliseconds.
func (s *Server) WaitUntil(until func() bool) {
	s.T.Helper()
	wait.Until(s.T, "the workers have done it", until)
}

// CallConcurrently makes many calls at the same time and returns their responses, in the order of the calls.
func CallConcurrently(many int, call func(i int) Response) []Response {
	responses := make([]Response, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { responses[i] = call(i) })
	}
	wg.Wait()
	return responses
}

// CheckOutcomes fails unless wantSuccesses of the responses are successes, and all others are refusals with the
// message.
func CheckOutcomes(t *testing.T, responses []Response, wantSuccesses int, message string) {
	t.Helper()
	successes := 0
	for _, a := range responses {
		if a.Status == 200 {
			successes++
		} else if a.Status != 400 || a.JSON()["message"] != message {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	if successes != wantSuccesses {
		t.Errorf("%d succeeded, want %d", successes, wantSuccesses)
	}
}

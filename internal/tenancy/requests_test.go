package tenancy_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

const (
	errOtherRequest = "Idempotency-Key was already used with a different request"
	carriedOut      = `{"message":"Already carried out"}`
	tooMany         = "Too many requests, please try again later."
)

// patient nodes wait longer than any test runs, hasty ones hardly at all.
func patient(db *store.DB) node {
	return node{tenancy.New(tenancy.Config{DB: db, Users: users{}, RequestWait: time.Minute, ResponseWait: time.Minute}), db}
}

func hasty(db *store.DB) node {
	return node{
		tenancy.New(tenancy.Config{DB: db, Users: users{}, RequestWait: time.Millisecond, ResponseWait: time.Millisecond}),
		db,
	}
}

func input(db *store.DB) tenancy.RequestInput {
	return tenancy.RequestInput{KeyID: db.NewID(), Key: "order-1", Path: "/api/x", Hash: "h"}
}

func (n node) begin(t *testing.T, in tenancy.RequestInput) *tenancy.Request {
	t.Helper()
	r, replay, err := n.BeginRequest(t.Context(), in)
	if r == nil || replay != nil || err != nil {
		t.Fatalf("begin: %v, %+v, %v", r, replay, err)
	}
	return r
}

func (n node) replayed(t *testing.T, in tenancy.RequestInput, status int, body string) {
	t.Helper()
	r, replay, err := n.BeginRequest(t.Context(), in)
	if r != nil || err != nil || replay == nil || replay.Status != status || replay.Body != body {
		t.Fatalf("%v, %+v, %v; want the replay %d %s", r, replay, err, status, body)
	}
}

// effect is what a request does once: it makes an organization.
func (n node) effect(ctx context.Context, key *laurel.RequestKey) error {
	return n.db.Write(ctx, key, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO organizations (id, name, created_at, updated_at) VALUES (?, 'effect', 1, 1)", tx.NewID())
		return err
	})
}

func (n node) effects(t *testing.T, want int) {
	t.Helper()
	var got int
	if err := n.db.Get(
		t.Context(),
		&got,
		"SELECT COUNT(*) FROM organizations WHERE name = 'effect'",
	); err != nil ||
		got != want {
		t.Fatalf("%d effects, want %d (%v)", got, want, err)
	}
}

func finish(t *testing.T, r *tenancy.Request, status int, body string, cause error) {
	t.Helper()
	if replay, err := r.Finish(t.Context(), status, body, cause); replay != nil || err != nil {
		t.Fatalf("finish: %+v, %v", replay, err)
	}
}

func TestRepeatedRequestGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, nil)
		n, other := patient(db), patient(storetest.Open(t, address, nil))
		in := input(db)
		r := n.begin(t, in)
		if err := n.effect(t.Context(), r.Key()); err != nil {
			t.Fatal(err)
		}
		finish(t, r, 201, `{"id":1}`, nil)
		n.replayed(t, in, 201, `{"id":1}`)
		other.replayed(t, in, 201, `{"id":1}`)
		n.effects(t, 1)

		for _, change := range []func(*tenancy.RequestInput){
			func(in *tenancy.RequestInput) { in.Path = "/api/y" },
			func(in *tenancy.RequestInput) { in.Hash = "i" },
		} {
			changed := in
			change(&changed)
			for _, at := range []node{n, other} {
				_, _, err := at.BeginRequest(t.Context(), changed)
				refused(t, err, laurel.Refused, errOtherRequest)
			}
		}
		stranger := in
		stranger.KeyID = db.NewID()
		finish(t, n.begin(t, stranger), 200, "{}", nil) // another API key's keys are its own
	})
}

func TestRequestWithoutEffectIsReplayedToo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		in := input(n.db)
		finish(t, n.begin(t, in), 200, "{}", nil)
		n.replayed(t, in, 200, "{}")
	})
}

func TestIdempotencyKeyHasOneTo255Characters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		in := input(n.db)
		for _, key := range []string{"", strings.Repeat("k", 256)} {
			in.Key = key
			_, _, err := n.BeginRequest(t.Context(), in)
			faults(t, err, "Idempotency-Key must be between 1 and 255 characters")
		}
		for _, key := range []string{"\xff", "a\x00"} {
			in.Key = key
			_, _, err := n.BeginRequest(t.Context(), in)
			faults(t, err, "Idempotency-Key must not contain NUL characters")
		}
		in.Key = strings.Repeat("é", 255)
		finish(t, n.begin(t, in), 200, "{}", nil)
	})
}

func TestRefusalsAndFaultsAreNotKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		in := input(n.db)
		finish(t, n.begin(t, in), 400, `{"message":"no"}`, laurel.Errorf(laurel.Refused, "no"))
		finish(t, n.begin(t, in), 500, "{}", errors.New("fault"))
		finish(t, n.begin(t, in), 404, "{}", nil)

		// A refusal after something was committed on the way leaves the key free.
		r := n.begin(t, in)
		if err := n.effect(t.Context(), r.Key()); err != nil {
			t.Fatal(err)
		}
		finish(t, r, 400, `{"message":"no"}`, laurel.Errorf(laurel.Refused, "no"))
		finish(t, n.begin(t, in), 200, "{}", nil)
		n.replayed(t, in, 200, "{}")
	})
}

func TestFaultAfterTheEffectNeverRepeatsIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		in := input(n.db)
		r := n.begin(t, in)
		if err := n.effect(t.Context(), r.Key()); err != nil {
			t.Fatal(err)
		}
		finish(t, r, 500, "{}", errors.New("fault"))
		hasty(n.db).replayed(t, in, 200, carriedOut)
		n.effects(t, 1)
	})
}

func TestCrashBetweenEffectAndAnswerIsReplayedAsCarriedOut(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		db := storetest.Open(t, address, c.now)
		dead, in := patient(db), input(db)
		if err := dead.effect(t.Context(), dead.begin(t, in).Key()); err != nil {
			t.Fatal(err)
		}
		// Just now: the answer may still come, so it is waited for. Long ago: it is lost.
		hasty(db).replayed(t, in, 200, carriedOut)
		c.move(time.Minute)
		patient(db).replayed(t, in, 200, carriedOut)
		changed := in
		changed.Hash = "other"
		_, _, err := patient(db).BeginRequest(t.Context(), changed)
		refused(t, err, laurel.Refused, errOtherRequest)
		dead.effects(t, 1)
	})
}

func TestAnswerThatComesLateFromAnotherNodeIsWaitedFor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n, other := patient(storetest.Open(t, address, nil)), patient(storetest.Open(t, address, nil))
		in := input(n.db)
		r := n.begin(t, in)
		if err := n.effect(t.Context(), r.Key()); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { other.replayed(t, in, 200, `{"late":true}`) })
		finish(t, r, 200, `{"late":true}`, nil)
		wg.Wait()
	})
}

func TestEqualRequestsAtOnceHaveOneEffect(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		nodes := []node{patient(storetest.Open(t, address, nil)), patient(storetest.Open(t, address, nil))}
		in := input(nodes[0].db)
		answers := make([]string, 40)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = nodes[i%2].serve(t, in) })
		}
		wg.Wait()
		nodes[0].effects(t, 1)
		for _, a := range answers {
			if a != "done" {
				t.Fatalf("answers %q", answers)
			}
		}
	})
}

// serve does with a request what package rest does.
func (n node) serve(t *testing.T, in tenancy.RequestInput) string {
	r, replay, err := n.BeginRequest(t.Context(), in)
	if err != nil {
		return err.Error()
	}
	if replay != nil {
		return replay.Body
	}
	failed := n.effect(t.Context(), r.Key())
	replay, err = r.Finish(t.Context(), 200, "done", failed)
	switch {
	case err != nil:
		return err.Error()
	case replay != nil:
		return replay.Body
	case failed != nil:
		return failed.Error()
	}
	return "done"
}

func TestNodeThatIsOvertakenAnswersWhatTheOtherDid(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		first, second := patient(storetest.Open(t, address, nil)), patient(storetest.Open(t, address, nil))
		in := input(first.db)
		one, two := first.begin(t, in), second.begin(t, in)
		if err := first.effect(t.Context(), one.Key()); err != nil {
			t.Fatal(err)
		}
		err := second.effect(t.Context(), two.Key())
		if !errors.Is(err, store.ErrDuplicateRequest) {
			t.Fatalf("second effect: %v", err)
		}
		finish(t, one, 200, "first", nil)
		replay, err := two.Finish(t.Context(), 500, "", err)
		if err != nil || replay == nil || replay.Status != 200 || replay.Body != "first" {
			t.Fatalf("overtaken: %+v, %v", replay, err)
		}
		second.effects(t, 1)

		// Overtaken by a different request under the same key.
		in.Key = "order-2"
		changed := in
		changed.Hash = "other"
		one, two = first.begin(t, in), second.begin(t, changed)
		if err := first.effect(t.Context(), one.Key()); err != nil {
			t.Fatal(err)
		}
		_, err = two.Finish(t.Context(), 500, "", second.effect(t.Context(), two.Key()))
		refused(t, err, laurel.Refused, errOtherRequest)
		finish(t, one, 200, "first", nil)
	})
}

func TestRequestThatRunsTooLongIsAnsweredTooMany(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		n, in := hasty(n.db), input(n.db)
		r := n.begin(t, in)
		_, _, err := n.BeginRequest(t.Context(), in)
		refused(t, err, laurel.RateLimited, tooMany)
		changed := in
		changed.Path = "/api/y"
		_, _, err = n.BeginRequest(t.Context(), changed)
		refused(t, err, laurel.Refused, errOtherRequest)
		finish(t, r, 200, "{}", nil)
		n.replayed(t, in, 200, "{}")
	})
}

func TestWaiterRunsWhenTheFirstIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		n, in := patient(n.db), input(n.db)
		r := n.begin(t, in)
		var wg sync.WaitGroup
		wg.Go(func() {
			if got := n.serve(t, in); got != "done" {
				t.Errorf("waiter: %s", got)
			}
		})
		finish(t, r, 400, "", laurel.Errorf(laurel.Refused, "no"))
		wg.Wait()
		n.effects(t, 1)
	})
}

func TestWaiterLeavesWithItsCaller(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		n, in := patient(n.db), input(n.db)
		r := n.begin(t, in)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := n.BeginRequest(ctx, in); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		// An answer is kept although its caller has gone.
		if replay, err := r.Finish(ctx, 200, "kept", nil); replay != nil || err != nil {
			t.Fatal(replay, err)
		}
		n.replayed(t, in, 200, "kept")
	})
}

func TestKeysAreForgottenAfterADay(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		db := storetest.Open(t, address, c.now)
		n, in := patient(db), input(db)
		finish(t, n.begin(t, in), 200, "first", nil)
		c.move(24*time.Hour - time.Microsecond)
		n.replayed(t, in, 200, "first")
		c.move(time.Microsecond)
		in.Hash = "other" // even for another request
		r := n.begin(t, in)
		if err := n.effect(t.Context(), r.Key()); err != nil {
			t.Fatal(err)
		}
		finish(t, r, 200, "second", nil)
		n.replayed(t, in, 200, "second")
		c.move(24*time.Hour + time.Microsecond)
		if err := n.DeleteOldRequestKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := db.FindResponse(t.Context(), store.KeyID{APIKeyID: in.KeyID, Key: in.Key}); !store.IsNoRows(err) {
			t.Fatalf("still there: %v", err)
		}
	})
}

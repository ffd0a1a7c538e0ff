package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/store"
)

// reachable are the refusals that the calls must have met. What asks for platforms' or chains' drivers is tested
// elsewhere.
var reachable = []string{
	"loyaltyRuleId must be a uuid",
	"Invalid request",
	"userId or walletAddress is required",
	"User not found",
	"Member token is required",
	"Member token does not belong to this user",
	"Only external rules can have amount override",
	"Only external rules can have idempotency key override",
	"Idempotency key already used",
	"Api key is required to skip chain or required check",
	"API key is not allowed to perform this operation",
	"Loyalty rule not found",
	"Loyalty currency not found",
	"Rule is not setup",
	"Loyalty rule future hidden has not started yet",
	"Loyalty rule future shown has not started yet",
	"Loyalty rule has not started yet",
	"Loyalty rule has expired",
	"Access restricted. Your account is blocked.",
	"this quest is only available for new users",
	apptest.Locked,
	apptest.PaidAlready,
	"Quest not completed",
	apptest.WrongCode,
	"Invalid Verification, try again",
	"Link already clicked, your reward is being processed",
	"Check-in amount rule cannot be completed when amount is 0",
	apptest.NoChoice,
	apptest.NoQuestion,
	apptest.WrongChoice,
	"Quest not achieved, please try again.",
	"Email not verified",
	"Email not connected or not verified",
	"Phone not connected or not verified",
	"Microblog not connected",
	"Photo platform not connected",
	"Chat server not connected",
	"Messenger not connected",
	"Short video not connected",
	"Video platform not connected",
	"Forum platform not connected",
	"Code host not connected",
	"Game store not connected",
	"Game launcher not connected",
	"Users cannot refer themselves",
	"Referral loop is not allowed",
	"User was already referred",
	"(welcomed)",
	"(shared)",
	"(shared further up)",
	apptest.NotListed,
	"(milestone)",
	"(checked in by another rule)",
	"(in a group)",
	"(on a list)",
	"(its amount on a list)",
	"(known to a partner)",
	"(spent)",
	"(paid)",
	"(clicked)",
	"(answered again)",
	"(only asked)",
}

// TestSimulateAndCompleteAgreeWithTheModel: what simulate foretells, what complete answers and what an independent
// statement of the contract says are the same for thousands of random calls, and so are all balances and all progress
// at the end. LAUREL_MODEL_SEED chooses other calls.
//
//racetests:plain
func TestSimulateAndCompleteAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	seed := uint64(20260114)
	if given := os.Getenv("LAUREL_MODEL_SEED"); given != "" {
		var err error
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("LAUREL_MODEL_SEED=%d", seed)
	const calls = 56
	eachModelled(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		rounds, often := 32, 30
		switch {
		case underRace:
			rounds, often = 5, 0 // all of them would take minutes; scripts/test.sh runs this test without the detector
		case db.Engine() == store.Postgres:
			rounds, often = 12, 8 // decisions are the same code on both engines; here it is about statements and locks
		}
		programs := []app.Program{s.Program, s.NewProgram("Birch"), s.NewProgram("Cedar"), s.NewProgram("Maple")}
		worlds := make([]*mworld, len(programs))
		for i, program := range programs {
			worlds[i] = newWorld(s, db, p, program, seed, uint64(i))
		}
		at := apptest.Noon.Add(
			10 * time.Minute,
		) // far from the ends of windows and delays: the clock goes on a little with each call
		for round := range rounds {
			s.Clock.Set(at)
			for _, w := range worlds {
				w.shops(at)
				w.bring(at)
			}
			p.TakeQuestions()
			var all sync.WaitGroup
			for _, w := range worlds {
				all.Go(func() {
					for i := 0; i < calls && !t.Failed(); i++ {
						w.try(at)
					}
				})
			}
			all.Wait()
			if t.Failed() {
				t.Fatalf("round %d, LAUREL_MODEL_SEED=%d", round, seed)
			}
			before := at
			at = at.Add([]time.Duration{30 * time.Minute, 7 * time.Hour, time.Hour, 19 * time.Hour}[round%4])
			s.Clock.Set(at)
			paysClicks(s, worlds, at)
			shares(s, worlds, before, at)
		}
		met := map[string]int{}
		for _, w := range worlds {
			w.sums()
			met["(checked in by another rule)"] += w.triggered
			for message, n := range w.counts {
				met[message] += n
			}
		}
		s.Sound()
		enough(t, met, often, rounds*calls*len(worlds))
	})
}

// paysClicks decides the clicks that have aged, in the service and in the model.
func paysClicks(s *apptest.Server, worlds []*mworld, at time.Time) {
	s.T.Helper()
	want, did := 0, 0
	for _, w := range worlds {
		want += w.aged(w.members, at)
	}
	for n := s.RunCompletionJobs(); n > 0; n = s.RunCompletionJobs() {
		did += n
	}
	if did != want {
		s.T.Fatalf("%d clicks were decided, the model says %d", did, want)
	}
}

// enough demands that the calls met every message so often, and that many were paid.
func enough(t *testing.T, met map[string]int, often, calls int) {
	t.Helper()
	for _, message := range slices.Sorted(maps.Keys(met)) {
		t.Logf("%6d %s", met[message], message)
	}
	if often == 0 {
		return
	}
	for _, message := range reachable {
		if met[message] < often {
			t.Errorf("%d calls met %q, want %d", met[message], message, often)
		}
	}
	for message := range met {
		if !slices.Contains(reachable, message) {
			t.Errorf("%q was met and is not listed", message)
		}
	}
	if good := met["(paid)"] + met["(clicked)"] + met["(answered again)"] + met["(only asked)"]; calls < 2_500 ||
		good*10 < calls*3 {
		t.Errorf("%d of %d calls succeeded", good, calls)
	}
}

// try makes one call and compares what is said of it.
func (w *mworld) try(now time.Time) {
	w.T.Helper()
	c := w.draw()
	if c.progress != nil || c.increment != nil {
		body := object{}
		for name, n := range map[string]*int64{"progress": c.progress, "incProgress": c.increment} {
			if n != nil {
				body[name] = apptest.JSONNumber(decimals(*n))
			}
		}
		got := fmt.Sprint(w.Server.Progress(c.rule.id, c.member.wallet, body).OK()["progress"])
		if want := decimals(w.advanced(c)); got != want {
			w.T.Errorf("%s: progress %s, the model says %s", c, got, want)
		}
	}
	now = now.Add(time.Second)
	want := w.decide(c, now)
	id, key, headers := apptest.UnknownID, w.WebsiteAPIKey, []string(nil)
	if c.rule != nil {
		id = c.rule.id
	}
	if c.badID {
		id = "7"
	}
	if c.client {
		key, headers = w.ClientAPIKey, w.speaks(c.member, now)
		if c.tokenless {
			headers = nil
		}
		if c.foreign {
			headers = w.speaks(w.members[slices.IndexFunc(w.members, func(u *mmember) bool { return u != c.member })], now)
		}
	} else {
		w.checkPrediction(c, want, w.Simulate(id, c.body))
	}
	w.came(c, want, w.Call(key, http.MethodPost, "/api/loyalty/rules/"+id+"/complete", c.body, headers...))
	w.happened(c, want, now)
	if want.paid() && c.key != "" && !c.only {
		w.paid = append(w.paid, c)
	}
	w.counts[want.kind(c)]++
	if want.paid() && !c.only {
		for _, name := range w.features(c, want) {
			w.counts[name]++
		}
	}
}

// speaks returns the headers of a browser with a token of the user that is good in this round.
func (w *mworld) speaks(u *mmember, now time.Time) []string {
	w.T.Helper()
	if !u.spoke.Equal(now) {
		u.token, u.spoke = w.MemberTokenHeaders(u.id), now
	}
	return u.token
}

// kind is what the outcome is counted as.
func (o moutcome) kind(c mcall) string {
	switch {
	case o.status != 200:
		return o.message
	case o.replayed:
		return "(answered again)"
	case c.only:
		return "(only asked)"
	case o.pending:
		return "(clicked)"
	}
	return "(paid)"
}

// rewards are those of the outcome as answers tell them.
func (w *mworld) rewards(o moutcome) string {
	if o.status != 200 || o.pending {
		return "[]"
	}
	line := func(amount int64) string {
		return fmt.Sprintf(
			"map[amount:%s loyaltyCurrencyId:%s rewardType:points]",
			decimals(amount),
			w.currencyID(o.currency),
		)
	}
	if o.extra > 0 {
		return "[" + line(o.amount) + " " + line(o.extra) + "]"
	}
	return "[" + line(o.amount) + "]"
}

// checkPrediction compares a simulation with the model.
func (w *mworld) checkPrediction(c mcall, want moutcome, got apptest.Response) {
	w.T.Helper()
	if got.Status != http.StatusOK {
		if got.Status != want.status || got.JSON()["message"] != want.message {
			w.T.Errorf("%s: simulate answers %d %s, the model says %+v", c, got.Status, got.Body, want)
		}
		return
	}
	body := got.OK()
	var message any
	if want.status != 200 {
		message = want.message
	}
	expected := want
	if c.rule != nil && c.rule.kind == "link_click" {
		expected.pending = true
	}
	if body["wouldComplete"] != (want.status == 200) || body["message"] != message ||
		fmt.Sprint(body["rewards"]) != w.rewards(expected) ||
		(len(apptest.FailedChecks(body)) == 0) != (want.status == 200) && !want.replayed {
		w.T.Errorf("%s: simulate answers %s, the model says %+v", c, got.Body, want)
	}
}

// came compares a completion with the model.
func (w *mworld) came(c mcall, want moutcome, got apptest.Response) {
	w.T.Helper()
	body := got.JSON()
	good := got.Status == want.status && body["message"] == want.message && (body["rewarded"] == true) == want.rewarded
	if data, ok := body["data"].(object); good && want.status == 200 {
		expected := want
		expected.pending = want.pending || c.only && !want.replayed
		status := map[bool]string{true: "pending", false: "completed"}[want.pending]
		good = ok && data["status"] == status && fmt.Sprint(data["rewards"]) == w.rewards(expected) &&
			(got.Header.Get("Idempotent-Replayed") == "true") == want.replayed
	}
	if !good {
		w.T.Errorf("%s: complete answers %d %s, the model says %+v", c, got.Status, got.Body, want)
	}
}

func (c mcall) String() string {
	body, _ := json.Marshal(c.body)
	name := "(none)"
	if c.rule != nil {
		name = c.rule.name
	}
	return strings.Join([]string{name, string(body), fmt.Sprintf("client %v", c.client)}, " ")
}

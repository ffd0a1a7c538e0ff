package apptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"laurel.example/laurel/internal/app"
)

// Complete completes a rule with the website key.
func (s *Server) Complete(rule string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rules/"+rule+"/complete", body)
}

// RunCompletionJobs decides the completion jobs that are due and returns how many there were.
func (s *Server) RunCompletionJobs() int {
	s.T.Helper()
	n, err := s.App.Completions.RunJobs(context.Background())
	if err != nil {
		s.T.Fatal(err)
	}
	return n
}

// Codes returns every promo code of a rule, newest first, page by page. query has further parameters, each with an &
// before it.
func (s *Server) Codes(rule, query string) []Object {
	s.T.Helper()
	var all []Object
	for after := ""; ; {
		page := s.Get("/api/loyalty/rules/" + rule + "/codes?limit=1000" + query + after)
		all = append(all, page.Data()...)
		if page.OK()["hasNextPage"] == false {
			return all
		}
		after = "&startingAfter=" + all[len(all)-1]["id"].(string)
	}
}

// EnterCode completes a rule for a wallet with a promo code.
func (s *Server) EnterCode(rule, wallet string, code any) Response {
	s.T.Helper()
	return s.Complete(rule, Object{"walletAddress": wallet, "verificationCode": code})
}

// WrongCode is the refusal of a promo code that is not one of the rule's.
const WrongCode = "The code you entered could not be verified"

// The messages of refused quizzes and polls, and of rules that have paid already.
const (
	WrongChoice = "Invalid choice selected"
	NoChoice    = "No choice selected"
	NoQuestion  = "Question not found"
	PaidAlready = "You have already been rewarded"
)

// Locked is the refusal of a rule while rules that it requires are not completed.
const Locked = "Please complete other required rules to unlock this quest."

// Progress writes a wallet's rule status with the website key.
func (s *Server) Progress(rule, wallet string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rule_statuses", Over(Object{"loyaltyRuleId": rule, "walletAddress": wallet}, body))
}

// CreateCounterRule creates a rule with a counter and two ranges, 0 to 200 and 300 to end. A nil end stands for no
// ranges.
func (s *Server) CreateCounterRule(end any) string {
	s.T.Helper()
	metadata := Object{}
	if end != nil {
		metadata["range"] = []Object{{"startRange": 300, "endRange": end}, {"startRange": 0, "endRange": 200}}
	}
	return s.Rule("external_rule", Object{"progressType": "counter", "trackProgress": true, "metadata": metadata})
}

// CreateSideCheckInRule creates a check-in rule with streaks, to which other things check members in, as the metadata
// says. Its amount is 0; the first check-in in a row pays 1, the second 2.
func (s *Server) CreateSideCheckInRule(metadata Object, properties ...Object) string {
	s.T.Helper()
	return s.CreateStreakRule(Over(Object{"amount": 0, "metadata": metadata}, properties...), 1, 1, 2, 2)
}

// Replay returns the replay of a rule over the year 2026 with changed properties.
func (s *Server) Replay(rule string, changes Object) app.ReplayRecord {
	s.T.Helper()
	body := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]
	for k, v := range changes {
		body[k] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		s.T.Fatal(err)
	}
	r, err := s.App.Replay(context.Background(), app.ReplayInput{Rule: text, From: "2026-01-01", To: "2026-12-31"})
	if err != nil {
		s.T.Fatal(err)
	}
	return r
}

// ReplaySums returns the figures of a replay as JSON: completions, refused, paid, would pay, difference.
func ReplaySums(r app.ReplayedRecord) [5]string {
	n := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	return [5]string{n(r.Completions), n(r.Refused), n(r.Paid), n(r.WouldPay), n(r.Difference)}
}

// Simulate calls the simulation of a completion with the website key.
func (s *Server) Simulate(rule string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rules/"+rule+"/simulate", body)
}

// Predicts fails unless a, the response of a simulation, agrees with got, that of the completion after it: in success,
// rewards and message, and in the failed checks of a refusal.
func (a Response) Predicts(got Response) {
	a.T.Helper()
	if got.Status == http.StatusOK {
		done := got.OK()["data"].(Object)
		prediction := a.OK()
		if prediction["wouldComplete"] != true || prediction["message"] != nil || prediction["missing"] != nil {
			a.T.Errorf("completed, and before: %s", a.Body)
		}
		if fmt.Sprint(prediction["rewards"]) != fmt.Sprint(done["rewards"]) {
			a.T.Errorf("rewards %v, and before: %v", done["rewards"], prediction["rewards"])
		}
		return
	}
	if a.Status != http.StatusOK { // such as an unknown rule or a malformed body: there are no checks to compare
		if a.Status != got.Status || a.JSON()["message"] != got.JSON()["message"] {
			a.T.Errorf("got %d %s, and before: %d %s", got.Status, got.Body, a.Status, a.Body)
		}
		return
	}
	prediction := a.OK()
	if prediction["wouldComplete"] != false || prediction["message"] != got.JSON()["message"] || len(prediction["rewards"].([]any)) != 0 {
		a.T.Errorf("refused %s, and before: %s", got.Body, a.Body)
	}
	if failed := FailedChecks(prediction); len(failed) == 0 || prediction["checks"].([]any)[0] == nil {
		a.T.Errorf("refused %s, and before all checks passed: %s", got.Body, a.Body)
	}
}

// FailedChecks returns the names of the checks of a simulation that do not pass.
func FailedChecks(simulation Object) []string {
	var names []string
	for _, item := range simulation["checks"].([]any) {
		if c := item.(Object); c["pass"] != true {
			names = append(names, fmt.Sprint(c["name"]))
		}
	}
	return names
}

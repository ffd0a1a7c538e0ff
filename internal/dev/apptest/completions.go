package apptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"laurel/internal/app"
)

// Complete calls a completion with the website key.
func (s *Server) Complete(rule string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rules/"+rule+"/complete", body)
}

// RunCompletionJobs decides what is due and returns how much that was.
func (s *Server) RunCompletionJobs() int {
	s.T.Helper()
	n, err := s.App.Completions.RunJobs(context.Background())
	if err != nil {
		s.T.Fatal(err)
	}
	return n
}

// Codes returns every code of a rule, newest first, in pages.
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

// EnterCode completes a rule with a code.
func (s *Server) EnterCode(rule, wallet string, code any) Response {
	s.T.Helper()
	return s.Complete(rule, Object{"walletAddress": wallet, "verificationCode": code})
}

// WrongCode is the refusal of a code that is not of the rule.
const WrongCode = "The code you entered could not be verified"

// The messages of refused quizzes and polls, and of rules that have paid already.
const (
	WrongChoice = "Invalid choice selected"
	NoChoice    = "No choice selected"
	NoQuestion  = "Question not found"
	PaidAlready = "You have already been rewarded"
)

// Locked is the refusal of a rule before the rules that it requires.
const Locked = "Please complete other required rules to unlock this quest."

// Progress writes a rule status with the website key.
func (s *Server) Progress(rule, wallet string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rule_statuses", Over(Object{"loyaltyRuleId": rule, "walletAddress": wallet}, body))
}

// CreateCounterRule makes a counter rule with the range up to the end; no end: without range.
func (s *Server) CreateCounterRule(end any) string {
	s.T.Helper()
	metadata := Object{}
	if end != nil {
		metadata["range"] = []Object{{"startRange": 300, "endRange": end}, {"startRange": 0, "endRange": 200}}
	}
	return s.Rule("external_rule", Object{"progressType": "counter", "trackProgress": true, "metadata": metadata})
}

// CreateSideCheckInRule makes a check_in rule with streaks that something else checks members in to. Its amount is 0, its first
// milestone pays 1, its second 2.
func (s *Server) CreateSideCheckInRule(metadata Object, properties ...Object) string {
	s.T.Helper()
	return s.CreateStreakRule(Over(Object{"amount": 0, "metadata": metadata}, properties...), 1, 1, 2, 2)
}

// Replay asks what the rule would have paid with changes.
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

// ReplaySums returns the numbers of a replay: completions, refused, paid, would pay, difference.
func ReplaySums(r app.ReplayedRecord) [5]string {
	n := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	return [5]string{n(r.Completions), n(r.Refused), n(r.Paid), n(r.WouldPay), n(r.Difference)}
}

// Simulate asks what a completion would come to.
func (s *Server) Simulate(rule string, body Object) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rules/"+rule+"/simulate", body)
}

// Predicts demands that a simulation told what a completion then came to.
func (a Response) Predicts(got Response) {
	a.T.Helper()
	if got.Status == http.StatusOK {
		done := got.OK()["data"].(Object)
		foretold := a.OK()
		if foretold["wouldComplete"] != true || foretold["message"] != nil || foretold["missing"] != nil {
			a.T.Errorf("completed, and before: %s", a.Body)
		}
		if fmt.Sprint(foretold["rewards"]) != fmt.Sprint(done["rewards"]) {
			a.T.Errorf("rewards %v, and before: %v", done["rewards"], foretold["rewards"])
		}
		return
	}
	if a.Status != http.StatusOK { // such as an unknown rule or a malformed body: there are no checks to compare
		if a.Status != got.Status || a.JSON()["message"] != got.JSON()["message"] {
			a.T.Errorf("got %d %s, and before: %d %s", got.Status, got.Body, a.Status, a.Body)
		}
		return
	}
	foretold := a.OK()
	if foretold["wouldComplete"] != false || foretold["message"] != got.JSON()["message"] || len(foretold["rewards"].([]any)) != 0 {
		a.T.Errorf("refused %s, and before: %s", got.Body, a.Body)
	}
	if failed := FailedChecks(foretold); len(failed) == 0 || foretold["checks"].([]any)[0] == nil {
		a.T.Errorf("refused %s, and before all checks passed: %s", got.Body, a.Body)
	}
}

// FailedChecks lists the checks that do not pass.
func FailedChecks(simulation Object) []string {
	var names []string
	for _, item := range simulation["checks"].([]any) {
		if c := item.(Object); c["pass"] != true {
			names = append(names, fmt.Sprint(c["name"]))
		}
	}
	return names
}

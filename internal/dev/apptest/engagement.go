package apptest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// MultipliersPath is the path of multipliers.
const MultipliersPath = "/api/loyalty/multipliers"

// GrantMultiplier grants a wallet a multiplier and returns its id.
func (s *Server) GrantMultiplier(wallet string, value any, properties Object) string {
	s.T.Helper()
	return s.Post(MultipliersPath, Over(Object{"walletAddress": wallet, "multiplier": value}, properties)).OK()["id"].(string)
}

// CompletePaid completes a rule for a wallet and returns the amount that it paid.
func (s *Server) CompletePaid(rule, wallet string, body Object) string {
	s.T.Helper()
	rewards := s.Complete(rule, Over(Object{"walletAddress": wallet}, body)).OK()["data"].(Object)["rewards"].([]any)
	return rewards[0].(Object)["amount"].(json.Number).String()
}

// CreateMultiplierRule creates a rule whose reward is a multiplier, and returns its id.
func (s *Server) CreateMultiplierRule(value any, properties Object) string {
	s.T.Helper()
	return s.Post("/api/loyalty/rules", Over(Object{"name": "A gift", "type": "external_rule", "rewardType": "multiplier", "amount": value, "interval": "unlimited"}, properties)).OK()["id"].(string)
}

// MultiplierValues returns the values of a wallet's live multipliers, newest first.
func (s *Server) MultiplierValues(wallet string) []string {
	s.T.Helper()
	values := []string{}
	for _, m := range s.Get(MultipliersPath + "?walletAddress=" + wallet).Data() {
		values = append(values, m["multiplier"].(json.Number).String())
	}
	return values
}

// CheckDynamicRewards advances the clock, then takes back dynamic rewards whose conditions no longer hold.
func (s *Server) CheckDynamicRewards(after time.Duration) {
	s.T.Helper()
	s.Clock.Advance(after)
	if err := s.App.DynamicRewards.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// Paths of questions and of the responses to them.
const (
	QuestionsPath = "/api/loyalty/questions"
	ResponsesPath = "/api/loyalty/questions_responses"
)

// Choice returns one choice of a question, as the body of a call has it.
func Choice(text string, correct bool) Object { return Object{"text": text, "isCorrect": correct} }

// CreatedQuestion is a question that a test has created, with the ids of its choices by their texts.
type CreatedQuestion struct {
	Rule, ID string
	Choices  map[string]string
}

// CreateQuestionRule creates a rule of a type, such as quiz, and a question for it with the choices a, b and c; b is
// correct. rule and question have further properties of both.
func (s *Server) CreateQuestionRule(kind string, rule, question Object) CreatedQuestion {
	s.T.Helper()
	return s.CreateQuestion(s.Rule(kind, rule), question)
}

// CreateQuestion creates a question for a rule, with the choices a, b and c unless the properties have others; b is
// correct.
func (s *Server) CreateQuestion(rule string, question Object) CreatedQuestion {
	s.T.Helper()
	q := CreatedQuestion{Rule: rule, Choices: map[string]string{}}
	made := s.Post(QuestionsPath, Over(Object{"loyaltyRuleId": q.Rule, "questionText": "Which?",
		"loyaltyQuestionAnswers": []Object{Choice("a", false), Choice("b", true), Choice("c", false)}}, question)).OK()
	q.ID = made["id"].(string)
	for _, c := range made["loyaltyQuestionChoices"].([]any) {
		q.Choices[c.(Object)["text"].(string)] = c.(Object)["id"].(string)
	}
	return q
}

// Respond sends a wallet's choice with the website key.
func (s *Server) Respond(wallet, choice string) Response {
	s.T.Helper()
	return s.Post(ResponsesPath, Object{"walletAddress": wallet, "loyaltyQuestionChoiceId": choice})
}

// Questions returns the questions of rules.
func (s *Server) Questions(rules ...string) []Object {
	s.T.Helper()
	return s.Get(QuestionsPath + "?loyaltyRuleIds=" + strings.Join(rules, ",")).Data()
}

// CheckInZero is the refusal of a check-in that would pay nothing.
const CheckInZero = "Check-in amount rule cannot be completed when amount is 0"

// Streaks returns the streaks of a rule, which further query parameters may narrow.
func (s *Server) Streaks(rule string, query ...string) []Object {
	s.T.Helper()
	a := s.Get("/api/loyalty/account_streaks?loyaltyRuleId=" + rule + strings.Join(append([]string{""}, query...), "&"))
	if a.Status != 200 {
		s.T.Fatalf("%d %s", a.Status, a.Body)
	}
	d := json.NewDecoder(strings.NewReader(a.Body))
	d.UseNumber()
	var list []Object
	if err := d.Decode(&list); err != nil {
		s.T.Fatalf("no bare array: %s", a.Body)
	}
	return list
}

// Streak returns the count and the end of a wallet's streak, as a text; "" if there is none.
func (s *Server) Streak(rule, wallet string) string {
	s.T.Helper()
	list := s.Streaks(rule, "walletAddress="+wallet)
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprint(list[0]["streakCount"], " ", list[0]["expiresAt"])
}

// CreateStreakRule creates a check-in rule with streaks. milestones are counts of check-ins, and what they pay, in
// turn.
func (s *Server) CreateStreakRule(properties Object, milestones ...any) string {
	s.T.Helper()
	array := []Object{}
	for i := 0; i+1 < len(milestones); i += 2 {
		array = append(array, Object{"streakMilestone": milestones[i], "streakAmount": milestones[i+1]})
	}
	metadata := Object{"enableStreaks": true, "streakArray": array}
	if more, ok := properties["metadata"].(Object); ok {
		metadata = Over(metadata, more)
	}
	return s.Rule("check_in", Over(Object{"interval": "daily"}, properties, Object{"metadata": metadata}))
}

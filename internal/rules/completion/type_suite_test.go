package completion_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// typeCase is how a type is earned by a call: what a member is refused with before it has what the type asks for, and
// how it comes by that.
type typeCase struct {
	kind     string
	metadata object
	body     object // of a call that earns
	unmet    object // changes of the body before; nil: nothing is lacking
	missing  string // the refusal then; "": the type asks for nothing
	// prepare gives the member what the type asks for.
	prepare func(s *apptest.Server, db apptest.Database, rule, wallet string)
	server  bool // publishable keys are refused
}

// typeCases are all types that a call completes.
func typeCases() []typeCase {
	link := object{"link": "https://a.example", "timeDelayToVerifySeconds": 0}
	list := []typeCase{
		{kind: "external_rule", server: true},
		{kind: "bonus", server: true},
		{kind: "check_in"},
		{
			kind:     "code_entry",
			metadata: object{"promoCode": "open"},
			body:     object{"verificationCode": " open "},
			unmet:    object{"verificationCode": "shut"},
			missing:  apptest.WrongCode,
		},
		{
			kind:     "text_input",
			metadata: object{"verificationTextMinimumLength": 5},
			body:     object{"verificationCode": "a text"},
			unmet:    object{"verificationCode": "text"},
			missing:  "Invalid Verification, try again",
		},
		{kind: "link_click", metadata: link},
		{
			kind:    "quiz",
			missing: apptest.WrongChoice,
			prepare: func(s *apptest.Server, _ apptest.Database, rule, wallet string) { answerQuestion(s, rule, wallet) },
		},
		{
			kind:    "poll",
			missing: apptest.NoChoice,
			prepare: func(s *apptest.Server, _ apptest.Database, rule, wallet string) { answerQuestion(s, rule, wallet) },
		},
		{
			kind:     "profile_completed",
			metadata: object{"completeProfileConditions": object{"displayName": true}},
			missing:  "Quest not completed",
			prepare: func(s *apptest.Server, _ apptest.Database, _, wallet string) {
				s.User(wallet, object{"displayName": "A name"})
			},
		},
		{kind: "connect_wallet", missing: "Quest not completed", prepare: func(s *apptest.Server, db apptest.Database, _, wallet string) {
			db.Connect(s.User(wallet, nil), object{"verifiedLocallyAt": apptest.VerifiedAt})
		}},
	}
	for _, c := range apptest.Connections {
		list = append(
			list,
			typeCase{kind: c.Kind, missing: c.Missing, prepare: func(s *apptest.Server, db apptest.Database, _, wallet string) {
				fields := object{}
				for _, from := range []object{c.Written, c.Connected} {
					for name, value := range from {
						fields[name] = value
						if text := fmt.Sprint(value); value != apptest.VerifiedAt {
							fields[name] = map[bool]string{true: "+49151" + fmt.Sprint(len(wallet)*1000+len(text)), false: wallet + text}[name == "phoneNumber"]
						}
					}
				}
				db.Connect(s.User(wallet, nil), fields)
			}},
		)
	}
	return list
}

// answerQuestion keeps the correct choice as the member's answer.
func answerQuestion(s *apptest.Server, rule, wallet string) {
	s.T.Helper()
	s.Respond(wallet, s.Questions(rule)[0]["loyaltyQuestionChoices"].([]any)[1].(object)["id"].(string)).OK()
}

// made makes a rule of the case with further properties, and what belongs to it.
func (c typeCase) made(s *apptest.Server, properties object) string {
	metadata, _ := properties["metadata"].(object)
	rule := s.Rule(
		c.kind,
		apptest.Over(
			object{"interval": "daily"},
			properties,
			object{"metadata": apptest.Over(object{}, c.metadata, metadata)},
		),
	)
	if c.kind == "quiz" || c.kind == "poll" {
		s.CreateQuestion(rule, object{"allowMultipleAttempts": true})
	}
	return rule
}

// calls completes the rule with the website's key, or with the publishable key and the member's token, and lets a click
// age.
func (c typeCase) calls(s *apptest.Server, key, rule, wallet string, more object) apptest.Response {
	s.T.Helper()
	body := apptest.Over(object{"walletAddress": wallet}, c.body, more)
	var token []string
	if key == s.ClientAPIKey {
		token = s.MemberTokenHeaders(s.User(wallet, nil))
	}
	a := s.Call(key, "POST", "/api/loyalty/rules/"+rule+"/complete", body, token...)
	s.RunCompletionJobs()
	return a
}

// TestEachTypeByCall walks every type that calls complete through refusal, reward, the rest of the window and the next
// one, with publishable keys, with ranges by progress, and with what is refused when the rule is made.
func TestEachTypeByCall(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for _, c := range typeCases() {
			s.Clock.Set(apptest.Noon)
			plain := c.made(s, nil)
			for i, key := range []string{s.WebsiteAPIKey, s.ClientAPIKey} {
				wallet := fmt.Sprint(c.kind, i)
				if i == 1 && c.server {
					want, status := "Quest not completed", 400
					if c.kind == "external_rule" {
						want, status = "API key is not allowed to perform this operation", 403
					}
					c.calls(s, key, plain, wallet, nil).Refused(status, want)
					continue
				}
				if c.missing != "" {
					unmet := c.unmet
					if c.kind == "quiz" {
						unmet = object{
							"loyaltyQuestionChoiceId": s.Questions(plain)[0]["loyaltyQuestionChoices"].([]any)[0].(object)["id"],
						}
					}
					c.calls(s, key, plain, wallet, unmet).Refused(400, c.missing)
					c.calls(s, key, plain, wallet, apptest.Over(object{"verifyOnly": true}, unmet)).Refused(400, c.missing)
					if got := s.Balance(wallet); got != "" {
						t.Errorf("%s: refused, and paid %s", c.kind, got)
					}
				}
				if c.prepare != nil {
					c.prepare(s, db, plain, wallet)
				}
				c.calls(s, key, plain, wallet, object{"verifyOnly": true}).OK()
				if got := s.Balance(wallet); got != "" {
					t.Errorf("%s: asking only paid %s", c.kind, got)
				}
				for day, want := range []string{"10", "20"} {
					c.calls(s, key, plain, wallet, nil).OK()
					again := c.calls(s, key, plain, wallet, nil)
					if o := again.Refused(400, apptest.PaidAlready); o["rewarded"] != true {
						t.Errorf("%s: %s", c.kind, again.Body)
					}
					if got := s.Balance(wallet); got != want {
						t.Errorf("%s, day %d: %s, want %s", c.kind, day+1, got, want)
					}
					s.Clock.Advance(24 * time.Hour)
				}
			}
			c.ranges(t, s, db)
			c.limits(t, s)
		}
		s.Sound()
	})
}

// ranges: a range pays by tracked progress, of external_rule by tierValue too.
func (c typeCase) ranges(t *testing.T, s *apptest.Server, db apptest.Database) {
	t.Helper()
	tiers := object{
		"range": []object{
			{"startRange": 10, "endRange": 20, "amount": 1},
			{"startRange": 21, "endRange": 30, "amount": "2.5"},
		},
	}
	for i, want := range []string{"", "1", "2.5", "2.5"} {
		rule, wallet := c.made(s, object{"metadata": tiers, "progressType": "counter"}), fmt.Sprint(c.kind, "-range", i)
		if c.prepare != nil {
			c.prepare(s, db, rule, wallet)
		}
		s.Progress(rule, wallet, object{"progress": []any{9.999999, 10, 30, 1000}[i]}).OK()
		a := c.calls(s, s.WebsiteAPIKey, rule, wallet, nil)
		if want == "" {
			a.Refused(400, "Quest not achieved, please try again.")
		} else {
			a.OK()
		}
		if got := s.Balance(wallet); got != want {
			t.Errorf("%s, tier %d: %q, want %q", c.kind, i, got, want)
		}
	}
}

// limits: only external_rule has a maximum per interval; its last reward is cut.
func (c typeCase) limits(t *testing.T, s *apptest.Server) {
	t.Helper()
	capped := object{
		"name":                 "A " + c.kind,
		"type":                 c.kind,
		"amount":               10,
		"interval":             "unlimited",
		"maxAmountInterval":    "daily",
		"maxAmountPerInterval": 15,
	}
	if c.kind != "external_rule" {
		s.Post("/api/loyalty/rules", capped).
			Refused(400, "maxAmountInterval is for smart_contract_event, external_rule and stratus_function only")
		return
	}
	rule := s.Post("/api/loyalty/rules", capped).OK()["id"].(string)
	for _, want := range []string{"10", "15"} {
		c.calls(s, s.WebsiteAPIKey, rule, "capped", nil).OK()
		if got := s.Balance("capped"); got != want {
			t.Errorf("capped: %s, want %s", got, want)
		}
	}
	c.calls(s, s.WebsiteAPIKey, rule, "capped", nil).Refused(400, apptest.PaidAlready)
}

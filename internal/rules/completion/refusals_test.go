package completion_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// attempt is a completion that several conditions may speak against at once.
type attempt struct {
	kind    string // of the rule; "": any will do
	created object // properties on creation
	updated object // properties set after everything else has happened
	body    object
	path    string // in place of the rule's id
	client  bool   // asked with a publishable key and a member token
	paid    bool   // the window is paid before
	member  object // metadata of the user
	usedKey bool   // the idempotency key was used by somebody else
	deleted string // "rule" or "currency"
}

// setField sets a property, or returns false where another condition has set it to something else.
func setField(into *object, name string, value any) bool {
	if *into == nil {
		*into = object{}
	}
	if before, taken := (*into)[name]; taken {
		return fmt.Sprint(before) == fmt.Sprint(value)
	}
	(*into)[name] = value
	return true
}

func (a *attempt) of(kind string) bool {
	if a.kind == "" {
		a.kind = kind
	}
	return a.kind == kind
}

// notExternal makes the rule one that takes no overrides.
func (a *attempt) notExternal() bool {
	if a.kind == "" {
		a.kind = "check_in"
	}
	return a.kind != "external_rule"
}

// obstacle is one condition of contract 5.1. apply answers false where it cannot hold together with those applied
// before.
type obstacle struct {
	name, message string
	status        int
	apply         func(a *attempt) bool
}

// obstacles are in the order of the contract's steps.
var obstacles = []obstacle{
	{"1 path id", "loyaltyRuleId must be a uuid", 400, func(a *attempt) bool { a.path = "nonsense"; return true }},
	{"2 body", "Invalid request", 400, func(a *attempt) bool { return setField(&a.body, "rangeValue", "much") }},
	{
		"2 no user",
		"userId or walletAddress is required",
		400,
		func(a *attempt) bool { return setField(&a.body, "walletAddress", nil) },
	},
	{"2 unknown user", "User not found", 404, func(a *attempt) bool {
		_, unnamed := a.body["walletAddress"]
		return !unnamed && setField(&a.body, "userId", apptest.UnknownID)
	}},
	{
		"3 amount",
		"Only external rules can have amount override",
		400,
		func(a *attempt) bool { return a.notExternal() && setField(&a.body, "amount", 5) },
	},
	{"3 key", "Only external rules can have idempotency key override", 400, func(a *attempt) bool {
		return a.notExternal() && setField(&a.body, "idempotencyKey", "own")
	}},
	{"3 used key", "Idempotency key already used", 400, func(a *attempt) bool {
		a.usedKey = true
		return !a.client && a.of("external_rule") && setField(&a.body, "idempotencyKey", "used")
	}},
	{"3 skip", "Api key is required to skip chain or required check", 400, func(a *attempt) bool {
		a.client = true
		return !a.usedKey && a.body["userId"] == nil && setField(&a.body, "skipChainOrRequiredCheck", true)
	}},
	{"3 external by client", "API key is not allowed to perform this operation", 403, func(a *attempt) bool {
		a.client = true
		return !a.usedKey && a.body["userId"] == nil && a.of("external_rule")
	}},
	{"4 unknown rule", "Loyalty rule not found", 404, func(a *attempt) bool {
		if a.path == "" {
			a.path = apptest.UnknownID
		}
		return a.kind == "" && a.body["skipChainOrRequiredCheck"] == nil // what the rule's type decides needs a rule
	}},
	{
		"4 deleted rule",
		"Loyalty rule not found",
		404,
		func(a *attempt) bool { a.deleted = "rule"; return a.path != apptest.UnknownID },
	},
	{"4 deleted currency", "Loyalty currency not found", 400, func(a *attempt) bool {
		if a.deleted == "" {
			a.deleted = "currency"
		}
		return true
	}},
	{"5 other type", "Rule is not setup", 400, func(a *attempt) bool { return a.of("stratus_function") }},
	{"5 other reward", "Rule is not setup", 400, func(a *attempt) bool {
		native := object{"relayerId": apptest.UnknownID, "isNative": true} // of no network
		return a.deleted != "currency" && setField(&a.updated, "rewardType", "token") &&
			setField(&a.updated, "tokenReward", native)
	}},
	{"5 scheduled only", "Quest not completed", 400, func(a *attempt) bool {
		return a.of("snapshot_hold")
	}},
	{
		"6 not started",
		"has not started yet",
		400,
		func(a *attempt) bool { return setField(&a.updated, "startTime", "2026-02-01T00:00:00Z") },
	},
	{"6 expired", "Loyalty rule has expired", 400, func(a *attempt) bool {
		return a.updated["startTime"] == nil && setField(&a.updated, "endTime", "2026-01-14T12:30:00Z")
	}},
	{
		"7 blocked",
		"Access restricted. Your account is blocked.",
		400,
		func(a *attempt) bool { return setField(&a.member, "isBlocked", true) },
	},
	{"8 not new", "this quest is only available for new users", 400, func(a *attempt) bool {
		if a.updated["startTime"] == nil {
			setField(&a.updated, "startTime", "2026-01-14T12:15:00Z")
		}
		return setField(&a.updated, "metadata", object{"isRestrictedToNewUsers": true})
	}},
	{"10 rewarded", "You have already been rewarded", 400, func(a *attempt) bool { a.paid = true; return true }},
	{"10 cap reached", "You have already been rewarded", 400, func(a *attempt) bool {
		a.paid = true
		return a.of("external_rule") && setField(&a.created, "interval", "unlimited") &&
			setField(&a.created, "maxAmountInterval", "lifetime") &&
			setField(&a.created, "maxAmountPerInterval", 10)
	}},
	{
		"11 progress",
		"Quest not completed",
		400,
		func(a *attempt) bool { return setField(&a.updated, "trackProgress", true) },
	},
	{"12 amount 0", "Check-in amount rule cannot be completed when amount is 0", 400, func(a *attempt) bool {
		return a.of("check_in") && setField(&a.updated, "amount", 0)
	}},
	{"12 below range", "Quest not achieved, please try again.", 400, func(a *attempt) bool {
		return a.updated["metadata"] == nil && a.of("external_rule") && setField(&a.body, "rangeValue", 5) &&
			setField(&a.updated, "metadata", object{"range": []object{{"startRange": 10, "endRange": 20, "amount": 7}}})
	}},
}

// TestTheEarliestRefusalWins puts every condition of contract 5.1 before every other and alone: the earliest step
// answers.
//
//racetests:plain
func TestTheEarliestRefusalWins(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Rule("external_rule", nil)
		s.Complete(other, object{"walletAddress": "somebody", "idempotencyKey": "used"}).OK()
		type pair struct {
			attempt
			first, second obstacle
			wallet        string
		}
		var pairs []pair
		for i := range obstacles {
			for j := i; j < len(obstacles); j++ {
				p := pair{first: obstacles[i], second: obstacles[j], wallet: fmt.Sprintf("w%d-%d", i, j)}
				if !p.first.apply(&p.attempt) || j > i && !p.second.apply(&p.attempt) {
					continue
				}
				if p.paid && (p.path != "" || p.kind == "stratus_function" || p.kind == "snapshot_hold") {
					continue // no such rule can have paid
				}
				pairs = append(pairs, p)
			}
		}
		if len(pairs) < 150 {
			t.Fatalf("only %d pairs can hold together", len(pairs))
		}
		together(pairs, func(p pair) { s.Post("/api/users/metadatas", object{"walletAddress": p.wallet}).OK() })
		s.Clock.Set(apptest.Noon.Add(time.Hour))
		together(pairs, func(p pair) {
			got := try(s, p.wallet, p.attempt)
			message, _ := got.JSON()["message"].(string)
			named := p.first.name == "6 not started" && !p.client && message == "Loyalty rule A "+p.kindOr()+" "+p.first.message
			unnamed := p.first.name == "6 not started" && p.client && message == "Loyalty rule "+p.first.message
			if got.Status != p.first.status || message != p.first.message && !named && !unnamed {
				t.Errorf(
					"%s and %s: got %d %s, want %d %q",
					p.first.name,
					p.second.name,
					got.Status,
					got.Body,
					p.first.status,
					p.first.message,
				)
			}
			if rewarded := got.JSON()["rewarded"] == true; rewarded != strings.HasPrefix(p.first.name, "10 ") {
				t.Errorf("%s and %s: rewarded is %v: %s", p.first.name, p.second.name, rewarded, got.Body)
			}
		})
	})
}

// together calls f for every item, several at a time.
func together[T any](items []T, f func(T)) {
	var wg sync.WaitGroup
	waiting := make(chan T)
	for range 8 {
		wg.Go(func() {
			defer func() {
				for range waiting { // where f has ended the test
				}
			}()
			for item := range waiting {
				f(item)
			}
		})
	}
	for _, item := range items {
		waiting <- item
	}
	close(waiting)
	wg.Wait()
}

func (a *attempt) kindOr() string { return cmp.Or(a.kind, "check_in") }

// try sets the attempt up for a wallet that is known already, and makes it.
func try(s *apptest.Server, wallet string, a attempt) apptest.Response {
	s.T.Helper()
	user := object{"walletAddress": wallet}
	created := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}
	currency := ""
	if a.deleted == "currency" {
		currency = s.Post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"].(string)
		created["loyaltyCurrencyId"] = currency
	}
	for k, v := range a.created {
		created[k] = v
	}
	rule := s.Rule(a.kindOr(), created)
	if a.paid {
		s.Complete(rule, user).OK()
	}
	if a.updated != nil {
		s.Post("/api/loyalty/rules/"+rule, a.updated).OK()
	}
	if a.member != nil {
		a.member["walletAddress"] = wallet
		s.Post("/api/users/metadatas", a.member).OK()
	}
	switch a.deleted {
	case "rule":
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).OK()
	case "currency":
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/currencies/"+currency, nil).OK()
	}
	body := object{"walletAddress": wallet}
	for k, v := range a.body {
		body[k] = v
	}
	if a.path != "" {
		rule = a.path
	}
	path := "/api/loyalty/rules/" + rule + "/complete"
	if !a.client {
		prediction := s.Post("/api/loyalty/rules/"+rule+"/simulate", body)
		got := s.Post(path, body)
		prediction.Predicts(got)
		return got
	}
	return s.Call(s.ClientAPIKey, http.MethodPost, path, body, "Authorization", "Bearer "+s.Token(wallet))
}

// TestAMalformedCompletionNamesEveryFault holds the one message of step 2 and what errors tells beside it.
func TestAMalformedCompletionNamesEveryFault(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		for _, c := range []struct {
			name string
			body any
			want []object // path and message of each fault
		}{
			{"an array", `[]`, []object{{"path": "", "message": "Malformed JSON body"}}},
			{"cut short", `{"walletAddress":`, []object{{"path": "", "message": "Malformed JSON body"}}},
			{"two objects", `{}{}`, []object{{"path": "", "message": "Malformed JSON body"}}},
			{"userId", object{"userId": "x"}, []object{{"path": "userId", "message": "userId must be a uuid"}}},
			{"userId number", object{"userId": 5}, []object{{"path": "userId", "message": "userId must be a string"}}},
			{"wallet number", object{"walletAddress": 5}, []object{{"path": "walletAddress", "message": "walletAddress must be a string"}}},
			{"wallet too long", object{"walletAddress": strings.Repeat("é", 129)},
				[]object{{"path": "walletAddress", "message": "walletAddress must be at most 128 characters"}}},
			{"amount text", object{"amount": "ten"}, []object{{"path": "amount", "message": "amount must be a number"}}},
			{"amount boolean", object{"amount": true}, []object{{"path": "amount", "message": "amount must be a number"}}},
			{"amount negative", object{"amount": -1}, []object{{"path": "amount", "message": "amount must be at least 0"}}},
			{"seven places", `{"walletAddress":"w","amount":1.0000001}`, []object{{"path": "amount", "message": "amount must have at most 6 decimal places"}}},
			{"huge amount", `{"walletAddress":"w","amount":9000000000000}`,
				[]object{{"path": "amount", "message": "amount must be less than 9000000000000 in absolute value"}}},
			{"huge exponent", `{"walletAddress":"w","amount":1e999999999}`,
				[]object{{"path": "amount", "message": "amount must be less than 9000000000000 in absolute value"}}},
			{"contentUrl", object{"contentUrl": "nope"}, []object{{"path": "contentUrl", "message": "contentUrl must be a valid url"}}},
			{"key too long", object{"idempotencyKey": strings.Repeat("é", 71)},
				[]object{{"path": "idempotencyKey", "message": "idempotencyKey must be at most 70 characters"}}},
			{"choice", object{"loyaltyQuestionChoiceId": "x"}, []object{{"path": "loyaltyQuestionChoiceId", "message": "loyaltyQuestionChoiceId must be a uuid"}}},
			{"rangeValue", object{"rangeValue": "x"}, []object{{"path": "rangeValue", "message": "rangeValue must be a number"}}},
			{"skip", object{"skipChainOrRequiredCheck": "yes"},
				[]object{{"path": "skipChainOrRequiredCheck", "message": "skipChainOrRequiredCheck must be a boolean"}}},
			{"code too long", object{"verificationCode": strings.Repeat("x", 10_001)},
				[]object{{"path": "verificationCode", "message": "verificationCode must be at most 10000 characters"}}},
			{"verifyOnly", object{"verifyOnly": "maybe"}, []object{{"path": "verifyOnly", "message": "verifyOnly must be a boolean"}}},
			{"tenant", object{"websiteId": "x"}, []object{{"path": "websiteId", "message": "websiteId must be a uuid"}}},
			{"several", object{"amount": "ten", "rangeValue": "x", "contentUrl": 5}, []object{
				{"path": "amount", "message": "amount must be a number"}, {"path": "contentUrl", "message": "contentUrl must be a string"},
				{"path": "rangeValue", "message": "rangeValue must be a number"}}},
			{"several of value", object{"amount": -1, "contentUrl": "nope", "verifyOnly": "maybe"}, []object{
				{"path": "amount", "message": "amount must be at least 0"}, {"path": "contentUrl", "message": "contentUrl must be a valid url"},
				{"path": "verifyOnly", "message": "verifyOnly must be a boolean"}}},
		} {
			body := c.body
			if o, ok := body.(object); ok && o["userId"] == nil && o["walletAddress"] == nil {
				o["walletAddress"] = "w"
			}
			got := s.Post("/api/loyalty/rules/"+rule+"/complete", body).Refused(400, "Invalid request")
			apptest.SameFaults(t, c.name, got, c.want)
		}
		s.Complete(rule, object{"verificationCode": strings.Repeat("x", 1<<20)}).Refused(413, "Request body too large")
		s.Call(s.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", `walletAddress=w`,
			"Content-Type", "application/x-www-form-urlencoded").Refused(415, "Content-Type must be application/json")
		if list := s.Get("/api/users").Data(); len(list) != 0 {
			t.Errorf("refused completions made users: %v", list)
		}
	})
}

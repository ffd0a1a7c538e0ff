package completion_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// hurdle is one reason to refuse a completion, and how it is taken away.
type hurdle struct {
	name, message string
	rule          object // properties that put it up
	body          object // what the call says
	clear         object // properties that take it down
	without       func(s *apptest.Server, rule string)
}

// hurdles returns every reason of contract 5.1 that a rule of the type can meet with at once, in the contract's order.
func hurdles(kind string) []hurdle {
	meta := object{"isRestrictedToNewUsers": true, "range": []object{{"startRange": 500, "endRange": 600, "amount": 5}}}
	whole := apptest.Over(meta)
	list := []hurdle{
		{name: "2 body", message: "Invalid request", body: object{"rangeValue": "much"}},
		{name: "2 user", message: "userId or walletAddress is required", body: object{"walletAddress": nil}},
		{name: "3 amount", message: "Only external rules can have amount override", body: object{"amount": 5}},
		{
			name:    "3 key",
			message: "Only external rules can have idempotency key override",
			body:    object{"idempotencyKey": "k"},
		},
	}
	last := hurdle{}
	switch kind {
	case "code_entry":
		whole["promoCode"] = "open"
		last = hurdle{name: "12 code", message: apptest.WrongCode, body: object{"verificationCode": "shut"}}
	case "text_input":
		whole["verificationTextMinimumLength"] = 5
		last = hurdle{name: "12 text", message: "Invalid Verification, try again", body: object{"verificationCode": "shut"}}
	case "link_click":
		whole["link"] = "https://a.example"
	case "quiz":
		last = hurdle{
			name:    "12 choice",
			message: "Invalid choice selected",
			body:    object{"loyaltyQuestionChoiceId": apptest.UnknownID},
		}
	case "check_in":
		last = hurdle{
			name:    "12 amount",
			message: "Check-in amount rule cannot be completed when amount is 0",
			rule:    object{"amount": 0},
			clear:   object{"amount": 10},
		}
	}
	if len(whole) > len(meta) && kind != "text_input" {
		list = append(
			list,
			hurdle{
				name:    "5 set up",
				message: "Rule is not setup",
				rule:    object{"metadata": meta},
				clear:   object{"metadata": whole},
			},
		)
	}
	list[0].rule = object{"metadata": whole} // unless the rule is not to be set up yet
	open := apptest.Over(whole)
	delete(open, "isRestrictedToNewUsers")
	free := apptest.Over(open)
	delete(free, "range")
	list = append(
		list,
		hurdle{
			name:    "6 not started",
			message: "Loyalty rule R has not started yet",
			rule:    object{"startTime": "2026-03-01T00:00:00Z"},
			clear:   object{"startTime": "2026-01-14T13:00:00Z"},
		},
		hurdle{
			name:    "6 expired",
			message: "Loyalty rule has expired",
			without: func(s *apptest.Server, _ string) { s.Clock.Set(apptest.Noon.Add(28 * time.Hour)) },
		},
		hurdle{name: "7 blocked", message: "Access restricted. Your account is blocked.", without: func(s *apptest.Server, _ string) {
			s.Post("/api/users/metadatas", object{"walletAddress": "w", "isBlocked": false}).OK()
		}},
		hurdle{name: "8 not new", message: "this quest is only available for new users", clear: object{"metadata": open}},
		hurdle{name: "9 required", message: apptest.Locked, without: func(s *apptest.Server, _ string) {
			for _, r := range s.Get("/api/loyalty/rules").Data() {
				if r["isRequired"] == true {
					s.Complete(r["id"].(string), object{"walletAddress": "w"}).OK()
				}
			}
		}},
		hurdle{
			name:    "10 rewarded",
			message: "You have already been rewarded",
			without: func(s *apptest.Server, _ string) { s.Clock.Set(apptest.Noon.Add(36 * time.Hour)) },
		},
		hurdle{
			name:    "11 progress",
			message: "Quest not completed",
			without: func(s *apptest.Server, rule string) { s.Progress(rule, "w", object{"progress": 100}).OK() },
		},
	)
	if last.name != "" {
		list = append(list, last)
	}
	return append(
		list,
		hurdle{name: "12 range", message: "Quest not achieved, please try again.", clear: object{"metadata": free}},
		hurdle{name: "none"},
	)
}

// TestRefusalsComeInTheContractsOrder puts up everything that can refuse a completion of a type at once and takes one
// reason after the other away: each time the next one answers.
func TestRefusalsComeInTheContractsOrder(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, kind := range []string{"check_in", "code_entry", "text_input", "link_click", "bonus", "quiz"} {
			s := &apptest.Server{Program: s.NewProgram(kind), T: t, App: s.App, HTTP: s.HTTP, Clock: s.Clock}
			s.Clock.Set(apptest.Noon)
			all := hurdles(kind)
			ready := object{"name": "R", "interval": "daily"}
			if kind == "code_entry" || kind == "link_click" {
				ready["metadata"] = object{"promoCode": "open", "link": "https://a.example", "timeDelayToVerifySeconds": 0}
			}
			rule := s.Rule(kind, ready)
			s.Post("/api/users/metadatas", object{"walletAddress": "w"}).OK()
			good := object{"walletAddress": "w", "verificationCode": "open sesame"}
			if kind == "code_entry" {
				good["verificationCode"] = "open"
			}
			if kind == "quiz" {
				good["loyaltyQuestionChoiceId"] = s.CreateQuestion(rule, nil).Choices["b"]
			}
			s.Clock.Set(apptest.Noon.Add(27 * time.Hour)) // the window that is paid is the one in which the walk begins
			s.Complete(rule, good).OK()
			s.RunCompletionJobs()
			s.Progress(rule, "w", object{"progress": 99}).OK()
			s.Rule("check_in", object{"isRequired": true})
			s.Post("/api/users/metadatas", object{"walletAddress": "w", "isBlocked": true}).OK()
			s.Update(rule, object{"trackProgress": true, "endTime": "2026-03-02T00:00:00Z"})
			body := apptest.Over(good)
			for _, h := range all {
				s.Update(rule, apptest.Over(h.rule))
				body = apptest.Over(body, h.body)
			}
			for i, h := range all {
				switch h.name {
				case "none":
					if a := s.Complete(rule, body); a.Status != 200 {
						t.Errorf("%s, nothing left: %d %s", kind, a.Status, a.Body)
					}
					continue
				case "6 expired":
					s.Update(rule, object{"startTime": "2026-01-15T14:00:00Z", "endTime": "2026-01-15T14:30:00Z"})
				}
				if a := s.Complete(rule, body); a.Status != 400 || a.JSON()["message"] != h.message {
					t.Errorf("%s, %s (%d): %d %s, want %q", kind, h.name, i, a.Status, a.Body, h.message)
				}
				for name := range h.body {
					delete(body, name)
					if value, ok := good[name]; ok {
						body[name] = value
					}
				}
				if h.name == "6 expired" {
					s.Update(rule, object{"endTime": nil})
					continue
				}
				s.Update(rule, apptest.Over(h.clear))
				if h.without != nil {
					h.without(s, rule)
				}
			}
		}
	})
}

func TestTiersAreChosenByValueOrProgress(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		tiers := []object{
			{"startRange": 50, "endRange": "99.5", "amount": "7.5"},
			{"startRange": 10, "endRange": 20, "amount": 1},
			{"startRange": 100, "endRange": 200},
		}
		rule := s.Rule(
			"external_rule",
			object{
				"interval":     "unlimited",
				"progressType": "counter",
				"metadata":     object{"range": tiers, "resetProgressOnClaim": true},
			},
		)
		for value, want := range map[string]string{"9.999999": "", "0": "", "10": "1", "20": "1", "30": "1", "50": "7.5", "99.5": "7.5", "99.6": "7.5", "100": "0",
			"200": "0", "100000": "0"} {
			wallet, byProgress := "v"+value, "p"+value
			s.Progress(rule, byProgress, object{"progress": value}).OK()
			for _, body := range []object{{"walletAddress": wallet, "rangeValue": value}, {"walletAddress": byProgress}} {
				if a := s.Complete(rule, body); want == "" {
					a.Refused(400, "Quest not achieved, please try again.")
				} else {
					a.OK()
				}
				if got := s.Balance(body["walletAddress"].(string)); got != want {
					t.Errorf("%v of %s paid %q, want %q", body, value, got, want)
				}
			}
		}
		s.Complete(rule, object{"walletAddress": "negative", "rangeValue": -1}).
			Refused(400, "Quest not achieved, please try again.")
		s.Complete(rule, object{"walletAddress": "exact", "rangeValue": 60, "amount": 3}).OK() // the override wins
		entry := s.Get("/api/loyalty/transaction_entries?walletAddress=v99.6").Data()[0]
		if got := entry["metadata"].(object)["rangeStart"]; got != apptest.JSONNumber("50") {
			t.Errorf("metadata tells rangeStart %v", got)
		}
		ignored := s.Rule("check_in", object{"metadata": object{"range": tiers}})
		// external_rule only
		s.Complete(ignored, object{"walletAddress": "w", "rangeValue": 60}).
			Refused(400, "Quest not achieved, please try again.")
	})
}

func TestAClaimThatResetsProgressPaysAgainAfterNewProgress(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		tiers := []object{{"startRange": 0, "endRange": 50, "amount": 4}, {"startRange": 51, "endRange": 60, "amount": 10}}
		rule := s.Rule(
			"external_rule",
			object{"progressType": "counter", "trackProgress": true, "maxAmountInterval": "daily", "maxAmountPerInterval": 25,
				"metadata": object{"range": tiers, "resetProgressOnClaim": true}},
		)
		user := object{"walletAddress": "w"}
		for i, paid := range []string{"10", "20", "25"} { // the cap is not reset
			s.Complete(rule, user).Refused(400, "Quest not completed")
			s.Progress(rule, "w", object{"incProgress": 60 + i}).OK()
			s.Complete(rule, user).OK()
			if list := s.Get("/api/loyalty/rule_statuses?walletAddress=w").Data(); len(list) != 0 || s.Balance("w") != paid {
				t.Errorf("after claim %d: statuses %v, balance %s, want %s", i+1, list, s.Balance("w"), paid)
			}
		}
		s.Progress(rule, "w", object{"progress": 60}).OK()
		s.Complete(rule, user).Refused(400, "You have already been rewarded")
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, user).OK()
		s.Sound()
	})
}

// TestNoOrderOfWritesPaysTwice completes a rule, moves its progress and changes the rule at once, in orders that chance
// makes: a window pays once, a cap holds, and nothing is paid before there was enough progress.
func TestNoOrderOfWritesPaysTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		runs := 0
		rapid.Check(t, func(r *rapid.T) {
			runs++
			tracked, capped := rapid.Bool().Draw(r, "tracked"), rapid.Bool().Draw(r, "capped")
			steps := rapid.SliceOfN(rapid.IntRange(1, 60), 0, 6).Draw(r, "progress")
			properties, most := object{"amount": 10, "interval": "daily", "trackProgress": tracked}, int64(1)
			if capped {
				properties = object{
					"amount":               10,
					"interval":             "unlimited",
					"trackProgress":        tracked,
					"maxAmountInterval":    "daily",
					"maxAmountPerInterval": 25,
				}
				most = 3
			}
			rule, wallet := s.Rule("external_rule", properties), fmt.Sprint("w", runs)
			var answered, paid atomic.Int64
			var wg sync.WaitGroup
			for i := range 6 {
				wg.Go(func() {
					a := s.Complete(rule, object{"walletAddress": wallet})
					if a.Status != 200 {
						if message := a.JSON()["message"]; message != "You have already been rewarded" &&
							(!tracked || message != "Quest not completed") {
							t.Errorf("%d %s", a.Status, a.Body)
						}
						return
					}
					answered.Add(1)
					v, err := laurel.ParseAmount(
						a.JSON()["data"].(object)["rewards"].([]any)[0].(object)["amount"].(json.Number).String(),
					)
					if err != nil {
						t.Error(err)
					}
					paid.Add(int64(v))
				})
				if i < len(steps) {
					wg.Go(func() { s.Progress(rule, wallet, object{"incProgress": steps[i]}).OK() })
				}
				change := object{"name": fmt.Sprint("n", i), "amount": 10 + i}
				switch { // all within one hour, so no change of the period opens anything
				case capped:
					change["maxAmountInterval"] = rapid.SampledFrom([]string{"daily", "weekly", "monthly", "lifetime"}).
						Draw(r, "cap interval")
				default:
					change["interval"] = rapid.SampledFrom([]string{"hourly", "daily", "weekly", "monthly", "once", "custom"}).
						Draw(r, "interval")
					change["metadata"] = object{"customIntervalSeconds": 600}
				}
				if i%2 == 0 {
					wg.Go(func() { s.Update(rule, change) })
				}
			}
			wg.Wait()
			sum := 0
			for _, n := range steps {
				sum += n
			}
			got := laurel.Amount(0)
			if text := s.Balance(wallet); text != "" {
				v, err := laurel.ParseAmount(text)
				if err != nil {
					r.Fatal(err)
				}
				got = v
			}
			switch {
			case laurel.Amount(paid.Load()) != got:
				r.Fatalf("answers say %s, the balance %s", laurel.Amount(paid.Load()), got)
			case answered.Load() > most || capped && got > 25*laurel.One || got > 45*laurel.One:
				r.Fatalf("%d payments, %s in all", answered.Load(), got)
			case tracked && sum < 100 && got != 0:
				r.Fatalf("%s paid at a progress of %d", got, sum)
			case !tracked && answered.Load() == 0:
				r.Fatal("nothing was paid")
			}
		})
		s.Sound()
	})
}

// TestChangedPeriodsOpenNothing completes a rule again and again while its interval, its maximum's period and the clock
// change, the clock also backwards: the payments are those of a list that a small model keeps.
func TestChangedPeriodsOpenNothing(t *testing.T) {
	t.Parallel()
	type payment struct {
		at, window time.Time // by which maximums and intervals count it
		amount     int
		keyed      bool
	}
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		runs := 0
		rapid.Check(t, func(r *rapid.T) {
			runs++
			wallet := fmt.Sprint("w", runs)
			interval, capInterval := "daily", "weekly"
			rule := s.Rule(
				"external_rule",
				object{"amount": 10, "interval": interval, "maxAmountInterval": capInterval, "maxAmountPerInterval": 25},
			)
			var paid []payment
			latest, windows := time.Time{}, time.Time{} // the member's own time: neither falls
			for step := range rapid.IntRange(2, 12).Draw(r, "steps") {
				switch rapid.IntRange(0, 3).Draw(r, "what") {
				case 0:
					interval = rapid.SampledFrom([]string{"hourly", "daily", "weekly", "monthly", "once", "unlimited"}).
						Draw(r, "interval")
					s.Update(rule, object{"interval": interval})
				case 1:
					capInterval = rapid.SampledFrom([]string{"daily", "weekly", "monthly", "lifetime"}).Draw(r, "cap")
					s.Update(rule, object{"maxAmountInterval": capInterval})
				case 2:
					s.Clock.Advance(time.Duration(rapid.Int64Range(-2*3600, 10*24*3600).Draw(r, "seconds")) * time.Second)
				}
				body, keyed := object{"walletAddress": wallet}, rapid.IntRange(0, 3).Draw(r, "keyed") == 0
				if keyed {
					body["idempotencyKey"] = fmt.Sprint("k", runs, "-", step)
				}
				// far from every border, since each call takes a moment
				now := s.Clock.Now().Truncate(time.Minute).Add(30 * time.Second)
				s.Clock.Set(now)
				if now.After(latest) {
					latest = now
				}
				window, left, closed := now, 25, false
				if window.Before(windows) {
					window = windows
				}
				for _, p := range paid {
					if capInterval == "lifetime" || schema.WindowKey(capInterval, p.at) == schema.WindowKey(capInterval, latest) {
						left -= p.amount
					}
					key := schema.WindowKey(interval, p.window)
					closed = closed || !keyed && !p.keyed && key != "" && key == schema.WindowKey(interval, window)
				}
				a, want := s.Complete(rule, body), 200
				if closed || left <= 0 {
					want = 400
				}
				if a.Status != want {
					r.Fatalf("%s, cap %s, at %s after %v: %d %s", interval, capInterval, now, paid, a.Status, a.Body)
				}
				if want == 200 {
					paid = append(paid, payment{latest, window, min(10, left), keyed})
					if !keyed {
						windows = window
					}
				}
			}
			total := 0
			for _, p := range paid {
				total += p.amount
			}
			if got := s.Balance(wallet); total > 0 && got != fmt.Sprint(total) {
				r.Fatalf("balance %s, want %d", got, total)
			}
		})
		s.Sound()
	})
}

// TestALongCodeOpensItsWindow redeems a shared code longer than an index takes.
func TestALongCodeOpensItsWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		random := make([]byte, 4000)
		if _, err := rand.Read(random); err != nil { // nothing that a database could compress
			t.Fatal(err)
		}
		code := hex.EncodeToString(random)
		rule := s.Rule(
			"code_entry",
			object{"amount": 10, "interval": "daily", "metadata": object{"promoCode": code, "allowMultipleRedemptions": true}},
		)
		s.Complete(rule, object{"walletAddress": "a", "verificationCode": code}).OK()
		s.Complete(rule, object{"walletAddress": "a", "verificationCode": code}).
			Refused(400, "You have already been rewarded")
	})
}

// TestACodeStaysUsedWhenItsRuleCountsOtherwise pays a shared code once by window and once by code, and has the rule
// count the other way.
func TestACodeStaysUsedWhenItsRuleCountsOtherwise(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, byCode := range []bool{false, true} {
			rule := s.Rule(
				"code_entry",
				object{"amount": 10, "interval": "daily", "metadata": object{"promoCode": "A", "allowMultipleRedemptions": byCode}},
			)
			wallet := fmt.Sprint("w", byCode)
			enter := func() apptest.Response {
				return s.Complete(rule, object{"walletAddress": wallet, "verificationCode": "A"})
			}
			enter().OK()
			s.Update(rule, object{"metadata": object{"promoCode": "A", "allowMultipleRedemptions": !byCode}})
			enter().Refused(400, "You have already been rewarded")
			s.Clock.Advance(24 * time.Hour)
			if byCode { // it counts days by now
				enter().OK()
			} else {
				enter().Refused(400, "You have already been rewarded")
			}
		}
		s.Sound()
	})
}

// TestCapsDoNotGrowByJoiningAndLeaving lets a member that was paid a tenth of a maximum join and leave a group again
// and again.
func TestCapsDoNotGrowByJoiningAndLeaving(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{"amount": 10, "interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": 30},
		)
		s.Complete(rule, object{"walletAddress": "a"}).OK()
		s.Complete(rule, object{"walletAddress": "b"}).OK()
		for range 4 {
			for _, wallet := range []string{"a", "b"} {
				s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "g"}).OK()
			}
			s.Post("/api/users/metadatas", object{"walletAddress": "a", "userGroupExternalIdentifier": nil}).OK()
		}
		// b is alone in the group: each was paid 10 of 30.
		for _, wallet := range []string{"a", "b"} {
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
		}
		s.Sound()
	})
}

// TestACrowdOnARuleDoesNotKeepItFromBeingChanged completes one rule without a pause from many sides while it is changed
// again and again.
func TestACrowdOnARuleDoesNotKeepItFromBeingChanged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"amount": 1, "interval": "unlimited"})
		done := make(chan struct{})
		var calls sync.WaitGroup
		for i := range 32 {
			calls.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						s.Complete(rule, object{"walletAddress": fmt.Sprint("w", i)}).OK()
					}
				}
			})
		}
		for i := range 10 {
			s.Update(rule, object{"amount": i + 1})
		}
		close(done)
		calls.Wait()
		s.Sound()
	})
}

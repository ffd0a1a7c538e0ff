package schedule_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// saysOf makes the partner respond with say for each member; status 0: the real result.
func saysOf(p *apptest.Partner, say func(wallet string) (status int, body string)) {
	p.Set(func(p *apptest.Partner) {
		p.Say = func(q apptest.PartnerQuestion) (int, string) { return say(q.User.WalletAddresses[0]) }
	})
}

// silentOf gives no answer to go by about a member.
func silentOf(p *apptest.Partner, member string) {
	saysOf(p, func(wallet string) (int, string) {
		if wallet == member {
			return 200, "what?"
		}
		return 0, ""
	})
}

// falters returns some more questions with the truth, and then nothing to go by.
func falters(p *apptest.Partner, after int64) {
	var asked atomic.Int64
	saysOf(p, func(string) (int, string) {
		if asked.Add(1) > after {
			return 200, "what?"
		}
		return 0, ""
	})
}

func honest(p *apptest.Partner) { p.Set(func(p *apptest.Partner) { p.Say = nil }) }

func buys(p *apptest.Partner, s *apptest.Server, customer string, sum laurel.Amount) {
	p.Set(func(p *apptest.Partner) {
		p.Bought = append(p.Bought, apptest.Purchase{Customer: customer, At: s.Clock.Now(), Sum: sum * laurel.One})
	})
}

// eachWithPartner runs the test with a partner that the server asks.
func eachWithPartner(t *testing.T, f func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := apptest.NewPartner(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: p.ConfigFile(t)})
		f(t, s, p, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t})
	})
}

// customerIn gives a wallet a verified address.
func customerIn(db apptest.Database, s *apptest.Server, wallet string) {
	db.T.Helper()
	db.Connect(
		s.User(wallet, object{"emailAddress": wallet + "@b.example"}),
		object{"emailVerifiedAt": apptest.VerifiedAt},
	)
}

func TestPartnersTellWhoHasEarned(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		for _, kind := range []string{"create_partner_account", "attendance_token_claim", "governance_vote", "swap"} {
			p.TakeQuestions()
			rule := s.Rule(kind, object{"interval": "daily"})
			wallet := "w-" + kind
			body := object{
				"walletAddress":    wallet,
				"contentUrl":       "https://a.example/x",
				"verificationCode": "c0de",
				"rangeValue":       4,
			}
			for _, more := range []object{nil, {"verifyOnly": true}} {
				simulation := s.Simulate(rule, apptest.Over(body, more))
				got := s.Complete(rule, apptest.Over(body, more))
				got.Refused(400, apptest.Undone)
				simulation.Predicts(got)
			}
			if s.Count("/api/users?walletAddress="+wallet) != 0 {
				t.Error("a refusal left a user behind")
			}
			q := p.TakeQuestions()
			if len(q) != 4 || q[0].User.ID != nil || fmt.Sprint(q[0].User.WalletAddresses) != "["+wallet+"]" || q[0].Rule.ID != rule || q[0].Rule.Type != kind ||
				q[0].WebsiteID != s.WebsiteID.String() || q[0].OrganizationID != s.OrganizationID.String() ||
				*q[0].Request.ContentURL != "https://a.example/x" ||
				*q[0].Request.VerificationCode != "c0de" ||
				q[0].Request.RangeValue.String() != "4" {
				t.Errorf("%d questions: %+v", len(q), q)
			}
			if since := q[0].Since; since == nil || !since.Equal(apptest.Noon.Truncate(apptest.Day)) {
				t.Errorf("since %v", since)
			}
			p.Set(func(p *apptest.Partner) { p.Holders[wallet] = true })
			for i, want := range []string{"10", "20"} {
				simulation := s.Simulate(rule, body)
				s.Complete(rule, apptest.Over(body, object{"verifyOnly": true})).OK()
				simulation.Predicts(s.Complete(rule, body))
				p.TakeQuestions()
				if o := s.Complete(rule, body).Refused(400, apptest.PaidAlready); o["rewarded"] != true {
					t.Errorf("%v", o)
				}
				s.Call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": wallet}, s.MemberTokenHeaders(s.User(wallet, nil))...).
					Refused(400, apptest.PaidAlready)
				if n := len(p.TakeQuestions()); n != 0 {
					t.Errorf("asked %d times about a window that is paid", n)
				}
				if got := s.Balance(wallet); got != want {
					t.Errorf("%s, day %d: %s", kind, i+1, got)
				}
				s.Clock.Advance(apptest.Day)
			}
			s.Call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": wallet}, s.MemberTokenHeaders(s.User(wallet, nil))...).
				OK()
			s.In(wallet, kind)
			s.In("mate-"+kind, kind)
			s.Clock.Advance(apptest.Day)
			s.Complete(rule, object{"walletAddress": "mate-" + kind}).OK() // what a member of a group has counts for each
			s.Complete(rule, body).Refused(400, apptest.PaidAlready)
			s.Clock.Set(apptest.Noon)
		}
		s.Sound()
	})
}

func TestWhatRefusesAnywayIsNotAsked(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		p.Set(func(p *apptest.Partner) { p.Holders["w"] = true })
		at := func(d time.Duration) string { return apptest.Noon.Add(d).Format(time.RFC3339) }
		s.User("blocked", object{"isBlocked": true})
		s.User("w", nil)
		first := s.Rule("external_rule", object{"isRequired": true})
		for _, c := range []struct {
			properties object
			wallet     string
			message    string
		}{
			{object{"startTime": at(time.Hour)}, "w", "Loyalty rule A create_partner_account has not started yet"},
			{object{"endTime": at(-time.Hour)}, "w", "Loyalty rule has expired"},
			{object{}, "blocked", "Access restricted. Your account is blocked."},
			{object{}, "w", apptest.Locked},
			{object{"trackProgress": true, "isRequired": true}, "w", apptest.Undone},
			{object{"type": "shop_spend", "isRequired": true}, "w", apptest.NoCustomer},
		} {
			rule := s.Rule("create_partner_account", c.properties)
			s.Complete(rule, object{"walletAddress": c.wallet}).Refused(400, c.message)
			s.Complete(rule, object{"walletAddress": c.wallet, "verifyOnly": true}).Refused(400, c.message)
			s.Post("/api/loyalty/rules/"+rule, object{"isRequired": false}).OK()
		}
		if q := p.TakeQuestions(); len(q) != 0 {
			t.Errorf("asked %+v", q)
		}
		s.Complete(first, object{"walletAddress": "w"}).OK()
		s.Complete(s.Rule("create_partner_account", nil), object{"walletAddress": "w"}).OK()
		if n := len(p.TakeQuestions()); n != 1 {
			t.Errorf("asked %d times about one reward", n)
		}
	})
}

func TestShopsPayByWhatWasSpent(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		rule := s.Rule(
			"shop_spend",
			object{"amount": "1.5", "interval": "daily", "metadata": object{"rewardPerValue": true, "promoCode": "hidden"}},
		)
		buy := object{"walletAddress": "w"}
		s.Complete(rule, buy).Refused(400, apptest.NoCustomer)
		s.Simulate(rule, buy).Predicts(s.Complete(rule, buy))
		s.User("w", object{"emailAddress": "w@b.example"})
		s.Complete(rule, buy).Refused(400, apptest.NoCustomer)
		if q := p.TakeQuestions(); len(q) != 0 {
			t.Errorf("asked of nobody: %+v", q)
		}
		customerIn(db, s, "w")
		s.Complete(rule, buy).Refused(400, apptest.Undone)
		buys(p, s, "w@b.example", 20)
		s.GrantMultiplier("w", 2, nil)
		s.Complete(rule, apptest.Over(buy, object{"verifyOnly": true})).OK()
		simulation := s.Simulate(rule, buy)
		simulation.Predicts(s.Complete(rule, buy)) // 1.5 x 20 x 2
		if got := s.Balance("w"); got != "60" {
			t.Errorf("paid %s", got)
		}
		q := p.TakeQuestions()[0]
		if _, there := q.Rule.Metadata["promoCode"]; there || q.Rule.Metadata["rewardPerValue"] != true ||
			fmt.Sprint(q.User.EmailAddresses) != "[w@b.example]" {
			t.Errorf("shown %+v", q)
		}
		buys(p, s, "w@b.example", 5)
		s.Complete(rule, buy).Refused(400, apptest.PaidAlready)
		s.Clock.Advance(apptest.Day)
		s.Complete(rule, buy).Refused(400, apptest.Undone) // nothing was bought today
		buys(p, s, "w@b.example", 7)
		s.Complete(rule, buy).OK()
		if got := s.Balance("w"); got != "81" {
			t.Errorf("after the second day %s", got)
		}
		// The id that the caller's systems have for a customer does as well, and pays its holder once.
		s.User("x", object{"externalIdentifier": "C-1"})
		buys(p, s, "C-1", 3)
		s.Complete(rule, object{"walletAddress": "x"}).OK()
		s.User("y", object{"externalIdentifier": "C-1"})
		s.Complete(rule, object{"walletAddress": "y"}).Refused(400, apptest.PaidAlready)
		if got := s.Balance("x"); got != "4.5" {
			t.Errorf("by the customer's id %s", got)
		}
		if r := s.Replay(rule, nil); r.Total.Completions != 3 || r.Total.Difference != 0 || r.WithoutFacts != 0 {
			t.Errorf("replayed: %+v", r)
		}
		if r := s.Replay(rule, object{"amount": 3}); r.Total.Difference.String() != "85.5" {
			t.Errorf("with the amount doubled: %+v", r)
		}
		s.Sound()
	})
}

func TestWhatWasSpentPaysOnceWhateverTheWindows(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		for i, properties := range []object{
			{"interval": "unlimited"},
			{"interval": "custom", "metadata": object{"customIntervalSeconds": 60}},
			{"interval": "once", "metadata": object{"resetProgressOnClaim": true}},
		} {
			wallet := fmt.Sprint("w", i)
			customerIn(db, s, wallet)
			rule := s.Rule(
				"shop_spend",
				apptest.Over(
					object{"amount": 1},
					properties,
					object{"metadata": apptest.Over(object{"rewardPerValue": true}, asObject(properties["metadata"]))},
				),
			)
			var spent laurel.Amount
			for n := range 4 {
				buys(p, s, wallet+"@b.example", laurel.Amount(n+1))
				spent += laurel.Amount(n + 1)
				var calls sync.WaitGroup
				paid := make([]int, 6)
				for k := range paid {
					calls.Go(func() { paid[k] = s.Complete(rule, object{"walletAddress": wallet}).Status })
				}
				calls.Wait()
				if slices.Max(paid) != 400 || slices.Index(paid, 200) < 0 {
					t.Errorf("%v: answered %v", properties, paid)
				}
				if got := s.Balance(wallet); got != fmt.Sprint(int64(spent)) {
					t.Fatalf("%v: paid %s of %d that were spent", properties, got, spent)
				}
				s.Clock.Advance(2 * time.Minute)
			}
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, apptest.Undone)
		}
		s.Sound()
	})
}

func asObject(value any) object { o, _ := value.(object); return o }

func TestRangesAreOfWhatPartnersMeasure(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		tiers := []object{
			{"startRange": 10, "endRange": 20, "amount": 1, "loyaltyMultiplierAmount": 2},
			{"startRange": 21, "endRange": 30, "amount": "2.5", "loyaltyMultiplierAmount": 3},
		}
		for i, c := range []struct{ spent, plain, per string }{{"9.999999", "", ""}, {"10", "1", "10"}, {"29.5", "2.5", "73.75"}, {"1000", "2.5", "2500"}} {
			wallet := fmt.Sprint("w", i)
			customerIn(db, s, wallet)
			p.RespondAlways(200, `{"fulfilled":true,"value":`+c.spent+`}`)
			for per, want := range map[bool]string{false: c.plain, true: c.per} {
				rule := s.Rule("shop_spend", object{"metadata": object{"range": tiers, "rewardPerValue": per}})
				before := s.Balance(wallet)
				simulation := s.Simulate(rule, object{"walletAddress": wallet})
				got := s.Complete(rule, object{"walletAddress": wallet})
				simulation.Predicts(got)
				if want == "" {
					got.Refused(400, "Quest not achieved, please try again.")
					if m := simulation.OK()["missing"].(object)["value"].(object); fmt.Sprint(m) != "map[have:9.999999 need:10]" {
						t.Errorf("missing %v", m)
					}
					continue
				}
				if paid := got.OK()["data"].(object)["rewards"].([]any)[0].(object)["amount"]; fmt.Sprint(paid) != want {
					t.Errorf("%s, per value %t: %v (before: %s)", c.spent, per, paid, before)
				}
			}
		}
		// Of partners without a shop too; and a better tier takes the place of a multiplier, though the window is paid.
		for _, kind := range apptest.PartnerTypes {
			wallet := "m-" + kind
			customerIn(db, s, wallet)
			p.RespondAlways(200, `{"fulfilled":true,"value":"12"}`)
			gift := s.CreateMultiplierRule(nil, object{"type": kind, "interval": "once", "metadata": object{"range": tiers}})
			s.Complete(gift, object{"walletAddress": wallet}).OK()
			s.Complete(gift, object{"walletAddress": wallet}).Refused(400, apptest.PaidAlready)
			p.RespondAlways(200, `{"fulfilled":true,"value":22}`)
			s.Complete(gift, object{"walletAddress": wallet}).OK()
			if got := fmt.Sprint(s.MultiplierValues(wallet)); got != "[3]" {
				t.Errorf("%s holds %s", kind, got)
			}
		}
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "shop_spend", "amount": 1, "maxAmountInterval": "daily", "maxAmountPerInterval": 15}).
			Refused(400, "maxAmountInterval is for smart_contract_event, external_rule and stratus_function only")
	})
}

func TestAnOutageOfAPartnerPaysNothingAndIsOverWhenItIsOver(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const slow, invalid, failed, broken = "Provider did not answer in time", "Provider did not give a valid answer", "Provider failed", "Provider broke off the connection"
		shop := s.Rule("shop_spend", object{"amount": 1, "metadata": object{"rewardPerValue": true}})
		account := s.Rule("create_partner_account", nil)
		p.Set(func(p *apptest.Partner) { p.Holders["w"] = true })
		customerIn(db, s, "w")
		hang := make(chan struct{})
		for _, c := range []struct {
			status  int
			body    string
			message string
		}{
			{200, ``, invalid}, {200, `true`, invalid}, {200, `{}`, invalid}, {200, `{"fulfilled":"true"}`, invalid}, {200, `{"fulfilled":null,"value":1}`, invalid},
			{200, `{"fulfilled":false,"fulfilled":true,"value":5}`, invalid}, {200, `{"Fulfilled":true,"value":5}`, invalid}, {200, `{"fulfilled":true,"value":5}{}`, invalid},
			{200, `{"fulfilled":true}`, invalid}, {200, `{"fulfilled":true,"value":-1}`, invalid}, {200, `{"fulfilled":true,"value":0.0000001}`, invalid},
			{200, `{"fulfilled":true,"value":"much"}`, invalid}, {200, `{"fulfilled":true,"value":9000000000000}`, invalid},
			{200, `{"fulfilled":true,"value":1,"more":"` + strings.Repeat("x", 70_000) + `"}`, invalid},
			{404, `{"fulfilled":true,"value":5}`, invalid}, {302, `{"fulfilled":true,"value":5}`, invalid}, {201, `{"fulfilled":true,"value":5}`, invalid},
			{429, ``, "Provider is rate limited, please try again later"}, {503, `{"fulfilled":true,"value":5}`, failed}, {-1, ``, broken}, {1, ``, slow},
		} {
			p.Set(func(p *apptest.Partner) {
				p.Say = func(apptest.PartnerQuestion) (int, string) {
					if c.status == 1 {
						<-hang
						return -1, ""
					}
					return c.status, c.body
				}
			})
			for _, got := range []apptest.Response{s.Complete(shop, object{"walletAddress": "w"}), s.Simulate(shop, object{"walletAddress": "w", "verifyOnly": true})} {
				got.Refused(503, c.message)
				if got.Header.Get("Retry-After") != "5" || got.JSON()["success"] != false {
					t.Errorf("%v %s", got.Header, got.Body)
				}
			}
			honest(p)
			// it recovers, and is not left alone for its failures in a row
			s.Complete(account, object{"walletAddress": "w", "verifyOnly": true}).OK()
		}
		close(hang)
		if got := s.Balance("w"); got != "" {
			t.Errorf("an outage paid %s", got)
		}
		buys(p, s, "w@b.example", 4)
		s.Complete(shop, object{"walletAddress": "w"}).OK()
		s.Complete(shop, object{"walletAddress": "w"}).Refused(400, apptest.PaidAlready)
		if got := s.Balance("w"); got != "4" {
			t.Errorf("afterwards %s", got)
		}
		s.Sound()
	})
}

func TestAPartnerThatFailsForOneTenantAnswersOthers(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		p.Set(func(p *apptest.Partner) {
			p.Holders["w"] = true
			p.Say = func(q apptest.PartnerQuestion) (int, string) {
				if q.WebsiteID == s.WebsiteID.String() {
					return 500, ""
				}
				return 0, ""
			}
		})
		mine := s.Rule("create_partner_account", nil)
		const resting = "Provider failed several times in a row and is left alone for a while"
		for i := range 4 { // two tries each
			s.Complete(mine, object{"walletAddress": "w"}).
				Refused(503, map[bool]string{true: "Provider failed", false: resting}[i < 2])
		}
		before := len(p.TakeQuestions())
		s.Complete(mine, object{"walletAddress": "w"}).Refused(503, resting)
		if n := len(p.TakeQuestions()); before < 5 || before > 6 || n != 0 {
			t.Errorf("a host that fails is asked %d times, then %d", before, n)
		}
		other := *s
		other.Program = s.NewProgram("Other")
		otherRule := other.Rule("create_partner_account", nil)
		other.Complete(otherRule, object{"walletAddress": "w"}).OK()
	})
}

func TestNothingWaitsForAPartnerButWhoAsked(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		rule, other := s.Rule(
			"create_partner_account",
			object{"interval": "unlimited"},
		), s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		s.Complete(other, object{"walletAddress": "w"}).OK()
		reached, hang := make(chan struct{}, 100), make(chan struct{})
		p.Set(func(p *apptest.Partner) {
			p.Say = func(apptest.PartnerQuestion) (int, string) {
				reached <- struct{}{}
				<-hang
				return 200, `{"fulfilled":true}`
			}
		})
		answered := make(chan apptest.Response)
		go func() { answered <- s.Complete(rule, object{"walletAddress": "w"}) }()
		<-reached
		s.Complete(other, object{"walletAddress": "w"}).OK() // the same member, its account, and the rule itself
		s.Update(rule, object{"description": "changed meanwhile"})
		close(hang)
		(<-answered).OK()
		if got := s.Balance("w"); got != "30" {
			t.Errorf("paid %s", got)
		}
	})
}

func TestRulesWithoutAnybodyToAskAreNotSetUp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.User("w", object{"externalIdentifier": "C-1"})
		for _, kind := range append([]string{"stratus_function"}, apptest.PartnerTypes...) {
			for _, lost := range []bool{false, true} {
				rule := s.Rule(kind, nil)
				if lost {
					s.UseDeletedFunction(rule)
				}
				got := s.Complete(rule, object{"walletAddress": "w"})
				got.Refused(400, "Rule is not setup")
				s.Complete(rule, object{"walletAddress": "w", "verifyOnly": true}).Refused(400, "Rule is not setup")
				s.Simulate(rule, object{"walletAddress": "w"}).Predicts(got)
			}
			if kind == "create_partner_account" || kind == "swap" { // never by itself
				continue
			}
			scheduled := s.Rule(kind, object{"frequency": "daily"})
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(scheduled)[0]); got != "failed 0/0/0/0 Rule is not setup" {
				t.Errorf("%s: %s", kind, got)
			}
		}
	})
}

func TestAPartnerOfOneWebsiteKnowsNothingOfOthers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := apptest.NewPartner(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		site := s.WebsiteID.String()
		config := fmt.Sprintf(
			`{"partners":[{"type":"create_partner_account","websiteId":%q,"url":%q,"header":{"name":"Authorization","value":%q}}]}`,
			site,
			p.URL,
			apptest.PartnerSecret,
		)
		again, err := app.Open(
			t.Context(),
			app.Config{
				Database:     address,
				DataDir:      t.TempDir(),
				NoRateLimits: true,
				Dev:          true,
				Now:          s.Clock.Now,
				Partners:     apptest.WriteConfig(t, config),
				Logger:       slog.New(slog.DiscardHandler),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = again.Close() })
		h := httptest.NewServer(again.Handler)
		t.Cleanup(h.Close)
		s.App, s.HTTP = again, h
		p.Set(func(p *apptest.Partner) { p.Holders["w"] = true })
		s.Complete(s.Rule("create_partner_account", nil), object{"walletAddress": "w"}).OK()
		other := *s
		other.Program = s.NewProgram("Other")
		other.Complete(other.Rule("create_partner_account", nil), object{"walletAddress": "w"}).
			Refused(400, "Rule is not setup")
		if n := len(p.TakeQuestions()); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestAFaultyConfigurationOfPartnersStopsTheStart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[]`: "--partners must be a JSON object",
		`{"partners":[{"type":"shop_spend","url":"ftp://shop.example"}]}`: "--partners partners.0.url must be a valid url",
	} {
		_, err := app.Open(
			t.Context(),
			app.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "a.db"), Partners: apptest.WriteConfig(t, text)},
		)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "none.json")
	database := filepath.Join(t.TempDir(), "a.db")
	if _, err := app.Open(
		t.Context(),
		app.Config{Database: "sqlite:" + database, Partners: missing},
	); err == nil ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(database); err == nil {
		t.Error("the database was made all the same")
	}
}

package app_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// partner is the operator's partner: it has accounts and attendance tokens of wallets, and a shop, and tells of them
// when it is asked (contract 6).
type partner struct {
	*httptest.Server
	mu        sync.Mutex
	questions []partnerQuestion
	holders   map[string]bool // wallets with an account, or with a token
	bought    []purchase
	// say is asked first: an answer with a status other than 0 is given in place of the truth. -1 cuts the connection.
	say func(q partnerQuestion) (status int, body string)
}

type partnerQuestion struct {
	OrganizationID, WebsiteID string
	Rule                      struct {
		ID, Name, Type string
		Metadata       map[string]any
		Collections    []any
		ShopStoreURL   *string
	}
	User struct {
		ID                                                   *string
		WalletAddresses, EmailAddresses, ExternalIdentifiers []string
	}
	Since   *time.Time
	Until   time.Time
	Request struct {
		ContentURL, VerificationCode *string
		RangeValue                   *laurel.Amount
	}
}

// purchase is what a customer bought.
type purchase struct {
	customer string // address or id
	at       time.Time
	sum      laurel.Amount
}

func newPartner(t *testing.T) *partner {
	t.Helper()
	p := &partner{holders: map[string]bool{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

const partnerSecret = "Bearer s3cret"

func (p *partner) answer(w http.ResponseWriter, r *http.Request) {
	var q partnerQuestion
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" ||
		r.Header.Get("Authorization") != partnerSecret ||
		json.NewDecoder(r.Body).Decode(&q) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.mu.Lock()
	p.questions = append(p.questions, q)
	say := p.say
	p.mu.Unlock()
	if say != nil {
		if status, body := say(q); status != 0 {
			tell(w, status, body)
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if q.Rule.Type != "shop_spend" {
		_, _ = fmt.Fprintf(
			w,
			`{"fulfilled":%t}`,
			slices.ContainsFunc(q.User.WalletAddresses, func(wallet string) bool { return p.holders[wallet] }),
		)
		return
	}
	var spent laurel.Amount
	for _, b := range p.bought {
		theirs := slices.Contains(q.User.EmailAddresses, b.customer) ||
			slices.Contains(q.User.ExternalIdentifiers, b.customer)
		if theirs && (q.Since == nil || !b.at.Before(*q.Since)) && b.at.Before(q.Until) {
			spent += b.sum
		}
	}
	_, _ = fmt.Fprintf(w, `{"fulfilled":%t,"value":%q,"currency":"EUR"}`, spent > 0, spent)
}

func (p *partner) set(f func(p *partner)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p)
}

// always gives the same answer from now on.
func (p *partner) always(status int, body string) {
	p.set(func(p *partner) { p.say = func(partnerQuestion) (int, string) { return status, body } })
}

// saysOf returns as told of each member; status 0: the truth.
func (p *partner) saysOf(say func(wallet string) (status int, body string)) {
	p.set(func(p *partner) {
		p.say = func(q partnerQuestion) (int, string) { return say(q.User.WalletAddresses[0]) }
	})
}

// silentOf gives no answer to go by about a member.
func (p *partner) silentOf(member string) {
	p.saysOf(func(wallet string) (int, string) {
		if wallet == member {
			return 200, "what?"
		}
		return 0, ""
	})
}

// falters returns some more questions with the truth, and then nothing to go by.
func (p *partner) falters(after int64) {
	var asked atomic.Int64
	p.saysOf(func(string) (int, string) {
		if asked.Add(1) > after {
			return 200, "what?"
		}
		return 0, ""
	})
}

func (p *partner) honest() { p.set(func(p *partner) { p.say = nil }) }

func (p *partner) buys(s *server, customer string, sum laurel.Amount) {
	p.set(func(p *partner) { p.bought = append(p.bought, purchase{customer, s.clock.Now(), sum * laurel.One}) })
}

// asked returns the questions since it was asked last.
func (p *partner) asked() []partnerQuestion {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.questions
	p.questions = nil
	return list
}

// file writes a configuration of the partner, for all its types.
func (p *partner) file(t *testing.T) string {
	t.Helper()
	var list []string
	for _, kind := range append([]string{"listing"}, partnerTypes...) {
		list = append(
			list,
			fmt.Sprintf(
				`{"type":%q,"url":%q,"header":{"name":"Authorization","value":%q},"timeoutSeconds":0.5}`,
				kind,
				p.URL+"/"+kind,
				partnerSecret,
			),
		)
	}
	return configured(t, `{"partners":[`+strings.Join(list, ",")+`]}`)
}

// partnerTypes are those that calls complete; listing is asked about in runs alone.
var partnerTypes = []string{"create_partner_account", "shop_spend", "attendance_token_claim", "governance_vote", "swap"}

// eachWithPartner runs the test with a partner that the server asks.
func eachWithPartner(t *testing.T, f func(t *testing.T, s *server, p *partner, db database)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := newPartner(t)
		s := openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: p.file(t)})
		f(t, s, p, database{storetest.Open(t, address, s.clock.Now), t})
	})
}

// customer gives a wallet a verified address.
func (db database) customer(s *server, wallet string) {
	db.t.Helper()
	db.connect(s.user(wallet, object{"emailAddress": wallet + "@b.example"}), object{"emailVerifiedAt": verifiedAt})
}

const noCustomer, undone = "Email not connected or not verified", "Quest not completed"

func TestPartnersTellWhoHasEarned(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		for _, kind := range []string{"create_partner_account", "attendance_token_claim", "governance_vote", "swap"} {
			p.asked()
			rule := s.rule(kind, object{"interval": "daily"})
			wallet := "w-" + kind
			body := object{
				"walletAddress":    wallet,
				"contentUrl":       "https://a.example/x",
				"verificationCode": "c0de",
				"rangeValue":       4,
			}
			for _, more := range []object{nil, {"verifyOnly": true}} {
				told := s.simulate(rule, over(body, more))
				got := s.complete(rule, over(body, more))
				got.refused(400, undone)
				told.foretells(got)
			}
			if s.count("/api/users?walletAddress="+wallet) != 0 {
				t.Error("a refusal left a user behind")
			}
			q := p.asked()
			if len(q) != 4 || q[0].User.ID != nil || fmt.Sprint(q[0].User.WalletAddresses) != "["+wallet+"]" || q[0].Rule.ID != rule || q[0].Rule.Type != kind ||
				q[0].WebsiteID != s.WebsiteID.String() || q[0].OrganizationID != s.OrganizationID.String() ||
				*q[0].Request.ContentURL != "https://a.example/x" ||
				*q[0].Request.VerificationCode != "c0de" ||
				q[0].Request.RangeValue.String() != "4" {
				t.Errorf("%d questions: %+v", len(q), q)
			}
			if since := q[0].Since; since == nil || !since.Equal(noon.Truncate(day)) {
				t.Errorf("since %v", since)
			}
			p.set(func(p *partner) { p.holders[wallet] = true })
			for i, want := range []string{"10", "20"} {
				told := s.simulate(rule, body)
				s.complete(rule, over(body, object{"verifyOnly": true})).ok()
				told.foretells(s.complete(rule, body))
				p.asked()
				if o := s.complete(rule, body).refused(400, paidAlready); o["rewarded"] != true {
					t.Errorf("%v", o)
				}
				s.call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": wallet}, s.speak(s.user(wallet, nil))...).
					refused(400, paidAlready)
				if n := len(p.asked()); n != 0 {
					t.Errorf("asked %d times about a window that is paid", n)
				}
				if got := s.balance(wallet); got != want {
					t.Errorf("%s, day %d: %s", kind, i+1, got)
				}
				s.clock.advance(day)
			}
			s.call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": wallet}, s.speak(s.user(wallet, nil))...).
				ok()
			s.in(wallet, kind)
			s.in("mate-"+kind, kind)
			s.clock.advance(day)
			s.complete(rule, object{"walletAddress": "mate-" + kind}).ok() // what a member of a group has counts for each
			s.complete(rule, body).refused(400, paidAlready)
			s.clock.set(noon)
		}
		s.sound()
	})
}

func TestWhatRefusesAnywayIsNotAsked(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		p.set(func(p *partner) { p.holders["w"] = true })
		at := func(d time.Duration) string { return noon.Add(d).Format(time.RFC3339) }
		s.user("blocked", object{"isBlocked": true})
		s.user("w", nil)
		first := s.rule("external_rule", object{"isRequired": true})
		for _, c := range []struct {
			properties object
			wallet     string
			message    string
		}{
			{object{"startTime": at(time.Hour)}, "w", "Loyalty rule A create_partner_account has not started yet"},
			{object{"endTime": at(-time.Hour)}, "w", "Loyalty rule has expired"},
			{object{}, "blocked", "Access restricted. Your account is blocked."},
			{object{}, "w", locked},
			{object{"trackProgress": true, "isRequired": true}, "w", undone},
			{object{"type": "shop_spend", "isRequired": true}, "w", noCustomer},
		} {
			rule := s.rule("create_partner_account", c.properties)
			s.complete(rule, object{"walletAddress": c.wallet}).refused(400, c.message)
			s.complete(rule, object{"walletAddress": c.wallet, "verifyOnly": true}).refused(400, c.message)
			s.post("/api/loyalty/rules/"+rule, object{"isRequired": false}).ok()
		}
		if q := p.asked(); len(q) != 0 {
			t.Errorf("asked %+v", q)
		}
		s.complete(first, object{"walletAddress": "w"}).ok()
		s.complete(s.rule("create_partner_account", nil), object{"walletAddress": "w"}).ok()
		if n := len(p.asked()); n != 1 {
			t.Errorf("asked %d times about one reward", n)
		}
	})
}

func TestShopsPayByWhatWasSpent(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		rule := s.rule(
			"shop_spend",
			object{"amount": "1.5", "interval": "daily", "metadata": object{"rewardPerValue": true, "promoCode": "hidden"}},
		)
		buy := object{"walletAddress": "w"}
		s.complete(rule, buy).refused(400, noCustomer)
		s.simulate(rule, buy).foretells(s.complete(rule, buy))
		s.user("w", object{"emailAddress": "w@b.example"})
		s.complete(rule, buy).refused(400, noCustomer)
		if q := p.asked(); len(q) != 0 {
			t.Errorf("asked of nobody: %+v", q)
		}
		db.customer(s, "w")
		s.complete(rule, buy).refused(400, undone)
		p.buys(s, "w@b.example", 20)
		s.multiply("w", 2, nil)
		s.complete(rule, over(buy, object{"verifyOnly": true})).ok()
		told := s.simulate(rule, buy)
		told.foretells(s.complete(rule, buy)) // 1.5 x 20 x 2
		if got := s.balance("w"); got != "60" {
			t.Errorf("paid %s", got)
		}
		q := p.asked()[0]
		if _, there := q.Rule.Metadata["promoCode"]; there || q.Rule.Metadata["rewardPerValue"] != true ||
			fmt.Sprint(q.User.EmailAddresses) != "[w@b.example]" {
			t.Errorf("shown %+v", q)
		}
		p.buys(s, "w@b.example", 5)
		s.complete(rule, buy).refused(400, paidAlready)
		s.clock.advance(day)
		s.complete(rule, buy).refused(400, undone) // nothing was bought today
		p.buys(s, "w@b.example", 7)
		s.complete(rule, buy).ok()
		if got := s.balance("w"); got != "81" {
			t.Errorf("after the second day %s", got)
		}
		// The id that the caller's systems have for a customer does as well, and pays once whoever holds it.
		s.user("x", object{"externalIdentifier": "C-1"})
		p.buys(s, "C-1", 3)
		s.complete(rule, object{"walletAddress": "x"}).ok()
		s.user("y", object{"externalIdentifier": "C-1"})
		s.complete(rule, object{"walletAddress": "y"}).refused(400, paidAlready)
		if got := s.balance("x"); got != "4.5" {
			t.Errorf("by the customer's id %s", got)
		}
		if r := s.replay(rule, nil); r.Total.Completions != 3 || r.Total.Difference != 0 || r.Unknown != 0 {
			t.Errorf("replayed: %+v", r)
		}
		if r := s.replay(rule, object{"amount": 3}); r.Total.Difference.String() != "85.5" {
			t.Errorf("with the amount doubled: %+v", r)
		}
		s.sound()
	})
}

func TestWhatWasSpentPaysOnceWhateverTheWindows(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		for i, properties := range []object{
			{"interval": "unlimited"},
			{"interval": "custom", "metadata": object{"customIntervalSeconds": 60}},
			{"interval": "once", "metadata": object{"resetProgressOnClaim": true}},
		} {
			wallet := fmt.Sprint("w", i)
			db.customer(s, wallet)
			rule := s.rule(
				"shop_spend",
				over(
					object{"amount": 1},
					properties,
					object{"metadata": over(object{"rewardPerValue": true}, asObject(properties["metadata"]))},
				),
			)
			var spent laurel.Amount
			for n := range 4 {
				p.buys(s, wallet+"@b.example", laurel.Amount(n+1))
				spent += laurel.Amount(n + 1)
				var crowd sync.WaitGroup
				paid := make([]int, 6)
				for k := range paid {
					crowd.Go(func() { paid[k] = s.complete(rule, object{"walletAddress": wallet}).status })
				}
				crowd.Wait()
				if slices.Max(paid) != 400 || slices.Index(paid, 200) < 0 {
					t.Errorf("%v: answered %v", properties, paid)
				}
				if got := s.balance(wallet); got != fmt.Sprint(int64(spent)) {
					t.Fatalf("%v: paid %s of %d that were spent", properties, got, spent)
				}
				s.clock.advance(2 * time.Minute)
			}
			s.complete(rule, object{"walletAddress": wallet}).refused(400, undone)
		}
		s.sound()
	})
}

func asObject(value any) object { o, _ := value.(object); return o }

func TestRangesAreOfWhatPartnersMeasure(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		tiers := []object{
			{"startRange": 10, "endRange": 20, "amount": 1, "loyaltyMultiplierAmount": 2},
			{"startRange": 21, "endRange": 30, "amount": "2.5", "loyaltyMultiplierAmount": 3},
		}
		for i, c := range []struct{ spent, plain, per string }{{"9.999999", "", ""}, {"10", "1", "10"}, {"29.5", "2.5", "73.75"}, {"1000", "2.5", "2500"}} {
			wallet := fmt.Sprint("w", i)
			db.customer(s, wallet)
			p.always(200, `{"fulfilled":true,"value":`+c.spent+`}`)
			for per, want := range map[bool]string{false: c.plain, true: c.per} {
				rule := s.rule("shop_spend", object{"metadata": object{"range": tiers, "rewardPerValue": per}})
				before := s.balance(wallet)
				told := s.simulate(rule, object{"walletAddress": wallet})
				got := s.complete(rule, object{"walletAddress": wallet})
				told.foretells(got)
				if want == "" {
					got.refused(400, "Quest not achieved, please try again.")
					if m := told.ok()["missing"].(object)["value"].(object); fmt.Sprint(m) != "map[have:9.999999 need:10]" {
						t.Errorf("missing %v", m)
					}
					continue
				}
				if paid := got.ok()["data"].(object)["rewards"].([]any)[0].(object)["amount"]; fmt.Sprint(paid) != want {
					t.Errorf("%s, per value %t: %v (before: %s)", c.spent, per, paid, before)
				}
			}
		}
		// Of partners without a shop too; and a better tier takes the place of a multiplier, though the window is paid.
		for _, kind := range partnerTypes {
			wallet := "m-" + kind
			db.customer(s, wallet)
			p.always(200, `{"fulfilled":true,"value":"12"}`)
			gift := s.gift(nil, object{"type": kind, "interval": "once", "metadata": object{"range": tiers}})
			s.complete(gift, object{"walletAddress": wallet}).ok()
			s.complete(gift, object{"walletAddress": wallet}).refused(400, paidAlready)
			p.always(200, `{"fulfilled":true,"value":22}`)
			s.complete(gift, object{"walletAddress": wallet}).ok()
			if got := fmt.Sprint(s.held(wallet)); got != "[3]" {
				t.Errorf("%s holds %s", kind, got)
			}
		}
		s.post("/api/loyalty/rules", object{"name": "N", "type": "shop_spend", "amount": 1, "maxAmountInterval": "daily", "maxAmountPerInterval": 15}).
			refused(400, "maxAmountInterval is for smart_contract_event, external_rule and stratus_function only")
	})
}

func TestAnOutageOfAPartnerPaysNothingAndIsOverWhenItIsOver(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const slow, invalid, failed, broken = "Provider did not answer in time", "Provider did not give a valid answer", "Provider failed", "Provider broke off the connection"
		shop := s.rule("shop_spend", object{"amount": 1, "metadata": object{"rewardPerValue": true}})
		account := s.rule("create_partner_account", nil)
		p.set(func(p *partner) { p.holders["w"] = true })
		db.customer(s, "w")
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
			p.set(func(p *partner) {
				p.say = func(partnerQuestion) (int, string) {
					if c.status == 1 {
						<-hang
						return -1, ""
					}
					return c.status, c.body
				}
			})
			for _, got := range []answer{s.complete(shop, object{"walletAddress": "w"}), s.simulate(shop, object{"walletAddress": "w", "verifyOnly": true})} {
				got.refused(503, c.message)
				if got.header.Get("Retry-After") != "5" || got.json()["success"] != false {
					t.Errorf("%v %s", got.header, got.body)
				}
			}
			p.honest()
			// it recovers, and is not left alone for its failures in a row
			s.complete(account, object{"walletAddress": "w", "verifyOnly": true}).ok()
		}
		close(hang)
		if got := s.balance("w"); got != "" {
			t.Errorf("an outage paid %s", got)
		}
		p.buys(s, "w@b.example", 4)
		s.complete(shop, object{"walletAddress": "w"}).ok()
		s.complete(shop, object{"walletAddress": "w"}).refused(400, paidAlready)
		if got := s.balance("w"); got != "4" {
			t.Errorf("afterwards %s", got)
		}
		s.sound()
	})
}

func TestAPartnerThatFailsForOneTenantAnswersOthers(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		p.set(func(p *partner) {
			p.holders["w"] = true
			p.say = func(q partnerQuestion) (int, string) {
				if q.WebsiteID == s.WebsiteID.String() {
					return 500, ""
				}
				return 0, ""
			}
		})
		mine := s.rule("create_partner_account", nil)
		const resting = "Provider failed several times in a row and is left alone for a while"
		for i := range 4 { // two tries each
			s.complete(mine, object{"walletAddress": "w"}).
				refused(503, map[bool]string{true: "Provider failed", false: resting}[i < 2])
		}
		before := len(p.asked())
		s.complete(mine, object{"walletAddress": "w"}).refused(503, resting)
		if n := len(p.asked()); before < 5 || before > 6 || n != 0 {
			t.Errorf("a host that fails is asked %d times, then %d", before, n)
		}
		other := *s
		other.Program = s.program("Other")
		theirs := other.rule("create_partner_account", nil)
		other.complete(theirs, object{"walletAddress": "w"}).ok()
	})
}

func TestNothingWaitsForAPartnerButWhoAsked(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		rule, other := s.rule(
			"create_partner_account",
			object{"interval": "unlimited"},
		), s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		s.complete(other, object{"walletAddress": "w"}).ok()
		reached, hang := make(chan struct{}, 100), make(chan struct{})
		p.set(func(p *partner) {
			p.say = func(partnerQuestion) (int, string) {
				reached <- struct{}{}
				<-hang
				return 200, `{"fulfilled":true}`
			}
		})
		answered := make(chan answer)
		go func() { answered <- s.complete(rule, object{"walletAddress": "w"}) }()
		<-reached
		for range 3 { // the same member, its account, and the rule itself
			s.complete(other, object{"walletAddress": "w"}).ok()
		}
		s.update(rule, object{"description": "changed meanwhile"})
		close(hang)
		(<-answered).ok()
		if got := s.balance("w"); got != "50" {
			t.Errorf("paid %s", got)
		}
	})
}

func TestRulesWithoutAnybodyToAskAreNotSetUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.user("w", object{"externalIdentifier": "C-1"})
		for _, kind := range append([]string{"stratus_function"}, partnerTypes...) {
			for _, properties := range []object{{}, {"functionId": nobody}} {
				rule := s.rule(kind, properties)
				got := s.complete(rule, object{"walletAddress": "w"})
				got.refused(400, "Rule is not setup")
				s.complete(rule, object{"walletAddress": "w", "verifyOnly": true}).refused(400, "Rule is not setup")
				s.simulate(rule, object{"walletAddress": "w"}).foretells(got)
			}
			if kind == "create_partner_account" || kind == "swap" { // never by itself
				continue
			}
			scheduled := s.rule(kind, object{"frequency": "daily"})
			s.run()
			if got := counts(s.runs(scheduled)[0]); got != "failed 0/0/0/0 Rule is not setup" {
				t.Errorf("%s: %s", kind, got)
			}
		}
	})
}

func TestAPartnerOfOneWebsiteKnowsNothingOfOthers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := newPartner(t)
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		site := s.WebsiteID.String()
		config := fmt.Sprintf(
			`{"partners":[{"type":"create_partner_account","websiteId":%q,"url":%q,"header":{"name":"Authorization","value":%q}}]}`,
			site,
			p.URL,
			partnerSecret,
		)
		again, err := app.Open(
			t.Context(),
			app.Config{
				Database:     address,
				DataDir:      t.TempDir(),
				NoRateLimits: true,
				Dev:          true,
				Now:          s.clock.Now,
				Partners:     configured(t, config),
				Logger:       slog.New(slog.DiscardHandler),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = again.Close() })
		h := httptest.NewServer(again.Handler)
		t.Cleanup(h.Close)
		s.app, s.http = again, h
		p.set(func(p *partner) { p.holders["w"] = true })
		s.complete(s.rule("create_partner_account", nil), object{"walletAddress": "w"}).ok()
		other := *s
		other.Program = s.program("Other")
		other.complete(other.rule("create_partner_account", nil), object{"walletAddress": "w"}).
			refused(400, "Rule is not setup")
		if n := len(p.asked()); n != 1 {
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
			app.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "a.db"), Partners: configured(t, text)},
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

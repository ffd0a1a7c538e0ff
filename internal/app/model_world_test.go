package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// mworld is a website that the model and the service both know.
type mworld struct {
	*apptest.Server
	*model
	db      apptest.Database
	partner *apptest.Partner
	dice    *rand.Rand
	list    []*mrule
	total   int // of the weights
	members []*mmember
	gold    string // a second currency
	fresh   int
	paid    []mcall // calls with a key that was paid
	counts  map[string]int
}

// currencyID returns the id of a currency by its name in the model.
func (w *mworld) currencyID(name string) string {
	if name == "gold" {
		return w.gold
	}
	return w.LoyaltyCurrencyID.String()
}

func newWorld(
	s *apptest.Server,
	db apptest.Database,
	out *apptest.Partner,
	p app.Program,
	seed, number uint64,
) *mworld {
	own := *s
	own.Program = p
	w := &mworld{
		Server:  &own,
		model:   newModel(),
		db:      db,
		partner: out,
		dice:    rand.New(rand.NewPCG(seed, number)),
		counts:  map[string]int{},
	}
	w.gold = w.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
	gone := w.Post(apptest.CurrenciesPath, object{"name": "Gone", "symbol": "X", "decimals": 0}).OK()["id"].(string)
	for _, r := range theRules() {
		w.build(r, gone)
	}
	w.Remove("/api/loyalty/currencies/" + gone)
	for _, r := range w.list {
		if r.deleted {
			w.Remove("/api/loyalty/rules/" + r.id)
		}
		if k := r.chain; k != nil {
			conditions := []object{{"type": "rule", "loyaltyRuleId": w.rules[k.rule].id, "repeatCount": k.repeat}}
			if k.holds > 0 {
				conditions = append(
					conditions,
					object{
						"type":               "points",
						"amount":             decimals(k.holds),
						"loyaltyCurrencyIds": []string{w.LoyaltyCurrencyID.String()},
					},
				)
			}
			w.CreateChain(r.id, map[bool]string{true: "OR", false: "AND"}[k.any], conditions...)
		}
	}
	w.ReadLists()
	for i := range 60 {
		w.enlist(i)
	}
	return w
}

// build makes the rule in the service.
func (w *mworld) build(r *mrule, gone string) {
	if r.currency == "" {
		r.currency = "points"
	}
	meta := object{}
	set := func(yes bool, name string, value any) {
		if yes {
			meta[name] = value
		}
	}
	set(len(r.tiers) > 0, "range", tiersOf(r))
	set(r.newOnly, "isRestrictedToNewUsers", true)
	set(r.plain, "skipMultiplier", true)
	set(r.reset, "resetProgressOnClaim", true)
	set(r.interval == "custom", "customIntervalSeconds", r.seconds)
	set(r.several, "allowMultipleRedemptions", true)
	set(r.shared != "", "promoCode", r.shared)
	set(r.kind == "code_entry" && r.shared == "" && !r.unset, "promoCodeType", "generate")
	set(r.kind == "code_entry" && r.shared == "" && !r.unset, "promoCodeLength", 400)
	set(r.kind == "text_input", "verificationTextMinimumLength", r.least)
	set(r.kind == "link_click" && !r.unset, "link", "https://a.example")
	set(r.kind == "link_click", "timeDelayToVerifySeconds", r.seconds)
	set(r.wallet != "", "walletType", r.wallet)
	if r.kind == "profile_completed" {
		asked := object{}
		for _, f := range r.fields {
			asked[f] = true
		}
		meta["completeProfileConditions"] = asked
	}
	body := object{
		"name":              r.name,
		"type":              r.kind,
		"amount":            decimals(r.amount),
		"interval":          r.interval,
		"metadata":          meta,
		"isRequired":        r.required,
		"showBeforeStart":   r.shown,
		"trackProgress":     r.tracked,
		"loyaltyCurrencyId": w.currencyID(r.currency),
	}
	if r.currencyGone {
		body["loyaltyCurrencyId"] = gone
	}
	if r.counter {
		body["progressType"] = "counter"
	}
	if r.capPer != "" {
		body["maxAmountInterval"], body["maxAmountPerInterval"] = r.capPer, decimals(r.cap)
	}
	w.parts(r, body, meta)
	for name, at := range map[string]time.Time{"startTime": r.start, "endTime": r.end} {
		if !at.IsZero() {
			body[name] = at
		}
	}
	r.id = w.Post("/api/loyalty/rules", body).OK()["id"].(string)
	if meta["promoCodeType"] == "generate" {
		for _, c := range w.Codes(r.id, "") {
			r.codes = append(r.codes, c["code"].(string))
		}
	}
	if r.question != nil {
		q := w.CreateQuestion(r.id, object{"allowMultipleAttempts": r.again})
		r.question = &q
	}
	w.rules[r.name] = r
	w.list = append(w.list, r)
	w.total += r.weight
	if r.required {
		w.needed = append(w.needed, r)
	}
}

func tiersOf(r *mrule) []object {
	var out []object
	for _, t := range r.tiers {
		out = append(out, object{"startRange": decimals(t.from), "endRange": decimals(t.to), "amount": decimals(t.amount)})
		out[len(out)-1]["startRange"], out[len(out)-1]["endRange"] = t.from/millionth, t.to/millionth
	}
	return out
}

// enlist makes the i-th member: some are blocked, some have done nothing that is required, some have multipliers, each
// has other accounts.
func (w *mworld) enlist(i int) {
	u := &mmember{wallet: w.wallet(i), known: true, joinedAt: w.Clock.Now(), blocked: i%15 == 0, locked: i%10 == 1,
		fields: map[string]bool{}, connected: map[string]bool{}}
	meta, flown := object{"isBlocked": u.blocked}, object{}
	has := func(part int) bool { return w.dice.IntN(100) < part }
	for _, f := range []string{"displayName", "bio"} {
		if has(70) {
			meta[f], u.fields[f] = "x", true
		}
	}
	for _, c := range apptest.Connections {
		if c.Kind == "connected_email" || c.Kind == "connected_phone" || !has(50) {
			continue
		}
		u.connected[c.Kind] = true
		for name, value := range c.Written {
			meta[name] = fmt.Sprint(value, i)
			if name == "messengerUserId" {
				meta[name] = fmt.Sprint(1000 + i)
			}
		}
		for name, value := range c.Connected {
			flown[name] = fmt.Sprint(value, i)
		}
	}
	if u.emailSet = has(66); u.emailSet {
		u.email = fmt.Sprintf("m%d.%x@b.example", i, w.LoyaltyCurrencyID[12:])
		meta["emailAddress"] = u.email
		if u.emailVerified = has(50); u.emailVerified {
			flown["emailVerifiedAt"] = apptest.VerifiedAt
		}
	}
	if has(60) {
		meta["phoneNumber"] = fmt.Sprintf("+4915112%06d", i)
		if u.phone = has(60); u.phone {
			flown["phoneVerifiedAt"] = apptest.VerifiedAt
		}
	}
	if u.proof = has(60); u.proof {
		flown["verifiedLocallyAt"] = apptest.VerifiedAt
	}
	w.belongs(i, u, meta)
	u.id = w.User(u.wallet, meta)
	w.db.Connect(u.id, flown)
	for range w.dice.IntN(3) * (i % 2) {
		f := mfactor{value: int64(500_000 + 250_001*w.dice.IntN(8)), currency: []string{"", "points", "gold"}[w.dice.IntN(3)]}
		only := []string{}
		if f.currency != "" {
			only = append(only, w.currencyID(f.currency))
		}
		w.GrantMultiplier(u.wallet, decimals(f.value), object{"loyaltyCurrencyIds": only})
		u.factors = append(u.factors, f)
	}
	w.members = append(w.members, u)
	if !u.locked { // they have done what comes before all other rules
		c := mcall{rule: w.rules["required"], member: u}
		o := w.decide(c, w.Clock.Now())
		w.came(c, o, w.Complete(c.rule.id, object{"userId": u.id}))
		w.happened(c, o, w.Clock.Now())
	}
}

// sums demands that the service holds what the model holds.
func (w *mworld) sums() {
	w.T.Helper()
	for _, name := range []string{"points", "gold"} {
		listed := w.pages(
			"/api/loyalty/accounts?limit=1000&loyaltyCurrencyId="+w.currencyID(name),
			func(a object) (string, string) {
				user, _ := a["user"].(object)
				return fmt.Sprint(user["walletAddress"]), fmt.Sprint(a["amount"])
			},
		)
		for _, u := range w.members {
			if want, got := decimals(
				w.balances[joined(u.wallet, name)],
			), listed[u.wallet]; got != want &&
				(want != "0" || got != "") {
				w.T.Errorf("%s has %q %s, the model says %s", u.wallet, got, name, want)
			}
		}
	}
	byID := map[string]string{}
	for _, u := range w.Get("/api/users?limit=1000").Data() {
		byID[u["id"].(string)] = u["walletAddress"].(string)
	}
	for _, r := range w.list {
		listed := w.pages("/api/loyalty/rule_statuses?limit=1000&loyaltyRuleId="+r.id, func(p object) (string, string) {
			return byID[p["userId"].(string)], fmt.Sprint(p["progress"])
		})
		for _, u := range w.members {
			got := ""
			for _, mate := range u.all() { // a group is listed under its member who acted last
				got += listed[mate.wallet]
			}
			if want := decimals(w.progress[pair(r, u)]); got != want && (want != "0" || got != "") {
				w.T.Errorf("%s: %s is at %q, the model says %s", r.name, u.wallet, got, want)
			}
		}
	}
}

// pages reads all pages of a list, and maps each item's key to its description.
func (w *mworld) pages(path string, describe func(object) (string, string)) map[string]string {
	w.T.Helper()
	out := map[string]string{}
	for after := ""; ; {
		page := w.Call(w.WebsiteAPIKey, http.MethodGet, path+after, nil)
		items := page.Data()
		for _, item := range items {
			k, v := describe(item)
			out[k] = v
		}
		if page.OK()["hasNextPage"] != true {
			return out
		}
		after = "&startingAfter=" + items[len(items)-1]["id"].(string)
	}
}

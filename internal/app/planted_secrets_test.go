package app_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// smells finds names that suggest a credential.
var smells = regexp.MustCompile(`(?i)secret|token|password|passphrase|api_?key|auth|credential|private|signing|bearer`)

// planted are the properties of requests that hold a credential; the test below plants each of them.
var planted = []string{"apiAuthValue", "metadata.customRewardsApiKey", "secrets", "verificationData.accessToken"}

// harmless are the properties of requests whose names smell of a credential and that hold none.
var harmless = map[string]string{
	"apiAuthKey":         "the name of a user or of a header",
	"apiAuthType":        "how a call says who makes it",
	"oauthCredentialsId": "names a setting of the operator",
	"tokenReward":        "which token is paid",
	"tokenId":            "the number of a token on its chain",
	"tokenType":          "the standard of a token",

	"isFreeClaimForTokenHolders": "a flag",
}

// requested lists the properties of every request body in the document, inner ones with a dot between.
func requested(s *apptest.Server) []string {
	s.T.Helper()
	document := s.OpenAPI()
	found := map[string]bool{}
	var walk func(schema any, at string, depth int)
	walk = func(schema any, at string, depth int) {
		o, _ := schema.(object)
		if ref, ok := o["$ref"].(string); ok {
			o = document["components"].(object)["schemas"].(object)[ref[strings.LastIndex(ref, "/")+1:]].(object)
		}
		if depth > 6 {
			return
		}
		walk2 := func(inner any) { walk(inner, at, depth+1) }
		if o["items"] != nil {
			walk2(o["items"])
		}
		for _, list := range []string{"oneOf", "anyOf", "allOf"} {
			for _, inner := range items(o[list]) {
				walk2(inner)
			}
		}
		properties, _ := o["properties"].(object)
		for name, inner := range properties {
			found[at+name] = true
			walk(inner, at+name+".", depth+1)
		}
	}
	for _, methods := range document["paths"].(object) {
		for _, described := range methods.(object) {
			if body, ok := described.(object)["requestBody"].(object); ok {
				walk(body["content"].(object)["application/json"].(object)["schema"], "", 0)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestEverySecretThatAnOperationTakesIsPlanted fails where a request takes a new property that smells of a credential:
// it must be planted below, or be listed as harmless with a reason.
func TestEverySecretThatAnOperationTakesIsPlanted(t *testing.T) {
	t.Parallel()
	s := apptest.Open(t, storetest.Engines()[0].URL(t), app.Config{})
	names := requested(s)
	if len(names) < 100 || !slices.Contains(names, "apiAuthValue") {
		t.Fatalf("found no properties: %v", names)
	}
	for _, name := range names {
		last := name[strings.LastIndex(name, ".")+1:]
		if smells.MatchString(last) && !slices.Contains(planted, name) && harmless[last] == "" {
			t.Errorf("%s smells of a credential and is neither planted nor harmless", name)
		}
	}
}

// planter makes secrets, each of which is found again wherever it lies.
type planter struct {
	*apptest.Server
	outside
	bank  *apptest.Bank
	out   *apptest.Site
	made  []string
	codes []string // of 6 digits, which are looked for as words
	calls int
}

func (p *planter) secret(what string) string {
	text := fmt.Sprintf(
		"pl4nt-%s-%d-%s",
		what,
		len(p.made),
		strings.ReplaceAll(laurel.ID{byte(len(p.made)), 7}.String(), "-", ""),
	)
	p.made = append(p.made, text)
	return text
}

// once posts with an Idempotency-Key, twice: a replay leaves secrets out.
func (p *planter) once(path string, body any) object {
	p.T.Helper()
	p.calls++
	key := fmt.Sprint("call ", p.calls)
	first := p.Call(p.WebsiteAPIKey, http.MethodPost, path, body, "Idempotency-Key", key)
	again := p.Call(p.WebsiteAPIKey, http.MethodPost, path, body, "Idempotency-Key", key)
	if again.Header.Get("Idempotent-Replayed") != "true" || again.Status != first.Status {
		p.T.Errorf("%s: no replay: %d %s", path, again.Status, again.Body)
	}
	if output := p.found(again.Body); output != "" {
		p.T.Errorf("%s: the replay tells %s", path, output)
	}
	return first.OK()
}

// found returns a secret that the text holds, as it is or encoded.
func (p *planter) found(text string) string {
	for _, code := range p.codes {
		if regexp.MustCompile(`(^|[^0-9A-Za-z.])` + code + `($|[^0-9A-Za-z])`).MatchString(text) {
			return code
		}
	}
	for _, s := range p.made {
		for _, form := range []string{s, hex.EncodeToString([]byte(s)), strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(s)), "=")} {
			if strings.Contains(text, form) {
				return s
			}
		}
	}
	return ""
}

// currencies plants what currencies take.
func (p *planter) currencies() {
	first, second := p.secret("apiAuthValue"), p.secret("apiAuthValue")
	body := object{
		"name":         "Miles",
		"symbol":       "M",
		"decimals":     0,
		"apiAuthType":  "bearer",
		"apiAuthValue": first,
		"apiPostUrl":   p.bank.URL + "/post",
		"apiGetUrl":    p.bank.URL + "/get",
	}
	c := p.once(apptest.CurrenciesPath, body)
	path := apptest.CurrenciesPath + "/" + c["id"].(string)
	for _, change := range []object{{"apiAuthValue": second}, {"name": "More miles"}, {"apiAuthType": "apiKey", "apiAuthKey": "x-bank"}} {
		if made := p.once(path, change); change["name"] != nil && made["apiAuthValue"] != second {
			p.T.Errorf("after %v apiAuthValue is %v", change, made["apiAuthValue"])
		}
	}
	pay := object{
		"description":       "T",
		"loyaltyCurrencyId": c["id"],
		"entries":           []object{{"walletAddress": apptest.Wallet(1), "amount": 5, "direction": "credit"}},
	}
	p.once("/api/loyalty/transactions", pay)
	if got := p.bank.LastHeader.Get("X-Bank"); got != second {
		p.T.Errorf("the bank was shown %q", got)
	}
	p.bank.Close() // requests fail from now on, and the failures are logged
	p.Post("/api/loyalty/transactions", pay).
		Refused(503, p.Post("/api/loyalty/transactions", pay).JSON()["message"].(string))
	p.Get("/api/loyalty/accounts?loyaltyCurrencyId=" + c["id"].(string)).OK()
	for key, shown := range map[string]any{p.WebsiteAPIKey: second, p.OrganizationAPIKey: second, p.ReadOnlyAPIKey: nil, p.ClientAPIKey: nil} {
		for _, listed := range p.Call(key, http.MethodGet, apptest.CurrenciesPath, nil).Data() {
			if listed["id"] == c["id"] && listed["apiAuthValue"] != shown {
				p.T.Errorf("apiAuthValue is returned as %v, not %v", listed["apiAuthValue"], shown)
			}
		}
	}
}

// rules plants what rules take.
func (p *planter) rules() {
	first, second := p.secret("customRewardsApiKey"), p.secret("customRewardsApiKey")
	const third = "pl4nt-query" // an address is no secret in the database: its query is looked for in the logs
	meta := func(key, text string) object { return object{"customRewardsApiKey": key, "buttonText": text} }
	group := p.Post("/api/loyalty/rule_groups/create", object{"name": "G"}).OK()["id"].(string)
	feed := p.out.Set("/feed", `{"next":null,"results":[{"tokenId":1,"reward":2}]}`)
	rule := p.once(
		"/api/loyalty/rules",
		object{
			"name":                "R",
			"type":                "token_hold",
			"amount":              1,
			"loyaltyCurrencyId":   p.LoyaltyCurrencyID,
			"customRewardsApiUrl": feed,
			"metadata":            meta(first, "a"),
			"loyaltyRuleGroupId":  group,
		},
	)
	id := rule["id"].(string)
	p.ReadLists()
	p.once("/api/loyalty/rules/"+id, object{"metadata": meta(second, "a")})
	p.once("/api/loyalty/rules/"+id, object{"metadata": meta(second, "b")})
	p.once("/api/loyalty/rules/"+id, object{"name": "S"})
	// An address that cannot be reached, whose query holds a secret: errors tell the address without it.
	p.once("/api/loyalty/rules/"+id, object{"customRewardsApiUrl": "http://127.0.0.1:1/feed?token=" + third})
	p.ReadLists()
	p.out.Set("/bad", `{"next":"http://bad host/?token=`+third+`","results":[]}`)
	p.once("/api/loyalty/rules/"+id, object{"customRewardsApiUrl": p.out.URL + "/bad"})
	p.ReadLists()
	for _, i := range p.Imports(id) {
		if strings.Contains(fmt.Sprint(i["message"]), third) {
			p.T.Errorf("an import's message tells %s", i["message"])
		}
	}
	p.once("/api/loyalty/rules/"+id, object{"customRewardsApiUrl": feed})
	p.once("/api/loyalty/rule_groups/"+group, object{"name": "H"})
	for _, e := range p.Edits(id) {
		if previous, ok := e["previousData"].(object); ok && previous["metadata"] != nil &&
			previous["metadata"].(object)["customRewardsApiKey"] == first {
			p.once("/api/loyalty/rule_edits/"+e["id"].(string)+"/restore", object{})
		}
	}
	if key := p.Get("/api/loyalty/rules?loyaltyRuleId=" + id).Data()[0]["metadata"].(object)["customRewardsApiKey"]; key != first {
		p.T.Errorf("after a restore the key is %v", key)
	}
	p.Complete(p.Rule("external_rule", object{"loyaltyCurrencyId": p.LoyaltyCurrencyID, "metadata": meta(p.secret("customRewardsApiKey"), "c")}), object{"walletAddress": apptest.Wallet(3)}).
		OK()
	p.Remove("/api/loyalty/rules/" + id)
	p.Post("/api/loyalty/rules/"+id, object{"deletedAt": nil}).OK()
}

// functions plants what functions take. The handler gets them, and tells of them what a hash tells.
func (p *planter) functions() {
	first, second := p.secret("secrets"), p.secret("secrets")
	const code = "module.exports.handler = (input, output) => { " +
		"output.setResult(crypto.sha256(input.secrets.k)); return output.buildOutput() }"
	made := p.once("/api/stratus/functions", object{"name": "f", "code": code, "secrets": object{"k": first}})
	path := "/api/stratus/functions/" + made["id"].(string)
	for _, text := range []string{first, second} {
		sum := sha256.Sum256([]byte(text))
		run := p.once(path+"/invoke", object{})["data"].(object)
		if run["output"] != "0x"+hex.EncodeToString(sum[:]) {
			p.T.Errorf("the handler got another secret: %v", run)
		}
		p.once(path, object{"secrets": object{"k": second}})
	}
	if secrets := p.Get(path).OK()["secrets"]; secrets != nil {
		p.T.Errorf("secrets are returned as %v", secrets)
	}
}

// wallets plants what connections of wallets take, and what they return.
func (p *planter) wallets() {
	wallet := apptest.NewSigningWallet(7)
	body := wallet.Connect(p.WebsiteID.String(), p.Clock.Now())
	body["verificationData"].(object)["accessToken"] = p.secret("accessToken")
	first := p.Call(p.WebsiteAPIKey, http.MethodPost, "/api/users/connect", body, "Idempotency-Key", "wallet")
	again := p.Call(p.WebsiteAPIKey, http.MethodPost, "/api/users/connect", body, "Idempotency-Key", "wallet").OK()
	if _, has := again["token"]; has || again["id"] != first.OK()["id"] {
		p.T.Errorf("the replay has %v", again)
	}
	p.made = append(p.made, first.JSON()["token"].(string))
}

// instanceSecret seals the secrets of the server below.
const instanceSecret = "the secret of this instance"

// TestNoSecretLiesInTheClear plants a secret with every operation that takes one and with every flow, and looks for them
// in every table, in the database's files, in the logs at their most talkative, in the metrics, in the bodies of errors,
// in the events of subscriptions, on the pages of the dashboard, and in what is replayed.
//
//racetests:plain
func TestNoSecretLiesInTheClear(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var logs storetest.Log
		log := slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		out := newOutside(t)
		config := app.Config{
			NoRateLimits: true, Dev: true, Logger: log, Secret: instanceSecret, Identity: out.file(t, ""), PublicURL: loyaltyURL,
		}
		s := apptest.OpenAtNoon(t, address, config)
		out.provider.Now = s.Clock.Now
		p := &planter{Server: s, outside: out, bank: apptest.NewBank(t), out: apptest.NewSite(t), made: configured()}
		errorsOf := &errorRecorder{}
		s.HTTP.Client().Transport = errorsOf
		hooks := p.hooks()
		p.currencies()
		p.rules()
		p.functions()
		p.wallets()
		p.accounts()
		p.phones()
		p.emails()
		p.keys()
		token := p.Call(s.WebsiteAPIKey, http.MethodPost, "/api/users/tokens", object{"walletAddress": apptest.Wallet(1)}, "Idempotency-Key", "t").OK()["token"].(string)
		p.plant(token, s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey, s.FunctionAPIKey)
		s.DeliverEvents() // they are refused, and kept with the answers
		texts := p.pages(p.admins())
		hooks.RespondWith(http.StatusNoContent)
		s.Clock.Advance(time.Hour)
		s.DeliverEvents()
		calls := hooks.TakeCalls()
		if len(calls) < 50 {
			t.Errorf("%d events were sent", len(calls))
		}
		for _, c := range calls {
			texts["events"] += c.Body
		}
		config.Identity = out.file(t, smtpPassword)
		second := again(s, address, config)
		second.HTTP.Client().Transport = errorsOf
		second.Get("/api/email/auth?emailAddress=a@b.example&walletAddress="+apptest.Wallet(203)).
			Refused(503, "Provider could not be reached")

		texts["logs"], texts["errors"] = logs.String(), strings.Join(errorsOf.texts, "\n")
		for _, cause := range []string{
			"127.0.0.1:1/feed", "a provider has not confirmed an account", "sms gateway: ", "smtp: ", "platform",
		} {
			if !strings.Contains(texts["logs"], cause) {
				t.Errorf("the log does not tell what failed: %s", cause)
			}
		}
		if len(errorsOf.texts) < 20 || strings.Contains(texts["logs"]+texts["errors"], "pl4nt") {
			t.Errorf("%d errors, or one of them or the log tells a secret", len(errorsOf.texts))
		}
		texts["metrics"] = s.Call("", http.MethodGet, "/metrics", nil).Body
		for table, text := range apptest.Dump(t, address) {
			texts["table "+table] = text
		}
		for i, text := range files(t, address) {
			texts[fmt.Sprint("file of the database ", i)] = text
		}
		for name, text := range texts {
			if secret := p.found(text); secret != "" {
				at := strings.Index(text, secret)
				t.Errorf("%s tells %s: %s", name, secret, text[max(0, at-200):min(len(text), max(0, at)+200)])
			}
		}
	})
}

// files reads the bytes of a SQLite database, its write-ahead log among them.
func files(t *testing.T, address string) (out []string) {
	t.Helper()
	path, ok := strings.CutPrefix(address, "sqlite:")
	if !ok {
		return nil
	}
	for _, ending := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(path + ending)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(content))
	}
	return out
}

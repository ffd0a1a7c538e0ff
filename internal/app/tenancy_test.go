package app_test

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// tenants holds one website of each of two organizations, acme and rival, and shop, a second website of acme.
type tenants struct{ acme, shop, rival *tenant }

func settleAll(s *apptest.Server) tenants {
	s.T.Helper()
	stranger := *s
	stranger.Program = s.NewProgram("Rival")
	sibling := *s
	site := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Acme shop"}).OK()
	var err error
	if sibling.WebsiteID, err = laurel.ParseID(site["id"].(string)); err != nil {
		s.T.Fatal(err)
	}
	for role, to := range map[laurel.Role]*string{laurel.RoleWebsite: &sibling.WebsiteAPIKey, laurel.RoleReadOnly: &sibling.ReadOnlyAPIKey,
		laurel.RoleClient: &sibling.ClientAPIKey, laurel.RoleFunction: &sibling.FunctionAPIKey} {
		key, err := s.App.Tenancy.CreateKey(
			context.Background(),
			laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization},
			tenancy.CreateKeyInput{Role: role, Name: "shop", WebsiteID: sibling.WebsiteID},
		)
		if err != nil {
			s.T.Fatal(err)
		}
		*to = key.Key
	}
	currency := sibling.Post("/api/loyalty/currencies", object{"name": "Shop points", "symbol": "SHOP", "decimals": 0}).
		OK()
	if sibling.LoyaltyCurrencyID, err = laurel.ParseID(currency["id"].(string)); err != nil {
		s.T.Fatal(err)
	}
	return tenants{settle(s, called("acme")), settle(&sibling, called("shop")), settle(&stranger, called("rival"))}
}

// called returns the texts of names as another tenant has them.
func called(name string) map[string]string {
	number := map[string]string{"acme": "a11ce", "shop": "b11ce", "rival": "c11ce", "ghost": "d11ce"}[name]
	out := map[string]string{}
	for key, value := range names {
		value = strings.ReplaceAll(strings.ReplaceAll(value, "acme", name), "Acme", name)
		if key == "phoneNumber" {
			value = "+49151" + map[string]string{"acme": "12345678", "shop": "22345678", "rival": "32345678", "ghost": "42345678"}[name]
		}
		out[key] = strings.ReplaceAll(value, "a11ce", number)
		if key == "collectionAddress" {
			out[key] = strings.TrimSuffix(value, "c0113") + number
		}
	}
	return out
}

func TestEveryOperationIsAllowedToTheKeysOfTheContractOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		all := settleAll(s)
		for _, op := range operations(s) {
			name := op.method + " " + op.path
			for broken, message := range map[string]string{"": "API key is required", "lrl_": "Invalid API key", "nonsense": "Invalid API key",
				s.WebsiteAPIKey[:len(s.WebsiteAPIKey)-1]: "Invalid API key", swapped(s.WebsiteAPIKey): "Invalid API key",
				strings.ToUpper(s.OrganizationAPIKey): "Invalid API key", s.OrganizationID.String(): "Invalid API key"} {
				got := all.acme.visit(op, 'W').send(broken)
				if got.Status != 403 || got.JSON()["message"] != message || len(got.JSON()) != 2 {
					t.Errorf("%s with key %q: %d %s", name, broken, got.Status, got.Body)
				}
			}
			for _, kind := range []byte("OWRCS") {
				got := all.acme.visit(op, kind).send(all.acme.key(kind))
				message := "API key is not allowed to perform this operation"
				if kind == 'R' && op.method != "GET" {
					message = "API key is read-only"
				}
				allowed := strings.IndexByte(op.visit.keys, kind) >= 0
				if allowed && got.Status != 200 && got.Status != 201 || !allowed && (got.Status != 403 || got.JSON()["message"] != message) {
					t.Errorf("%s with a key of kind %c: %d %s", name, kind, got.Status, got.Body)
				}
			}
		}
	})
}

// swapped returns the key with its last letter changed.
func swapped(key string) string {
	if strings.HasSuffix(key, "a") {
		return key[:len(key)-1] + "b"
	}
	return key[:len(key)-1] + "a"
}

// varying is what differs between two answers without telling anything.
var varying = regexp.MustCompile(
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0x[0-9a-f]{40}|\d{4}-\d\d-\d\dT[\d:.]+Z|"token":"[^"]*"|"(key|prefix)":"lrl_[^"]*"|"assetNr":\d+|"referralCode":"[A-Z2-9]{8}"|whsec_[A-Za-z0-9+/=]+` +
		`|(state|code_challenge)=[A-Za-z0-9_-]+|"jwtState":"[^"]*"` +
		`|alletAddress":"[1-9A-HJ-NP-Za-km-z]{43,44}"`,
)

func TestNothingOfAnotherTenantIsReadChangedOrInferred(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		all := settleAll(s)
		rivalsKinds, shopsKinds := "OWRC", "WRC"
		if strings.HasSuffix(t.Name(), "/postgres") { // the kinds differ in code that no engine sees
			rivalsKinds, shopsKinds = "OC", "W"
		}
		before := all.acme.everything()
		for _, op := range operations(s) {
			for _, by := range []struct {
				*tenant
				kinds string
				same  bool // organization: its users and their wallets are shared
			}{{all.rival, rivalsKinds, false}, {all.shop, shopsKinds, true}} {
				for _, kind := range []byte(by.kinds) {
					if !strings.Contains(op.visit.keys, string(kind)) {
						continue
					}
					for _, p := range op.places {
						if by.same &&
							(p.kind == "organization" || p.kind == "user" || p.last() == "walletAddress" || p.name == "address" || op.path == "/api/websites" && kind == 'O') {
							continue
						}
						if op.path == "/api/websites/{id}" && p.name == "name" {
							continue // the answer holds collections that the walk has given either name
						}
						walk{op, by.tenant, kind, p}.judge(t, all.acme)
					}
				}
			}
		}
		if after := all.acme.everything(); after != before {
			t.Errorf("the walk changed the first tenant:\n%s\nnow\n%s", before, after)
		}
	})
}

// walk calls an operation with the first tenant's thing at one place, and again with a thing that does not exist.
type walk struct {
	op   operation
	by   *tenant
	kind byte
	at   place
}

func (w walk) judge(t *testing.T, owner *tenant) {
	t.Helper()
	foreign, unknown := owner.things[w.at.kind], apptest.SecondUnknownID
	if w.at.kind == "" {
		foreign, unknown = names[w.at.last()], called("ghost")[w.at.last()]
	}
	response, status := w.ask(foreign)
	nobodys, other := w.ask(unknown)
	who := string(w.kind) + " of " + w.by.WebsiteID.String()
	if response != nobodys || status != other {
		t.Errorf(
			"%s %s, key %s: %s %s tells another tenant's thing from an unknown one:\n%d %s\n%d %s",
			w.op.method,
			w.op.path,
			who,
			w.at.in,
			w.at.name,
			status,
			response,
			other,
			nobodys,
		)
		t.FailNow()
	}
	want := map[string]string{"organization": "API key does not have access to this organization", "website": "API key does not have access to this website"}[w.at.kind]
	if want != "" && w.at.in != "path" && (status != 403 || response != `{"message":"`+want+`","code":"foreign_`+w.at.kind+`"}`) &&
		w.op.path+w.at.name != "/api/websitesstartingAfter" {
		t.Errorf("%s %s, key %s, foreign %s: %d %s", w.op.method, w.op.path, who, w.at.name, status, response)
	}
}

// ask returns what came back without what varies. It fails where the answer shows anything of the first tenant.
func (w walk) ask(value string) (string, int) {
	v := w.by.visit(w.op, w.kind)
	v.set(w.at, value)
	got := v.send(w.by.key(w.kind))
	body := strings.ReplaceAll(got.Body, value, "<sent>")
	if strings.Contains(strings.ToLower(body), "acme") && w.by.OrganizationID != v.OrganizationID {
		w.by.T.Errorf("%s %s shows the first tenant: %s", w.op.method, w.op.path, got.Body)
	}
	return varying.ReplaceAllString(body, "<varies>"), got.Status
}

// everything reads all that the tenant's website holds.
func (t *tenant) everything() string {
	t.T.Helper()
	var out strings.Builder
	for _, path := range []string{"/api/loyalty/rules?includeDeleted=true", "/api/loyalty/rules?includeDeleted=true&isSpecial=true",
		"/api/loyalty/currencies?includeDeleted=true&excludeTokenRewardCurrencies=false", "/api/loyalty/accounts?limit=1000",
		"/api/loyalty/accounts?userId=", "/api/loyalty/transaction_entries?limit=100", "/api/loyalty/transaction_entries?limit=100&userId=",
		"/api/users?limit=1000", "/api/websites", "/api/api_keys", "/api/loyalty/badges?includeDeleted=true", "/api/contracts",
		"/api/website_collections?websiteId=" + t.WebsiteID.String(), "/api/page_sections?placement=global&all=1",
		"/api/loyalty/website_page_sections", "/api/website_user_roles", "/api/minting/contracts?includeDeleted=true",
		"/api/minting/assets?includeDeleted=true&isHidden=true", "/api/minting/status", "/api/loyalty/holds",
		"/api/auctions?includeItems=true", "/api/auction_bids"} {
		got := t.Get(path)
		if len(got.Data()) == 0 && !strings.Contains(path, "isSpecial") {
			t.T.Errorf("%s is empty", path)
		}
		out.WriteString(got.Body + "\n")
	}
	return out.String()
}

func TestIdempotencyKeysBelongToOneAPIKey(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rival := *s
		rival.Program = s.NewProgram("Rival")
		var ids []any
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey, rival.WebsiteAPIKey} {
			got := s.Call(
				key,
				"POST",
				"/api/loyalty/currencies",
				object{"name": "Gold", "symbol": "G", "decimals": 0},
				"Idempotency-Key",
				"one",
			)
			if got.Header.Get("Idempotent-Replayed") != "" {
				t.Fatalf("replayed to another key: %s", got.Body)
			}
			ids = append(ids, got.OK()["id"])
		}
		if ids[0] == ids[1] || ids[1] == ids[2] || ids[0] == ids[2] {
			t.Fatalf("the same currency for different keys: %v", ids)
		}
	})
}

func TestOrganizationKeysNameOneOfSeveralWebsites(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		all := settleAll(s)
		for _, op := range operations(s) {
			if op.method != "POST" || op.path == "/api/websites" || op.visit.id != "" {
				continue
			}
			v := all.acme.visit(op, 'O')
			names := func(field string) bool { return v.body[field] != nil } // the thing it names tells the website
			if slices.ContainsFunc([]string{
				"assetId", "auctionId", "loyaltyRuleId", "loyaltyQuestionChoiceId", "mintingContractAssetId", "mintingContractId",
				"referralCodeId",
			}, names) || op.path == "/api/loyalty/reset" {
				continue
			}
			delete(v.body, "websiteId")
			v.send(s.OrganizationAPIKey).Refused(400, "websiteId is required")
		}
		// Lists cover both websites.
		for _, op := range operations(s) {
			needs := slices.ContainsFunc(op.places, func(p place) bool { return p.required })
			if needs || op.visit.cursor == "" || op.path == "/api/websites" {
				continue
			}
			count := func(query string) int {
				v := all.acme.visit(op, 'O')
				v.query, _ = url.ParseQuery(query)
				v.query.Set("limit", "100")
				return len(v.send(s.OrganizationAPIKey).Data())
			}
			own, shops, both := count(
				"websiteId="+all.acme.things["website"],
			), count(
				"websiteId="+all.shop.things["website"],
			), count(
				"",
			)
			extra := both - own - shops
			switch op.path {
			case "/api/users", "/api/api_keys": // some belong to the organization alone
				extra = min(extra, 0)
			}
			if own == 0 || shops == 0 || extra != 0 {
				t.Errorf("%s lists %d of one website, %d of the other, %d of both", op.path, own, shops, both)
			}
		}
	})
}

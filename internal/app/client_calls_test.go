package app_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// clientCall is a row of docs/client-keys.md.
type clientCall struct {
	proof    string // what the caller of a write proves, or on whose behalf a reader asks
	repeated string // what a second, equal write does
}

// clientCalls reads the rows of the page by operation. A row that leaves a cell empty fails the test.
func clientCalls(t *testing.T) map[string]clientCall {
	t.Helper()
	page, err := os.ReadFile("../../docs/client-keys.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]clientCall{}
	for line := range strings.Lines(string(page)) {
		name, rest, is := strings.Cut(strings.TrimPrefix(line, "| `"), "` | ")
		if !is || !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), " |"), " | ")
		write := !strings.HasPrefix(name, "GET ")
		if _, twice := found[name]; twice || slices.Contains(cells, "") || write != (len(cells) == 4) || !write && len(cells) != 2 {
			t.Errorf("the row of %s stands there twice, or lacks something", name)
			continue
		}
		found[name] = clientCall{proof: cells[0]}
		if write {
			found[name] = clientCall{cells[0], cells[2]}
		}
	}
	return found
}

// ofClients returns the operations that take a client key, each with its row.
func ofClients(t *testing.T, s *apptest.Server) (ops []operation, rows map[string]clientCall) {
	t.Helper()
	rows = clientCalls(t)
	open := map[string]bool{}
	for _, op := range operations(s) {
		if name := op.method + " " + op.path; strings.Contains(op.visit.keys, "C") {
			open[name], ops = true, append(ops, op)
			if _, documented := rows[name]; !documented {
				t.Errorf("%s takes client keys: say in docs/client-keys.md why that is safe", name)
			}
		}
	}
	for name := range rows {
		if !open[name] {
			t.Errorf("docs/client-keys.md has a row for %s, which takes no client keys", name)
		}
	}
	return ops, rows
}

// clientVisit prepares a call of the tenant's user through a client key that has an effect.
func (t *tenant) clientVisit(op operation) *visitor {
	v := t.visit(op, 'C')
	switch op.method + " " + op.path {
	case "POST /api/loyalty/rules/{id}/complete":
		v.id = t.Rule("check_in", object{"interval": "daily", "loyaltyCurrencyId": t.things["currency"]})
	case "POST /api/loyalty/questions_responses":
		choices := t.poll()["loyaltyQuestionChoices"].([]any)
		v.body["loyaltyQuestionChoiceId"] = choices[1].(object)["id"]
	case "POST /api/loyalty/badge_users/{id}":
		v.body["hideInUi"] = true
	case "POST /api/phone_verifications/connect", "POST /api/phone/auth/connect":
		v.body["code"] = t.phoneCode(object{"userId": v.body["userId"], "phoneNumber": v.body["phoneNumber"]})
	case "POST /api/phone_verifications/disconnect", "POST /api/phone/auth/disconnect":
		proof := aNumber(t)
		delete(proof, "walletAddress")
		proof["userId"] = v.body["userId"]
		proof["code"] = t.phoneCode(proof)
		t.Post("/api/phone_verifications/connect", proof).OK()
	case "DELETE /api/{authType}/auth":
		t.Post("/api/users/metadatas", object{"userId": t.things["user"], "codeHostUserId": "acme-c7"}).OK()
	}
	return v
}

// with returns the call with another token; "": none.
func (v *visitor) with(token string) *visitor {
	who := *v.tenant
	who.token = token
	other := *v
	other.tenant = &who
	return &other
}

// state is all that client calls can change, as a secret key reads it.
func (t *tenant) state() string {
	t.T.Helper()
	var out strings.Builder
	out.WriteString(t.everything())
	for _, path := range []string{
		"/api/users/devices", "/api/users/delegations", "/api/loyalty/questions_responses", "/api/referral/users", "/api/loyalty/rule_statuses", "/api/assets",
		"/api/loyalty/badge_users?loyaltyBadgeId=" + t.things["badge"], "/api/token_claims?limit=1000",
	} {
		out.WriteString(t.Get(path).Body + "\n")
	}
	sent, err := t.App.Messages.ListOutbox(context.Background(), t.WebsiteScope(), laurel.PageRequest{Limit: 1000})
	if err != nil {
		t.T.Fatal(err)
	}
	fmt.Fprintln(&out, sent.Data)
	for _, claim := range t.Get("/api/token_claims?limit=1000").Data() {
		out.WriteString(t.Get("/api/token_claims/"+claim["id"].(string)+"/users").Body + "\n")
	}
	return out.String()
}

// Every operation that takes client keys has a row in docs/client-keys.md, and does no more than that says.
func TestEveryCallOfAClientKeyIsSafe(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ops, rows := ofClients(t, s)
		acme := settle(s, called("acme"))
		mallory := s.Post("/api/users/tokens", object{"walletAddress": acme.stranger()}).OK()["token"].(string)
		before := ""
		for _, op := range ops {
			name := op.method + " " + op.path
			v := acme.clientVisit(op)
			if before == "" || op.method != "GET" {
				before = acme.state()
			}
			if op.method == "GET" {
				acme.readsSafely(name, v, rows[name], mallory)
			} else {
				acme.refusesStrangers(name, v, mallory)
			}
			if acme.state() != before {
				t.Errorf("%s: it changed something", name)
			}
			if op.method != "GET" {
				acme.actsAsItsRowSays(name, v, rows[name])
				before = ""
			}
		}
	})
}

// refused reports whether a call was refused to somebody else.
func refused(a apptest.Response) bool { return a.Status == 403 || a.Status == 404 }

func (t *tenant) readsSafely(name string, v *visitor, row clientCall, mallory string) {
	t.T.Helper()
	key := t.key('C')
	switch row.proof {
	case "nobody":
		if got := v.with("").send(key); got.Status != 200 {
			t.T.Errorf("%s is not public: %d %s", name, got.Status, got.Body)
		}
	case "the member":
		if got := v.send(key); got.Status != 200 {
			t.T.Errorf("%s by its member: %d %s", name, got.Status, got.Body)
		}
		for who, token := range map[string]string{"nobody": "", "another member": mallory} {
			if got := v.with(token).send(key); !refused(got) {
				t.T.Errorf("%s by %s: %d %s", name, who, got.Status, got.Body)
			}
		}
	case "the member itself": // it names nobody: each member reads its own record
		if got := v.with("").send(key); !refused(got) {
			t.T.Errorf("%s by nobody: %d %s", name, got.Status, got.Body)
		}
		if own, other := v.send(key).OK(), v.with(mallory).send(key).OK(); own["id"] != t.things["user"] || other["id"] == own["id"] {
			t.T.Errorf("%s: %v, another member %v", name, own, other)
		}
	default:
		t.T.Errorf("%s: nobody is %q", name, row.proof)
	}
}

func (t *tenant) refusesStrangers(name string, v *visitor, mallory string) {
	t.T.Helper()
	key := t.key('C')
	for who, token := range map[string]string{"nobody": "", "another member": mallory, "a forger": v.token + "x"} {
		for _, header := range [][]string{nil, {"Idempotency-Key", name + who}} {
			if got := v.with(token).send(key, header...); !refused(got) {
				t.T.Errorf("%s by %s: %d %s", name, who, got.Status, got.Body)
			}
		}
	}
}

// actsAsItsRowSays calls a write as its member twice under one Idempotency-Key, and once more without.
func (t *tenant) actsAsItsRowSays(name string, v *visitor, row clientCall) {
	t.T.Helper()
	key := t.key('C')
	header := []string{"Idempotency-Key", name}
	if v.op.method == "DELETE" {
		header = nil
	}
	before := t.state()
	first := v.send(key, header...)
	if first.Status != 200 {
		t.T.Fatalf("%s: %d %s", name, first.Status, first.Body)
	}
	done := t.state()
	if done == before && v.body["loyaltyRuleId"] == nil { // no list tells of a code that nobody has come by
		t.T.Errorf("%s: it changed nothing, so nothing is tried", name)
	}
	if header != nil {
		if got := v.send(key, header...); got.Header.Get("Idempotent-Replayed") != "true" || t.state() != done {
			t.T.Errorf("%s: repeated under its key it did something: %d %s", name, got.Status, got.Body)
		}
	}
	again := v.send(key)
	same := t.state() == done && (again.Status != 200 || first.JSON()["id"] == again.JSON()["id"])
	switch how, _, _ := strings.Cut(row.repeated, ":"); {
	case strings.HasPrefix(how, "refused") && (again.Status == 400 || again.Status == 404) && same:
	case how == "changes nothing" && again.Status == 200 && same:
	case how == "acts again" && again.Status == 200 && !same:
	default:
		t.T.Errorf("%s: repeated it is to be %q: %d %s, the same: %t", name, row.repeated, again.Status, again.Body, same)
	}
}

// A website that trusts its pages names members without their tokens, but not where its row says always.
func TestTrustingPagesProveTheirMembersWhereItMatters(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ops, rows := ofClients(t, s)
		acme := settle(s, called("acme"))
		s.Post("/api/websites/"+acme.things["website"], object{"trustClientUsers": true}).OK()
		mallory := s.Post("/api/users/tokens", object{"walletAddress": acme.stranger()}).OK()["token"].(string)
		for _, op := range ops {
			if op.method == "GET" {
				continue
			}
			name := op.method + " " + op.path
			v := acme.clientVisit(op)
			always := strings.HasSuffix(rows[name].proof, ", always")
			if !always && !strings.HasPrefix(rows[name].proof, "the member's token") {
				t.Errorf("%s: %q proves nothing", name, rows[name].proof)
			}
			before := acme.state()
			for _, token := range []string{"", mallory} {
				if got := v.with(token).send(acme.key('C')); always && !refused(got) || token == "" && !always && got.Status != 200 {
					t.Errorf("%s with the token %.5q: %d %s", name, token, got.Status, got.Body)
				}
			}
			if always && acme.state() != before {
				t.Errorf("%s: it changed something without its member", name)
			}
		}
	})
}

// E-mail addresses and phone numbers are for secret keys, wherever a record holds them.
func TestNoReadTellsContactsToReadOnlyAndClientKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme := settle(s, called("acme"))
		order := acme.aMint()
		delete(order, "walletAddress")
		order["userId"], order["emailAddress"] = acme.things["user"], "orders@acme.example"
		acme.things["mint"] = acme.Post("/api/minting/contracts/mint", order).OK()["mintingContractAssetMintStatusId"].(string)
		contacts := []string{"@acme.example", called("acme")["phoneNumber"]}
		found := map[string]bool{}
		for _, op := range operations(s) {
			for _, kind := range []byte("WRC") {
				if op.method != "GET" || !strings.ContainsRune(op.visit.keys, rune(kind)) {
					continue
				}
				got := acme.visit(op, kind).send(acme.key(kind))
				for _, contact := range contacts {
					discloses := strings.Contains(got.Body, contact)
					if found[contact] = found[contact] || discloses; discloses && kind != 'W' {
						t.Errorf("%s tells %s to a key of kind %c: %.300s", op.path, contact, kind, got.Body)
					}
				}
			}
		}
		if len(found) < len(contacts) || !found[contacts[0]] || !found[contacts[1]] {
			t.Errorf("secret keys see %v", found)
		}
	})
}

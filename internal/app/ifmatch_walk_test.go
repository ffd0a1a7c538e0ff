package app_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// withoutVersion are the operations that change or delete a record by its id and take no If-Match, with the reason.
var withoutVersion = map[string]string{
	"DELETE /api/api_keys/{id}":          "a key is only ever revoked, and has no updatedAt",
	"DELETE /api/users/delegations/{id}": "a delegation never changes, and has no updatedAt",
	"DELETE /api/assets/{id}":            "a file never changes, and has no updatedAt",
	"POST /api/minting/status/{id}":      "it reports a result; a mint that has one is refused as final",
}

// writesMetadata is the operation whose body names the record that it changes.
const writesMetadata = "POST /api/users/metadatas"

// change returns a body that changes a record of a kind. Bodies of another number differ, but for a flag, which takes
// turns.
func change(kind string, number int) object {
	text := fmt.Sprintf("Changed %d", number)
	switch kind {
	case "multiplier", "page section":
		return object{"title": text}
	case "user attribute":
		return object{"label": fmt.Sprintf("%s %d", text, strangers.Add(1))} // labels are unique
	case "badge user":
		return object{"hideInUi": number%2 == 0}
	case "question":
		return object{"questionText": text, "loyaltyQuestionAnswers": []any{object{"text": "So"}, object{"text": "No"}}}
	}
	return object{"name": text}
}

// conditional is a call with If-Match that has not been sent yet.
type conditional struct {
	*visitor
	name string
}

// conditionalCalls prepares a call of each operation that changes or deletes a record by its id, by each kind of key
// that may, each about a record of its own. It expects the document to describe If-Match there, and nowhere else.
func (t *tenant) conditionalCalls(ops []operation, document object) (calls []conditional) {
	t.T.Helper()
	for _, op := range ops {
		name := op.method + " " + op.path
		changesRecord := op.method != "GET" && strings.HasSuffix(op.path, "/{id}") && withoutVersion[name] == ""
		described := fmt.Sprint(document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)])
		if strings.Contains(described, "#/components/parameters/If-Match") != (changesRecord || name == writesMetadata) {
			t.T.Errorf("%s: whether it changes a record by its id: %t; the document says otherwise", name, changesRecord)
		}
		if !changesRecord {
			continue
		}
		for _, kind := range []byte(op.visit.keys) {
			v := t.visit(op, kind)
			if op.method == "POST" {
				maps.Copy(v.body, change(op.visit.id, 0))
			}
			calls = append(calls, conditional{v, name + " by " + string(kind)})
		}
	}
	return calls
}

// sendIf sends the call with an updatedAt that the record must have.
func (c conditional) sendIf(updatedAt any) apptest.Response {
	return c.send(c.key(c.kind), "If-Match", fmt.Sprintf("%q", updatedAt))
}

// current expects the refusal of a call for an older version, and returns the record that it shows.
func (c conditional) current(got apptest.Response) object {
	c.T.Helper()
	body := got.JSON()
	current, _ := body["current"].(object)
	if got.Status != 400 || body["code"] != "record_changed" || len(body) != 3 ||
		current["id"] != c.visitor.id || current["updatedAt"] == nil {
		c.T.Fatalf("%s: %d %s", c.name, got.Status, got.Body)
	}
	return current
}

const longAgo = "2026-01-01T00:00:00.000Z"

func TestEveryChangeOfARecordHeedsIfMatch(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme, ops := settle(s, called("acme")), operations(s)
		calls := acme.conditionalCalls(ops, s.Get("/openapi.json").OK())
		if len(calls) < 60 {
			t.Errorf("only %d calls", len(calls))
		}
		before := acme.state()
		for _, c := range calls {
			shown := c.current(c.sendIf(longAgo))
			if got := s.Call(c.key(c.kind), "GET", c.path(), nil); got.Status == 200 && !reflect.DeepEqual(shown, got.JSON()) {
				t.Errorf("%s shows %v, and GET %s", c.name, shown, got.Body)
			}
		}
		if after := acme.state(); after != before {
			t.Errorf("a refused change has changed something:\n%s\nnow\n%s", before, after)
		}
		for _, c := range calls {
			base := c.current(c.sendIf(longAgo))["updatedAt"]
			if c.op.method == "POST" {
				s.Clock.Advance(-time.Second) // a node whose clock is behind: the save is a later version all the same
			}
			c.sendIf(base).OK()
			if c.op.method == "POST" {
				c.current(c.sendIf(base))
				c.send(c.key(c.kind), "If-Match", "*").OK()
			}
		}
	})
}

// changed returns the call with the change of a number.
func (c conditional) changed(number int) conditional {
	v := *c.visitor
	v.body = maps.Clone(c.body)
	maps.Copy(v.body, change(c.op.visit.id, number))
	return conditional{&v, c.name}
}

// onNode returns the same call to another server.
func (c conditional) onNode(s *apptest.Server) conditional {
	v, t := *c.visitor, *c.tenant
	t.Server, v.tenant = s, &t
	return conditional{&v, c.name}
}

// The comparison is part of the transaction that saves, and waits for the lock of the record.
func TestOfTwoNodesThatChangeOneVersionOneIsRefused(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	acme := settle(nodes[0], called("acme"))
	for _, c := range acme.conditionalCalls(operations(nodes[0]), nodes[0].Get("/openapi.json").OK()) {
		if c.op.method != "POST" || c.kind != 'W' {
			continue
		}
		for round := range 3 {
			base := c.current(c.sendIf(longAgo))["updatedAt"]
			var saves sync.WaitGroup
			var got [2]apptest.Response
			for i, node := range nodes {
				saves.Go(func() { got[i] = c.changed(round + 4*i).onNode(node).sendIf(base) })
			}
			saves.Wait()
			saved, refused := got[0], got[1]
			if saved.Status != 200 {
				saved, refused = refused, saved
			}
			saved.OK()
			c.current(refused)
		}
	}
}

// The second of two same requests finds what the first has changed, and gets its response instead of a refusal.
func TestARepetitionOnAnotherNodeGetsTheResponseOfTheChange(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	acme, ops := settle(nodes[0], called("acme")), operations(nodes[0])
	for round := range 3 {
		for _, c := range acme.conditionalCalls(ops, nodes[0].Get("/openapi.json").OK()) {
			if c.op.method != "POST" || c.kind != 'W' {
				continue
			}
			base := fmt.Sprintf("%q", c.current(c.sendIf(longAgo))["updatedAt"])
			call, key := c.changed(round), fmt.Sprintf("%s %d", c.name, round)
			sendOnBoth(t, nodes, c.name, func(s *apptest.Server) apptest.Response {
				return call.onNode(s).send(c.key(c.kind), "If-Match", base, "Idempotency-Key", key)
			})
		}
		contract := object{"name": "A token", "address": acme.stranger(), "chainId": 8453, "type": "erc20"}
		sendOnBoth(t, nodes, "a contract", func(s *apptest.Server) apptest.Response {
			return s.Call(s.WebsiteAPIKey, "POST", "/api/contracts", contract, "Idempotency-Key", fmt.Sprint("contract ", round))
		})
	}
}

// sendOnBoth sends a request on two nodes at once, and expects one response, which one of them repeats without secrets.
func sendOnBoth(t *testing.T, nodes []*apptest.Server, name string, send func(*apptest.Server) apptest.Response) {
	t.Helper()
	var calls sync.WaitGroup
	var got [2]apptest.Response
	for i, node := range nodes {
		calls.Go(func() { got[i] = send(node) })
	}
	calls.Wait()
	var bodies [2]object
	replayed := 0
	for i, one := range got {
		if bodies[i] = one.JSON(); one.Header.Get("Idempotent-Replayed") == "true" {
			replayed++
		}
		delete(bodies[i], "signingKey")
	}
	if got[0].Status > 201 || got[0].Status != got[1].Status || replayed != 1 || !reflect.DeepEqual(bodies[0], bodies[1]) {
		t.Errorf("%s, %d replayed: %d %.200s and %d %.200s", name, replayed,
			got[0].Status, got[0].Body, got[1].Status, got[1].Body)
	}
}

// Metadata has no id in a path: the body names its user, who may have none yet.
func TestMetadataHeedsIfMatch(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		write := func(name, ifMatch string) apptest.Response {
			body := object{"walletAddress": apptest.Alice, "displayName": name}
			return s.Call(s.WebsiteAPIKey, "POST", "/api/users/metadatas", body, "If-Match", ifMatch)
		}
		for _, ifMatch := range []string{"*", `"` + longAgo + `"`} {
			if body := write("Alice", ifMatch).Refused(400, "Record was changed meanwhile"); body["current"] != nil {
				t.Errorf("there is none, and it is %v", body["current"])
			}
		}
		if got := s.Get("/api/users").Data(); len(got) != 0 {
			t.Errorf("a refused write has made %v", got)
		}
		made := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice, "displayName": "Alice"}).OK()
		base := fmt.Sprintf("%q", made["updatedAt"])
		write("Alice", base).OK() // changes nothing
		s.Clock.Advance(-time.Second)
		changed := write("Alicia", base).OK()
		if body := write("Alix", base).Refused(400, "Record was changed meanwhile"); !reflect.DeepEqual(body["current"], changed) {
			t.Errorf("it shows %v instead of %v", body["current"], changed)
		}
		write("Alix", "*").OK()
	})
}

func TestIfMatchIsNeverIgnored(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme, ops := settle(s, called("acme")), operations(s)
		document := s.Get("/openapi.json").OK()
		heeds := map[string]bool{}
		for _, c := range acme.conditionalCalls(ops, document) {
			heeds[c.op.method+" "+c.op.path] = true
			for _, malformed := range []string{"", "2026-01-14T12:00:00.000Z", `"yesterday"`, `W/"2026-01-14T12:00:00.000Z"`,
				`"2026-01-14"`, `"2026-01-14T12:00:00Z"`, `"0001-01-01T00:00:00.000Z"`,
				`"2026-01-14T12:00:00.000Z", "2026-01-14T12:00:00.001Z"`, `"*"`} {
				got := c.send(c.key(c.kind), "If-Match", malformed)
				expectFault(t, c.name, got, `If-Match must be the updatedAt of the record in quotes, such as "2026-01-15T12:00:00.000Z", or *`)
			}
		}
		for _, op := range ops {
			if name := op.method + " " + op.path; !heeds[name] && name != writesMetadata {
				kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
				got := acme.visit(op, kind).send(acme.key(kind), "If-Match", "*")
				expectFault(t, name, got, "If-Match is not supported by this operation")
			}
		}
	})
}

// expectFault expects a refusal whose only fault is about the header If-Match.
func expectFault(t *testing.T, name string, got apptest.Response, message string) {
	t.Helper()
	faults := items(got.JSON()["errors"])
	if got.Status != 400 || len(faults) != 1 || faults[0].(object)["path"] != "If-Match" || faults[0].(object)["message"] != message {
		t.Errorf("%s: %d %s", name, got.Status, got.Body)
	}
}

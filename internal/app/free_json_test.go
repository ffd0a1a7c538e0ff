package app_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/webhooks"
)

// pathsIn lists the paths of a body, or of a parameter, at which the document describes what isSought looks for.
func pathsIn(document object, schema any, path string, isSought func(object) bool) (paths []string) {
	described, _ := schema.(object)
	if ref, ok := described["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		return pathsIn(document, document["components"].(object)["schemas"].(object)[name], path, isSought)
	}
	for _, form := range items(described["oneOf"]) {
		paths = append(paths, pathsIn(document, form, path, isSought)...)
	}
	properties, _ := described["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		paths = append(paths, pathsIn(document, properties[name], strings.TrimPrefix(path+"."+name, "."), isSought)...)
	}
	if described["items"] != nil {
		paths = append(paths, pathsIn(document, described["items"], path+".0", isSought)...)
	}
	if isSought(described) {
		paths = append(paths, path)
	}
	return paths
}

// isFree reports whether any JSON may stand where a schema describes it.
func isFree(described object) bool {
	kinds := maps.Clone(described)
	delete(kinds, "description")
	return described["properties"] == nil && described["additionalProperties"] != nil || len(kinds) == 0
}

// bodyOf returns the schema of the body that an operation takes; nil if it takes none.
func bodyOf(document object, op operation) any {
	described := document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)].(object)
	body, _ := described["requestBody"].(object)
	if body == nil {
		return nil
	}
	return body["content"].(object)["application/json"].(object)["schema"]
}

// broken are forms of JSON with halves of surrogate pairs in texts and names, a name twice, and what is escaped
// rightly: an operation takes at least one of them wherever it takes any JSON.
var broken = []string{
	`{"\ud800":["\ud800","\uDC00x","\\ud800",{"a\udbff":"\ud83d\ude00 \ud83d"}],"twice":"\udfff","twice":1.50}`,
	`{"SECRET":"\ud800"}`, `"\ud800"`, `[{"type":"function","name":"f","notice":"\ud800","inputs":[]}]`,
}

// strictly reads texts back as PostgreSQL's jsonb reads them; SQLite is less strict, so no half may be there.
type strictly struct {
	t  *testing.T
	db apptest.Database
}

func (s strictly) read(what, text string) {
	s.t.Helper()
	if s.db.Engine() == store.Postgres {
		var kept string
		if err := s.db.Get(context.Background(), &kept, "SELECT CAST(CAST(? AS jsonb) AS text)", text); err != nil {
			s.t.Errorf("%s is no strict JSON: %v: %.400s", what, err, text)
		}
		return
	}
	lower := strings.ReplaceAll(strings.ToLower(text), `\\`, "")
	if !json.Valid([]byte(text)) || strings.Contains(strings.ReplaceAll(lower, `\ud83d\ude00`, ""), `\ud`) ||
		strings.Contains(lower, `\u0000`) {
		s.t.Errorf("%s is no strict JSON: %.400s", what, text)
	}
}

func TestFreeJSONIsReadBackByStrictParsers(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		check := strictly{t, db}
		document := s.OpenAPI()
		var tables []any
		for _, table := range webhooks.Tables {
			tables = append(tables, table.Name)
		}
		subscription := s.Subscribe("", nil, tables...)["id"].(string)
		acme := settle(s, called("acme"))
		places := 0
		for _, op := range operations(s) {
			schema := bodyOf(document, op)
			if schema == nil {
				continue
			}
			for _, path := range pathsIn(document, schema, "", isFree) {
				places++
				if !acme.sends(check, op, path, broken...) {
					t.Errorf("%s %s takes none of the forms at %s", op.method, op.path, path)
				}
			}
			for _, path := range []string{"name", "description", "displayName"} {
				if hasText(document, schema, path) {
					acme.sends(check, op, path, `"half \ud800"`)
				}
			}
		}
		if places < 10 {
			t.Errorf("only %d places of free JSON were found", places)
		}
		code := `module.exports.handler = (input, output) => {
			output.setResult({"\ud800": ["\udc00", "\u0000", input.payload]}); return output.buildOutput() }`
		function := s.Post("/api/stratus/functions", object{"name": "halves", "code": code}).OK()["id"].(string)
		check.read("the run", s.Post("/api/stratus/functions/"+function+"/invoke", nil).Body)
		check.read("the runs", s.Get("/api/stratus/functions/"+function+"/runs").Body)
		for _, page := range strings.Split(strings.TrimSpace(acme.everything()), "\n") {
			check.read("a list", page)
		}
		s.DeliverEvents()
		for after := ""; ; {
			events := s.Get("/api/stratus/subscriptions/" + subscription + "/events?limit=100" + after)
			check.read("the events", events.Body)
			if events.JSON()["hasNextPage"] != true {
				break
			}
			list := events.Data()
			after = "&startingAfter=" + list[len(list)-1]["id"].(string)
		}
		var sent []struct{ Type, Data string } // as receivers get it
		if err := db.Select(context.Background(), &sent, "SELECT type, data FROM subscription_events"); err != nil {
			t.Fatal(err)
		}
		warned, mended := map[string]bool{}, map[string]bool{}
		for _, event := range sent {
			check.read("an event", event.Data)
			table, _, _ := strings.Cut(event.Type, ".")
			warned[table] = true
			mended[table] = mended[table] || strings.Contains(event.Data, `\ufffd`) || strings.Contains(event.Data, "\ufffd")
		}
		for _, table := range webhooks.Tables {
			if table.Name != feed.TableSubscription && !warned[string(table.Name)] { // TestEveryEventIsToldAndSaysWhatTheRecordIs disables one
				t.Errorf("no event of %s was read", table.Name)
			}
		}
		for _, table := range []feed.Table{
			feed.TableTransactionEntry, feed.TableRule, feed.TableBadge, feed.TableUserMetadata, feed.TableMintingAsset, feed.TableHold, feed.TableTokenClaim,
		} {
			if !mended[string(table)] {
				t.Errorf("events of %s tell nothing of halves", table)
			}
		}
	})
}

// hasText reports whether a body has a property that is a text of any form.
func hasText(document object, schema any, name string) bool {
	described, _ := schema.(object)
	if ref, ok := described["$ref"].(string); ok {
		return hasText(document, document["components"].(object)["schemas"].(object)[ref[strings.LastIndexByte(ref, '/')+1:]], name)
	}
	properties, _ := described["properties"].(object)
	property, _ := properties[name].(object)
	return property != nil && ofText(property)
}

// sends calls an operation with each form at a place. It reports whether one was taken.
func (t *tenant) sends(check strictly, op operation, path string, forms ...string) (taken bool) {
	kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
	for _, form := range forms {
		v := t.visit(op, kind)
		if v.body == nil {
			v.body = object{}
		}
		v.set(place{in: "body", name: path}, "FREE")
		text, err := json.Marshal(v.body)
		if err != nil {
			t.T.Fatal(err)
		}
		sent := strings.ReplaceAll(string(text), `"FREE"`, form)
		got := t.Call(t.key(kind), op.method, strings.Replace(op.path, "{id}", v.id, 1), sent)
		check.read(op.method+" "+op.path, got.Body)
		taken = taken || got.Status <= 201
	}
	return taken
}

// What was stored before bodies were mended is mended as it is read.
func TestHalvesThatAreStoredAreMendedAsTheyAreRead(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		check := strictly{t, db}
		s.Post("/api/loyalty/transactions", object{
			"description": "a gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
			"entries": []any{object{"amount": 1, "walletAddress": apptest.Alice, "metadata": object{"order": "half"}}},
		}).OK()
		db.Exec(`UPDATE loyalty_transaction_entries SET metadata = '{"order":"\ud800"}' WHERE metadata LIKE '%half%'`)
		got := s.Get("/api/loyalty/transaction_entries")
		if !strings.Contains(got.Body, `\ufffd`) {
			t.Errorf("nothing was stored: %s", got.Body)
		}
		check.read("the list", got.Body)
	})
}

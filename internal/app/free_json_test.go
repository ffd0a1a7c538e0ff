package app_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"laurel/internal/dev/apptest"
	"laurel/internal/store"
)

// freeIn lists the paths of a body at which any JSON may stand.
func freeIn(document object, schema any, path string) (paths []string) {
	described, _ := schema.(object)
	if ref, ok := described["$ref"].(string); ok {
		return freeIn(document, document["components"].(object)["schemas"].(object)[ref[strings.LastIndexByte(ref, '/')+1:]], path)
	}
	for _, form := range items(described["oneOf"]) {
		paths = append(paths, freeIn(document, form, path)...)
	}
	properties, _ := described["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		paths = append(paths, freeIn(document, properties[name], strings.TrimPrefix(path+"."+name, "."))...)
	}
	if described["items"] != nil {
		paths = append(paths, freeIn(document, described["items"], path+".0")...)
	}
	kinds := maps.Clone(described)
	delete(kinds, "description")
	if properties == nil && described["additionalProperties"] != nil || len(kinds) == 0 {
		paths = append(paths, path)
	}
	return paths
}

// broken are forms of JSON with halves of surrogate pairs in texts and names, a name twice, and what is escaped rightly:
// an operation takes at least one of them wherever it takes any JSON.
var broken = []string{
	`{"\ud800":["\ud800","\uDC00x","\\ud800",{"a\udbff":"\ud83d\ude00 \ud83d"}],"twice":"\udfff","twice":1.50}`,
	`{"SECRET":"\ud800"}`, `"\ud800"`, `[{"type":"function","name":"f\ud800","inputs":[]}]`,
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
		document := s.Call("", "GET", "/openapi.json", nil).JSON()
		acme := settle(s, called("acme"))
		var tables []any
		for _, name := range []string{
			"LoyaltyTransactionEntry", "LoyaltyAccount", "User", "UserMetadata",
		} {
			tables = append(tables, name)
		}
		subscription := s.Subscribe("", nil, tables...)["id"].(string)
		places := 0
		for _, op := range operations(s) {
			described, _ := document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)].(object)["requestBody"].(object)
			if described == nil {
				continue
			}
			for _, path := range freeIn(document, described["content"].(object)["application/json"].(object)["schema"], "") {
				places++
				if !acme.sendsFree(check, op, path) {
					t.Errorf("%s %s takes none of the forms at %s", op.method, op.path, path)
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
		s.Told()
		events := s.Get("/api/stratus/subscriptions/" + subscription + "/events?limit=100")
		check.read("the events", events.Body)
		var sent []string // as receivers get it
		if err := db.Select(context.Background(), &sent, "SELECT data FROM subscription_events"); err != nil {
			t.Fatal(err)
		}
		for _, data := range sent {
			check.read("an event", data)
		}
		if all := strings.Join(sent, ""); len(events.Data()) == 0 || !strings.Contains(all, `\ufffd`) {
			t.Errorf("%d events tell nothing of halves: %.1000s", len(events.Data()), all)
		}
	})
}

// sendsFree calls an operation with each form at a place. It reports whether one was taken.
func (t *tenant) sendsFree(check strictly, op operation, path string) (taken bool) {
	kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
	for _, form := range broken {
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

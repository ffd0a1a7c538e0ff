package app_test

import (
	"slices"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// unkept makes a node die, as it were, between the effect of a request and keeping the answer for its repetition.
var unkept = map[string][]string{
	"sqlite": {
		`CREATE TRIGGER unkept BEFORE INSERT ON request_keys WHEN NEW.status <> 0 BEGIN SELECT RAISE(ABORT, 'died'); END`,
	},
	"postgres": {
		`CREATE FUNCTION died() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'died'; END $$`,
		`CREATE TRIGGER unkept BEFORE INSERT ON request_keys FOR EACH ROW WHEN (NEW.status <> 0) EXECUTE FUNCTION died()`,
	},
}

func TestEveryEffectClaimsTheKeyOfItsRequest(t *testing.T) {
	t.Parallel()
	for _, e := range storetest.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			address := e.URL(t)
			s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Outbox: true})
			acme := settle(s, called("acme"))
			for _, statement := range unkept[e.Name] {
				apptest.Tamper(t, address, statement)
			}
			harmless := []string{"POST /api/loyalty/rules/{id}/simulate"}
			for _, op := range operations(s) {
				if op.method != "POST" {
					continue
				}
				v := acme.visit(op, 'O')
				key := op.method + " " + op.path
				if got := v.send(acme.OrganizationAPIKey, "Idempotency-Key", key); got.Status >= 300 {
					t.Errorf("%s: %d %s", key, got.Status, got.Body)
				}
				claimed := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM request_keys WHERE idempotency_key = '"+key+"'") == 1
				if claimed == slices.Contains(harmless, key) {
					t.Errorf("%s: its key was claimed: %t", key, claimed)
				}
			}
		})
	}
}

package webhooks_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/webhooks"
)

// TestATableIsAddedByOneDescriptor adds a platform table to the list, and nothing else: subscriptions may name it, lists
// find them by it, its test event has the sample, its changes are delivered with what the loader returns, and the
// dashboard offers it. The list is shared, so this test does not run beside others.
func TestATableIsAddedByOneDescriptor(t *testing.T) {
	known := webhooks.Tables
	t.Cleanup(func() { webhooks.Tables = known })
	webhooks.Tables = append(slices.Clone(known), webhooks.Table{
		Name: "Parcel", Actions: []feed.Action{feed.Created}, Label: "Parcels that were sent.", Sample: `{"weight":2}`,
		Load: func(webhooks.Records) webhooks.Load {
			return func(_ context.Context, _ laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
				out := make([]json.RawMessage, len(changes))
				for i := range changes {
					out[i] = json.RawMessage(`{"weight":3}`)
				}
				return out, nil
			}
		},
	})
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		id := s.Subscribe(r.URL, nil, "Parcel")["id"].(string)
		if found := s.Get("/api/stratus/subscriptions?table=Parcel").Data(); len(found) != 1 || found[0]["id"] != id {
			t.Errorf("by the table: %v", found)
		}
		s.Post("/api/stratus/subscriptions/"+id+"/test", object{"type": "Parcel.created"}).OK()
		s.DeliverEvents()
		if err := s.App.Webhooks.DB.InTx(t.Context(), func(tx *store.Tx) error {
			return feed.Record(t.Context(), tx, feed.Change{
				OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, EntityID: tx.NewID(), Table: "Parcel", Action: feed.Created,
			})
		}); err != nil {
			t.Fatal(err)
		}
		s.DeliverEvents()
		var weights []string
		for _, call := range r.TakeCalls() {
			event := decoded(t, call.Body)
			data, _ := json.Marshal(event["data"].(object)["weight"])
			weights = append(weights, event["type"].(string)+" "+string(data))
		}
		if want := []string{"Parcel.created 2", "Parcel.created 3"}; !slices.Equal(weights, want) {
			t.Errorf("delivered %q, want %q", weights, want)
		}
		b := s.SignInOwner(s.OrganizationID)
		b.Get(b.Site("/subscriptions/new")).Shows(200, "Parcels that were sent.")
	})
}

// TestEveryTableIsDocumented: the page of events has a row for each table, which names its actions.
func TestEveryTableIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/contract/events-and-addresses.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range webhooks.Tables {
		_, row, found := strings.Cut(string(page), "\n| "+string(table.Name)+" | ")
		actions, _, _ := strings.Cut(row, " | ")
		for _, action := range table.Actions {
			found = found && strings.Contains(actions, string(action))
		}
		if !found || table.Label == "" {
			t.Errorf("%s: the page has no row with its actions, or the table has no label", table.Name)
		}
	}
}

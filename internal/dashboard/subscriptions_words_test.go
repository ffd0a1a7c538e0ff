package dashboard

import (
	"slices"
	"strings"
	"testing"

	"laurel/internal/webhooks"
)

func TestTablesAndStatesOfSubscriptionsHaveWords(t *testing.T) {
	t.Parallel()
	for _, table := range webhooks.Tables {
		if !slices.ContainsFunc(tableDescriptions, func(w tableDescription) bool { return w.Table == table && w.Says != "" }) {
			t.Errorf("%s has no words", table)
		}
	}
	for _, w := range tableDescriptions {
		if claims := strings.Contains(w.Says, "yet"); claims || w.SendsNoEvents() {
			t.Errorf("%s: %q, though whether events are sent follows from the list of events", w.Table, w.Says)
		}
	}
	for _, status := range webhooks.Statuses() {
		if !slices.ContainsFunc(eventStates, func(c choice) bool { return c.Value == status }) {
			t.Errorf("%s has no word", status)
		}
	}
}

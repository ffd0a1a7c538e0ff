package integrate

import (
	"slices"
	"testing"

	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/webhooks"
)

func TestStatesOfEventsHaveWords(t *testing.T) {
	t.Parallel()
	for _, status := range webhooks.Statuses() {
		if !slices.ContainsFunc(eventStates, func(c web.Choice) bool { return c.Value == status }) {
			t.Errorf("%s has no word", status)
		}
	}
}

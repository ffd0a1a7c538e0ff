package dashboard

import (
	"slices"
	"testing"

	"laurel/internal/webhooks"
)

func TestStatesOfEventsHaveWords(t *testing.T) {
	t.Parallel()
	for _, status := range webhooks.Statuses() {
		if !slices.ContainsFunc(eventStates, func(c choice) bool { return c.Value == status }) {
			t.Errorf("%s has no word", status)
		}
	}
}

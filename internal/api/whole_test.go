package api_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/api"
)

// What one of requests and events has, the other has too: a service that is missing is found when the server starts.
func TestNothingIsServedWithoutAllServices(t *testing.T) {
	t.Parallel()
	if _, err := api.EventRecords(api.Config{}); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("events: %v", err)
	}
	if _, err := api.New(t.Context(), api.Config{}); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("requests: %v", err)
	}
}

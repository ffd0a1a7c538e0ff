package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/rules/schema"
)

// Platform is the double of all outside platforms: the checks of the operator's configuration call it (contract 8.8).
// It knows what accounts have done, by rule type.
type Platform struct {
	*httptest.Server
	mu      sync.Mutex
	values  map[string]any // by rule type and the last segment of the path: {"value": …}; none: 404
	failing int            // if not 0, every request gets this status
	calls   []string
	// OnCall is called before each response, for requests at once; nil: nothing is. It may block.
	OnCall func(path string)
}

// PlatformSecret is the Authorization header that the service must send to the platform.
const PlatformSecret = "Bearer p1atform"

// NewPlatform starts a platform that ends with the test.
func NewPlatform(t *testing.T) *Platform {
	t.Helper()
	p := &Platform{values: map[string]any{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.respond))
	t.Cleanup(p.Close)
	return p
}

// respond serves a check.
func (p *Platform) respond(w http.ResponseWriter, r *http.Request) {
	if p.OnCall != nil {
		p.OnCall(r.URL.Path)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, r.Method+" "+r.URL.EscapedPath()+"?"+r.URL.RawQuery)
	value, ok := p.values[strings.TrimPrefix(r.URL.Path, "/")]
	switch {
	case r.Header.Get("Authorization") != PlatformSecret:
		w.WriteHeader(http.StatusUnauthorized)
	case p.failing != 0:
		echo(w, r, p.failing)
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	default:
		_ = json.NewEncoder(w).Encode(Object{"value": value})
	}
}

// Know makes the platform answer a check of a rule type about an account or a post; nil: there is none.
func (p *Platform) Know(ruleType, id string, value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if value == nil {
		delete(p.values, ruleType+"/"+id)
		return
	}
	p.values[ruleType+"/"+id] = value
}

// Fail makes the platform answer with a status from now on; 0: with the truth again.
func (p *Platform) Fail(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = status
}

// TakeCalls returns the calls since it was called last.
func (p *Platform) TakeCalls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

// PlatformTypes returns the rule types that platforms verify.
func PlatformTypes() []string {
	return slices.DeleteFunc(schema.TypeNames(), func(t string) bool {
		return schema.Type(t).Kind().Provider != schema.PlatformProvider
	})
}

// ConfigFile writes a configuration in which this platform stands for all, with a check for every rule type, and
// returns the path. more has further properties of the file. Checks of types in byContent name the content of the call,
// the others the account of the member.
func (p *Platform) ConfigFile(t *testing.T, more Object, byContent ...string) string {
	t.Helper()
	checks := map[string]Object{}
	for _, ruleType := range PlatformTypes() {
		id := "{platformId}"
		if slices.Contains(byContent, ruleType) {
			id = "{contentId}"
		}
		platform := schema.Type(ruleType).Kind().Platform
		if checks[platform] == nil {
			checks[platform] = Object{}
		}
		checks[platform][ruleType] = Object{
			"url": p.URL + "/" + ruleType + "/" + id, "path": "value", "headers": Object{"Authorization": PlatformSecret},
		}
	}
	drivers := []Object{}
	for platform, byType := range checks {
		drivers = append(drivers, Object{"platform": platform, "checks": byType})
	}
	text, err := json.Marshal(Over(Object{"platforms": drivers}, more))
	if err != nil {
		t.Fatal(err)
	}
	return WriteConfig(t, string(text))
}

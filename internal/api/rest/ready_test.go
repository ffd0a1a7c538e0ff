package rest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/internal/api/rest"
)

func TestWhatCannotBeWrittenIsNamed(t *testing.T) {
	t.Parallel()
	full := errors.New("/srv/laurel: no space left on device")
	for name, c := range map[string]struct {
		database, files error
		status          int
		body            string
	}{
		"all can be": {nil, nil, 200, `{"status":"ok","checks":{"database":"ok","files":"ok"}}`},
		"no files":   {nil, full, 200, `{"status":"degraded","checks":{"database":"ok","files":"not writable"}}`},
		"no database": {full, nil, 503,
			`{"status":"unavailable","message":"The database cannot be written","checks":{"database":"not writable","files":"ok"}}`},
		"neither": {full, full, 503,
			`{"status":"unavailable","message":"The database cannot be written","checks":{"database":"not writable","files":"not writable"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			writable := func(context.Context) (database, files error) { return c.database, c.files }
			eachServer(t, func(cfg *rest.Config) { cfg.Writable = writable }, func(s *server) {
				r := s.get("", "/readyz")
				if r.status != c.status {
					s.Errorf("status %d", r.status)
				}
				s.equal(r.body, c.body)
			})
		})
	}
}

func TestReadersThatFailAreNamedAndTakeNoNodeOut(t *testing.T) {
	t.Parallel()
	var now time.Time
	for want, failing := range map[string]func(context.Context) ([]rest.FailingReader, error){
		`{"status":"ok","checks":{"database":"ok","feed":{"status":"ok","failing":[]}}}`: func(context.Context) ([]rest.FailingReader, error) {
			return nil, nil
		},
		`{"status":"degraded","checks":{"database":"ok","feed":{"status":"unknown","failing":[]}}}`: func(context.Context) ([]rest.FailingReader, error) {
			return nil, errors.New("lost")
		},
		`{"status":"degraded","checks":{"database":"ok","feed":{"status":"failing","failing":[{"reader":"badges","seconds":`: func(context.Context) ([]rest.FailingReader, error) {
			return []rest.FailingReader{{Name: "badges", Since: now}}, nil
		},
	} {
		eachServer(t, func(cfg *rest.Config) { cfg.Failing, now = failing, cfg.Now().Add(-time.Minute) }, func(s *server) {
			if r := s.get("", "/readyz"); r.status != 200 || !strings.HasPrefix(r.body, want) {
				s.Errorf("%d %s", r.status, r.body)
			}
		})
	}
}

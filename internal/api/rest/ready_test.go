package rest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/api/rest"
)

func TestWhatCannotBeWrittenIsNamed(t *testing.T) {
	t.Parallel()
	full := errors.New("/srv/laurel: no space left on device")
	for name, c := range map[string]struct {
		database, files error
		status          int
		body            string
	}{
		"all can be": {nil, nil, 200, `{"status":"ok","checks":{"database":"ok","files":"ok",`},
		"no files":   {nil, full, 200, `{"status":"degraded","checks":{"database":"ok","files":"not writable",`},
		"no database": {full, nil, 503,
			`{"status":"unavailable","message":"The database cannot be written","checks":{"database":"not writable","files":"ok",`},
		"neither": {full, full, 503,
			`{"status":"unavailable","message":"The database cannot be written","checks":{"database":"not writable","files":"not writable",`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachServer(t, withParts(func(p *parts) { p.database, p.files = c.database, c.files }), func(s *server) {
				r := s.get("", "/readyz")
				if r.status != c.status {
					s.Errorf("status %d", r.status)
				}
				s.equal(r.body, c.body+`"sealer":`+sealerNew+`,"feed":`+feedOK+`}}`)
			})
		})
	}
}

func TestAFolderThatHangsLeavesTheOtherChecksAsTheyAre(t *testing.T) {
	t.Parallel()
	healthy := func(p *parts) { p.hangs, p.seals = true, rest.SealState{Started: true} }
	eachServer(t, withParts(healthy), func(s *server) {
		r := s.get("", "/readyz")
		want := `{"status":"degraded","checks":{"database":"ok","files":"not writable","sealer":{"status":"ok",`
		if r.status != 200 || !strings.HasPrefix(r.body, want) || !strings.HasSuffix(r.body, `"feed":`+feedOK+`}}`) {
			s.Errorf("%d %s", r.status, r.body)
		}
	})
}

func TestReadersThatFailAreNamedAndTakeNoNodeOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change       func(p *parts)
		status, feed string
	}{
		"none":    {func(*parts) {}, "ok", feedOK},
		"unknown": {func(p *parts) { p.readersFault = errors.New("lost") }, "degraded", `{"status":"unknown","failing":[]}`},
		"one": {
			func(p *parts) {
				p.readers = []rest.FailingReader{{Name: "badges", Since: p.db.Now().Add(-time.Minute)}}
			},
			"degraded", `{"status":"failing","failing":[{"reader":"badges","seconds":`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachServer(t, withParts(c.change), func(s *server) {
				r := s.get("", "/readyz")
				if r.status != 200 || !strings.HasPrefix(r.body, `{"status":"`+c.status+`"`) || !strings.Contains(r.body, `"feed":`+c.feed) {
					s.Errorf("%d %s", r.status, r.body)
				}
			})
		})
	}
}

func TestNetworksAreNamedAndTakeNoNodeOut(t *testing.T) {
	t.Parallel()
	read := func(p *parts) {
		p.networks = []rest.NetworkState{
			{Name: "base", ChainID: 8453, Status: "ok", Head: 77, Cursor: new(int64(76))},
			{Name: "devnet", ChainID: 31337, Status: "wrong_chain", Problem: "the node is of chain 1; configured is 31337"},
		}
	}
	eachServer(t, withParts(read), func(s *server) {
		r := s.get("", "/readyz")
		want := `,"networks":{"base":{"status":"ok","chainId":8453,"head":77,"cursor":76},` +
			`"devnet":{"status":"wrong_chain","chainId":31337,"head":null,"cursor":null,` +
			`"error":"the node is of chain 1; configured is 31337"}}}}`
		if r.status != 200 || !strings.HasPrefix(r.body, `{"status":"ok"`) || !strings.HasSuffix(r.body, want) {
			s.Errorf("%d %s", r.status, r.body)
		}
	})
}

// withParts returns a change of the configuration that changes the health of the parts.
func withParts(change func(*parts)) func(*rest.Config) {
	return func(c *rest.Config) { change(c.Health.(*parts)) }
}

package rest_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"math/big"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// behindProxy believes the tests' own address, so that requests can come from any.
func behindProxy(change func(*rest.Config)) func(*rest.Config) {
	return func(c *rest.Config) {
		change(c)
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
}

func (s *server) from(address, key, path string) reply {
	s.Helper()
	return s.do(call{method: "GET", path: path, key: key, headers: []string{"X-Forwarded-For: " + address}})
}

// unknownKey returns the n-th of keys that have the right form and do not exist.
func unknownKey(n int) string {
	six := func(text string) string { return strings.Repeat("0", 6-len(text)) + text }
	text := fmt.Sprintf("lrl_c_%043d", n)
	return text + six(big.NewInt(int64(crc32.ChecksumIEEE([]byte(text)))).Text(62))
}

// withoutKeys takes the keys out of the database's reach: a call that needs one afterwards gets a fault.
func (s *server) withoutKeys() {
	s.Helper()
	must(s.T, s.db.InTx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), "ALTER TABLE api_keys RENAME TO api_keys_gone")
		return err
	}))
}

func TestOneNetworkOfIPv6IsOneAddress(t *testing.T) {
	t.Parallel()
	eachServer(t, behindProxy(limits(0, 2, 1)), func(s *server) {
		for _, c := range []struct {
			address string
			status  int
		}{
			{"2001:db8:1:2::1", 200}, {"2001:db8:1:2:ffff::9", 200}, {"2001:db8:1:2:a:b:c:d", 429}, {"2001:db8:1:3::1", 200},
			{"192.0.2.1", 200}, {"192.0.2.2", 200}, {"::ffff:192.0.2.1", 200}, {"192.0.2.1", 429},
		} {
			if r := s.from(c.address, "C", "/api/test/echo"); r.status != c.status {
				s.Errorf("%s: %d, want %d", c.address, r.status, c.status)
			}
		}
		s.refused(s.from("2001:db8:2:2::1", "lrl_nonsense", "/api/test/echo"), 403, "Invalid API key")
		r := s.from("2001:db8:2:2::2", "lrl_nonsense", "/api/test/echo")
		s.refused(r, 429, "Too many requests, please try again later.")
	})
}

func TestAPublishableKeyHasATotalOverAllAddresses(t *testing.T) {
	t.Parallel()
	configure := func(c *rest.Config) {
		limits(0, 2, 0)(c)
		c.Limits.ClientKey = rest.Limit{Requests: 4, Window: time.Hour}
	}
	eachServer(t, behindProxy(configure), func(s *server) {
		for i, c := range []struct {
			address, policy, left string
			status                int
		}{
			{"192.0.2.1", `"default";q=2;w=3600`, `"default";r=1;`, 200},
			{"192.0.2.1", `"default";q=2;w=3600`, `"default";r=0;`, 200},
			{"192.0.2.1", `"default";q=2;w=3600`, `"default";r=0;`, 429}, // takes nothing from the key
			{"192.0.2.2", `"client-key";q=4;w=3600`, `"client-key";r=1;`, 200},
			{"192.0.2.3", `"client-key";q=4;w=3600`, `"client-key";r=0;`, 200},
			{"192.0.2.4", `"client-key";q=4;w=3600`, `"client-key";r=0;`, 429},
		} {
			r := s.from(c.address, "C", "/api/test/echo")
			policy, left := r.header.Get("RateLimit-Policy"), r.header.Get("RateLimit")
			if r.status != c.status || policy != c.policy || !strings.HasPrefix(left, c.left) {
				s.Errorf("%d: %d %s %s, want %v", i, r.status, policy, left, c)
			}
		}
		if r := s.from("192.0.2.4", "W", "/api/test/echo"); r.status != 200 {
			s.Error("a secret key has a limit of its own:", r)
		}
	})
}

func TestAnAddressThatGuessesKeysAsksTheDatabaseNoMore(t *testing.T) {
	t.Parallel()
	eachServer(t, behindProxy(limits(0, 0, 3)), func(s *server) {
		const guesser, other = "192.0.2.1", "192.0.2.2"
		if r := s.from(other, "W", "/api/test/echo"); r.status != 200 {
			s.Fatal(r)
		}
		for n := range 3 {
			s.refused(s.from(guesser, unknownKey(n), "/api/test/echo"), 403, "Invalid API key")
		}
		time.Sleep(600 * time.Millisecond) // no key is in the cache any more
		if r := s.from(guesser, "W", "/api/test/echo"); r.status != 200 || r.header.Get("RateLimit") != "" {
			s.Error("a key that was good passes from the guesser's address:", r)
		}
		if r := s.from(other, "R", "/api/test/echo"); r.status != 200 {
			s.Error("a key that is new passes from elsewhere:", r)
		}
		s.withoutKeys()
		r := s.from(guesser, unknownKey(4), "/api/test/echo")
		s.refused(r, 429, "Too many requests, please try again later.")
		if !strings.HasPrefix(r.header.Get("RateLimit"), `"failed-keys";r=0;`) || r.header.Get("Retry-After") == "" {
			s.Error(r.header)
		}
		if r := s.from(other, unknownKey(4), "/api/test/echo"); r.status != 500 {
			s.Error("the keys are still there:", r)
		}
	})
}

func TestALimitOfFailedKeysThatIsOverLetsNewKeysIn(t *testing.T) {
	t.Parallel()
	short := func(c *rest.Config) { c.Limits.FailedKeys = rest.Limit{Requests: 1, Window: time.Second} }
	eachServer(t, short, func(s *server) {
		s.refused(s.get("lrl_nonsense", "/api/test/echo"), 403, "Invalid API key")
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if r := s.get("S", "/api/test/echo"); r.status == 200 || r.status == 403 {
				break
			}
			if time.Now().After(end) {
				s.Fatal("the address is locked out for ever")
			}
		}
		s.refused(s.get("lrl_nonsense", "/api/test/echo"), 403, "Invalid API key") // looking took nothing
	})
}

func TestStrangersWhoAskForTheHealthShareOneLook(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		health := &parts{db: db}
		s := newServer(t, db, func(c *rest.Config) { c.Health = health })
		begun := time.Now()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 25 {
					if r := s.get("", "/readyz"); r.status != 200 {
						s.Error(r)
					}
				}
			})
		}
		all.Wait()
		if most := int64(time.Since(begun)/time.Second) + 1; health.pings.Load() > most {
			s.Errorf("200 requests looked %d times in %s", health.pings.Load(), time.Since(begun))
		}
	})
}

func TestHealthIsToldBesideATransactionThatHoldsTheWriter(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		must(s.T, s.db.InTx(context.Background(), func(*store.Tx) error {
			s.equal(s.get("", "/readyz").body, allOK)
			return nil
		}))
	})
}

func TestRoutesWithoutAKeyAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	configure := func(c *rest.Config) { c.Limits.Keyless = rest.Limit{Requests: 1, Window: time.Hour} }
	eachServer(t, behindProxy(configure), func(s *server) {
		for i, path := range []string{"/readyz", "/openapi.json", "/docs", "/docs/api", "/docs/search"} {
			address := fmt.Sprintf("192.0.2.%d", i)
			r := s.from(address, "", path)
			if r.status != 200 || !strings.HasPrefix(r.header.Get("RateLimit"), `"keyless";r=0;`) {
				s.Errorf("%s: %d %v", path, r.status, r.header)
			}
			s.refused(s.from(address, "", path), 429, "Too many requests, please try again later.")
			if r := s.from(address, "", "/healthz"); r.status != 200 {
				s.Error(r)
			}
		}
		for range 3 { // the load balancer itself
			if r := s.get("", "/readyz"); r.status != 200 {
				s.Error(r)
			}
		}
	})
}

// A page and what it loads count together, apart from what the API is asked.
func TestPagesAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	configure := func(c *rest.Config) {
		c.Limits.Pages = rest.Limit{Requests: 2, Window: time.Hour}
		c.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	}
	eachServer(t, behindProxy(configure), func(s *server) {
		for _, path := range []string{"/admin", "/admin/sign-in"} {
			if r := s.from("192.0.2.1", "", path); r.status != http.StatusTeapot {
				s.Errorf("%s: %d", path, r.status)
			}
		}
		s.refused(s.from("192.0.2.1", "", "/admin/"), 429, "Too many requests, please try again later.")
		if r := s.from("192.0.2.2", "", "/admin"); r.status != http.StatusTeapot {
			s.Errorf("another address: %d", r.status)
		}
		if r := s.from("192.0.2.1", "", "/readyz"); r.status != 200 {
			s.Errorf("/readyz: %d", r.status)
		}
	})
}

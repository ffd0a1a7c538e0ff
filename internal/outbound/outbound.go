// Package outbound is the one HTTP client of the service: every call to another system goes through it. It owns which
// addresses may be called (contract 7.2), size and time limits, retries, and circuit breakers for failing hosts. It
// does not know what is called or why. It knows the responses that the drivers of the operator have in common.
package outbound

import (
	"cmp"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"
)

// Options configures a Client.
type Options struct {
	// Dev allows http and addresses of this machine itself (contract 7.2). Never in production.
	Dev bool
	// Allow are further addresses that the operator allows, such as a private network.
	Allow []netip.Prefix
	// Trusted allows all addresses, and http. It is for addresses from the operator's configuration only, never for those
	// of tenants.
	Trusted bool
	// Connections to one host at once; 0: 32.
	Connections int
	// Pause is how long calls to a host are refused after several failures in a row; 0: 10 s.
	Pause time.Duration
}

// Client calls external addresses. It may be used by many goroutines.
type Client struct {
	*Guard
	http     *http.Client
	pause    time.Duration
	mu       sync.Mutex
	breakers breakers
}

// breakers, the circuit breakers by host, and breaker are interfaces for the same reason as budget.Cache.
type breakers interface {
	Get(host string) (breaker, bool)
	Add(host string, b breaker) (evicted bool)
}

type breaker interface {
	// Allow returns the function to which the result of a call is reported, or an error if the breaker is open.
	Allow() (done func(error), err error)
	// State returns whether the breaker is open.
	State() gobreaker.State
}

const (
	dialTimeout     = 5 * time.Second
	idleConnTimeout = time.Minute
	connections     = 32 // to one host at once
	headerLimit     = 64 << 10
	maxBreakers     = 4096
	failuresToOpen  = 5 // that open the breaker of a host
	defaultPause    = 10 * time.Second
)

// New returns a client with these options; zero fields have defaults.
func New(o Options) *Client {
	breakersByKey, err := lru.New[string, breaker](maxBreakers)
	if err != nil {
		panic(err) // impossible: lru.New fails only for a size that is not positive
	}
	c := &Client{Guard: &Guard{dev: o.Dev, allow: o.Allow, trusted: o.Trusted}, pause: o.Pause, breakers: breakersByKey}
	if c.pause == 0 {
		c.pause = defaultPause
	}
	c.http = &http.Client{Transport: c.transport(cmp.Or(o.Connections, connections)), CheckRedirect: c.checkRedirect}
	return c
}

// transport returns a transport without a proxy: a proxy from the environment would dial unchecked addresses.
func (c *Client) transport(connections int) *http.Transport {
	return &http.Transport{
		DialContext:            c.dialer().DialContext,
		ForceAttemptHTTP2:      true,
		MaxConnsPerHost:        connections,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        idleConnTimeout,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: headerLimit,
	}
}

// breakerOf returns the circuit breaker for a key, which is a tenant and a host, and creates it if there is none. It
// opens after failuresToOpen failures in a row, for the client's pause; then one call tries whether the host works
// again.
func (c *Client) breakerOf(key string) breaker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.breakers.Get(key); ok {
		return b
	}
	b := gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{Name: key, Timeout: c.pause,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failuresToOpen },
		IsExcluded:  func(err error) bool { return errors.Is(err, errCallerGone) }})
	c.breakers.Add(key, b)
	return b
}

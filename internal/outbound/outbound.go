// Package outbound is the one HTTP client of the service: whatever it calls of the world outside is called through
// here. It owns where the service may call (contract 7.2), how large an answer may be, how long a call may take, what
// is tried again, and which hosts are left alone for a while because they fail. It knows nothing of what is called or
// why.
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

// Options says what a Client may do.
type Options struct {
	// Dev allows http and addresses of this machine itself (contract 7.2). Never in production.
	Dev bool
	// Allow are further addresses that the operator lets be called, such as a private network of his own.
	Allow []netip.Prefix
	// Trusted is for addresses that the operator himself has written down: all of them may be called, by http too. Never
	// for a tenant's.
	Trusted bool
	// Connections to one host at once; 0: 32.
	Connections int
	// Pause is how long a host that failed several times in a row is left alone; 0: 10 s.
	Pause time.Duration
}

// Client calls addresses outside. All methods may be called from many goroutines.
type Client struct {
	*Guard
	http     *http.Client
	pause    time.Duration
	mu       sync.Mutex
	breakers breakers
}

// breakers by host, and breaker, are interfaces for the reason of budget.Cache.
type breakers interface {
	Get(host string) (breaker, bool)
	Add(host string, b breaker) (evicted bool)
}

type breaker interface {
	// Allow returns what to report the end of a call to, or why none may be made.
	Allow() (done func(error), err error)
}

const (
	dialTimeout     = 5 * time.Second
	idleConnTimeout = time.Minute
	connections     = 32 // to one host at once
	headerLimit     = 64 << 10
	maxBreakers     = 4096
	failuresInARow  = 5 // after which a host is left alone
	defaultPause    = 10 * time.Second
)

// New makes a client.
func New(o Options) *Client {
	known, err := lru.New[string, breaker](maxBreakers)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	c := &Client{Guard: &Guard{dev: o.Dev, allow: o.Allow, trusted: o.Trusted}, pause: o.Pause, breakers: known}
	if c.pause == 0 {
		c.pause = defaultPause
	}
	c.http = &http.Client{Transport: c.transport(cmp.Or(o.Connections, connections)), CheckRedirect: c.checkRedirect}
	return c
}

// transport goes through no proxy: a proxy of the environment would dial unchecked addresses.
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

// breakerOf returns the breaker of a host.
func (c *Client) breakerOf(host string) breaker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.breakers.Get(host); ok {
		return b
	}
	b := gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{Name: host, Timeout: c.pause,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failuresInARow },
		IsExcluded:  func(err error) bool { return errors.Is(err, errCallerGone) }})
	c.breakers.Add(host, b)
	return b
}

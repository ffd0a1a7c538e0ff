package node

import (
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel/internal/outbound"
)

// address is one of the addresses of a network. The lock of the Client guards its state.
type address struct {
	number  int // from 1, in the order of the file: the log and pages name it so, as addresses may hold keys
	url     string
	secrets *strings.Replacer // hides what is secret in texts that the node sends

	isChecked  bool // of the right chain, and not behind
	restsUntil time.Time
	failures   int // in a row
	head       uint64
	status     outbound.Status
}

// minSecret is how long a part of an address is that may be a key.
const minSecret = 8

func newAddress(number int, text string) *address {
	hide := []string{text, "…"}
	if u, err := url.Parse(text); err == nil {
		parts := strings.FieldsFunc(u.EscapedPath()+"/"+u.RawQuery, func(r rune) bool {
			return strings.ContainsRune("/?&=", r)
		})
		for _, part := range parts {
			if len(part) >= minSecret {
				hide = append(hide, part, "…")
			}
		}
	}
	return &address{number: number, url: text, secrets: strings.NewReplacer(hide...)}
}

const (
	firstRest   = time.Second
	longestRest = time.Minute
	// longestAsked bounds how long an address may ask to be left alone.
	longestAsked = 10 * time.Minute
	// behindRest is how long an address is left alone that is behind another one.
	behindRest = 2 * time.Second
)

// fail notes a failure of an address, which is left alone for a while: as long as it asks for, else longer after each
// failure in a row. It returns the error.
func (c *Client) fail(a *address, err error, asked time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	rest := min(firstRest<<min(a.failures, 10), longestRest)
	switch {
	case errors.Is(err, errBehind):
		rest = behindRest
	case asked > 0:
		rest = min(asked, longestAsked)
	}
	isNew := a.failures == 0 || a.status.Problem != problemOf(err)
	a.failures, a.isChecked, a.restsUntil = a.failures+1, false, now.Add(rest)
	a.status.LastFailure, a.status.Problem, a.status.PausedUntil = now, problemOf(err), a.restsUntil
	c.metrics.failures.WithLabelValues(c.network.Name, strconv.Itoa(a.number)).Inc()
	if isNew {
		c.log.Warn("a node of a network fails; it is left alone for a while", slog.String("network", c.network.Name),
			slog.Int("address", a.number), slog.String("problem", a.status.Problem))
	}
	return err
}

// noteRemaining notes how many calls a provider still takes, if it says so.
func (c *Client) noteRemaining(a *address, remaining string) {
	if _, err := strconv.ParseUint(remaining, 10, 63); err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.status.Remaining = remaining
	}
}

// succeed notes an answer of an address that was accepted.
func (c *Client) succeed(a *address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.failures > 0 {
		c.log.Info("a node of a network answers again", slog.String("network", c.network.Name),
			slog.Int("address", a.number))
	}
	a.failures = 0
	a.status.LastSuccess, a.status.PausedUntil = c.now(), time.Time{}
}

// problemOf returns a text for the log and pages, without addresses.
func problemOf(err error) string {
	var fault *outbound.Fault
	if errors.As(err, &fault) {
		return fault.TenantMessage()
	}
	return err.Error()
}

package apptest

import (
	"net/url"
	"sync"
	"time"
)

// Clock is a clock that tests set. It stands still otherwise, so windows end only when a test says so.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	onRead func() bool
}

// Now returns the time and moves the clock on by a millisecond.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	c.now = c.now.Add(time.Millisecond) // two things never happen at once
	now, looks := c.now, c.onRead
	c.onRead = nil
	c.mu.Unlock()
	if looks != nil && looks() {
		c.OnRead(looks)
	}
	return now
}

// OnRead has f called whenever the clock is read, as every transaction does when it begins, until it returns false.
// What f itself asks for does not call it again.
func (c *Clock) OnRead(f func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onRead = f
}

// Set changes the time.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// Day is a day without a change of the clocks.
const Day = 24 * time.Hour

// Settling is well beyond the time that the server waits for a moment to settle.
const Settling = time.Minute

// AsOf is the parameter of a read of the past.
func AsOf(at time.Time) string { return "asOf=" + url.QueryEscape(at.Format(time.RFC3339Nano)) }

package apptest

import (
	"net/url"
	"sync"
	"time"
)

// Clock is a clock that tests set. It moves on by a millisecond whenever it is read, and else stands still, so windows
// end only when a test says so.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	onRead func() bool
}

// Now moves the clock on by a millisecond and returns the time. It calls the function that OnRead set, if there is one,
// and keeps it only if it returns true.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	c.now = c.now.Add(time.Millisecond) // two things never happen at once
	now, onRead := c.now, c.onRead
	c.onRead = nil
	c.mu.Unlock()
	if onRead != nil && onRead() {
		c.OnRead(onRead)
	}
	return now
}

// OnRead lets the clock call f whenever it is read, as every transaction does when it begins, until f returns false.
// While f runs, reads of the clock do not call it.
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

// Settling is longer than any time for which the server lets a moment settle before it takes a snapshot.
const Settling = time.Minute

// AsOf returns the query parameter of a read as of a moment in the past.
func AsOf(at time.Time) string { return "asOf=" + url.QueryEscape(at.Format(time.RFC3339Nano)) }

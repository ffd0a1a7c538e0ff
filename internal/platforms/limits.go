package platforms

import (
	"sync"
	"time"
)

// rateLimits holds until when APIs are left alone because their limits are reached, by credential. There are no more
// entries than credentials in the configuration. The zero rateLimits are ready to use.
type rateLimits struct {
	mu     sync.Mutex
	resets map[string]time.Time
}

// until returns until when an API is left alone; the zero time if it is not.
func (l *rateLimits) until(key string) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.resets[key]
}

// set leaves an API alone until a moment.
func (l *rateLimits) set(key string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resets == nil {
		l.resets = map[string]time.Time{}
	}
	l.resets[key] = until
}

// followerCounts remembers for a while how many followers accounts have, since APIs count few calls for that. The zero
// followerCounts are ready to use.
type followerCounts struct {
	mu     sync.Mutex
	counts map[string]followerCount
}

// followerCount is a number of followers, and when it was read.
type followerCount struct {
	n  int64
	at time.Time
}

const (
	followerCountLife = 10 * time.Minute
	maxFollowerCounts = 10_000
)

// get returns the number of followers of an account; ok is false if it is unknown or too old.
func (f *followerCounts) get(account string, now time.Time) (n int64, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.counts[account]
	return c.n, ok && now.Sub(c.at) < followerCountLife
}

// set stores the number of followers of an account. If there are too many, it forgets all of them first.
func (f *followerCounts) set(account string, n int64, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil || len(f.counts) >= maxFollowerCounts {
		f.counts = map[string]followerCount{}
	}
	f.counts[account] = followerCount{n, now}
}

// accessTokens holds access tokens that APIs have handed out, by the credential. The zero accessTokens are ready to
// use.
type accessTokens struct {
	mu     sync.Mutex
	tokens map[string]accessToken
}

// accessToken is a token, and until when it is used.
type accessToken struct {
	text  string
	until time.Time
}

// get returns the token for a credential; ok is false if there is none that is still valid.
func (a *accessTokens) get(key string, now time.Time) (token string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tokens[key]
	return t.text, now.Before(t.until)
}

// set stores the token for a credential.
func (a *accessTokens) set(key, token string, until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens == nil {
		a.tokens = map[string]accessToken{}
	}
	a.tokens[key] = accessToken{token, until}
}

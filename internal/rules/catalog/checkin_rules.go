package catalog

import (
	"context"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// CheckInRule is a rule of type check_in that completions of other rules, or entries of accounts, complete, too
// (contract 5.9).
type CheckInRule struct {
	RuleID       laurel.ID
	Triggers     schema.Triggers // the rules whose completion checks a member in
	OnEveryEntry bool            // every entry of a member's accounts checks it in, too
}

const (
	// maxCheckInAge is how old a cached list may be: a node sees changes by other nodes after this time.
	maxCheckInAge   = time.Second / 2
	maxCheckInBytes = 16 << 20 // bytes
)

// checkInCache holds the CheckInRules of websites, so that completions and entries need no query to find out that
// nobody is checked in.
type checkInCache struct {
	db    *store.DB
	reads store.Loader[laurel.ID, []CheckInRule] // by website

	mu            sync.Mutex
	entries       budget.Cache[laurel.ID, checkInEntry]
	invalidations uint64 // counts calls of invalidate: a list that was read before one of them is not stored
}

// checkInEntry is the cached list of one website.
type checkInEntry struct {
	rules  []CheckInRule
	readAt time.Time // taken before the query, so that the list is never older
}

// size estimates how many bytes the entry takes in the memory of the cache.
func (k checkInEntry) size() int {
	const website, rule = 64, 64
	n := website
	for _, c := range k.rules {
		n += rule + len(laurel.ID{})*cap(c.Triggers.Rules)
	}
	return n
}

// newCheckInCache returns an empty cache of the CheckInRules of websites, which takes at most maxCheckInBytes.
func newCheckInCache(db *store.DB) *checkInCache {
	size := func(_ laurel.ID, k checkInEntry) int { return k.size() }
	c := &checkInCache{db: db, entries: budget.NewCache(maxCheckInBytes, size)}
	c.reads = store.NewLoader(func(ctx context.Context, websites []laurel.ID) (map[laurel.ID][]CheckInRule, error) {
		return selectCheckInRules(ctx, db, websites)
	})
	return c
}

// invalidate removes the list of a website. It is called after the commit of a change to its rules.
func (c *checkInCache) invalidate(website laurel.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.invalidations++
	c.entries.Invalidate(website)
}

// find returns the cached list of a website. isFresh is false if there is none, or if it is older than maxCheckInAge.
// The caller then reads the list and passes it to store, with the count of invalidations.
func (c *checkInCache) find(website laurel.ID, now time.Time) (list []CheckInRule, isFresh bool, invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, isFresh := c.entries.GetIfPresent(website)
	return k.rules, isFresh && !now.Before(k.readAt) && now.Sub(k.readAt) < maxCheckInAge, c.invalidations
}

// store caches a list, unless invalidate was called since find returned the count of invalidations: the list may then
// lack the change.
func (c *checkInCache) store(website laurel.ID, k checkInEntry, invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.invalidations == invalidations {
		c.entries.Set(website, k)
	}
}

// CheckInRules returns the live CheckInRules of the scope's website, from a cache: changes that another node has made
// within the last half second may be missing. The list is shared; callers must not change it.
func (s *Service) CheckInRules(ctx context.Context, scope laurel.Scope) ([]CheckInRule, error) {
	now := s.db.Now()
	// store compares invalidations: a list that was read before a change is not cached after it
	list, isFresh, invalidations := s.checkInCache.find(scope.WebsiteID, now)
	if isFresh {
		return list, nil
	}
	list, _, err := s.checkInCache.reads.Get(ctx, scope.WebsiteID)
	if err == nil {
		s.checkInCache.store(scope.WebsiteID, checkInEntry{list, now}, invalidations)
	}
	return list, err
}

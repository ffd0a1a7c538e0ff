package catalog

import (
	"context"
	"sync"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// CheckInRule is a rule that members are checked in to by what else they do (contract 5.9).
type CheckInRule struct {
	RuleID       laurel.ID
	Triggers     schema.Triggers // rules whose completion does
	OnEveryEntry bool            // so does every entry of the member
}

const (
	// maxCheckInAge is how long a node goes on with what another one has changed.
	maxCheckInAge   = time.Second / 2
	maxCheckInBytes = 16 << 20 // bytes
)

// checkInCache keeps the rules of websites that others check members in to, so that completions and postings elsewhere
// cost nothing.
type checkInCache struct {
	db    *store.DB
	reads store.Loader[laurel.ID, []CheckInRule] // by website

	mu            sync.Mutex
	entries       budget.Cache[laurel.ID, checkInEntry]
	invalidations uint64 // how often something was forgotten: a read begun before must not be kept
}

type checkInEntry struct {
	rules  []CheckInRule
	readAt time.Time // before they were read
}

// size is how many bytes the rules of a website have, roughly.
func (k checkInEntry) size() int {
	const website, rule = 64, 64
	n := website
	for _, c := range k.rules {
		n += rule + len(laurel.ID{})*cap(c.Triggers.Rules)
	}
	return n
}

func newCheckInCache(db *store.DB) *checkInCache {
	size := func(_ laurel.ID, k checkInEntry) int { return k.size() }
	c := &checkInCache{db: db, entries: budget.NewCache(maxCheckInBytes, size)}
	c.reads = store.NewLoader(func(ctx context.Context, websites []laurel.ID) (map[laurel.ID][]CheckInRule, error) {
		return selectCheckInRules(ctx, db, websites)
	})
	return c
}

// invalidate makes the next look read the website's rules. It is called after the commit of a change.
func (c *checkInCache) invalidate(website laurel.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.invalidations++
	c.entries.Invalidate(website)
}

func (c *checkInCache) find(website laurel.ID, now time.Time) (list []CheckInRule, isFresh bool, invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, isFresh := c.entries.GetIfPresent(website)
	return k.rules, isFresh && !now.Before(k.readAt) && now.Sub(k.readAt) < maxCheckInAge, c.invalidations
}

func (c *checkInCache) store(website laurel.ID, k checkInEntry, invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.invalidations == invalidations {
		c.entries.Set(website, k)
	}
}

// CheckInRules returns the live rules of the scope's website that others check members in to. What another node has
// changed within half a second may be missing. The list is shared and must not be changed.
func (s *Service) CheckInRules(ctx context.Context, scope laurel.Scope) ([]CheckInRule, error) {
	now := s.db.Now()
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

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

// CheckIn is a rule that members are checked in to by what else they do (contract 5.9).
type CheckIn struct {
	RuleID     laurel.ID
	By         schema.Triggers // rules whose completion does
	EveryEntry bool            // so does every entry of the member
}

const (
	// checkInsKeep is how long a node goes on with what another one has changed.
	checkInsKeep = time.Second / 2
	maxCheckIns  = 16 << 20 // bytes
)

// checkIns keeps the rules of websites that others check members in to, so that completions and postings elsewhere cost
// nothing.
type checkIns struct {
	db    *store.DB
	reads store.Loader[laurel.ID, []CheckIn] // by website

	mu        sync.Mutex
	kept      budget.Cache[laurel.ID, keptCheckIns]
	forgotten uint64 // how often something was forgotten: a read begun before must not be kept
}

type keptCheckIns struct {
	list []CheckIn
	at   time.Time // before they were read
}

// size is how many bytes the rules of a website have, roughly.
func (k keptCheckIns) size() int {
	const website, rule = 64, 64
	n := website
	for _, c := range k.list {
		n += rule + len(laurel.ID{})*cap(c.By.Rules)
	}
	return n
}

func newCheckIns(db *store.DB) *checkIns {
	c := &checkIns{db: db, kept: budget.NewCache(maxCheckIns, func(_ laurel.ID, k keptCheckIns) int { return k.size() })}
	c.reads = store.NewLoader(func(ctx context.Context, websites []laurel.ID) (map[laurel.ID][]CheckIn, error) {
		return selectCheckIns(ctx, db, websites)
	})
	return c
}

// forget makes the next look read the website's rules. It is called after the commit of a change.
func (c *checkIns) forget(website laurel.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forgotten++
	c.kept.Invalidate(website)
}

func (c *checkIns) find(website laurel.ID, now time.Time) (list []CheckIn, known bool, forgotten uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, known := c.kept.GetIfPresent(website)
	return k.list, known && !now.Before(k.at) && now.Sub(k.at) < checkInsKeep, c.forgotten
}

func (c *checkIns) keep(website laurel.ID, k keptCheckIns, forgotten uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forgotten == forgotten {
		c.kept.Set(website, k)
	}
}

// CheckIns returns the live rules of the scope's website that others check members in to. What another node has changed
// within half a second may be missing. The list is shared and must not be changed.
func (s *Service) CheckIns(ctx context.Context, scope laurel.Scope) ([]CheckIn, error) {
	now := s.db.Now()
	list, known, forgotten := s.checkIns.find(scope.WebsiteID, now)
	if known {
		return list, nil
	}
	list, _, err := s.checkIns.reads.Get(ctx, scope.WebsiteID)
	if err == nil {
		s.checkIns.keep(scope.WebsiteID, keptCheckIns{list, now}, forgotten)
	}
	return list, err
}

package catalog

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// CachedRule is a rule as it was when it was read. It is shared; callers must not change it.
type CachedRule struct {
	Rule        *Rule
	HasRequired bool // the website has required rules or required groups
	fault       error
	size        int // in bytes, roughly
}

const (
	maxCacheBytes = 64 << 20 // bytes of decoded rules in the cache

	// baseRuleBytes and bytesPerRecordByte estimate the size of a decoded rule: each property takes a few words, and the
	// metadata is held twice, encoded and decoded.
	baseRuleBytes      = 2 << 10
	bytesPerRecordByte = 3
)

// ruleCache caches rules for completions. Simultaneous reads are joined into one query, so that many completions of few
// rules cost few queries.
type ruleCache struct {
	db    *store.DB
	reads store.Loader[laurel.ID, CachedRule]
	rules budget.Cache[laurel.ID, CachedRule] // may be outdated: callers compare the version under locks
}

// newRuleCache returns an empty cache.
func newRuleCache(db *store.DB) *ruleCache {
	k := &ruleCache{db: db, rules: budget.NewCache(maxCacheBytes, func(_ laurel.ID, c CachedRule) int { return c.size })}
	k.reads = store.NewLoader(k.load)
	return k
}

// GetCached returns a rule, also a deleted one, from the cache if it is there, unless fresh is set. The rule may be
// outdated: callers must compare its version under locks, and get it fresh if the version differs. GetCached returns
// NotFound "Loyalty rule" for a rule outside the scope.
func (s *Service) GetCached(
	ctx context.Context, scope laurel.Scope, id laurel.ID, fresh bool,
) (c CachedRule, err error) {
	found := false
	if !fresh {
		c, found = s.ruleCache.rules.GetIfPresent(id)
	}
	if !found {
		c, found, err = s.ruleCache.reads.Get(ctx, id)
	}
	if err := cmp.Or(err, c.fault); err != nil {
		return CachedRule{}, err
	}
	if !found || c.Rule.OrganizationID != scope.OrganizationID ||
		!scope.WebsiteID.IsZero() && c.Rule.WebsiteID != scope.WebsiteID {
		return CachedRule{}, laurel.Missing("Loyalty rule")
	}
	return c, nil
}

// load returns the current versions of rules and caches them. It reads the version numbers first: rules that are cached
// with their current version are taken from the cache, and only the records of the others are read. Unknown ids are
// left out.
func (k *ruleCache) load(ctx context.Context, ids []laurel.ID) (map[laurel.ID]CachedRule, error) {
	versions, err := Versions.Read(ctx, k.db, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[laurel.ID]CachedRule, len(versions))
	var changed []laurel.ID
	for id, v := range versions {
		if c, ok := k.rules.GetIfPresent(id); ok && c.Rule.Version == v.Version {
			c.HasRequired = v.HasRequired
			out[id] = c
			k.rules.Set(id, c)
		} else {
			changed = append(changed, id)
		}
	}
	if len(changed) == 0 {
		return out, nil
	}
	rows, err := rulesByID(ctx, k.db, changed)
	for _, row := range rows {
		rule, fault := row.rule()
		if fault != nil { // the fault is returned for this rule alone, not for the others of the query
			out[row.ID] = CachedRule{fault: fault}
			continue
		}
		meta := rule.Meta()
		rule.meta = &meta
		out[rule.ID] = CachedRule{
			Rule: &rule, HasRequired: versions[rule.ID].HasRequired,
			size: baseRuleBytes + bytesPerRecordByte*len(row.Record),
		}
		k.rules.Set(rule.ID, out[rule.ID])
	}
	return out, err
}

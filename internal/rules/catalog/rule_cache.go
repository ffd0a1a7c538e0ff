package catalog

import (
	"cmp"
	"context"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

// CachedRule is a rule as it was when it was read. It is shared and must not be changed.
type CachedRule struct {
	Rule        *Rule
	HasRequired bool // the website has rules or groups that come before others
	fault       error
	size        int // in bytes, roughly
}

const (
	maxCacheBytes = 64 << 20 // bytes of decoded rules that a node keeps
	// Decoded, a rule has a few words for each property, and its metadata twice: as it is stored, and what decisions read
	// of it.
	baseRuleBytes      = 2 << 10
	bytesPerRecordByte = 3
)

// ruleCache reads rules for completions. It shares a read with other callers of the same moment, so that a crowd costs
// few statements, and remembers what it read.
type ruleCache struct {
	db    *store.DB
	reads store.Loader[laurel.ID, CachedRule]
	rules budget.Cache[laurel.ID, CachedRule] // decoded, good for whoever compares their version under locks
}

func newRuleCache(db *store.DB) *ruleCache {
	k := &ruleCache{db: db, rules: budget.NewCache(maxCacheBytes, func(_ laurel.ID, c CachedRule) int { return c.size })}
	k.reads = store.NewLoader(k.load)
	return k
}

// GetCached returns a rule, deleted ones included: as it is now, or, unless that is asked for, as this node saw it
// last: good for whoever compares its version under locks. NotFound "Loyalty rule" outside the scope.
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

// load reads the versions, and the records of those rules that are not known in that version.
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
		if fault != nil { // of this rule alone: others that are read with it go on
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

package catalog

import (
	"cmp"
	"context"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

// Current is a rule as it was when it was read. It is shared and must not be changed.
type Current struct {
	Rule  *Rule
	Gated bool // the website has rules or groups that come before others
	fault error
	size  int // in bytes, roughly
}

const (
	maxKnown = 64 << 20 // bytes of decoded rules that a node keeps
	// Decoded, a rule has a few words for each property, and its metadata twice: as it is stored, and what decisions read
	// of it.
	decodedRule   = 2 << 10
	decodedRecord = 3
)

// known reads rules for completions. It shares a read with other callers of the same moment, so that a crowd costs few
// statements, and remembers what it read.
type known struct {
	db    *store.DB
	reads store.Loader[laurel.ID, Current]
	rules budget.Cache[laurel.ID, Current] // decoded, good for whoever compares their version under locks
}

func newKnown(db *store.DB) *known {
	k := &known{db: db, rules: budget.NewCache(maxKnown, func(_ laurel.ID, c Current) int { return c.size })}
	k.reads = store.NewLoader(k.read)
	return k
}

// Current returns a rule, deleted ones included: as it is now, or, unless that is asked for, as this node saw it last:
// good for whoever compares its version under locks. NotFound "Loyalty rule" outside the scope.
func (s *Service) Current(ctx context.Context, scope laurel.Scope, id laurel.ID, now bool) (c Current, err error) {
	seen := false
	if !now {
		c, seen = s.known.rules.GetIfPresent(id)
	}
	if !seen {
		c, seen, err = s.known.reads.Get(ctx, id)
	}
	if err := cmp.Or(err, c.fault); err != nil {
		return Current{}, err
	}
	if !seen || c.Rule.OrganizationID != scope.OrganizationID ||
		!scope.WebsiteID.IsZero() && c.Rule.WebsiteID != scope.WebsiteID {
		return Current{}, laurel.Missing("Loyalty rule")
	}
	return c, nil
}

// read reads the versions, and the records of those rules that are not known in that version.
func (k *known) read(ctx context.Context, ids []laurel.ID) (map[laurel.ID]Current, error) {
	versions, err := Versions.Read(ctx, k.db, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[laurel.ID]Current, len(versions))
	var fresh []laurel.ID
	for id, v := range versions {
		if c, ok := k.rules.GetIfPresent(id); ok && c.Rule.Version == v.Version {
			c.Gated = v.Gated
			out[id] = c
			k.rules.Set(id, c)
		} else {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 {
		return out, nil
	}
	rows, err := rulesByID(ctx, k.db, fresh)
	for _, row := range rows {
		rule, fault := row.rule()
		if fault != nil { // of this rule alone: others that are read with it go on
			out[row.ID] = Current{fault: fault}
			continue
		}
		meta := rule.Meta()
		rule.meta = &meta
		out[rule.ID] = Current{Rule: &rule, Gated: versions[rule.ID].Gated, size: decodedRule + decodedRecord*len(row.Record)}
		k.rules.Set(rule.ID, out[rule.ID])
	}
	return out, err
}

package rules

import (
	"cmp"
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"laurel"
	"laurel/internal/codes"
	"laurel/internal/store"
)

// current is a rule as it was when it was read. It is shared and must not be changed.
type current struct {
	rule  *Rule
	gated bool // the website has rules or groups that come before others
	fault error
}

// maxKnown bounds the decoded rules that a node keeps.
const maxKnown = 8192

// reads are what completions read without locks. Each shares its read with other callers of the same moment, so that a crowd costs
// few statements; what is read is never older than the call. Only known may be older.
type reads struct {
	db       *store.DB
	rules    *store.Loader[laurel.ID, current]
	subjects *store.Loader[subjectKey, *subject]
	codes    *store.Loader[codes.Key, *codes.Row]
	hasCodes *store.Loader[laurel.ID, bool] // of a rule
	known    *lru.Cache[laurel.ID, current] // decoded rules, good for whoever compares their version under locks
}

func newReads(db *store.DB) *reads {
	known, err := lru.New[laurel.ID, current](maxKnown)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	r := &reads{db: db, known: known, subjects: subjects.Loader(db), codes: codes.Table.Loader(db)}
	r.rules = store.NewLoader(r.readRules)
	r.hasCodes = store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]bool, error) {
		return codes.Of(ctx, db, rules)
	})
	return r
}

// rule answers a rule, deleted ones included: as it is now, or, unless that is asked for, as this node saw it last.
// NotFound "Loyalty rule" outside the scope.
func (r *reads) rule(ctx context.Context, scope laurel.Scope, id laurel.ID, now bool) (c current, err error) {
	known := false
	if !now {
		c, known = r.known.Get(id)
	}
	if !known {
		c, known, err = r.rules.Get(ctx, id)
	}
	if err := cmp.Or(err, c.fault); err != nil {
		return current{}, err
	}
	if !known || c.rule.OrganizationID != scope.OrganizationID || !scope.WebsiteID.IsZero() && c.rule.WebsiteID != scope.WebsiteID {
		return current{}, laurel.Missing("Loyalty rule")
	}
	return c, nil
}

// readRules reads the versions, and the records of those rules that are not known in that version.
func (r *reads) readRules(ctx context.Context, ids []laurel.ID) (map[laurel.ID]current, error) {
	versions, err := ruleTable.Read(ctx, r.db, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[laurel.ID]current, len(versions))
	var fresh []laurel.ID
	for id, v := range versions {
		if c, ok := r.known.Get(id); ok && c.rule.Version == v.Version {
			out[id] = current{rule: c.rule, gated: v.Gated}
			r.known.Add(id, out[id])
		} else {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 {
		return out, nil
	}
	rows, err := rulesByID(ctx, r.db, fresh)
	for _, row := range rows {
		rule, fault := row.rule()
		if fault != nil { // of this rule alone: others that are read with it go on
			out[row.ID] = current{fault: fault}
			continue
		}
		meta := rule.Meta()
		rule.meta = &meta
		out[rule.ID] = current{rule: &rule, gated: versions[rule.ID].Gated}
		r.known.Add(rule.ID, out[rule.ID])
	}
	return out, err
}

func (r *reads) subject(ctx context.Context, k subjectKey) (subject, error) {
	s, known, err := r.subjects.Get(ctx, k)
	if err != nil || !known {
		return subject{RuleID: k.Rule, SubjectID: k.Subject, fresh: true}, err
	}
	return *s, nil
}

func (r *reads) code(ctx context.Context, k codes.Key) (codes.Row, error) {
	c, known, err := r.codes.Get(ctx, k)
	if err != nil || !known {
		return codes.Row{}, err
	}
	return *c, nil
}

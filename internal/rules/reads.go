package rules

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"

	"laurel"
	"laurel/internal/store"
)

// maxKnown bounds the decoded rules that a node keeps.
const maxKnown = 8192

// reads are what completions read without locks. Each shares its read with other callers of the same moment, so that a crowd costs
// few statements; what is read is never older than the call.
type reads struct {
	db       *store.DB
	rules    *store.Loader[laurel.ID, *Rule]
	subjects *store.Loader[subjectKey, *subject]
	codes    *store.Loader[codeKey, *codeRow]
	gates    *store.Loader[laurel.ID, bool] // of a website: whether any rule or group is required there
	known    *lru.Cache[laurel.ID, *Rule]   // decoded rules, good as long as the database has their version
}

func newReads(db *store.DB) *reads {
	known, err := lru.New[laurel.ID, *Rule](maxKnown)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	r := &reads{db: db, known: known, subjects: subjects.Loader(db), codes: codes.Loader(db)}
	r.rules = store.NewLoader(r.readRules)
	r.gates = store.NewLoader(func(ctx context.Context, websites []laurel.ID) (map[laurel.ID]bool, error) {
		return gated(ctx, db, websites)
	})
	return r
}

// rule answers a rule as it is now, deleted ones included. It is shared and must not be changed. NotFound "Loyalty rule" outside the scope.
func (r *reads) rule(ctx context.Context, scope laurel.Scope, id laurel.ID) (*Rule, error) {
	rule, known, err := r.rules.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !known || rule.OrganizationID != scope.OrganizationID || !scope.WebsiteID.IsZero() && rule.WebsiteID != scope.WebsiteID {
		return nil, laurel.Missing("Loyalty rule")
	}
	return rule, nil
}

// readRules reads the versions, and the records of those rules that are not known in that version.
func (r *reads) readRules(ctx context.Context, ids []laurel.ID) (map[laurel.ID]*Rule, error) {
	versions, err := ruleTable.Read(ctx, r.db, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[laurel.ID]*Rule, len(versions))
	var fresh []laurel.ID
	for id, v := range versions {
		if rule, ok := r.known.Get(id); ok && rule.Version == v.Version {
			out[id] = rule
		} else {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 {
		return out, nil
	}
	rules, err := rulesByID(ctx, r.db, fresh)
	for _, rule := range rules {
		meta := rule.Meta()
		rule.meta = &meta
		r.known.Add(rule.ID, &rule)
		out[rule.ID] = &rule
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

func (r *reads) code(ctx context.Context, k codeKey) (codeRow, error) {
	c, known, err := r.codes.Get(ctx, k)
	if err != nil || !known {
		return codeRow{}, err
	}
	return *c, nil
}

package ruletypes

import (
	"context"

	"laurel"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// Reads are what completions read without locks. Each shares its read with other callers of the same moment, so that a
// crowd costs few statements; what is read is never older than the call.
type Reads struct {
	subjects store.Loader[progress.Key, *progress.Subject]
	codes    store.Loader[codes.Key, *codes.Row]
	hasCodes store.Loader[laurel.ID, bool] // of a rule
	lists    store.Loader[lists.Key, lists.Member]
}

// NewReads makes the loaders of a database.
func NewReads(db *store.DB) *Reads {
	return &Reads{subjects: progress.Subjects.Loader(db), codes: codes.Table.Loader(db),
		hasCodes: store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]bool, error) {
			return codes.Exist(ctx, db, rules)
		}),
		lists: store.NewLoader(func(ctx context.Context, keys []lists.Key) (map[lists.Key]lists.Member, error) {
			return lists.On(ctx, db, keys)
		})}
}

// Subject returns what a rule remembers of a subject; a fresh row where that is nothing.
func (r *Reads) Subject(ctx context.Context, k progress.Key) (progress.Subject, error) {
	s, known, err := r.subjects.Get(ctx, k)
	if err != nil || !known {
		return progress.Subject{RuleID: k.Rule, SubjectID: k.Subject, Fresh: true}, err
	}
	return *s, nil
}

// Member returns what the list of a rule gives a wallet, and whether it stands there.
func (r *Reads) Member(ctx context.Context, k lists.Key) (member lists.Member, listed bool, err error) {
	return r.lists.Get(ctx, k)
}

func (r *Reads) code(ctx context.Context, k codes.Key) (codes.Row, error) {
	c, known, err := r.codes.Get(ctx, k)
	if err != nil || !known {
		return codes.Row{}, err
	}
	return *c, nil
}

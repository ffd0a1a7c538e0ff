package completion

import (
	"context"

	"laurel"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// reads are what completions read without locks. Each shares its read with other callers of the same moment, so that a
// crowd costs few statements; what is read is never older than the call.
type reads struct {
	subjects *store.Loader[progress.Key, *progress.Subject]
	codes    *store.Loader[codes.Key, *codes.Row]
	hasCodes *store.Loader[laurel.ID, bool] // of a rule
	lists    *store.Loader[lists.Key, lists.Member]
}

func newReads(db *store.DB) *reads {
	return &reads{subjects: progress.Subjects.Loader(db), codes: codes.Table.Loader(db),
		hasCodes: store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]bool, error) {
			return codes.Of(ctx, db, rules)
		}),
		lists: store.NewLoader(func(ctx context.Context, keys []lists.Key) (map[lists.Key]lists.Member, error) {
			return lists.On(ctx, db, keys)
		})}
}

func (r *reads) subject(ctx context.Context, k progress.Key) (progress.Subject, error) {
	s, known, err := r.subjects.Get(ctx, k)
	if err != nil || !known {
		return progress.Subject{RuleID: k.Rule, SubjectID: k.Subject, Fresh: true}, err
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

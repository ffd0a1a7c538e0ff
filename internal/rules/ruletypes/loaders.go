package ruletypes

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// Loaders read for completions without locks. Each combines the reads of concurrent callers, so that a rush costs few
// statements. What they return is never older than the call.
type Loaders struct {
	states   store.Loader[progress.StateKey, *progress.State]
	codes    store.Loader[codes.Key, *codes.Row]
	hasCodes store.Loader[laurel.ID, bool] // by rule: whether it has codes of its own
	lists    store.Loader[lists.Key, lists.Member]
}

// NewLoaders returns the loaders of rule states, codes and list members, which read from the database.
func NewLoaders(db *store.DB) *Loaders {
	return &Loaders{states: progress.States.Loader(db), codes: codes.Table.Loader(db),
		hasCodes: store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]bool, error) {
			return codes.HaveCodes(ctx, db, rules)
		}),
		lists: store.NewLoader(func(ctx context.Context, keys []lists.Key) (map[lists.Key]lists.Member, error) {
			return lists.FindMembers(ctx, db, keys)
		})}
}

// State returns a rule state, or a new one if there is none yet.
func (r *Loaders) State(ctx context.Context, k progress.StateKey) (progress.State, error) {
	s, found, err := r.states.Get(ctx, k)
	if err != nil || !found {
		return progress.State{RuleID: k.Rule, SubjectID: k.Subject, IsNew: true}, err
	}
	return *s, nil
}

// ListMember returns the entry of a wallet on the list of a rule, and whether the wallet is on the list.
func (r *Loaders) ListMember(ctx context.Context, k lists.Key) (member lists.Member, listed bool, err error) {
	return r.lists.Get(ctx, k)
}

// code returns a code of a rule; the zero row if there is none.
func (r *Loaders) code(ctx context.Context, k codes.Key) (codes.Row, error) {
	c, found, err := r.codes.Get(ctx, k)
	if err != nil || !found {
		return codes.Row{}, err
	}
	return *c, nil
}

package badges

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// DeleteRuleData deletes the badges that rules have granted to subjects (users and groups of users), and ends their
// multipliers (contract 4.3, reset). The caller holds locks on the people, so that they get nothing meanwhile.
func (s *Service) DeleteRuleData(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID,
) error {
	for subjectChunk := range slices.Chunk(subjects, deleteChunk) {
		for ruleChunk := range slices.Chunk(rules, deleteChunk) {
			granted, err := lockGrantedBy(ctx, tx, scope, ruleChunk, subjectChunk)
			if err != nil {
				return err
			}
			if len(granted) == 0 {
				continue
			}
			w := &endGrantsWork{scope: scope, status: Inactive, matches: func(*userRow) bool { return true }}
			ids := make([]laurel.ID, len(granted))
			for i, r := range granted {
				w.keys, ids[i] = append(w.keys, userKey{r.BadgeID, r.UserID}), r.ID
			}
			if err := store.Run(ctx, tx, w); err != nil {
				return err
			}
			if err := deleteUsers(ctx, tx, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

// IdleSubjects returns some users with badges granted by a rule that were last changed before a moment.
func (s *Service) IdleSubjects(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	before int64,
) ([]laurel.ID, error) {
	return selectStaleUsers(ctx, q, scope, rule, before)
}

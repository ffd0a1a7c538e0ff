package badges

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// DeleteRuleData deletes the records of badges that rules have granted to subjects (users and groups of users), and
// ends the badges' multipliers (contract 4.3, reset). The caller holds locks on the people, so that they get nothing
// meanwhile.
func (s *Service) DeleteRuleData(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID,
) error {
	for subjectChunk := range slices.Chunk(subjects, deleteChunkSize) {
		for ruleChunk := range slices.Chunk(rules, deleteChunkSize) {
			granted, err := lockGrantedBy(ctx, tx, scope, ruleChunk, subjectChunk)
			if err != nil {
				return err
			}
			if len(granted) == 0 {
				continue
			}
			w := &endGrantsWork{scope: scope, status: Inactive, matches: func(*badgeUserRow) bool { return true }}
			ids := make([]laurel.ID, len(granted))
			for i, r := range granted {
				w.keys, ids[i] = append(w.keys, badgeUserKey{r.BadgeID, r.UserID}), r.ID
			}
			if err := store.Run(ctx, tx, w); err != nil {
				return err
			}
			if err := deleteBadgeUsers(ctx, tx, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

// SubjectsUnchangedSince returns up to deleteChunkSize users with a badge that the rule has granted, if their record of
// that badge has not changed after moment (in microseconds).
func (s *Service) SubjectsUnchangedSince(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	moment int64,
) ([]laurel.ID, error) {
	return selectStaleUsers(ctx, q, scope, rule, moment)
}

// RevokeGrantedBy revokes the badges that the rules have granted to a user. Dynamic rewards become inactive instead,
// and Reactivate brings them back. It is called when a user has given up what earned them, such as a phone number
// (contract 8.4). The caller has locked the member.
func RevokeGrantedBy(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules []laurel.ID, user laurel.ID) error {
	for chunk := range slices.Chunk(rules, deleteChunkSize) {
		granted, err := lockGrantedBy(ctx, tx, scope, chunk, []laurel.ID{user})
		if err != nil {
			return err
		}
		if len(granted) == 0 {
			continue
		}
		keys := make([]badgeUserKey, len(granted))
		for i, r := range granted {
			keys[i] = badgeUserKey{r.BadgeID, r.UserID}
		}
		for _, w := range []*endGrantsWork{
			{scope: scope, keys: keys, status: Revoked, matches: func(r *badgeUserRow) bool { return !r.Dynamic }},
			{scope: scope, keys: keys, status: Inactive, matches: func(r *badgeUserRow) bool { return r.Dynamic }},
		} {
			if err := store.Run(ctx, tx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

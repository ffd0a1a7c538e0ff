package completions

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Forget removes what the rules remember of subjects: progress, paid windows and what was paid. The people behind the subjects are held, so
// nobody is paid meanwhile. Keys and redeemed codes stay.
func (s *Service) Forget(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error {
	of, err := rememberedBy(ctx, tx, scope, rules, subjects)
	if err != nil {
		return err
	}
	for _, rule := range rules {
		if len(of[rule]) == 0 {
			continue
		}
		for _, from := range []string{"rule_claims", "rule_subjects"} {
			var w store.Where
			w.Add("loyalty_rule_id = ?", rule)
			store.In(&w, "subject_id", of[rule])
			if _, err := tx.Exec(ctx, "DELETE FROM "+from+w.String(), w.Args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// rememberedBy answers which of the subjects each rule remembers.
func rememberedBy(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) (map[laurel.ID][]laurel.ID, error) {
	of := map[laurel.ID][]laurel.ID{}
	for _, rule := range rules {
		of[rule] = nil
	}
	for chunk := range slices.Chunk(subjects, 256) {
		var w store.Where
		w.Add("website_id = ?", scope.WebsiteID)
		store.In(&w, "subject_id", chunk)
		var rows []struct {
			Rule    laurel.ID `db:"loyalty_rule_id"`
			Subject laurel.ID `db:"subject_id"`
		}
		if err := tx.Select(ctx, &rows, "SELECT loyalty_rule_id, subject_id FROM rule_subjects"+w.String(), w.Args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			if _, asked := of[r.Rule]; asked {
				of[r.Rule] = append(of[r.Rule], r.Subject)
			}
		}
	}
	return of, nil
}

// Remembered answers subjects that a rule remembers and that nothing has happened to since a moment, in the order in which they came to it.
func (s *Service) Remembered(ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, before int64) ([]laurel.ID, error) {
	var w store.Where
	w.Add("organization_id = ? AND loyalty_rule_id = ? AND updated_at <= ?", scope.OrganizationID, rule, before)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT subject_id FROM rule_subjects"+w.String()+" ORDER BY created_at, id LIMIT ?", append(w.Args, rememberedChunk)...)
	return ids, err
}

// rememberedChunk is how many subjects are told of at a time: those that are forgotten are not told of again.
const rememberedChunk = 100

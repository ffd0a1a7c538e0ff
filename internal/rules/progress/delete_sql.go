package progress

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Delete removes what the rules remember of subjects: progress, paid windows and what was paid. The people behind the
// subjects are held, so nobody is paid meanwhile. Keys and redeemed codes stay.
func Delete(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error {
	for people := range slices.Chunk(subjects, statementChunk) {
		for chosen := range slices.Chunk(rules, statementChunk) {
			w := subjectsWhere(tx.Engine(), scope, chosen, people)
			// Whoever has a claim has a subject, by whose key the claims are found.
			if _, err := tx.Exec(ctx, `DELETE FROM rule_claims WHERE (loyalty_rule_id, subject_id) IN
				(SELECT loyalty_rule_id, subject_id FROM rule_subjects`+w.String()+")", w.Args...); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "DELETE FROM rule_subjects"+w.String(), w.Args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// subjectsWhere is the condition of what rules of a website remember of subjects.
func subjectsWhere(e store.Engine, scope laurel.Scope, rules, subjects []laurel.ID) store.Where {
	var w store.Where
	w.Add(e.NoIndex()+"website_id = ?", scope.WebsiteID)
	store.In(&w, "subject_id", subjects)
	store.In(&w, "loyalty_rule_id", rules)
	return w
}

// statementChunk bounds the lists of one statement.
const statementChunk = 256

// IdleSubjects returns subjects that a rule remembers and that nothing has happened to since a moment, in the order in
// which they came to it.
func IdleSubjects(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	before int64,
) ([]laurel.ID, error) {
	var w store.Where
	w.Add("organization_id = ? AND loyalty_rule_id = ? AND updated_at <= ?", scope.OrganizationID, rule, before)
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT subject_id FROM rule_subjects"+w.String()+" ORDER BY created_at, id LIMIT ?",
		append(w.Args, idlePage)...)
	return ids, err
}

// idlePage is how many subjects are told of at a time: those that are forgotten are not told of again.
const idlePage = 100

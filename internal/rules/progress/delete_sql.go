package progress

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// RuleData is the rule state of members, as resets delete it.
type RuleData struct{}

// DeleteRuleData removes the rule state of subjects: progress, paid windows and counters. The caller holds the people's
// locks, so that nobody is paid meanwhile. Used keys and redeemed codes stay.
func (RuleData) DeleteRuleData(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID,
) error {
	for people := range slices.Chunk(subjects, statementChunk) {
		for chosen := range slices.Chunk(rules, statementChunk) {
			w := subjectsWhere(tx.Engine(), scope, chosen, people)
			// Every paid window has a rule state, and is found by its key.
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

// subjectsWhere returns the condition for the rule state of subjects in rules of a website.
func subjectsWhere(e store.Engine, scope laurel.Scope, rules, subjects []laurel.ID) store.Where {
	var w store.Where
	w.Add(e.NoIndexPrefix()+"website_id = ?", scope.WebsiteID)
	store.In(&w, "subject_id", subjects)
	store.In(&w, "loyalty_rule_id", rules)
	return w
}

// statementChunk bounds the lists of one statement.
const statementChunk = 256

// SubjectsUnchangedSince returns up to 100 subjects with a state of the rule that has not changed since a moment (in
// microseconds), oldest first. The caller deletes their states, and calls it again for the next ones.
func (RuleData) SubjectsUnchangedSince(
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
		append(w.Args, maxIdleSubjects)...)
	return ids, err
}

// maxIdleSubjects is the most subjects that SubjectsUnchangedSince returns.
const maxIdleSubjects = 100

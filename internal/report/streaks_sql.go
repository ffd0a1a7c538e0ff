package report

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// Streak is an item of the streaks list (contract 3.19).
type Streak struct {
	ID        laurel.ID            `db:"id"`
	RuleID    laurel.ID            `db:"loyalty_rule_id"`
	UserID    laurel.ID            `db:"user_id"`
	Wallet    *string              `db:"wallet_address"`
	Count     int64                `db:"streak_count"`
	ExpiresAt laurel.NullTimestamp `db:"expires_at"`
	CreatedAt laurel.Timestamp     `db:"created_at"`
	UpdatedAt laurel.Timestamp     `db:"updated_at"`
	Metadata  json.RawMessage      // the milestones of the rule's metadata
}

// Streaks returns one page of streaks with the milestones of their rules, newest first. The users of a group share one
// streak. Errors: Invalid for an unknown cursor.
func (s *Service) Streaks(
	ctx context.Context,
	scope laurel.Scope,
	f StatusFilter,
	page laurel.PageRequest,
) (laurel.Page[Streak], error) {
	none := laurel.PageOf[Streak](nil, page.Limit)
	var w store.Where
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	s.whereTenantOf(&w, "s.", scope, f.Users)
	w.Add("s.user_id IS NOT NULL")
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	whereSubjects(&w, scope, f.Users)
	if err := s.whereAfter(ctx, scope, &w, "loyalty_account_streaks s", page.StartingAfter); err != nil {
		return none, err
	}
	found, err := store.SelectPage[Streak](
		ctx,
		s.db,
		page.Limit,
		`SELECT s.id, s.loyalty_rule_id, s.user_id, u.wallet_address, s.streak_count, s.expires_at, s.created_at, s.updated_at FROM (
		SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.subject_id, `+shownUser+` AS user_id, r.streak_count, r.expires_at, r.created_at, r.updated_at
		FROM loyalty_account_streaks r) s JOIN users u ON u.id = s.user_id`+w.String()+newestFirst,
		w.Args...)
	if err != nil {
		return none, err
	}
	return s.withMilestones(ctx, found)
}

// withMilestones returns the page with the milestones of each streak's rule, which are a part of the rule's metadata.
// It drops the streaks at the end that do not fit on the page with them.
func (s *Service) withMilestones(ctx context.Context, page laurel.Page[Streak]) (laurel.Page[Streak], error) {
	rules := make([]laurel.ID, len(page.Data))
	for i, streak := range page.Data {
		rules[i] = streak.RuleID
	}
	if len(rules) == 0 {
		return page, nil
	}
	var w store.Where
	store.In(&w, "id", distinct(rules))
	milestones := map[laurel.ID]json.RawMessage{}
	var sizes []budget.ByteSize
	err := store.ForEachRow(ctx, s.db, func(rule struct {
		ID       laurel.ID `db:"id"`
		Metadata string    `db:"metadata"`
	}) error {
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(rule.Metadata), &all); err != nil {
			return fmt.Errorf("metadata of rule %s: %w", rule.ID, err)
		}
		const name = "streakArray"
		if all[name] != nil {
			milestones[rule.ID] = store.JSON(map[string]json.RawMessage{name: all[name]})
			sizes = append(sizes, budget.ByteSize{ID: rule.ID, Bytes: int64(len(milestones[rule.ID]))})
		}
		return nil
	}, "SELECT id, metadata FROM loyalty_rules"+w.String(), w.Args...)
	page = budget.FirstItems(page, budget.CountFitting(rules, sizes))
	for i := range page.Data {
		page.Data[i].Metadata = milestones[page.Data[i].RuleID]
	}
	return page, err
}

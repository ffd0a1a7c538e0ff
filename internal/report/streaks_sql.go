package report

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/store"
)

// Streak is an item of the streaks list (contract 3.19).
type Streak struct {
	ID            laurel.ID `db:"id"`
	RuleID        laurel.ID `db:"loyalty_rule_id"`
	UserID        laurel.ID `db:"user_id"`
	Wallet        *string   `db:"wallet_address"`
	Count         int64     `db:"streak_count"`
	ExpiresMicros *int64    `db:"expires_at"`
	CreatedMicros int64     `db:"created_at"`
	UpdatedMicros int64     `db:"updated_at"`
	RuleMetadata  string    `db:"metadata"`
}

// Metadata is the rule's, which holds the milestones.
func (s Streak) Metadata() json.RawMessage { return json.RawMessage(s.RuleMetadata) }

// Streaks answers one page of streaks, newest first. Users of a group share one.
func (s *Service) Streaks(ctx context.Context, scope laurel.Scope, f StatusFilter, page laurel.PageRequest) (laurel.Page[Streak], error) {
	none := laurel.PageOf[Streak](nil, page.Limit)
	var w store.Where
	if err := s.nameGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	s.tenantOf(&w, "s.", scope, f.Users)
	w.Add("s.user_id IS NOT NULL")
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	subjects(&w, scope, f.Users)
	if err := s.after(ctx, &w, "loyalty_account_streaks", scope, page.StartingAfter); err != nil {
		return none, err
	}
	var rows []Streak
	err := s.db.Select(ctx, &rows, `SELECT s.id, s.loyalty_rule_id, s.user_id, u.wallet_address, s.streak_count, s.expires_at, s.created_at, s.updated_at, l.metadata FROM (
		SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.subject_id, `+told+` AS user_id, r.streak_count, r.expires_at, r.created_at, r.updated_at
		FROM loyalty_account_streaks r) s JOIN users u ON u.id = s.user_id JOIN loyalty_rules l ON l.id = s.loyalty_rule_id`+w.String()+newest, append(w.Args, page.Limit+1)...)
	return laurel.PageOf(rows, page.Limit), err
}

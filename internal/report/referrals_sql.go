package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Referral is an item of the referrals list (contract 3.22).
type Referral struct {
	ID            laurel.ID            `db:"id"`
	ReferrerBonus laurel.Amount        `db:"lump_amount"` // amounts that the referrer got for this referee, by kind, in the rule's currency
	Tier1         laurel.Amount        `db:"tier1_amount"`
	Tier2         laurel.Amount        `db:"tier2_amount"`
	EligibleAt    laurel.NullTimestamp `db:"eligible_at"`
	RefereeID     laurel.ID            `db:"referee_id"`
	Wallet        *string              `db:"wallet_address"` // of the referee
	CodeID        laurel.ID            `db:"code_id"`
	Code          string               `db:"code"`
	ReferrerID    laurel.ID            `db:"referrer_id"`
	RuleID        laurel.ID            `db:"loyalty_rule_id"`
	CodeCreatedAt laurel.Timestamp     `db:"code_created_at"`
	CodeUpdatedAt laurel.Timestamp     `db:"code_updated_at"`
	CreatedAt     laurel.Timestamp     `db:"created_at"`
}

// ReferralFilter limits a list of referrals. Users are the referrers.
type ReferralFilter struct {
	Users   UserFilter
	RuleIDs []laurel.ID
}

// Referrals returns one page of referrals, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) Referrals(
	ctx context.Context,
	scope laurel.Scope,
	f ReferralFilter,
	page laurel.PageRequest,
) (laurel.Page[Referral], error) {
	none := laurel.PageOf[Referral](nil, page.Limit)
	var w store.Where
	s.whereTenantOf(&w, "r.", scope, f.Users)
	store.In(&w, "r.loyalty_rule_id", f.RuleIDs)
	whereUsers(&w, "r.referrer_id", "r.website_id", scope, f.Users)
	if err := s.whereAfter(ctx, scope, &w, "referrals r", page.StartingAfter); err != nil {
		return none, err
	}
	return store.SelectPage[Referral](
		ctx,
		s.db,
		page.Limit,
		`SELECT r.id, r.lump_amount, r.tier1_amount, r.tier2_amount, r.eligible_at, r.referee_id, u.wallet_address,
		r.referral_code_id AS code_id, c.code, r.referrer_id, r.loyalty_rule_id, c.created_at AS code_created_at, c.updated_at AS code_updated_at, r.created_at
		FROM referrals r JOIN referral_codes c ON c.id = r.referral_code_id JOIN users u ON u.id = r.referee_id`+w.String()+
			" ORDER BY r.created_at DESC, r.id DESC",
		w.Args...)
}

// Referrer is the referrer of a user (contract 3.4).
type Referrer struct {
	UserID     laurel.ID            `db:"referee_id"`
	ReferrerID laurel.ID            `db:"referrer_id"`
	Wallet     *string              `db:"wallet_address"` // of the referrer
	EligibleAt laurel.NullTimestamp `db:"eligible_at"`
}

// Referrers returns the referrers of each of the users, by user, oldest first. Users without one are left out.
func (s *Service) Referrers(
	ctx context.Context,
	scope laurel.Scope,
	users []laurel.ID,
) (map[laurel.ID][]Referrer, error) {
	if len(users) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "r.referee_id", users)
	whereTenant(&w, s.db.Engine().NoIndexPrefix()+"r.", scope)
	var rows []Referrer
	err := s.db.Select(
		ctx,
		&rows,
		`SELECT r.referee_id, r.referrer_id, u.wallet_address, r.eligible_at FROM referrals r JOIN users u ON u.id = r.referrer_id`+
			w.String()+" ORDER BY r.created_at, r.id",
		w.Args...)
	out := map[laurel.ID][]Referrer{}
	for _, r := range rows {
		out[r.UserID] = append(out[r.UserID], r)
	}
	return out, err
}

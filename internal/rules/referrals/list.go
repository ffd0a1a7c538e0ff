package referrals

import (
	"context"
	"slices"
	"time"

	"laurel"
)

// Page asks for the referrals of a rule in the order of their referees.
type Page struct {
	RuleID laurel.ID
	After  laurel.ID // the last referee; zero: begin
	Until  time.Time // referrals that were made later are left out
	Limit  int
}

// ListOfRule returns the next referrals of a rule in the scope; fewer than the limit are the last ones.
func (s *Service) ListOfRule(ctx context.Context, scope laurel.Scope, p Page) ([]Referral, error) {
	return selectPage(ctx, s.DB, scope, p)
}

// FindByReferee returns by whom users were brought for a rule. Users whom nobody brought are left out.
func (s *Service) FindByReferee(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	users []laurel.ID,
) (map[laurel.ID]Referral, error) {
	users = slices.Clone(users)
	slices.SortFunc(users, laurel.ID.Compare)
	users = slices.Compact(users)
	out := map[laurel.ID]Referral{}
	for chunk := range slices.Chunk(users, maxIDsPerQuery) {
		found, err := selectReferrals(ctx, s.DB, rule, chunk)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			if r.WebsiteID == scope.WebsiteID {
				out[r.RefereeID] = r
			}
		}
	}
	return out, nil
}

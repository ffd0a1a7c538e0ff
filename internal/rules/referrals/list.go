package referrals

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
)

// Page selects referrals of a rule, ordered by referee.
type Page struct {
	RuleID laurel.ID
	After  laurel.ID // the last referee of the page before; zero: from the start
	Until  time.Time // later referrals are left out
	Limit  int
}

// ListOfRule returns a page of the referrals of a rule in the scope. A page with fewer referrals than the limit is the
// last one.
func (s *Service) ListOfRule(ctx context.Context, scope laurel.Scope, p Page) ([]Referral, error) {
	return selectPage(ctx, s.DB, scope, p)
}

// FindByReferee returns the referrals of users for a rule, by referee. Users without a referral are left out.
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

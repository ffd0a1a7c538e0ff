package api

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/auctions"
	"laurel/internal/api/badges"
	"laurel/internal/api/claims"
	"laurel/internal/api/commerce"
	"laurel/internal/api/minting"
	"laurel/internal/api/points"
	"laurel/internal/api/rules"
	"laurel/internal/feed"
	"laurel/internal/jsontext"
	"laurel/internal/webhooks"
)

// Describe returns what events say of changes: the records as the operations show them to a secret key. Tables that are
// not listed tell all in the change itself. It errs when a service is missing of those that requests have; it needs no
// Webhooks, which are made with what it returns.
func Describe(c Config) (webhooks.Describe, error) {
	if err := c.whole("Webhooks"); err != nil {
		return nil, err
	}
	ofRules, ofPoints := rules.NewEvents(c.rules()), points.NewEvents(c.points())
	ofBadges := badges.NewEvents(c.badges())
	ofCommerce := commerce.NewEvents(c.commerce())
	ofMinting := minting.NewEvents(c.minting())
	ofClaims := claims.NewEvents(c.claims())
	families := map[feed.Table]webhooks.Describe{
		feed.TransactionEntry: ofPoints.Entries,
		feed.Account:          ofPoints.Accounts,
		feed.Rule:             ofRules.Rules,
		feed.RuleStatus:       ofRules.Statuses,
		feed.Badge:            ofBadges.Badges,
		feed.BadgeUser:        ofBadges.Users,
		feed.Hold:             ofCommerce.Holds,
		feed.AuctionBid:       auctions.NewEvents(c.auctions()).Bids,
		feed.MintingAsset:     ofMinting.Assets,
		feed.TokenClaim:       ofClaims.Claims,
	}
	return func(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
		out := make([]json.RawMessage, len(changes))
		parts, places := map[feed.Table][]feed.Change{}, map[feed.Table][]int{}
		for i, c := range changes {
			out[i] = c.Data
			if families[c.Table] != nil {
				parts[c.Table], places[c.Table] = append(parts[c.Table], c), append(places[c.Table], i)
			}
		}
		for table, part := range parts {
			told, err := families[table](ctx, scope, part)
			if err != nil {
				return nil, err
			}
			for i, place := range places[table] {
				out[place] = told[i]
			}
		}
		for _, data := range out {
			jsontext.Storable(data) // as responses are: receivers parse it too
		}
		return out, nil
	}, nil
}

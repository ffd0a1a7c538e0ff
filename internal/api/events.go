package api

import (
	"laurel.example/laurel/internal/api/auctions"
	"laurel.example/laurel/internal/api/badges"
	"laurel.example/laurel/internal/api/claims"
	"laurel.example/laurel/internal/api/commerce"
	"laurel.example/laurel/internal/api/minting"
	"laurel.example/laurel/internal/api/points"
	"laurel.example/laurel/internal/api/rules"
	"laurel.example/laurel/internal/webhooks"
)

// EventRecords returns the loaders of the records that events contain. The records look as operations show them to a
// secret key. It fails if a service that requests need is missing, except Webhooks, which the caller makes from the
// result.
func EventRecords(c Config) (webhooks.Records, error) {
	if err := c.checkServices("Webhooks"); err != nil {
		return webhooks.Records{}, err
	}
	return webhooks.Records{
		Points: points.NewEvents(c.points()),
		Rules:  rules.NewEvents(c.rules()),
		Badges: badges.NewEvents(c.badges()),
		Bids:   auctions.NewEvents(c.auctions()),
		Assets: minting.NewEvents(c.minting()),
		Holds:  commerce.NewEvents(c.commerce()),
		Claims: claims.NewEvents(c.claims()),
	}, nil
}

package bench

import (
	"context"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
)

// extras are rare records of a data set, created over HTTP for a run: a currency, orders with keys, groups.
type extras struct {
	currency    string
	walletGroup string
	keys        []string
	groups      []string
}

const (
	extraOrders = 200
	extraGroups = 50
)

// createExtras creates the few rare records that the filters of a run look for, and returns their ids.
func (b *bench) createExtras(ctx context.Context, s *server, d *dataset) (extras, error) {
	a, err := s.api(ctx, d.site.WebsiteAPIKey)
	if err != nil {
		return extras{}, err
	}
	defer a.wire.close()
	p := d.site.Program
	var made struct{ ID laurel.ID }
	if err := a.post(
		"/api/loyalty/currencies",
		object{"name": "Rare", "symbol": "RARE", "decimals": 0, "websiteId": p.WebsiteID, "organizationId": p.OrganizationID},
		&made,
	); err != nil {
		return extras{}, err
	}
	e := extras{currency: made.ID.String(), walletGroup: "bench-" + made.ID.String()}
	for i := range extraOrders {
		key := fmt.Sprintf("bench-%s-%d", made.ID, i)
		if err := a.post("/api/loyalty/transactions", e.orderBody(p.LoyaltyCurrencyID, d, key, i), nil); err != nil {
			return e, err
		}
		e.keys = append(e.keys, key)
	}
	for i := range 3 {
		body := object{
			"userId":                bulk.IDOf(bulk.KindUser, d.shape.Busy+i),
			"walletGroupIdentifier": e.walletGroup,
			"websiteId":             p.WebsiteID,
			"organizationId":        p.OrganizationID,
		}
		if err := a.post("/api/users/metadatas", body, nil); err != nil {
			return e, err
		}
	}
	for i := range extraGroups {
		e.groups = append(e.groups, bulk.IDOf(bulk.KindGroup, i))
	}
	return e, d.target().InsertGroups(ctx, d.shape, extraGroups)
}

// orderBody returns the body of the i-th order: every second one credits the rare currency, the others spend points.
func (e extras) orderBody(points laurel.ID, d *dataset, key string, i int) object {
	currency, direction := points.String(), "debit"
	if i%2 == 0 {
		currency, direction = e.currency, "credit"
	}
	return object{
		"description":       "Order",
		"type":              "order",
		"loyaltyCurrencyId": currency,
		"websiteId":         d.site.WebsiteID,
		"organizationId":    d.site.OrganizationID,
		"entries": []object{
			{"userId": bulk.IDOf(bulk.KindUser, i), "direction": direction, "amount": 1, "idempotencyKey": key},
		},
	}
}

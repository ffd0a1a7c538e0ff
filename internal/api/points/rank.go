package points

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/ledger"
)

type rankInput struct {
	rest.PathID
	WebsiteID         rest.ID `query:"websiteId" required:"true"`
	OrganizationID    rest.ID `query:"organizationId" required:"true"`
	LoyaltyCurrencyID rest.ID `query:"loyaltyCurrencyId" required:"true"`
	AsOf
}

// AsOf has the parameter for a moment of the past; moments that are not settled yet are refused when they are read
// (contract 4.1). Inputs embed it.
type AsOf struct {
	Moment rest.Moment `query:"asOf" doc:"A moment of the past that is settled; later ones are refused"`
}

// rank is a number, null or "5000+".
type rank struct{ ledger.Rank }

// Schema returns the schema of the three forms that a rank has in JSON.
func (rank) Schema(huma.Registry) *huma.Schema {
	least, most := 1.0, float64(ledger.MaxRank)
	return &huma.Schema{
		Description: "null: the user has no amount. Ranks beyond 5000 are the text 5000+.",
		OneOf: []*huma.Schema{
			{Type: huma.TypeInteger, Minimum: &least, Maximum: &most},
			{Type: huma.TypeString, Enum: []any{strconv.Itoa(ledger.MaxRank) + "+"}},
			{Type: "null"},
		},
	}
}

type rankOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         struct {
		Rank rank `json:"rank"`
	}
}

// accountRank returns the rank of an account in a currency, now or with asOf at a moment of the past.
func (h *handlers) accountRank(ctx context.Context, in *rankInput) (*rankOutput, error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	visibility, err := h.Caller.Visibility(ctx, scope)
	if err != nil {
		return nil, err
	}
	var result ledger.Rank
	if in.Moment.IsZero() {
		result, err = h.Ledger.Rank(ctx, scope, visibility, in.ID.ID, in.LoyaltyCurrencyID.ID)
	} else {
		result, err = h.Ledger.RankAt(ctx, scope, in.ID.ID, in.LoyaltyCurrencyID.ID,
			ledger.Moment{Time: in.Moment.Time, Visibility: visibility})
	}
	if err != nil {
		return nil, err
	}
	out := &rankOutput{CacheControl: "private, max-age=5"}
	out.Body.Rank = rank{result}
	return out, nil
}

package httpapi

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/ledger"
)

type rankInput struct {
	PathID
	WebsiteID         ID `query:"websiteId" required:"true"`
	OrganizationID    ID `query:"organizationId" required:"true"`
	LoyaltyCurrencyID ID `query:"loyaltyCurrencyId" required:"true"`
	AsOf
}

// AsOf asks for a moment in the past. Nothing is settled on this server yet, and an answer for another moment would be wrong, so every
// moment is refused as one later than what is settled (contract 4.1). Embed it.
type AsOf struct {
	Moment Moment `query:"asOf" doc:"A settled moment; later ones are refused"`
}

func (p AsOf) check() error {
	if p.Moment.IsZero() {
		return nil
	}
	var f laurel.Faults
	f.Add("asOf", "must not be later than what is settled")
	return f.Err()
}

// rank is a place, null or "5000+".
type rank struct{ ledger.Rank }

// MarshalJSON writes a number, null or a text.
func (r rank) MarshalJSON() ([]byte, error) {
	switch text := r.String(); {
	case r.Beyond:
		return []byte(strconv.Quote(text)), nil
	case text == "":
		return []byte("null"), nil
	default:
		return []byte(text), nil
	}
}

// Schema documents the three forms.
func (rank) Schema(huma.Registry) *huma.Schema {
	least, most := 1.0, float64(ledger.MaxRank)
	return &huma.Schema{
		Description: "null: the user has no amount. Ranks beyond 5000 are the text 5000+.",
		OneOf: []*huma.Schema{{Type: huma.TypeInteger, Minimum: &least, Maximum: &most}, {Type: huma.TypeString, Enum: []any{strconv.Itoa(ledger.MaxRank) + "+"}},
			{Type: "null"}},
	}
}

type rankOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         struct {
		Rank rank `json:"rank"`
	}
}

func (a *API) accountRank(ctx context.Context, in *rankInput) (*rankOutput, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	scope, err := a.narrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	place, err := a.cfg.Ledger.Rank(ctx, scope, in.ID.ID, in.LoyaltyCurrencyID.ID)
	if err != nil {
		return nil, err
	}
	out := &rankOutput{CacheControl: "private, max-age=5"}
	out.Body.Rank = rank{place}
	return out, nil
}

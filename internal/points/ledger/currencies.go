package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/weburl"
)

// Currency is a kind of points of one website (contract 3.8): a row of loyalty_currencies.
type Currency struct {
	ID             laurel.ID `db:"id" json:"id"`
	OrganizationID laurel.ID `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID `db:"website_id" json:"websiteId"`
	Name           string    `db:"name" json:"name" in:"required min=1 max=255"`
	Symbol         string    `db:"symbol" json:"symbol" in:"required min=1 max=32"`
	Decimals       int64     `db:"decimals" json:"decimals" update:"no" in:"create required min=0 max=18" hint:"How many places a page shows; cannot be changed"` // amounts are whole units everywhere
	ImageURL       *string   `db:"image_url" json:"imageUrl" in:"fileurl"`
	SortID         *int64    `db:"sort_id" json:"sortId" in:""`
	API
	ExpireAfterDays       *int64               `db:"points_expire_after_days" json:"pointsExpireAfterDays" in:"min=1 max=36500" hint:"How many days points live; null: they do not expire"` // docs/decisions/0019-lots.md
	WaitHours             *int64               `db:"points_wait_hours" json:"pointsWaitHours" in:"min=1 max=87600" hint:"How many hours rewards are held before they are credited; null: not at all"`
	IsTokenRewardCurrency bool                 `db:"is_token_reward_currency" json:"isTokenRewardCurrency" update:"no"`
	CreatedByID           laurel.NullID        `db:"created_by_id" json:"createdById" update:"no"`
	MainAccountID         laurel.ID            `db:"main_account_id" json:"-" update:"no"`
	CreatedAt             laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt             laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt             laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
	TokenKey              laurel.NullText      `db:"token_key" json:"-" update:"no"` // the key of the token that a hidden currency stands for
}

// API says where an external ledger keeps the balances of a currency (contract 5.15); all nil if this ledger does.
type API struct {
	AuthType               *string         `db:"api_auth_type" json:"apiAuthType" in:"authtype"`
	AuthKey                *string         `db:"api_auth_key" json:"-" in:"as=apiAuthKey max=4096"`
	SealedAuthValue        laurel.NullText `db:"api_auth_sealed" json:"-"`
	GetURL                 *string         `db:"api_get_url" json:"-" in:"as=apiGetUrl calledurl"`
	PostURL                *string         `db:"api_post_url" json:"-" in:"as=apiPostUrl calledurl"`
	GetTransactionEntryURL *string         `db:"api_get_transaction_entry_url" json:"-" in:"as=apiGetTransactionEntryUrl calledurl"`
}

// AuthValue returns the credential for calls of the external ledger; empty if there is none.
func (c Currency) AuthValue() vault.Secret {
	return vault.StoredSecret(string(c.SealedAuthValue), credentialPlace(c.ID))
}

// CurrencyInput is a currency with the credential of its external ledger, which is stored sealed.
type CurrencyInput struct {
	Currency
	APIAuthValue *string `json:"apiAuthValue" in:"max=4096"`
}

// CurrencyPatch is what a caller writes of a currency.
type CurrencyPatch = record.Patch[CurrencyInput]

// calledurl only describes a URL that the service calls: which ones are allowed is a setting.
var (
	_ = record.Define("authtype", record.OneOf(AuthTypes()...))
	_ = record.Define("calledurl", record.Bound[string]{
		Check:    func(*laurel.Faults, string, string) {},
		Keywords: laurel.Keywords{"format": "uri", "maxLength": weburl.MaxLength},
	})
)

// AuthTypes lists how calls of an external ledger can be authenticated.
func AuthTypes() []string { return outbound.AuthTypes() }

// applyInput sets the properties of a patch on the currency by apply, which creates or updates. The error is Invalid
// with every fault.
func (s *Service) applyInput(in CurrencyPatch, apply func(*CurrencyInput) laurel.Faults, c *Currency) error {
	written := CurrencyInput{Currency: *c}
	f := apply(&written)
	*c = written.Currency
	for _, called := range []struct {
		name string
		url  *string
	}{
		{"apiGetUrl", c.API.GetURL}, {"apiPostUrl", c.API.PostURL},
		{"apiGetTransactionEntryUrl", c.API.GetTransactionEntryURL},
	} {
		if in.Has(called.name) && called.url != nil {
			s.outbound.Check(&f, called.name, *called.url) // contract 7.2
		}
	}
	if err := s.applyCredential(&f, in, c); err != nil {
		return err
	}
	// points of an external ledger can neither expire nor be held
	if c.API.PostURL != nil && (c.ExpireAfterDays != nil || c.WaitHours != nil) {
		f.Add("apiPostUrl", "cannot be set where points expire or wait")
	}
	return f.Err()
}

// applyCredential checks that type, key and credential of the external ledger's authentication fit together, and sets
// the credential, sealed. If it is not in the input, the currency keeps its credential; null removes it.
func (s *Service) applyCredential(f *laurel.Faults, in CurrencyPatch, c *Currency) error {
	value, isSent, err := in.Values().APIAuthValue, in.Has("apiAuthValue"), error(nil)
	if !isSent && c.SealedAuthValue != "" {
		var plain string
		plain, err = s.vault.Reveal(c.AuthValue())
		value = &plain
	}
	outbound.CheckAuth(f, "apiAuth", c.API.AuthType, c.API.AuthKey, value)
	switch {
	case isSent && value == nil:
		c.SealedAuthValue = ""
	case isSent:
		c.SealedAuthValue = laurel.NullText(s.vault.SealSecret(*value, credentialPlace(c.ID)).Sealed())
	}
	return err
}

// CreateCurrency creates a currency in the scope's website, with its main account. Errors: Invalid.
func (s *Service) CreateCurrency(ctx context.Context, scope laurel.Scope, in CurrencyPatch) (Currency, error) {
	c := Currency{
		ID:             s.db.NewID(), // set before applyInput, which seals the credential for this id
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, CreatedByID: laurel.NullableID(scope.ActorID),
	}
	if err := s.applyInput(in, in.Create, &c); err != nil {
		return Currency{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		c.MainAccountID, c.CreatedAt.Time, c.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if err := insertCurrency(ctx, tx, c); err != nil {
			return err
		}
		if err := insertCurrencyRows(ctx, tx, c); err != nil {
			return err
		}
		return recordTerms(ctx, tx, Currency{}, c)
	})
	return c, err
}

// UpdateCurrency changes the properties in the input. NotFound "Loyalty currency" if it is not in the scope, or
// deleted.
func (s *Service) UpdateCurrency(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	in CurrencyPatch,
) (Currency, error) {
	return s.changeCurrency(ctx, scope, id, func(c *Currency) error { return s.applyInput(in, in.Update, c) })
}

// DeleteCurrency deletes a currency. Its accounts and entries stay readable, but nothing can be posted in it (contract
// 5.17).
func (s *Service) DeleteCurrency(ctx context.Context, scope laurel.Scope, id laurel.ID) (Currency, error) {
	return s.changeCurrency(ctx, scope, id, func(c *Currency) error {
		c.DeletedAt.Timestamp = c.UpdatedAt
		return nil
	})
}

// changeCurrency locks a live currency, applies change to it and saves it. If change alters how long points live, that
// is recorded too. Before the balances move to an external ledger or back, changeCurrency asks the CurrencyFollower,
// which other packages implement, whether they may. If change deletes the currency, the follower ends what is open in
// it. Errors: NotFound "Loyalty currency" if the scope has no such currency or it is deleted; ErrTokenCurrency for the
// hidden currency of a token.
func (s *Service) changeCurrency(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	change func(*Currency) error,
) (Currency, error) {
	var c Currency
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		var err error
		if c, err = lockCurrency(ctx, tx, scope, id); err != nil {
			return err
		}
		if c.IsTokenRewardCurrency {
			return ErrTokenCurrency()
		}
		return currencyTable.Edit(ctx, tx, scope, &c, func(tx *store.Tx, c *Currency) error {
			before := *c
			if err := change(c); err != nil {
				return err
			}
			if (before.API.PostURL == nil) != (c.API.PostURL == nil) {
				if err := s.checkExternalMove(ctx, tx, *c); err != nil {
					return err
				}
			}
			if err := recordTerms(ctx, tx, before, *c); err != nil || c.DeletedAt.IsZero() || s.follower == nil {
				return err
			}
			return s.follower.Deleted(ctx, tx, scope.At(c.WebsiteID), *c)
		})
	})
	return c, err
}

// Currency reads one currency, deleted ones included. NotFound "Loyalty currency" if the scope has none.
func (s *Service) Currency(ctx context.Context, scope laurel.Scope, id laurel.ID) (Currency, error) {
	return currencyTable.Get(ctx, s.db, currencyByID(scope, id), "")
}

// CurrencyFilter narrows ListCurrencies.
type CurrencyFilter struct {
	IDs              []laurel.ID // only these; none: all
	WithTokenRewards bool        // also the hidden currencies of token rewards
	WithDeleted      bool
}

// ListCurrencies returns a page of the currencies that the filter selects, sorted by sortId (unset last), then oldest
// first. Errors: Invalid for an unknown cursor.
func (s *Service) ListCurrencies(
	ctx context.Context,
	scope laurel.Scope,
	f CurrencyFilter,
	page laurel.PageRequest,
) (laurel.Page[Currency], error) {
	return listCurrencies(ctx, s.db, scope, f, page)
}

// IsLiveCurrency reports whether the locked currency belongs to the website and is not deleted.
func IsLiveCurrency(b *store.Batch, scope laurel.Scope, id laurel.ID) bool {
	return currencies.Row(b, id).isLive(scope)
}

// IsLive reports whether the currency now belongs to the website and is not deleted. It takes no locks and shares its
// read with concurrent callers.
func (s *Service) IsLive(ctx context.Context, scope laurel.Scope, id laurel.ID) (bool, error) {
	row, known, err := s.currencyLoader.Get(ctx, id)
	return known && row.isLive(scope), err
}

func (c *Currency) isLive(scope laurel.Scope) bool {
	return !c.ID.IsZero() && c.DeletedAt.IsZero() && c.WebsiteID == scope.WebsiteID
}

// OnlyCurrency returns the website's one live currency, which is the default if none is named. It returns the zero
// id if the website has none or several.
func (s *Service) OnlyCurrency(ctx context.Context, q store.Queryer, scope laurel.Scope) (laurel.ID, error) {
	return onlyCurrency(ctx, q, scope)
}

// IsPointsCurrencyIn reports whether the currency belongs to the website, is not deleted, and is no hidden currency of
// token rewards. It locks the currency, so that this stays true until the transaction ends.
func (s *Service) IsPointsCurrencyIn(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	id laurel.ID,
) (bool, error) {
	live, err := s.IsLiveCurrencyIn(ctx, tx, scope, id)
	if err != nil || !live {
		return false, err
	}
	row, err := currencyTable.Get(ctx, tx, currencyByID(scope, id), "")
	return err == nil && !row.IsTokenRewardCurrency, err
}

// IsLiveCurrencyIn reports whether the currency belongs to the website and is not deleted, and keeps it so until the
// transaction ends.
func (s *Service) IsLiveCurrencyIn(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	_, live, err := CurrencyIn(ctx, tx, scope, id)
	return live, err
}

package ledger

import (
	"context"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/weburl"
)

// Currency is a kind of points of one website (contract 3.8): a row of loyalty_currencies.
type Currency struct {
	ID             laurel.ID `db:"id" json:"id"`
	OrganizationID laurel.ID `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID `db:"website_id" json:"websiteId"`
	Name           string    `db:"name" json:"name"`
	Symbol         string    `db:"symbol" json:"symbol"`
	Decimals       int       `db:"decimals" json:"decimals" update:"no"` // how many places a page shows; amounts are whole units everywhere
	ImageURL       *string   `db:"image_url" json:"imageUrl"`
	SortID         *int64    `db:"sort_id" json:"sortId"`
	API
	ExpireAfterDays       *int64               `db:"points_expire_after_days" json:"pointsExpireAfterDays"` // how long points live; nil: they do not expire (docs/decisions/0019-lots.md)
	WaitHours             *int64               `db:"points_wait_hours" json:"pointsWaitHours"`              // how long rewards are held before they are credited; nil: not at all
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
	AuthType               *string         `db:"api_auth_type" json:"apiAuthType"` // none, basic, bearer or apiKey
	AuthKey                *string         `db:"api_auth_key" json:"-"`
	SealedAuthValue        laurel.NullText `db:"api_auth_sealed" json:"-"`
	GetURL                 *string         `db:"api_get_url" json:"-"`
	PostURL                *string         `db:"api_post_url" json:"-"`
	GetTransactionEntryURL *string         `db:"api_get_transaction_entry_url" json:"-"`
}

// AuthValue returns the credential for calls of the external ledger; empty if there is none.
func (c Currency) AuthValue() vault.Secret {
	return vault.StoredSecret(string(c.SealedAuthValue), credentialPlace(c.ID))
}

// CurrencyInput is a currency as a caller sends it. On update an absent field keeps its value, and null clears it where
// null is allowed.
type CurrencyInput struct {
	Name                      laurel.Optional[string] `json:"name,omitzero"`
	Symbol                    laurel.Optional[string] `json:"symbol,omitzero"`
	Decimals                  laurel.Optional[int64]  `json:"decimals,omitzero"` // on create only
	ImageURL                  laurel.Optional[string] `json:"imageUrl,omitzero"`
	SortID                    laurel.Optional[int64]  `json:"sortId,omitzero"`
	APIAuthType               laurel.Optional[string] `json:"apiAuthType,omitzero"`
	APIAuthKey                laurel.Optional[string] `json:"apiAuthKey,omitzero"`
	APIAuthValue              laurel.Optional[string] `json:"apiAuthValue,omitzero"`
	APIGetURL                 laurel.Optional[string] `json:"apiGetUrl,omitzero"`
	APIPostURL                laurel.Optional[string] `json:"apiPostUrl,omitzero"`
	APIGetTransactionEntryURL laurel.Optional[string] `json:"apiGetTransactionEntryUrl,omitzero"`
	PointsExpireAfterDays     laurel.Optional[int64]  `json:"pointsExpireAfterDays,omitzero"`
	PointsWaitHours           laurel.Optional[int64]  `json:"pointsWaitHours,omitzero"`
}

const (
	maxCurrencyName = 255
	maxSymbol       = 32
	maxDecimals     = 18
	maxURL          = 2048
	maxCredential   = outbound.MaxSecret
	maxExpireDays   = 36_500
	maxWaitHours    = 87_600
)

// AuthTypes lists how calls of an external ledger can be authenticated.
func AuthTypes() []string { return outbound.AuthTypes() }

// applyInput checks the input and sets its properties on the currency. The error is Invalid with every fault of the
// input. A currency without a time of creation is new, so the input must have all required properties.
func (s *Service) applyInput(in CurrencyInput, c *Currency) error {
	var f laurel.Faults
	exists := !c.CreatedAt.IsZero()
	requiredText(&f, "name", in.Name, maxCurrencyName, &c.Name)
	requiredText(&f, "symbol", in.Symbol, maxSymbol, &c.Symbol)
	switch {
	case exists:
		// decimals cannot change: displayed balances would
	case !in.Decimals.Set || in.Decimals.Null:
		f.Add("decimals", "is required")
	case in.Decimals.Value < 0 || in.Decimals.Value > maxDecimals:
		f.Add("decimals", "must be between 0 and %d", maxDecimals)
	default:
		c.Decimals = int(in.Decimals.Value)
	}
	optionalURL(&f, "imageUrl", in.ImageURL, &c.ImageURL)
	c.SortID = in.SortID.ApplyTo(c.SortID)
	c.API.AuthType = in.APIAuthType.ApplyTo(c.API.AuthType)
	optionalText(&f, "apiAuthKey", in.APIAuthKey, maxCredential, &c.API.AuthKey)
	if err := s.applyCredential(&f, in.APIAuthValue, c); err != nil {
		return err
	}
	s.callableURL(&f, "apiGetUrl", in.APIGetURL, &c.API.GetURL)
	s.callableURL(&f, "apiPostUrl", in.APIPostURL, &c.API.PostURL)
	s.callableURL(&f, "apiGetTransactionEntryUrl", in.APIGetTransactionEntryURL, &c.API.GetTransactionEntryURL)
	optionalCount(&f, "pointsExpireAfterDays", in.PointsExpireAfterDays, maxExpireDays, &c.ExpireAfterDays)
	optionalCount(&f, "pointsWaitHours", in.PointsWaitHours, maxWaitHours, &c.WaitHours)
	// points of an external ledger can neither expire nor be held
	if c.API.PostURL != nil && (c.ExpireAfterDays != nil || c.WaitHours != nil) {
		f.Add("apiPostUrl", "cannot be set where points expire or wait")
	}
	return f.Err()
}

// applyCredential checks that type, key and credential of the external ledger's authentication fit together, and sets
// the credential, sealed. If in is not set, the currency keeps its credential; null removes it.
func (s *Service) applyCredential(f *laurel.Faults, in laurel.Optional[string], c *Currency) error {
	value, err := in.ApplyTo(nil), error(nil)
	if !in.Set && c.SealedAuthValue != "" {
		var plain string
		plain, err = s.vault.Reveal(c.AuthValue())
		value = &plain
	}
	f.Text("apiAuthValue", in.Value, 0, maxCredential)
	outbound.CheckAuth(f, "apiAuth", c.API.AuthType, c.API.AuthKey, value)
	switch {
	case in.Set && in.Null:
		c.SealedAuthValue = ""
	case in.Set:
		c.SealedAuthValue = laurel.NullText(s.vault.SealSecret(in.Value, credentialPlace(c.ID)).Sealed())
	}
	return err
}

// requiredText sets a text of 1 to limit characters, or adds a fault. The input may be absent if *to is set already.
func requiredText(f *laurel.Faults, name string, in laurel.Optional[string], limit int, to *string) {
	if in.Set || *to == "" {
		f.Text(name, in.Value, 1, limit) // absent and null are blank
		*to = in.Value
	}
}

// optionalText sets a text of at most limit characters, or adds a fault. Null clears it; an absent input keeps it.
func optionalText(f *laurel.Faults, name string, in laurel.Optional[string], limit int, to **string) {
	f.Text(name, in.Value, 0, limit)
	*to = in.ApplyTo(*to)
}

// optionalCount sets a number of days or hours from 1 to most, or adds a fault. Null clears it; an absent input keeps
// it.
func optionalCount(f *laurel.Faults, name string, in laurel.Optional[int64], limit int64, to **int64) {
	if in.Set && !in.Null && (in.Value < 1 || in.Value > limit) {
		f.Add(name, "must be between 1 and %d", limit)
	}
	*to = in.ApplyTo(*to)
}

// optionalURL is optionalText for a URL or the path of an uploaded file.
func optionalURL(f *laurel.Faults, name string, in laurel.Optional[string], to **string) {
	if in.Set && !in.Null && !weburl.ValidOrFile(in.Value) {
		f.Add(name, "must be a valid url")
		return
	}
	optionalText(f, name, in, maxURL, to)
}

// callableURL sets a URL that the service calls, which must be allowed (contract 7.2).
func (s *Service) callableURL(f *laurel.Faults, name string, in laurel.Optional[string], to **string) {
	if in.Set && !in.Null {
		s.outbound.Check(f, name, in.Value)
	}
	*to = in.ApplyTo(*to)
}

// CreateCurrency creates a currency in the scope's website, with its main account. Errors: Invalid.
func (s *Service) CreateCurrency(ctx context.Context, scope laurel.Scope, in CurrencyInput) (Currency, error) {
	c := Currency{
		ID:             s.db.NewID(), // set before applyInput, which seals the credential for this id
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, CreatedByID: laurel.NullableID(scope.ActorID),
	}
	if err := s.applyInput(in, &c); err != nil {
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
	in CurrencyInput,
) (Currency, error) {
	return s.changeCurrency(ctx, scope, id, func(c *Currency) error { return s.applyInput(in, c) })
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

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/points/ledger"
)

// Holder names a user's account in a currency.
type Holder struct {
	CurrencyID laurel.ID
	Wallet     string // empty if the user has none
}

const (
	maxWalletsPerPage = 100 // contract 5.15
	readLimit         = 3 * time.Second
	readPages         = 10
)

// Balance is the balance of a holder in a currency that has an apiGetUrl.
type Balance struct {
	Amount     laurel.Amount
	IsExternal bool // read from the external ledger; otherwise callers show the ledger's mirror
}

// Balances returns the external balances of the first maxWalletsPerPage holders in each currency that has an apiGetUrl;
// they may be a few seconds old. The Balance is zero for further holders in these currencies, for those that the
// external ledger does not list, and for all of them if it is down or its response cannot be read: callers then show
// the ledger's mirror. Holders in other currencies are left out.
func (s *Service) Balances(ctx context.Context, scope laurel.Scope, holders []Holder) (map[Holder]Balance, error) {
	wallets := map[laurel.ID][]string{}
	currencies := map[laurel.ID]ledger.Currency{}
	out := map[Holder]Balance{}
	for _, h := range holders {
		c, isLoaded := currencies[h.CurrencyID]
		if !isLoaded {
			var err error
			if c, err = s.Ledger.Currency(ctx, scope, h.CurrencyID); err != nil {
				return nil, err
			}
			currencies[h.CurrencyID] = c
		}
		if c.API.GetURL != nil {
			out[h] = Balance{}
		}
		if c.API.GetURL != nil && h.Wallet != "" && len(wallets[h.CurrencyID]) < maxWalletsPerPage {
			wallets[h.CurrencyID] = append(wallets[h.CurrencyID], h.Wallet)
		}
	}
	pending := map[Holder]*cachedBalance{}
	for id, list := range wallets {
		cached, added := s.cache.findOrAdd(currencies[id], list, s.DB.Now())
		if len(added) > 0 {
			go s.fetchBalances(context.WithoutCancel(ctx), currencies[id], added, cached)
		}
		for w, entry := range cached {
			pending[Holder{id, w}] = entry
		}
	}
	for h, entry := range pending {
		select {
		case <-entry.done:
			out[h] = entry.Balance
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return out, nil
}

// balancePage is a response of apiGetUrl.
type balancePage struct {
	Data        []externalBalance `json:"data"` // nil if the response has another shape
	HasNextPage bool              `json:"hasNextPage"`
}

type externalBalance struct {
	ID         string          `json:"id"`
	Wallet     string          `json:"walletAddress"`
	Amount     json.RawMessage `json:"amount"`
	CurrencyID string          `json:"loyaltyCurrencyId"`
}

// Responses of apiGetUrl that cannot be used. They must not be read as balances of zero.
var (
	errShape = errors.New(
		"apiGetUrl answered in another shape than {data: [{id, walletAddress, amount}], hasNextPage}",
	)
	errNoCursor = errors.New("apiGetUrl reported a next page without an id to request it")
)

// next returns the cursor of the next page, or "" if this page is the last. It fails if there is a next page, but the
// last item has no id to be its cursor.
func (p balancePage) next() (string, error) {
	switch {
	case !p.HasNextPage:
		return "", nil
	case len(p.Data) == 0 || p.Data[len(p.Data)-1].ID == "":
		return "", errNoCursor
	}
	return p.Data[len(p.Data)-1].ID, nil
}

// readBalances returns the balances, by wallet, that the external ledger of a currency lists for the wallets. It reads
// at most readPages pages of apiGetUrl. Balances of other wallets and currencies in the response are ignored.
func (s *Service) readBalances(
	ctx context.Context,
	c ledger.Currency,
	wallets []string,
) (map[string]laurel.Amount, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	out := make(map[string]laurel.Amount, len(wallets))
	requested := make(map[string]string, len(wallets))
	for _, w := range wallets {
		requested[identity.NormalizeWallet(w)] = w
	}
	for after, pages := "", 0; pages < readPages; pages++ {
		p, err := s.readBalancePage(ctx, c, wallets, after)
		if err != nil {
			return nil, err
		}
		for _, item := range p.Data {
			if item.Wallet == "" {
				return nil, errShape
			}
			wallet, isRequested := requested[identity.NormalizeWallet(item.Wallet)]
			if item.CurrencyID != "" && item.CurrencyID != c.ID.String() || !isRequested {
				continue
			}
			var amount laurel.Amount
			if err := json.Unmarshal(item.Amount, &amount); err != nil {
				return nil, fmt.Errorf("%w: amount %w", errShape, err)
			}
			out[wallet] = amount
		}
		if after, err = p.next(); err != nil || after == "" {
			return out, err
		}
	}
	return out, nil
}

// readBalancePage reads the page of apiGetUrl that follows the cursor after, or the first one if after is "".
func (s *Service) readBalancePage(
	ctx context.Context,
	c ledger.Currency,
	wallets []string,
	after string,
) (p balancePage, err error) {
	u, err := url.Parse(*c.API.GetURL)
	if err != nil {
		return p, outbound.Redact(err)
	}
	query := u.Query()
	for _, w := range wallets {
		query.Add("walletAddress", w)
	}
	if after != "" {
		query.Set("startingAfter", after)
	}
	u.RawQuery = query.Encode()
	h, err := s.callHeaders(c)
	if err != nil {
		return p, err
	}
	response, err := s.ReadClient.Do(
		ctx,
		outbound.Call{URL: u.String(), Header: h, Timeout: readLimit, Tenant: c.WebsiteID.String()},
	)
	if err == nil && response.Status != 200 {
		err = errors.New("apiGetUrl did not answer with status 200")
	}
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(response.Body, &p); err != nil || p.Data == nil {
		return p, errShape
	}
	return p, nil
}

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/outbound"
	"laurel/internal/points/ledger"
)

// Holder is a user's account in a currency.
type Holder struct {
	CurrencyID laurel.ID
	Wallet     string // "": the user has none
}

const (
	askedWallets = 100 // at most per page (contract 5.15)
	readLimit    = 3 * time.Second
	readPages    = 10
)

// Balance is what is known of a holder whose currency is read outside.
type Balance struct {
	Amount laurel.Amount
	Told   bool // by the outside; else the ledger's mirror stands for it
}

// Balances returns what the outside says of the first 100 of the holders in each currency that is read there, or said a
// few seconds ago. Of the others of these currencies, of those of which it says nothing, and of all of a system that is
// down or returns in another shape, nothing is told. Holders of other currencies are left out.
func (s *Service) Balances(ctx context.Context, scope laurel.Scope, of []Holder) (map[Holder]Balance, error) {
	wallets := map[laurel.ID][]string{}
	asked := map[laurel.ID]ledger.Currency{}
	out := map[Holder]Balance{}
	for _, h := range of {
		c, known := asked[h.CurrencyID]
		if !known {
			var err error
			if c, err = s.Ledger.Currency(ctx, scope, h.CurrencyID); err != nil {
				return nil, err
			}
			asked[h.CurrencyID] = c
		}
		if c.API.GetURL != nil {
			out[h] = Balance{}
		}
		if c.API.GetURL != nil && h.Wallet != "" && len(wallets[h.CurrencyID]) < askedWallets {
			wallets[h.CurrencyID] = append(wallets[h.CurrencyID], h.Wallet)
		}
	}
	will := map[Holder]*known{}
	for id, list := range wallets {
		all, fresh := s.memory.join(asked[id], list, s.DB.Now())
		if len(fresh) > 0 {
			go s.askBalances(context.WithoutCancel(ctx), asked[id], fresh, all)
		}
		for w, k := range all {
			will[Holder{id, w}] = k
		}
	}
	for h, k := range will {
		select {
		case <-k.done:
			out[h] = k.Balance
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return out, nil
}

// balancePage is an answer of apiGetUrl.
type balancePage struct {
	Data        []outsideBalance `json:"data"` // nil: it has none, and is an answer of another shape
	HasNextPage bool             `json:"hasNextPage"`
}

type outsideBalance struct {
	ID         string          `json:"id"`
	Wallet     string          `json:"walletAddress"`
	Amount     json.RawMessage `json:"amount"`
	CurrencyID string          `json:"loyaltyCurrencyId"`
}

// Why an answer is not one of apiGetUrl. Whoever cannot be understood has not said that nobody has anything.
var (
	errShape  = errors.New("apiGetUrl answered in another shape than {data: [{id, walletAddress, amount}], hasNextPage}")
	errNoNext = errors.New("apiGetUrl told of a next page without an id to ask for it by")
)

// next returns what the page after this one is asked for by; "": there is none.
func (p balancePage) next() (string, error) {
	switch {
	case !p.HasNextPage:
		return "", nil
	case len(p.Data) == 0 || p.Data[len(p.Data)-1].ID == "":
		return "", errNoNext
	}
	return p.Data[len(p.Data)-1].ID, nil
}

// balances reads the pages of one currency.
func (s *Service) balances(ctx context.Context, c ledger.Currency, wallets []string) (map[string]laurel.Amount, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	out := make(map[string]laurel.Amount, len(wallets))
	stored := make(map[string]string, len(wallets))
	for _, w := range wallets {
		stored[identity.NormalizeWallet(w)] = w
	}
	for after, pages := "", 0; pages < readPages; pages++ {
		p, err := s.balancePage(ctx, c, wallets, after)
		if err != nil {
			return nil, err
		}
		for _, item := range p.Data {
			if item.Wallet == "" {
				return nil, errShape
			}
			wallet, ours := stored[identity.NormalizeWallet(item.Wallet)]
			if item.CurrencyID != "" && item.CurrencyID != c.ID.String() || !ours {
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

func (s *Service) balancePage(
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
	h, err := s.header(c.API)
	if err != nil {
		return p, err
	}
	answer, err := s.Reading.Do(
		ctx,
		outbound.Call{URL: u.String(), Header: h, Within: readLimit, For: c.WebsiteID.String()},
	)
	if err == nil && answer.Status != 200 {
		err = errors.New("apiGetUrl did not answer with status 200")
	}
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(answer.Body, &p); err != nil || p.Data == nil {
		return p, errShape
	}
	return p, nil
}

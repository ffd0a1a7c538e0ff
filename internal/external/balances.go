package external

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/ledger"
	"laurel/internal/outbound"
	"laurel/internal/workers"
)

// Holder is a wallet's account in a currency.
type Holder struct {
	CurrencyID laurel.ID
	Wallet     string
}

const (
	askedWallets = 100 // at most per page (contract 5.15)
	readLimit    = 3 * time.Second
	readPages    = 10
)

// Balances answers what the outside says of the first 100 of the holders in each currency whose balances it keeps. Holders of which it says nothing, and
// all of a system that is down, are left out: the ledger's mirror stands for them.
func (s *Service) Balances(ctx context.Context, scope laurel.Scope, of []Holder) (map[Holder]laurel.Amount, error) {
	wallets := map[laurel.ID][]string{}
	asked := map[laurel.ID]ledger.Currency{}
	for _, h := range of {
		c, known := asked[h.CurrencyID]
		if !known {
			var err error
			if c, err = s.Ledger.Currency(ctx, scope, h.CurrencyID); err != nil {
				return nil, err
			}
			asked[h.CurrencyID] = c
		}
		if c.API.GetURL != nil && h.Wallet != "" && len(wallets[h.CurrencyID]) < askedWallets {
			wallets[h.CurrencyID] = append(wallets[h.CurrencyID], h.Wallet)
		}
	}
	out := map[Holder]laurel.Amount{}
	var mu sync.Mutex
	var reading sync.WaitGroup
	for id, list := range wallets {
		reading.Go(func() {
			found, err := workers.Try(func() (map[string]laurel.Amount, error) { return s.balances(ctx, asked[id], list) })
			if err != nil {
				s.Logger.Warn("balances kept outside could not be read; the mirror is answered", slog.String("currency", id.String()), slog.Any("error", err))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for wallet, amount := range found {
				out[Holder{id, wallet}] = amount
			}
		})
	}
	reading.Wait()
	return out, nil
}

// balancePage is an answer of apiGetUrl.
type balancePage struct {
	Data []struct {
		ID         string          `json:"id"`
		Wallet     string          `json:"walletAddress"`
		Amount     json.RawMessage `json:"amount"`
		CurrencyID string          `json:"loyaltyCurrencyId"`
	} `json:"data"`
	HasNextPage bool `json:"hasNextPage"`
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
			wallet, ours := stored[identity.NormalizeWallet(item.Wallet)]
			if item.CurrencyID != "" && item.CurrencyID != c.ID.String() || !ours {
				continue
			}
			var amount laurel.Amount
			if err := json.Unmarshal(item.Amount, &amount); err != nil {
				return nil, err
			}
			out[wallet] = amount
		}
		if !p.HasNextPage || len(p.Data) == 0 || p.Data[len(p.Data)-1].ID == "" {
			break
		}
		after = p.Data[len(p.Data)-1].ID
	}
	return out, nil
}

func (s *Service) balancePage(ctx context.Context, c ledger.Currency, wallets []string, after string) (p balancePage, err error) {
	u, err := url.Parse(*c.API.GetURL)
	if err != nil {
		return p, err
	}
	query := u.Query()
	for _, w := range wallets {
		query.Add("walletAddress", w)
	}
	if after != "" {
		query.Set("startingAfter", after)
	}
	u.RawQuery = query.Encode()
	answer, err := s.Outside.Do(ctx, outbound.Call{URL: u.String(), Header: header(c.API), Within: readLimit, For: c.WebsiteID.String()})
	if err == nil && answer.Status != 200 {
		err = errors.New("apiGetUrl did not answer with status 200")
	}
	if err != nil {
		return p, err
	}
	err = json.Unmarshal(answer.Body, &p)
	return p, err
}

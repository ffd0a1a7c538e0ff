package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/report"
)

// The sources of an account's amount, if an external ledger keeps its balance.
const (
	sourceExternal = "outside"
	sourceMirror   = "mirror"
)

// applyExternalBalances reads the balances that external ledgers keep, and writes them into accounts (contract 5.15).
// The amounts before are this service's copies of these balances, the mirror. An amount stays if the external ledger
// does not return the balance. The accounts keep their order. The result has the source of each of these amounts, by
// account: sourceExternal or sourceMirror. It leaves out accounts in currencies without an external ledger.
func (h *handlers) applyExternalBalances(
	ctx context.Context,
	scope laurel.Scope,
	accounts []report.Account,
) (map[laurel.ID]string, error) {
	var holders []external.Holder
	for _, r := range accounts {
		if holder, isOfUser := externalHolder(r); isOfUser {
			holders = append(holders, holder)
		}
	}
	if len(holders) == 0 {
		return nil, nil
	}
	found, err := h.External.Balances(ctx, scope, holders)
	if err != nil {
		return nil, err
	}
	sources := map[laurel.ID]string{}
	for i, r := range accounts {
		holder, isOfUser := externalHolder(r)
		if !isOfUser {
			continue
		}
		switch balance, isInExternalCurrency := found[holder]; {
		case balance.IsExternal:
			accounts[i].Amount, sources[r.ID] = balance.Amount, sourceExternal
		case isInExternalCurrency:
			sources[r.ID] = sourceMirror
		}
	}
	return sources, nil
}

// externalHolder returns the currency and wallet by which package external finds the balance of an account. The wallet
// is "" for a user without one. isOfUser is false for main accounts, whose balances no external ledger keeps.
func externalHolder(r report.Account) (h external.Holder, isOfUser bool) {
	if r.UserID.IsZero() {
		return h, false
	}
	h.CurrencyID = r.CurrencyID
	if r.Wallet != nil {
		h.Wallet = *r.Wallet
	}
	return h, true
}

// externalPost is a request to an external ledger, and its result.
type externalPost struct {
	ID                   laurel.ID         `json:"id" doc:"The idempotencyKey that the external ledger receives"`
	OrganizationID       laurel.ID         `json:"organizationId"`
	WebsiteID            laurel.ID         `json:"websiteId"`
	LoyaltyCurrencyID    laurel.ID         `json:"loyaltyCurrencyId"`
	Kind                 string            `json:"kind" enum:"transaction,completion"`
	Status               string            `json:"status" enum:"open,done,refused,cancelled"`
	Message              *string           `json:"message" doc:"Why it was refused, or why the last call failed"`
	InDoubt              bool              `json:"inDoubt" doc:"A call may have arrived although its response did not"`
	Entries              []externalEntry   `json:"entries"`
	LoyaltyTransactionID *laurel.ID        `json:"loyaltyTransactionId"`
	Attempts             int64             `json:"attempts"`
	NextAttemptAt        *laurel.Timestamp `json:"nextAttemptAt"`
	CreatedAt            laurel.Timestamp  `json:"createdAt"`
	UpdatedAt            laurel.Timestamp  `json:"updatedAt"`
	FinishedAt           *laurel.Timestamp `json:"finishedAt"`
}

type externalEntry struct {
	WalletAddress string `json:"walletAddress"`
	Amount        string `json:"amount" doc:"As the external ledger receives it: an exact decimal"`
	Direction     string `json:"direction" enum:"credit,debit"`
}

// shapePost returns a post to an external ledger as responses show it. Only an open post can be in doubt, which means
// that a call may have arrived although its response did not, or have a next attempt.
func shapePost(p external.Post) externalPost {
	out := externalPost{
		ID:                   p.ID,
		OrganizationID:       p.OrganizationID,
		WebsiteID:            p.WebsiteID,
		LoyaltyCurrencyID:    p.CurrencyID,
		Kind:                 p.Kind,
		Status:               p.Status,
		InDoubt:              p.InDoubt && p.Status == external.Open,
		LoyaltyTransactionID: p.TransactionID.Ptr(),
		Attempts:             p.Attempts,
		CreatedAt:            laurel.Timestamp{Time: p.CreatedAt},
		UpdatedAt:            laurel.Timestamp{Time: p.UpdatedAt},
		FinishedAt:           laurel.Stamp(p.FinishedAt),
	}
	if p.Message != "" {
		out.Message = &p.Message
	}
	if p.Status == external.Open {
		out.NextAttemptAt = laurel.Stamp(p.DueAt)
	}
	for _, e := range p.Entries {
		out.Entries = append(out.Entries, externalEntry{e.Wallet, e.Amount, string(e.Direction)})
	}
	return out
}

type listExternalPostsInput struct {
	rest.PathID
	rest.Paging
	Status string `query:"status" enum:"open,done,refused,cancelled"`
}

// listExternalPosts returns a page of the posts of a currency to its external ledger.
func (h *handlers) listExternalPosts(
	ctx context.Context,
	in *listExternalPostsInput,
) (*rest.Page[externalPost], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if _, err := h.Ledger.Currency(ctx, scope, in.ID.ID); err != nil {
		return nil, err
	}
	f := external.Filter{CurrencyID: in.ID.ID}
	if in.Status != "" {
		f.Statuses = []string{in.Status}
	}
	page, err := h.External.List(ctx, scope, f, in.Page())
	return rest.ListOf(page, err, shapePost)
}

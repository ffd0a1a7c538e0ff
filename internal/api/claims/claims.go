package claims

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/claims"
)

type listInput struct {
	rest.Paging
	ContractID rest.ID `query:"contractId"`
}

// list returns a page of token claims.
func (h *handlers) list(ctx context.Context, in *listInput) (*rest.Page[TokenClaim], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Claims.List(ctx, scope, in.ContractID.ID, in.Page())
	if err != nil {
		return nil, err
	}
	shape, err := h.shaper(ctx, scope, page.Data)
	return rest.ListOf(page, err, shape)
}

// claimResponse returns the response with one token claim that was written. If err is not nil, it only returns err.
func (h *handlers) claimResponse(
	ctx context.Context, scope laurel.Scope, c claims.TokenClaim, err error,
) (*rest.Response[TokenClaim], error) {
	if err != nil {
		return nil, err
	}
	shape, err := h.shaper(ctx, scope, []claims.TokenClaim{c})
	return rest.ResponseOf(c, err, shape)
}

// claimDataJob is the import of a list.
type claimDataJob struct {
	ID      laurel.ID `json:"id"`
	Status  string    `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Message string    `json:"message,omitempty" doc:"Why it failed, or which rows were skipped"`
}

// wholeTokenClaim is a token claim with the allocation of a wallet.
type wholeTokenClaim struct {
	TokenClaim
	TokenClaimID    laurel.ID     `json:"tokenClaimId"`
	TotalAllocation string        `json:"totalAllocation" doc:"The amount of the wallet, or without walletAddress that of all wallets, as a decimal"`
	WalletAddress   *string       `json:"walletAddress"`
	Proof           *[]string     `json:"proof,omitempty" doc:"With walletAddress, if it is on the list"`
	DataJob         *claimDataJob `json:"dataJob" doc:"The latest import of the list"`
}

type getInput struct {
	rest.PathID
	rest.Tenant
	WalletAddress rest.Address `query:"walletAddress"`
}

// get returns a token claim with its latest import. With walletAddress it adds the allocation of that wallet, and its
// proof if the wallet is on the list.
func (h *handlers) get(ctx context.Context, in *getInput) (*rest.Response[wholeTokenClaim], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := h.Claims.Get(ctx, scope, in.ID.ID)
	if err != nil {
		return nil, err
	}
	c, job, err := h.Claims.WithJob(ctx, scope, c)
	if err != nil {
		return nil, err
	}
	shape, err := h.shaper(ctx, scope, []claims.TokenClaim{c})
	if err != nil {
		return nil, err
	}
	out := wholeTokenClaim{TokenClaim: shape(c), TokenClaimID: c.ID, TotalAllocation: c.Amount(c.Allocated.Int)}
	if job != nil {
		out.DataJob = &claimDataJob{job.ID, job.Status, job.Message}
	}
	if in.WalletAddress.Text != "" {
		a, err := h.Claims.AllocationOf(ctx, scope, c, in.WalletAddress.Text)
		if err != nil {
			return nil, err
		}
		out.TotalAllocation, out.WalletAddress = c.Amount(a.Units), &a.Wallet
		if a.Units.Sign() > 0 {
			proof, err := h.Claims.Proof(ctx, scope, c, a)
			if err != nil {
				return nil, err
			}
			out.Proof = &proof
		}
	}
	return &rest.Response[wholeTokenClaim]{Body: out}, nil
}

package claims

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/identity"
)

// claimStake is what a wallet has staked, as a driver reads it from the staking contract.
type claimStake struct {
	StakeID   string           `json:"stakeId"`
	Amount    string           `json:"amount"`
	Claimable string           `json:"claimable"`
	Claimed   string           `json:"claimed"`
	Duration  int64            `json:"duration"`
	StartTime laurel.Timestamp `json:"startTime"`
}

type claimEligibility struct {
	TokenClaimID         laurel.ID         `json:"tokenClaimId"`
	Eligible             bool              `json:"eligible"`
	Amount               string            `json:"amount" doc:"The allocation of the wallet, as a decimal"`
	AlreadyClaimed       bool              `json:"alreadyClaimed"`
	ClaimedAt            *laurel.Timestamp `json:"claimedAt"`
	ClaimContractAddress *string           `json:"claimContractAddress"`
	Stakes               []claimStake      `json:"stakes" doc:"Empty if no driver reads the staking contract"`
}

type walletInput struct {
	rest.PathID
	rest.Tenant
	WalletAddress rest.Address `query:"walletAddress" required:"true"`
}

// eligibility returns whether a wallet may claim now, and how much.
func (h *handlers) eligibility(ctx context.Context, in *walletInput) (*rest.Response[claimEligibility], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, a, err := h.Claims.Allocation(ctx, scope, in.ID.ID, in.WalletAddress.Text)
	if err != nil {
		return nil, err
	}
	return &rest.Response[claimEligibility]{Body: claimEligibility{
		TokenClaimID: c.ID, Eligible: h.Claims.IsEligible(ctx, scope, c, a, rest.CountryOf(ctx)), Amount: c.Amount(a.Units),
		AlreadyClaimed: !a.ClaimedAt.IsZero(), ClaimedAt: laurel.Stamp(a.ClaimedAt), ClaimContractAddress: c.ClaimContract,
		Stakes: []claimStake{},
	}}, nil
}

type claimProof struct {
	TokenClaimID    laurel.ID `json:"tokenClaimId"`
	WalletAddress   string    `json:"walletAddress"`
	TotalAllocation string    `json:"totalAllocation" doc:"A decimal"`
	Proof           []string  `json:"proof" doc:"From the bottom up"`
}

// proof returns the Merkle proof of a wallet's allocation.
func (h *handlers) proof(ctx context.Context, in *walletInput) (*rest.Response[claimProof], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, a, err := h.Claims.Allocation(ctx, scope, in.ID.ID, in.WalletAddress.Text)
	if err != nil {
		return nil, err
	}
	hashes, err := h.Claims.Proof(ctx, scope, c, a)
	return rest.ResponseOf(hashes, err, func(hashes []string) claimProof {
		return claimProof{c.ID, a.Wallet, c.Amount(a.Units), hashes}
	})
}

type claimUser struct {
	ID        laurel.ID         `json:"id"`
	Amount    string            `json:"amount" doc:"A decimal"`
	ClaimedAt *laurel.Timestamp `json:"claimedAt"`
	User      allocatedUser     `json:"user"`
}

type allocatedUser struct {
	ID            *laurel.ID `json:"id" doc:"null until the wallet is a user"`
	WalletAddress string     `json:"walletAddress"`
}

type listUsersInput struct {
	rest.PathID
	rest.Paging
	WalletAddress rest.Address `query:"walletAddress"`
	SortBy        string       `query:"sortBy" enum:"claimedAt,amount" doc:"Default amount"`
	SortOrder     string       `query:"sortOrder" enum:"asc,desc" doc:"Default desc"`
}

// listUsers returns a page of the wallets on the list of a token claim, with the ids of those that are users.
func (h *handlers) listUsers(ctx context.Context, in *listUsersInput) (*rest.Page[claimUser], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, page, err := h.Claims.Users(ctx, scope, in.ID.ID, claims.UserFilter{
		Wallet: in.WalletAddress.Text, SortBy: in.SortBy, Ascending: in.SortOrder == "asc",
	}, in.Page())
	if err != nil {
		return nil, err
	}
	wallets := make([]string, len(page.Data))
	for i, a := range page.Data {
		wallets[i] = a.Wallet
	}
	users, err := h.Identity.UsersOfWallets(ctx, scope, wallets)
	return rest.ListOf(page, err, func(a claims.Allocation) claimUser {
		return claimUser{
			ID: a.ID, Amount: c.Amount(a.Units), ClaimedAt: laurel.Stamp(a.ClaimedAt),
			User: allocatedUser{ID: users[a.Wallet].Ptr(), WalletAddress: a.Wallet},
		}
	})
}

type claimTokenBody struct {
	rest.TenantBody
	claims.ClaimInput
}

// Creates marks the properties that a report needs as required.
func (claimTokenBody) Creates() {}

type reportInput struct {
	rest.PathID
	Body claimTokenBody
}

type claimReceipt struct {
	Message string            `json:"message"`
	Data    claimedAllocation `json:"data"`
}

type claimedAllocation struct {
	TokenClaimID    laurel.ID         `json:"tokenClaimId"`
	WalletAddress   string            `json:"walletAddress"`
	TotalAllocation string            `json:"totalAllocation" doc:"A decimal"`
	ClaimedAt       *laurel.Timestamp `json:"claimedAt"`
}

// claim records that a wallet has claimed its allocation. A client key needs the member token of the wallet's user.
func (h *handlers) claim(ctx context.Context, in *reportInput) (*rest.Response[claimReceipt], error) {
	ref := identity.Ref{Wallet: identity.NormalizeWallet(in.Body.Wallet)}
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err == nil {
		err = h.Caller.CheckProvesMember(ctx, scope, ref)
	}
	if err != nil {
		return nil, err
	}
	c, a, err := h.Claims.Claim(ctx, scope, in.ID.ID, in.Body.ClaimInput)
	return rest.ResponseOf(a, err, func(a claims.Allocation) claimReceipt {
		return claimReceipt{"Success", claimedAllocation{c.ID, a.Wallet, c.Amount(a.Units), laurel.Stamp(a.ClaimedAt)}}
	})
}

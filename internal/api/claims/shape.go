package claims

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
)

// TokenClaim is contract 3.28. It is exported so that schemas that embed it have its properties.
type TokenClaim struct {
	ID                     laurel.ID            `json:"id"`
	OrganizationID         laurel.ID            `json:"organizationId"`
	WebsiteID              laurel.ID            `json:"websiteId"`
	Name                   string               `json:"name"`
	Contract               claimToken           `json:"contract"`
	ERC20Decimals          int64                `json:"erc20Decimals"`
	CSVURL                 *string              `json:"csvUrl" doc:"Shown to secret keys only"`
	DataJobID              laurel.NullID        `json:"dataJobId"`
	ClaimContractAddress   *string              `json:"claimContractAddress"`
	StakingContractAddress *string              `json:"stakingContractAddress"`
	RelayerID              *laurel.ID           `json:"relayerId"`
	StartTime              laurel.NullTimestamp `json:"startTime"`
	EndTime                laurel.NullTimestamp `json:"endTime"`
	GeoBlock               laurel.List[string]  `json:"geoBlock"`
	IsDraft                bool                 `json:"isDraft"`
	ClaimAndStake          bool                 `json:"claimAndStake"`
	IsStakingOptional      bool                 `json:"isStakingOptional"`
	MinPercentageToStake   laurel.Amount        `json:"minPercentageToStake"`
	MinLockup              laurel.Amount        `json:"minLockup"`
	MinLockupForMultiplier laurel.Amount        `json:"minLockupForMultiplier"`
	MaxBonus               laurel.Amount        `json:"maxBonus"`
	Multiplier             laurel.Amount        `json:"multiplier"`
	StakingContractType    *string              `json:"stakingContractType" doc:"linear or timelock"`
	TotalAllocatedAmount   tokenNumber          `json:"totalAllocatedAmount" doc:"Exact, with up to erc20Decimals places"`
	TotalClaimedAmount     tokenNumber          `json:"totalClaimedAmount" doc:"Exact, with up to erc20Decimals places"`
	TotalWalletsAllocated  int64                `json:"totalWalletsAllocated"`
	MerkleRoot             *string              `json:"merkleRoot" doc:"null until the list is imported"`
	CreatedAt              laurel.Timestamp     `json:"createdAt"`
	UpdatedAt              laurel.Timestamp     `json:"updatedAt"`
	DeletedAt              laurel.NullTimestamp `json:"deletedAt,omitzero"`
}

// claimToken is the contract of the token.
type claimToken struct {
	ID      laurel.ID `json:"id"`
	Address string    `json:"address"`
	ChainID *int64    `json:"chainId"`
	Name    *string   `json:"name"`
}

// tokenNumber is an amount of a token as a JSON number, with more digits than laurel.Amount has.
type tokenNumber string

// MarshalJSON returns the text unquoted: it is a JSON number.
func (n tokenNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// Schema documents a number.
func (tokenNumber) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Format: "decimal", Minimum: &least}
}

// shaper loads the contracts of token claims, and returns the function that converts one token claim for responses.
// Read-only and client keys do not see the address of its list.
func (h *handlers) shaper(
	ctx context.Context, scope laurel.Scope, list []claims.TokenClaim,
) (func(claims.TokenClaim) TokenClaim, error) {
	ids := make([]laurel.ID, len(list))
	for i, c := range list {
		ids[i] = c.ContractID
	}
	contractsByID, err := h.Contracts.ByID(ctx, scope, ids)
	showsList := scope.Role != laurel.RoleReadOnly && scope.Role != laurel.RoleClient
	return func(c claims.TokenClaim) TokenClaim {
		out := shape(c, contractsByID[c.ContractID])
		if !showsList { // the list says what every wallet gets
			out.CSVURL = nil
		}
		return out
	}, err
}

// shape returns a token claim as responses show it, with the contract of its token.
func shape(c claims.TokenClaim, token contracts.Contract) TokenClaim {
	return TokenClaim{
		ID: c.ID, OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Name: c.Name,
		Contract:      claimToken{ID: c.ContractID, Address: token.Address, ChainID: token.ChainID, Name: token.Name},
		ERC20Decimals: c.Decimals, CSVURL: c.CSVURL, DataJobID: c.DataJobID, ClaimContractAddress: c.ClaimContract,
		StakingContractAddress: c.StakingContract, RelayerID: c.RelayerID, StartTime: c.StartsAt,
		EndTime: c.EndsAt, GeoBlock: c.GeoBlock, IsDraft: c.IsDraft, ClaimAndStake: c.ClaimAndStake,
		IsStakingOptional: c.IsStakingOptional, MinPercentageToStake: c.MinPercentageToStake, MinLockup: c.MinLockup,
		MinLockupForMultiplier: c.MinLockupForMultiplier, MaxBonus: c.MaxBonus, Multiplier: c.Multiplier,
		StakingContractType:   c.StakingContractType,
		TotalAllocatedAmount:  tokenNumber(c.Amount(c.Allocated.Int)),
		TotalClaimedAmount:    tokenNumber(c.Amount(c.Claimed.Int)),
		TotalWalletsAllocated: c.Wallets, MerkleRoot: c.MerkleRoot, CreatedAt: c.CreatedAt,
		UpdatedAt: c.UpdatedAt, DeletedAt: c.DeletedAt,
	}
}

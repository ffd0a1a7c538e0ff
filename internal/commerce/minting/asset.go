package minting

import (
	"encoding/json"
	"time"

	"laurel"
)

// Asset is something that can be minted (contract 3.25).
type Asset struct {
	ID               laurel.ID
	OrganizationID   laurel.ID
	WebsiteID        laurel.ID
	ContractID       laurel.ID
	Nr               int64 // 1, 2, ... in its contract
	Name             string
	Description      *string
	ImageURL         *string
	AnimationURL     *string
	Metadata         json.RawMessage // an object, as it was sent; nil: none, or not asked for
	Price            laurel.Amount   // of one
	CurrencyID       laurel.ID       // zero: the price is paid on a blockchain
	CurrencyAddress  *string
	CurrencyDecimals *int64
	Quantity         int64
	Unlimited        bool
	Minted           int64
	IsListed         bool
	IsHidden         bool
	IsPhygital       bool
	CollectsUserInfo bool
	CollectInfoType  *string
	ListingStartsAt  *time.Time
	ListingEndsAt    *time.Time
	IsAllowlisted    bool
	TokenID          *int64
	RevealedAt       time.Time // zero: not revealed
	CreatedAt        time.Time
	UpdatedAt        time.Time
	DeletedAt        time.Time // zero while live
}

package minting

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
)

// facts are the facts that a purchase is decided on.
type facts struct {
	asset            *Asset
	contract         Contract
	now              time.Time
	order            Order
	blocked          bool
	allowEntry       *allowRow // of the wallet; nil: the member has no wallet
	alreadyMinted    int64     // items that count toward the limit per user
	ownedCollections map[GatingCollection]bool
	heldBadges       map[laurel.ID]bool
	hasDriver        bool
}

func refused(message string) error { return laurel.Errorf(laurel.Refused, "%s", message) }

// refusal returns the first reason to refuse the mint, in the order of contract 5.19, or nil. Whether the balance
// covers the price is only checked later, when it is debited.
func (f facts) refusal() error {
	switch {
	case !f.asset.IsListed || !f.contract.IsListed:
		return refused("Asset is not listed")
	case !f.asset.ListingStartsAt.IsZero() && f.now.Before(f.asset.ListingStartsAt.Time):
		return refused("Minting has not started yet")
	case !f.asset.ListingEndsAt.IsZero() && !f.now.Before(f.asset.ListingEndsAt.Time):
		return refused("Minting has ended")
	case f.blocked:
		return refused(decision.MsgBlocked)
	case f.asset.IsAllowlisted && (f.allowEntry == nil || f.allowEntry.isNew):
		return refused("Wallet is not on the allowlist")
	case f.asset.IsAllowlisted && f.order.Quantity > f.allowEntry.remaining():
		return refused("Allowlist quantity exceeded")
	case f.contract.PerUserLimit > 0 && f.alreadyMinted+f.order.Quantity > f.contract.PerUserLimit:
		return refused("Mint limit per user reached")
	}
	if err := f.gateRefusal(); err != nil {
		return err
	}
	switch {
	case !f.asset.hasRemaining(f.order.Quantity):
		return ErrSoldOut()
	case f.contract.CollectsEmail && f.order.Email == "":
		return refused("Email is required")
	case f.asset.CollectsUserInfo && !f.hasRequiredInfo():
		return refused("Additional information is required")
	case f.contract.Kind == Onchain && !f.hasDriver:
		return refused("Minting is not configured")
	}
	return nil
}

// hasRequiredInfo reports whether the order has the information that the asset collects from buyers: a shipping
// address, a text, or either if the asset does not say which.
func (f facts) hasRequiredInfo() bool {
	custom, shipping := f.order.CustomInput != "", !f.order.ShippingID.IsZero()
	switch {
	case f.asset.CollectInfoType == nil:
		return custom || shipping
	case *f.asset.CollectInfoType == shippingDetails:
		return shipping
	}
	return custom
}

// ownsGatingTokens reports whether the member owns tokens of the collections that the contract names: of any one, or of
// all if the contract requires all. It is false if the contract names none.
func (f facts) ownsGatingTokens() bool {
	owned := 0
	for _, c := range f.contract.Collections {
		if f.ownedCollections[c] {
			owned++
		}
	}
	return owned > 0 && (!f.contract.RequiresAll || owned == len(f.contract.Collections))
}

// holdsGatingBadges reports whether the member holds the badges that the contract names: any one, or all if the
// contract requires all. It is false if the contract names none.
func (f facts) holdsGatingBadges() bool {
	held := 0
	for _, id := range f.contract.BadgeIDs {
		if f.heldBadges[id] {
			held++
		}
	}
	return held > 0 && (!f.contract.RequiresAll || held == len(f.contract.BadgeIDs))
}

// gateRefusal returns the refusal of a member without the tokens or badges that the contract requires, or nil.
// Collections and badges that only make the items free are not required. Unless the contract requires all, either
// tokens or badges suffice.
func (f facts) gateRefusal() error {
	needsTokens := len(f.contract.Collections) > 0 && !f.contract.FreeForTokenHolders
	needsBadges := len(f.contract.BadgeIDs) > 0 && !f.contract.FreeForBadgeHolders
	owns, holds := f.ownsGatingTokens(), f.holdsGatingBadges()
	if !f.contract.RequiresAll && (owns || holds) {
		return nil
	}
	switch {
	case needsTokens && !owns:
		return refused(msgMustOwn)
	case needsBadges && !holds:
		return refused("You must hold the required badge")
	}
	return nil
}

const msgMustOwn = "You must own a token of the required collections"

// isFree reports whether the member gets the items without paying.
func (f facts) isFree() bool {
	return f.contract.FreeForTokenHolders && f.ownsGatingTokens() ||
		f.contract.FreeForBadgeHolders && f.holdsGatingBadges()
}

// price returns the price of the whole quantity, which is 0 if the member gets the items free. Errors: Invalid if it
// is out of range.
func (f facts) price() (laurel.Amount, error) {
	if f.isFree() {
		return 0, nil
	}
	price, err := laurel.Product(f.asset.Price, laurel.Amount(f.order.Quantity)*laurel.One)
	if err != nil {
		var faults laurel.Faults
		faults.Add("quantity", "costs too much: %s", err)
		return 0, faults.Err()
	}
	return price, nil
}

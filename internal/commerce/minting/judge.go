package minting

import (
	"time"

	"laurel"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
)

// facts are what a mint is decided on.
type facts struct {
	asset    *assetRow
	contract Contract
	now      time.Time
	order    Order
	blocked  bool
	allowed  *allowRow                 // of the wallet; nil: it has none
	taken    int64                     // what the user has of what the limit counts
	owned    map[GatingCollection]bool // collections
	held     map[laurel.ID]bool        // badges
	driven   bool                      // there is a driver
}

func refused(message string) error { return laurel.Errorf(laurel.Refused, "%s", message) }

// refusal returns the first reason that speaks against the mint, in the order of contract 5.19, but that the balance
// does not cover it. It is pure.
func (f facts) refusal() error {
	switch {
	case !f.asset.IsListed || !f.contract.IsListed:
		return refused("Asset is not listed")
	case f.asset.ListingStartsAt != nil && f.now.Before(store.Time(*f.asset.ListingStartsAt)):
		return refused("Minting has not started yet")
	case f.asset.ListingEndsAt != nil && !f.now.Before(store.Time(*f.asset.ListingEndsAt)):
		return refused("Minting has ended")
	case f.blocked:
		return refused(decision.MsgBlocked)
	case f.asset.IsAllowlisted && (f.allowed == nil || f.allowed.fresh):
		return refused("Wallet is not on the allowlist")
	case f.asset.IsAllowlisted && f.order.Quantity > f.allowed.left():
		return refused("Allowlist quantity exceeded")
	case f.contract.PerUserLimit > 0 && f.taken+f.order.Quantity > f.contract.PerUserLimit:
		return refused("Mint limit per user reached")
	}
	if err := f.gate(); err != nil {
		return err
	}
	switch {
	case !f.asset.has(f.order.Quantity):
		return ErrSoldOut()
	case f.contract.CollectsEmail && f.order.Email == "":
		return refused("Email is required")
	case f.asset.CollectsUserInfo && !f.informed():
		return refused("Additional information is required")
	case f.contract.Kind == Onchain && !f.driven:
		return refused("Minting is not configured")
	}
	return nil
}

// informed reports whether the order has what the asset asks for.
func (f facts) informed() bool {
	custom, shipping := f.order.CustomInput != "", !f.order.ShippingID.IsZero()
	switch {
	case f.asset.CollectInfoType == nil:
		return custom || shipping
	case *f.asset.CollectInfoType == shippingDetails:
		return shipping
	}
	return custom
}

// ownsSome and holdsSome report whether the person has what opens a gate: one of the collections or badges, or all of
// them where the contract requires that. There is nothing to have where it names none.
func (f facts) ownsSome() bool {
	n := 0
	for _, c := range f.contract.Collections {
		if f.owned[c] {
			n++
		}
	}
	return n > 0 && (!f.contract.RequiresAll || n == len(f.contract.Collections))
}

func (f facts) holdsSome() bool {
	n := 0
	for _, id := range f.contract.BadgeIDs {
		if f.held[id] {
			n++
		}
	}
	return n > 0 && (!f.contract.RequiresAll || n == len(f.contract.BadgeIDs))
}

// gate refuses whoever lacks what the contract requires. What is free for holders is no gate: others pay.
func (f facts) gate() error {
	needsTokens := len(f.contract.Collections) > 0 && !f.contract.FreeForTokenHolders
	needsBadges := len(f.contract.BadgeIDs) > 0 && !f.contract.FreeForBadgeHolders
	owns, holds := f.ownsSome(), f.holdsSome()
	if !f.contract.RequiresAll && (owns || holds) {
		return nil
	}
	switch {
	case needsTokens && !owns:
		return refused(mustOwn)
	case needsBadges && !holds:
		return refused("You must hold the required badge")
	}
	return nil
}

const mustOwn = "You must own a token of the required collections"

// free reports whether the person gets the items without paying.
func (f facts) free() bool {
	return f.contract.FreeForTokenHolders && f.ownsSome() || f.contract.FreeForBadgeHolders && f.holdsSome()
}

// price is what the order costs in all. Errors: Invalid where that is out of range.
func (f facts) price() (laurel.Amount, error) {
	if f.free() {
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

package claims

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/merkle"
	"laurel.example/laurel/internal/store"
)

// Allocation is the amount that a wallet may claim.
type Allocation struct {
	ID        laurel.ID
	Wallet    string
	Units     *big.Int
	ClaimedAt time.Time // zero: not yet
	TxHash    string    // of the claim, as it was reported; empty: not yet
	node      int       // its leaf in the Merkle tree
}

// errNoAllocation is the error for a wallet that is not on the list.
func errNoAllocation(code laurel.Code) error { return laurel.Errorf(code, "Wallet has no allocation") }

// Allocation returns a token claim and the allocation of a wallet. The allocation has zero units if the wallet is not
// on the list that is valid now, which the last complete import has stored. Errors: NotFound "Token claim".
func (s *Service) Allocation(
	ctx context.Context, scope laurel.Scope, id laurel.ID, address string,
) (TokenClaim, Allocation, error) {
	c, err := s.Get(ctx, scope, id)
	if err != nil {
		return TokenClaim{}, Allocation{}, err
	}
	a, err := s.AllocationOf(ctx, scope, c, address)
	return c, a, err
}

// AllocationOf returns the allocation of a wallet in a token claim that was read, as Allocation does.
func (s *Service) AllocationOf(ctx context.Context, _ laurel.Scope, c TokenClaim, address string) (Allocation, error) {
	a, _, err := c.allocation(ctx, s.DB, address)
	return a, err
}

// allocation reads the allocation of a wallet in the valid list. If there is none, or the text is no wallet, it returns
// false and an allocation of zero units.
func (c TokenClaim) allocation(ctx context.Context, q store.Queryer, text string) (Allocation, bool, error) {
	none := Allocation{Wallet: text, Units: new(big.Int)}
	address, ok := normalizeWallet(text)
	if !ok || c.CurrentImportID.IsZero() {
		return none, false, nil
	}
	a, ok, err := findAllocation(ctx, q, c.CurrentImportID.ID, address)
	if err != nil || !ok {
		none.Wallet = address
		return none, false, err
	}
	return a, true, nil
}

// IsEligible reports whether a wallet may claim its allocation now from a country (contract 5.20). The country is ""
// if it is unknown; then the list of blocked countries does not count.
func (s *Service) IsEligible(_ context.Context, _ laurel.Scope, c TokenClaim, a Allocation, country string) bool {
	now := s.DB.Now()
	return c.DeletedAt.IsZero() && !c.IsDraft && !now.Before(c.StartsAt.Time) &&
		(c.EndsAt.IsZero() || now.Before(c.EndsAt.Time)) &&
		a.Units.Sign() > 0 && a.ClaimedAt.IsZero() && !slices.Contains(c.GeoBlock, country)
}

// Proof returns the Merkle proof of an allocation: the hashes, as texts, that the claim contract verifies. Errors:
// NotFound "Wallet has no allocation", also if the list of c was replaced since c was read.
func (s *Service) Proof(ctx context.Context, _ laurel.Scope, c TokenClaim, a Allocation) ([]string, error) {
	if a.Units.Sign() == 0 {
		return nil, errNoAllocation(laurel.NotFound)
	}
	blocks, err := readBlocks(ctx, s.DB, c.CurrentImportID.ID, merkle.HeadsOf(a.node))
	if err != nil {
		return nil, err
	}
	proof, ok := merkle.ProofIn(a.node, blocks)
	if !ok { // the list was replaced between two reads
		return nil, errNoAllocation(laurel.NotFound)
	}
	texts := make([]string, len(proof))
	for i, hash := range proof {
		texts[i] = hash.String()
	}
	return texts, nil
}

// Orders lists the orders in which the wallets of a token claim can be listed (contract 2).
func Orders() []string { return []string{orderClaimed, orderAmount} }

const (
	orderClaimed = "claimedAt"
	orderAmount  = "amount"
)

// UserFilter narrows and sorts the wallets of a token claim.
type UserFilter struct {
	Wallet      string // empty: all
	SortBy      string // one of Orders; empty: amount
	Ascending   bool
	ClaimedOnly bool // with SortBy claimedAt: only wallets that have claimed
}

// Users returns a token claim with a page of the wallets on its list. Sorted by claimedAt, those that have not claimed
// come last, in either direction. With a wallet in the filter, the first page has at most that one and later pages are
// empty. Before the first import is complete there are no wallets. Errors: NotFound "Token claim"; Invalid for an
// unknown cursor.
func (s *Service) Users(
	ctx context.Context, scope laurel.Scope, id laurel.ID, u UserFilter, page laurel.PageRequest,
) (TokenClaim, laurel.Page[Allocation], error) {
	found := laurel.Page[Allocation]{Data: []Allocation{}}
	c, err := s.Get(ctx, scope, id)
	if err != nil {
		return c, found, err
	}
	cursor, err := readCursor(ctx, s.DB, c.CurrentImportID.ID, page.StartingAfter)
	if err != nil || c.CurrentImportID.IsZero() {
		return c, found, err
	}
	if u.Wallet != "" {
		a, ok, err := c.allocation(ctx, s.DB, u.Wallet)
		if ok && cursor == nil {
			found.Data = []Allocation{a}
		}
		return c, found, err
	}
	rows, err := selectUsers(ctx, s.DB, pageQuery{c.CurrentImportID.ID, cursor, u, page.Limit})
	return c, laurel.MapPage(rows, allocationRow.allocation), err
}

// allocationID returns the id of a wallet's allocation: the id of the import, with the wallet's place in the list mixed
// into its last four bytes. So the ids of a million allocations need no column and no index.
func allocationID(importID laurel.ID, place int64) laurel.ID {
	last := importID[12:]
	binary.BigEndian.PutUint32(importID[12:], binary.BigEndian.Uint32(last)^uint32(place)) //nolint:gosec // below a million
	return importID
}

// placeOf returns the place that allocationID has put into an id, or false if the id is not one of the import.
func placeOf(importID, id laurel.ID) (place int64, ok bool) {
	if !slices.Equal(importID[:12], id[:12]) {
		return 0, false
	}
	return int64(binary.BigEndian.Uint32(importID[12:]) ^ binary.BigEndian.Uint32(id[12:])), true
}

package claims

import (
	"context"
	"math/big"
	"regexp"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// ClaimInput is a caller's report that a wallet has claimed.
type ClaimInput struct {
	Wallet string `json:"walletAddress"`
	TxHash string `json:"txHash" doc:"0x and 64 hexadecimal digits"`
}

// Bounds returns what the properties accept, for the API's schema.
func (ClaimInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"walletAddress", "txHash"}, NotNull: []string{"walletAddress", "txHash"},
		Keywords: map[string]laurel.Keywords{
			"walletAddress": laurel.RequiredIdentifierKeywords(), "txHash": {"pattern": txHashPattern.String()},
		},
	}
}

var txHashPattern = regexp.MustCompile("^0x[0-9a-fA-F]{64}$")

// Validate returns nil or an Invalid error that names every fault of the report.
func (in ClaimInput) Validate() error {
	var f laurel.Faults
	if in.Wallet == "" {
		f.Add("walletAddress", "is required")
	} else {
		identity.Ref{Wallet: in.Wallet}.Validate(&f)
	}
	switch {
	case in.TxHash == "":
		f.Add("txHash", "is required")
	case !txHashPattern.MatchString(in.TxHash):
		f.Add("txHash", "must be 0x and 64 hexadecimal digits")
	}
	return f.Err()
}

// Claim records that a wallet has claimed all that is allocated to it, which is possible once. If this node can read
// the blockchain (s.Confirm), it first checks that the reported transaction exists there. A wallet without a user gets
// one; with a client key, which may not make users, the error is NotFound "User" instead. Other errors: Invalid;
// NotFound "Token claim"; the refusals of contract 5.20, in its order.
func (s *Service) Claim(
	ctx context.Context, scope laurel.Scope, id laurel.ID, in ClaimInput,
) (c TokenClaim, a Allocation, err error) {
	if err := in.Validate(); err != nil {
		return c, a, err
	}
	if err := s.confirmTransaction(ctx, scope, id, in); err != nil {
		return c, a, err
	}
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if c, err = find(ctx, tx, scope, id, ""); err != nil {
			return err
		}
		if _, err = c.checkClaim(ctx, tx, in, tx.Now()); err != nil { // a refusal makes no user and waits for no lock
			return err
		}
		if err := s.ensureUser(ctx, tx, scope.At(c.WebsiteID), in.Wallet); err != nil {
			return err
		}
		if c, err = find(ctx, tx, scope, id, tx.ForUpdate()); err != nil {
			return err
		}
		if a, err = c.checkClaim(ctx, tx, in, tx.Now()); err != nil {
			return err
		}
		return c.recordClaim(ctx, tx, &a, strings.ToLower(in.TxHash))
	})
	return c, a, err
}

// confirmTransaction asks the blockchain for the transaction of a reported claim, before any row is locked. It returns
// Refused "Transaction not found" if there is none, and nil if no blockchain can be read. A wallet that may not
// claim is refused first, without a request to the blockchain.
func (s *Service) confirmTransaction(ctx context.Context, scope laurel.Scope, id laurel.ID, in ClaimInput) error {
	if s.Confirm == nil {
		return nil
	}
	c, err := s.Get(ctx, scope, id)
	if err != nil {
		return err
	}
	a, err := c.checkClaim(ctx, s.DB, in, s.DB.Now())
	if err != nil {
		return err
	}
	token, err := s.Contracts.Get(ctx, scope.At(c.WebsiteID), c.ContractID)
	if err != nil {
		return err
	}
	exists, err := s.Confirm(ctx, ClaimTransaction{
		ChainID: token.ChainID, Contract: c.ClaimContract, Wallet: a.Wallet, TxHash: strings.ToLower(in.TxHash),
	})
	if err == nil && !exists {
		err = laurel.Errorf(laurel.Refused, "Transaction not found")
	}
	return err
}

// checkClaim returns the allocation that the wallet of the report may claim, or the refusal: not started, ended, no
// allocation, or claimed already.
func (c TokenClaim) checkClaim(
	ctx context.Context, q store.Queryer, in ClaimInput, now time.Time,
) (Allocation, error) {
	switch {
	case now.Before(c.StartsAt.Time):
		return Allocation{}, laurel.Errorf(laurel.Refused, "Token claim has not started yet")
	case !c.EndsAt.IsZero() && !now.Before(c.EndsAt.Time):
		return Allocation{}, laurel.Errorf(laurel.Refused, "Token claim has ended")
	}
	a, ok, err := c.allocation(ctx, q, in.Wallet)
	switch {
	case err != nil:
		return a, err
	case !ok:
		return a, errNoAllocation(laurel.Refused)
	case !a.ClaimedAt.IsZero():
		return a, errClaimed()
	}
	return a, nil
}

func errClaimed() error { return laurel.Errorf(laurel.Refused, "Already claimed") }

// ensureUser makes a user of the wallet if there is none. With a client key, which may not make users, an unknown
// wallet is an error.
func (s *Service) ensureUser(ctx context.Context, tx *store.Tx, scope laurel.Scope, wallet string) error {
	if scope.Role == laurel.RoleClient {
		if _, err := s.People.Resolve(ctx, tx, scope, identity.Ref{Wallet: identity.NormalizeWallet(wallet)}); err != nil {
			return err
		}
	}
	_, err := s.People.FindOrCreateWallet(ctx, tx, scope, wallet)
	return err
}

// recordClaim marks the allocation as claimed by the transaction with this hash, adds it to the token claim's counts,
// and records the change in the feed. The caller has locked the token claim. Errors: Refused "Already claimed".
func (c *TokenClaim) recordClaim(ctx context.Context, tx *store.Tx, a *Allocation, hash string) error {
	wasUnclaimed, err := markClaimed(ctx, tx, c.CurrentImportID.ID, a.Wallet, hash)
	if err == nil && !wasUnclaimed {
		err = errClaimed()
	}
	if err != nil {
		return err
	}
	a.ClaimedAt, a.TxHash, c.UpdatedAt.Time = tx.Now(), hash, tx.NowAfter(c.UpdatedAt.Time)
	c.ClaimedWallets++
	c.Claimed = Total{new(big.Int).Add(c.Claimed.Int, a.Units)}
	if err := table.Update(ctx, tx, c); err != nil {
		return err
	}
	return feed.Record(ctx, tx, c.change(feed.Updated, &ReportedClaim{
		Wallet: a.Wallet, Amount: c.Amount(a.Units), TxHash: hash, ClaimedAt: laurel.Timestamp{Time: a.ClaimedAt},
	}))
}

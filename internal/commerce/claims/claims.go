// Package claims owns token claims (contract 3.28, 5.20): lists of how much of a token each wallet may claim, their
// imports, the Merkle trees from which claim contracts verify them, and which claims were reported. It calls no
// blockchain and moves no token.
package claims

import (
	"context"
	"log/slog"
	"math/big"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/merkle"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// TokenClaim is one distribution of a token to the wallets of a list: a row of token_claims. Laurel only stores the
// properties about staking, for the website's own code.
type TokenClaim struct {
	ID                     laurel.ID            `db:"id" json:"id"`
	OrganizationID         laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID              laurel.ID            `db:"website_id" json:"websiteId"`
	Name                   string               `db:"name" json:"name" in:"required min=1 max=1000"`
	ContractID             laurel.ID            `db:"contract_id" json:"contractId" update:"no" in:"create required" hint:"A contract of type erc20"`
	Decimals               int64                `db:"erc20_decimals" json:"erc20Decimals" in:"notnull min=0 max=36 tokendecimals" hint:"Default 18"` // of the token
	CSVURL                 *string              `db:"csv_url" json:"csvUrl" in:"fileurl" hint:"Rows of walletAddress,amount"`
	ClaimContract          *string              `db:"claim_contract_address" json:"claimContractAddress" in:"address"`
	StakingContract        *string              `db:"staking_contract_address" json:"stakingContractAddress" in:"address"`
	RelayerID              *laurel.ID           `db:"relayer_id" json:"relayerId" in:""`
	StartsAt               laurel.NullTimestamp `db:"start_time" json:"startTime" in:""` // none: it has started
	EndsAt                 laurel.NullTimestamp `db:"end_time" json:"endTime" in:""`     // none: never
	GeoBlock               laurel.List[string]  `db:"geo_block" json:"geoBlock" in:"notnull countries" hint:"Codes of countries, ISO 3166 alpha-2"`
	IsDraft                bool                 `db:"is_draft" json:"isDraft" in:"notnull" hint:"Default true"`
	ClaimAndStake          bool                 `db:"claim_and_stake" json:"claimAndStake" in:"notnull"`
	IsStakingOptional      bool                 `db:"is_staking_optional" json:"isStakingOptional" in:"notnull"`
	MinPercentageToStake   laurel.Amount        `db:"min_percentage_to_stake" json:"minPercentageToStake" in:"notnull notnegative percent" hint:"0 to 100"`
	MinLockup              laurel.Amount        `db:"min_lockup" json:"minLockup" in:"notnull notnegative"`
	MinLockupForMultiplier laurel.Amount        `db:"min_lockup_for_multiplier" json:"minLockupForMultiplier" in:"notnull notnegative"`
	MaxBonus               laurel.Amount        `db:"max_bonus" json:"maxBonus" in:"notnull notnegative"`
	Multiplier             laurel.Amount        `db:"multiplier" json:"multiplier" in:"notnull notnegative" hint:"Default 1"`
	StakingContractType    *string              `db:"staking_contract_type" json:"stakingContractType" in:"stakingtype"`
	DataJobID              laurel.NullID        `db:"data_job_id" json:"dataJobId"` // the latest import of the list
	CurrentImportID        laurel.NullID        `db:"current_import_id" json:"-"`   // the import whose allocations are valid
	MerkleRoot             *string              `db:"merkle_root" json:"merkleRoot"`
	Wallets                int64                `db:"allocated_wallets" json:"totalWalletsAllocated"`
	Allocated              Total                `db:"allocated_units" json:"-"`
	ClaimedWallets         int64                `db:"claimed_wallets" json:"-"`
	Claimed                Total                `db:"claimed_units" json:"-"`
	CreatedAt              laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt              laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt              laurel.NullTimestamp `db:"deleted_at" json:"deletedAt,omitzero"`
}

// Amount returns an amount in smallest units of the token as a decimal.
func (c TokenClaim) Amount(units *big.Int) string { return formatUnits(units, c.Decimals) }

// ClaimTransaction names the transaction on a blockchain that a reported claim refers to.
type ClaimTransaction struct {
	ChainID  *int64
	Contract *string // the claim contract
	Wallet   string
	TxHash   string
}

// Confirm reports whether the blockchain has a successful transaction of the wallet to the claim contract.
type Confirm func(ctx context.Context, r ClaimTransaction) (bool, error)

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB        *store.DB
	Lists     *lists.Service
	People    *identity.Service
	Contracts *contracts.Service
	Confirm   Confirm // nil: claims are recorded as reported, without reading a blockchain
	Logger    *slog.Logger
}

// Service implements the operations on token claims.
type Service struct {
	Config
	wakeup   worker.Wakeup // of Run
	treeSlot chan struct{} // full while a tree is built: one takes over a hundred bytes per wallet
	queue    worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c, wakeup: worker.NewWakeup(), treeSlot: make(chan struct{}, 1)}
	s.queue = s.newQueue()
	return s
}

// hidesDrafts reports whether drafts are hidden from the caller: from read-only and client keys.
func hidesDrafts(scope laurel.Scope) bool {
	return scope.Role == laurel.RoleReadOnly || scope.Role == laurel.RoleClient
}

// Create makes a token claim in the scope's website and schedules the import of its list. Errors: Invalid; NotFound
// "Contract".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Patch) (TokenClaim, error) {
	c := TokenClaim{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Decimals: defaultDecimals, IsDraft: true,
		Multiplier: laurel.One, Allocated: Total{new(big.Int)}, Claimed: Total{new(big.Int)},
	}
	if err := c.checkPeriod(in.Create(&c)); err != nil {
		return TokenClaim{}, err
	}
	if err := s.checkList(ctx, scope, in); err != nil {
		return TokenClaim{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		token, err := s.Contracts.GetForShare(ctx, tx, scope, c.ContractID)
		if err != nil {
			return err
		}
		if token.Type != contracts.ERC20 {
			return laurel.Faults{{Path: "contractId", Message: "contractId must name a contract of type erc20"}}.Err()
		}
		c.ID, c.CreatedAt.Time, c.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if c.CSVURL != nil {
			c.DataJobID.ID = tx.NewID()
		}
		if _, err := table.Insert(ctx, tx, &c, ""); err != nil {
			return err
		}
		if c.CSVURL != nil {
			if err := insertImport(ctx, tx, c); err != nil {
				return err
			}
		}
		return feed.Record(ctx, tx, c.change(feed.Created, nil))
	})
	s.wakeup.Wake()
	return c, err
}

// checkList returns a fault if the website may not read the address of the list in the input (contract 7.2). Without
// a list in the input it returns nil.
func (s *Service) checkList(ctx context.Context, scope laurel.Scope, in Patch) error {
	address := in.Values().CSVURL
	if address == nil {
		return nil
	}
	var f laurel.Faults
	if err := s.Lists.Check(ctx, scope, &f, "csvUrl", *address); err != nil {
		return err
	}
	return f.Err()
}

// msgFrozen refuses another list once a wallet has claimed from the present one.
const msgFrozen = "Token claim has claims already"

// Update changes the properties that are in the input. A list in the input is imported, even if it was imported before.
// Until that import is complete, the former one stays valid, unless the address of the list or the decimals change.
// Errors: NotFound "Token claim"; Invalid; Refused "Token claim has claims already" for another list or other decimals.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Patch) (TokenClaim, error) {
	if err := s.checkList(ctx, scope, in); err != nil {
		return TokenClaim{}, err
	}
	var c TokenClaim
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		cancelsImport := func(c TokenClaim) bool { return needsImport(in, c) && c.ClaimedWallets == 0 }
		before, err := s.lockForChange(ctx, tx, scope, id, cancelsImport)
		if err != nil {
			return err
		}
		c = before
		return table.Edit(ctx, tx, scope, &c, func(tx *store.Tx, c *TokenClaim) error {
			if err := c.checkPeriod(in.Update(c)); err != nil {
				return err
			}
			return scheduleImport(ctx, tx, in, before, c)
		})
	})
	s.wakeup.Wake()
	return c, err
}

// scheduleImport puts an import of c's list in the queue if the input requires one, and sets c.DataJobID to its id, or
// to zero if c has no list any more. before is the token claim without the update. If the address of the list or the
// decimals have changed, the allocations of the former import become invalid; once a wallet has claimed, such a change
// is Refused "Token claim has claims already".
func scheduleImport(ctx context.Context, tx *store.Tx, in Patch, before TokenClaim, c *TokenClaim) error {
	isOtherList := before.Decimals != c.Decimals || !equalTexts(before.CSVURL, c.CSVURL)
	if isOtherList && c.ClaimedWallets > 0 {
		return laurel.Errorf(laurel.Refused, msgFrozen)
	}
	if !needsImport(in, before) || c.ClaimedWallets > 0 { // after a claim the same list is not imported again
		return nil
	}
	if isOtherList {
		c.CurrentImportID, c.MerkleRoot, c.Wallets, c.Allocated = laurel.NullID{}, nil, 0, Total{new(big.Int)}
	}
	if c.DataJobID = (laurel.NullID{}); c.CSVURL == nil {
		return nil
	}
	c.DataJobID.ID = tx.NewID()
	return insertImport(ctx, tx, *c)
}

func equalTexts(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// lockForChange locks and returns a token claim, and cancels its open import if cancelsImport returns true. The order
// of the row locks is the import, then the token claim, as at the end of an import. The token claim is read before it
// is locked, so an advisory lock keeps other changes of it away from the start.
func (s *Service) lockForChange(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID, cancelsImport func(TokenClaim) bool,
) (TokenClaim, error) {
	if err := tx.AdvisoryLock(ctx, "token claim "+id.String()); err != nil {
		return TokenClaim{}, err
	}
	c, err := find(ctx, tx, scope, id, "")
	if err == nil && cancelsImport(c) {
		err = cancelOpenImport(ctx, tx, c.ID)
	}
	if err != nil {
		return TokenClaim{}, err
	}
	return find(ctx, tx, scope, id, tx.ForUpdate())
}

// Delete deletes a token claim and cancels the open import of its list. Errors: NotFound "Token claim".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (c TokenClaim, err error) {
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if c, err = s.lockForChange(ctx, tx, scope, id, func(TokenClaim) bool { return true }); err != nil {
			return err
		}
		return table.Edit(ctx, tx, scope, &c, func(tx *store.Tx, c *TokenClaim) error {
			c.DeletedAt.Time = tx.Now()
			return nil
		})
	})
	return c, err
}

// Get returns a live token claim. Only secret keys can read drafts. Errors: NotFound "Token claim".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (TokenClaim, error) {
	return find(ctx, s.DB, scope, id, "")
}

// List returns a page of live token claims, newest first, of one contract or, if contract is zero, of all. Errors:
// Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, contract laurel.ID, page laurel.PageRequest,
) (laurel.Page[TokenClaim], error) {
	return list(ctx, s.DB, scope, contract, page)
}

// ByID returns the token claims of the organization with these ids, deleted ones too. Unknown ids are left out.
func (s *Service) ByID(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]TokenClaim, error) {
	return findClaimsByID(ctx, s.DB, scope, ids)
}

// UsesContract reports whether a live token claim of the organization distributes tokens of the contract.
func UsesContract(ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID) (bool, error) {
	return usesContract(ctx, q, scope, contract)
}

// ClaimChange is the data of a token claim's change in the feed (contract 7.1).
type ClaimChange struct {
	Claim *ReportedClaim `json:"claim"` // nil where no wallet has claimed
}

// ReportedClaim is the reported claim of a wallet.
type ReportedClaim struct {
	Wallet    string           `json:"walletAddress"`
	Amount    string           `json:"amount"`
	TxHash    string           `json:"txHash"`
	ClaimedAt laurel.Timestamp `json:"claimedAt"`
}

// change returns the change of the token claim for the feed, with the claim that caused it, if any.
func (c TokenClaim) change(action feed.Action, claim *ReportedClaim) feed.Change {
	return feed.Change{
		OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, EntityID: c.ID, Table: feed.TableTokenClaim, Action: action,
		Data: store.JSON(ClaimChange{claim}),
	}
}

// normalizeWallet returns the stored form of an address, or false if it is no account of an EVM network and so has
// no allocation.
func normalizeWallet(text string) (string, bool) {
	a, ok := merkle.ParseAddress(text)
	return a.String(), ok
}

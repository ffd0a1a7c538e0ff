package claims

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

const columns = `id, organization_id, website_id, contract_id, name, erc20_decimals, csv_url, claim_contract_address,
	staking_contract_address, relayer_id, start_time, end_time, geo_block, is_draft, claim_and_stake,
	is_staking_optional, min_percentage_to_stake, min_lockup, min_lockup_for_multiplier, max_bonus, multiplier,
	staking_contract_type, data_job_id, current_import_id, merkle_root, allocated_wallets, allocated_units,
	claimed_wallets, claimed_units, created_at, updated_at, deleted_at`

type row struct {
	ID                     laurel.ID     `db:"id"`
	OrganizationID         laurel.ID     `db:"organization_id"`
	WebsiteID              laurel.ID     `db:"website_id"`
	ContractID             laurel.ID     `db:"contract_id"`
	Name                   string        `db:"name"`
	Decimals               int64         `db:"erc20_decimals"`
	CSVURL                 *string       `db:"csv_url"`
	ClaimContract          *string       `db:"claim_contract_address"`
	StakingContract        *string       `db:"staking_contract_address"`
	RelayerID              *laurel.ID    `db:"relayer_id"`
	StartsAt               *int64        `db:"start_time"`
	EndsAt                 *int64        `db:"end_time"`
	GeoBlock               string        `db:"geo_block"`
	IsDraft                bool          `db:"is_draft"`
	ClaimAndStake          bool          `db:"claim_and_stake"`
	IsStakingOptional      bool          `db:"is_staking_optional"`
	MinPercentageToStake   laurel.Amount `db:"min_percentage_to_stake"`
	MinLockup              laurel.Amount `db:"min_lockup"`
	MinLockupForMultiplier laurel.Amount `db:"min_lockup_for_multiplier"`
	MaxBonus               laurel.Amount `db:"max_bonus"`
	Multiplier             laurel.Amount `db:"multiplier"`
	StakingContractType    *string       `db:"staking_contract_type"`
	DataJobID              laurel.ID     `db:"data_job_id"`
	CurrentImportID        laurel.ID     `db:"current_import_id"`
	MerkleRoot             *string       `db:"merkle_root"`
	Wallets                int64         `db:"allocated_wallets"`
	Allocated              string        `db:"allocated_units"`
	ClaimedWallets         int64         `db:"claimed_wallets"`
	Claimed                string        `db:"claimed_units"`
	CreatedAt              int64         `db:"created_at"`
	UpdatedAt              int64         `db:"updated_at"`
	DeletedAt              *int64        `db:"deleted_at"`
}

// claim decodes the row.
func (r row) claim() TokenClaim {
	c := TokenClaim{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, ContractID: r.ContractID, Name: r.Name,
		Decimals: r.Decimals, CSVURL: r.CSVURL, ClaimContract: r.ClaimContract, StakingContract: r.StakingContract,
		RelayerID: r.RelayerID, StartsAt: timeOf(r.StartsAt), EndsAt: timeOf(r.EndsAt), GeoBlock: []string{},
		IsDraft: r.IsDraft, ClaimAndStake: r.ClaimAndStake, IsStakingOptional: r.IsStakingOptional,
		MinPercentageToStake: r.MinPercentageToStake, MinLockup: r.MinLockup,
		MinLockupForMultiplier: r.MinLockupForMultiplier, MaxBonus: r.MaxBonus, Multiplier: r.Multiplier,
		StakingContractType: r.StakingContractType, DataJobID: r.DataJobID, MerkleRoot: r.MerkleRoot, Wallets: r.Wallets,
		Allocated: parseBig(r.Allocated), ClaimedWallets: r.ClaimedWallets, Claimed: parseBig(r.Claimed),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt), DeletedAt: timeOf(r.DeletedAt),
		currentImport: r.CurrentImportID,
	}
	_ = json.Unmarshal([]byte(r.GeoBlock), &c.GeoBlock) // this package wrote it
	return c
}

func timeOf(us *int64) time.Time {
	if us == nil {
		return time.Time{}
	}
	return store.Time(*us)
}

func microsOf(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	us := store.Micros(t)
	return &us
}

// insertClaim writes a new token claim, to which no allocations are imported yet.
func insertClaim(ctx context.Context, tx *store.Tx, c TokenClaim) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO token_claims ("+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
		?, ?, NULL, NULL, 0, '0', 0, '0', ?, ?, NULL)`,
		c.ID, c.OrganizationID, c.WebsiteID, c.ContractID, c.Name, c.Decimals, c.CSVURL, c.ClaimContract,
		c.StakingContract, c.RelayerID, microsOf(c.StartsAt), microsOf(c.EndsAt), string(store.JSON(c.GeoBlock)), c.IsDraft,
		c.ClaimAndStake, c.IsStakingOptional, c.MinPercentageToStake, c.MinLockup, c.MinLockupForMultiplier, c.MaxBonus,
		c.Multiplier, c.StakingContractType, c.DataJobID, store.Micros(c.CreatedAt), store.Micros(c.UpdatedAt),
	)
	return err
}

// updateClaim writes the changeable columns of a locked token claim.
func updateClaim(ctx context.Context, tx *store.Tx, c TokenClaim) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE token_claims SET name = ?, erc20_decimals = ?, csv_url = ?, claim_contract_address = ?,
		staking_contract_address = ?, relayer_id = ?, start_time = ?, end_time = ?, geo_block = ?, is_draft = ?,
		claim_and_stake = ?, is_staking_optional = ?, min_percentage_to_stake = ?, min_lockup = ?,
		min_lockup_for_multiplier = ?, max_bonus = ?, multiplier = ?, staking_contract_type = ?, data_job_id = ?,
		current_import_id = ?, merkle_root = ?, allocated_wallets = ?, allocated_units = ?, claimed_wallets = ?,
		claimed_units = ?, updated_at = ?, deleted_at = ? WHERE id = ?`,
		c.Name, c.Decimals, c.CSVURL, c.ClaimContract, c.StakingContract, c.RelayerID, microsOf(c.StartsAt),
		microsOf(c.EndsAt), string(store.JSON(c.GeoBlock)), c.IsDraft, c.ClaimAndStake, c.IsStakingOptional,
		c.MinPercentageToStake, c.MinLockup, c.MinLockupForMultiplier, c.MaxBonus, c.Multiplier, c.StakingContractType,
		c.DataJobID, c.currentImport, c.MerkleRoot, c.Wallets, c.Allocated.String(), c.ClaimedWallets, c.Claimed.String(),
		store.Micros(c.UpdatedAt), microsOf(c.DeletedAt), c.ID,
	)
	return err
}

// visibleClaims returns the conditions for the live token claims that a caller may see: drafts are hidden from some.
func visibleClaims(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Add("deleted_at IS NULL")
	w.Tenant("", scope)
	if hidesDrafts(scope) {
		w.Add("NOT is_draft")
	}
	return w
}

// find reads a live token claim that the caller may see. lock is a clause such as tx.ForUpdate(), or "" for none.
// Errors: NotFound "Token claim".
func find(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string) (TokenClaim, error) {
	w := visibleClaims(scope)
	w.Add("id = ?", id)
	var r row
	err := q.Get(ctx, &r, "SELECT "+columns+" FROM token_claims"+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return TokenClaim{}, errNotFound()
	}
	if err != nil {
		return TokenClaim{}, err
	}
	return r.claim(), nil
}

// findClaimsByID reads token claims of the organization by their ids, deleted ones too. Unknown ids are left out.
func findClaimsByID(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]TokenClaim, error) {
	out := make(map[laurel.ID]TokenClaim, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Add(q.Engine().NoIndexPrefix()+"organization_id = ?", scope.OrganizationID)
	var rows []row
	err := q.Select(ctx, &rows, "SELECT "+columns+" FROM token_claims"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = r.claim()
	}
	return out, err
}

// list reads a page of the live token claims that the caller may see, newest first, of one contract or, if contract
// is zero, of all. Errors: Invalid for an unknown cursor.
func list(
	ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID, page laurel.PageRequest,
) (laurel.Page[row], error) {
	w := visibleClaims(scope)
	if !page.StartingAfter.IsZero() {
		var c store.Where // a deleted token claim still works as a cursor
		c.Add("id = ?", page.StartingAfter)
		c.Tenant("", scope)
		var at int64
		err := q.Get(ctx, &at, "SELECT created_at FROM token_claims"+c.String(), c.Args...)
		if store.IsNoRows(err) {
			return laurel.Page[row]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[row]{}, err
		}
		w.After("created_at", "id", true, at, page.StartingAfter) // true: descending
	}
	if !contract.IsZero() {
		w.Add("contract_id = ?", contract)
	}
	return store.SelectPage[row](ctx, q, page.Limit,
		"SELECT "+columns+" FROM token_claims"+w.String()+" ORDER BY created_at DESC, id DESC", w.Args...)
}

func usesContract(ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID) (bool, error) {
	var n int
	err := q.Get(ctx, &n, `SELECT COUNT(*) FROM token_claims WHERE contract_id = ? AND organization_id = ?
		AND deleted_at IS NULL`, contract, scope.OrganizationID)
	return n > 0, err
}

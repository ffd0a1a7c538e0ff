package usage

import (
	"context"
	"errors"
	"math"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// networkRow is the reading of a network, and which node of the service does it.
type networkRow struct {
	ChainID       int64     `db:"chain_id"`
	Name          string    `db:"name"`
	StoppedReason string    `db:"stopped_reason"` // "": it has not stopped
	IsResumed     bool      `db:"resumed"`
	LeaseOwner    laurel.ID `db:"lease_owner"`
	LeaseUntil    int64     `db:"lease_until"`
}

const networkSelect = "SELECT chain_id, name, stopped_reason, resumed, lease_owner, lease_until FROM network_usage"

// selectNetwork returns the row of a network; nil if no contract of it was wanted.
func selectNetwork(ctx context.Context, q store.Queryer, chainID int64) (*networkRow, error) {
	var out networkRow
	err := q.Get(ctx, &out, networkSelect+" WHERE chain_id = ?", chainID)
	if store.IsNoRows(err) {
		return nil, nil
	}
	return &out, err
}

func selectNetworks(ctx context.Context, q store.Queryer) (out []networkRow, err error) {
	err = q.Select(ctx, &out, networkSelect)
	return out, err
}

func insertNetwork(ctx context.Context, tx *store.Tx, chainID int64, name string) error {
	_, err := tx.Exec(ctx, `INSERT INTO network_usage (chain_id, name, stopped_reason, resumed, lease_owner, lease_until,
		updated_at) VALUES (?, ?, '', FALSE, NULL, 0, ?) ON CONFLICT DO NOTHING`, chainID, name, store.Micros(tx.Now()))
	return err
}

// leaseTime is how long a dead reader keeps others waiting.
const leaseTime = 15 * time.Second

// errLost means that another reader has taken over.
var errLost = errors.New("another reader has the network")

// acquireLease gives the lease of a network to a reader unless another one has it, and reports whether it did.
func acquireLease(ctx context.Context, tx *store.Tx, n networkRow, owner laurel.ID) (bool, error) {
	now := tx.Now()
	changed, err := tx.Exec(ctx, `UPDATE network_usage SET lease_owner = ?, lease_until = ?, name = ?, updated_at = ?
		WHERE chain_id = ? AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ?)`,
		owner, store.Micros(now.Add(leaseTime)), n.Name, store.Micros(now), n.ChainID, owner, store.Micros(now))
	return changed == 1, err
}

// holdLease renews the lease of a network. It returns errLost if another reader has it.
func holdLease(ctx context.Context, tx *store.Tx, chainID int64, owner laurel.ID) error {
	now := tx.Now()
	n, err := tx.Exec(ctx, "UPDATE network_usage SET lease_until = ?, updated_at = ? WHERE chain_id = ? AND lease_owner = ?",
		store.Micros(now.Add(leaseTime)), store.Micros(now), chainID, owner)
	if err == nil && n != 1 {
		err = errLost
	}
	return err
}

func releaseLease(ctx context.Context, tx *store.Tx, chainID int64, owner laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE network_usage SET lease_owner = NULL, lease_until = 0 WHERE chain_id = ? AND lease_owner = ?",
		chainID, owner)
	return err
}

func markStopped(ctx context.Context, tx *store.Tx, chainID int64, reason string) error {
	_, err := tx.Exec(ctx, "UPDATE network_usage SET stopped_reason = ? WHERE chain_id = ?", reason, chainID)
	return err
}

// markResumed lets the reading of a network go on, and reports whether it had stopped.
func markResumed(ctx context.Context, tx *store.Tx, name string) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE network_usage SET resumed = TRUE WHERE name = ? AND stopped_reason <> ''", name)
	return n > 0, err
}

// markGoingOn ends a stop whose rows are dropped.
func markGoingOn(ctx context.Context, tx *store.Tx, chainID int64) error {
	_, err := tx.Exec(ctx, "UPDATE network_usage SET stopped_reason = '', resumed = FALSE WHERE chain_id = ?", chainID)
	return err
}

// contractRow is a contract that is read, or was.
type contractRow struct {
	Address       string `db:"address"`
	WantedAt      int64  `db:"wanted_at"`
	Looked        int64  `db:"looked_block"`
	Fault         string `db:"fault"`
	Deployer      string `db:"deployer"`
	DeployedBlock *int64 `db:"deployed_block"`
	DeployedAt    *int64 `db:"deployed_at"`
	Next          *int64 `db:"next_block"`
	LastHash      string `db:"last_hash"`
}

func (r contractRow) contract() Contract {
	c := Contract{Address: r.Address, Looked: r.Looked, Fault: r.Fault, Deployer: r.Deployer, LastHash: r.LastHash}
	if r.DeployedBlock != nil && r.DeployedAt != nil && r.Next != nil {
		c.IsDeployed, c.DeployedBlock, c.DeployedAt, c.Next = true, *r.DeployedBlock, store.Time(*r.DeployedAt), *r.Next
	}
	return c
}

const contractSelect = `SELECT address, wanted_at, looked_block, fault, deployer, deployed_block, deployed_at, next_block,
	last_hash FROM contract_usage`

// maxListed is how many contracts a statement names.
const maxListed = 500

// selectContracts returns the rows of contracts of a network, for those that have one.
func selectContracts(
	ctx context.Context, q store.Queryer, chainID int64, addresses []string,
) (out []contractRow, err error) {
	err = inChunks(addresses, func(some []string) error {
		var rows []contractRow
		w := whereContracts(q, chainID, some)
		err := q.Select(ctx, &rows, contractSelect+w.String(), w.Args...)
		out = append(out, rows...)
		return err
	})
	return out, err
}

// inChunks calls f with maxListed addresses at a time.
func inChunks(addresses []string, f func(some []string) error) error {
	for len(addresses) > 0 {
		n := min(len(addresses), maxListed)
		if err := f(addresses[:n]); err != nil {
			return err
		}
		addresses = addresses[n:]
	}
	return nil
}

func whereContracts(q store.Queryer, chainID int64, addresses []string) *store.Where {
	w := (&store.Where{}).With("chain_id = ?", chainID)
	store.InArray(w, q, "address", "text", addresses)
	return w
}

// selectAllContracts returns the rows of all contracts of a network.
func selectAllContracts(ctx context.Context, q store.Queryer, chainID int64) (out []contractRow, err error) {
	err = q.Select(ctx, &out, contractSelect+" WHERE chain_id = ? ORDER BY address", chainID)
	return out, err
}

// upsertWanted stores that contracts are wanted now.
func upsertWanted(ctx context.Context, tx *store.Tx, chainID int64, addresses []string) error {
	for _, address := range addresses {
		_, err := tx.Exec(ctx, `INSERT INTO contract_usage (chain_id, address, wanted_at, looked_block, fault, deployer,
			deployed_block, deployed_at, next_block, last_hash) VALUES (?, ?, ?, -1, '', '', NULL, NULL, NULL, '')
			ON CONFLICT (chain_id, address) DO UPDATE SET wanted_at = excluded.wanted_at`,
			chainID, address, store.Micros(tx.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

// updateDeployment stores what was found of the deployment of a contract.
func updateDeployment(ctx context.Context, tx *store.Tx, chainID int64, r contractRow) error {
	_, err := tx.Exec(ctx, `UPDATE contract_usage SET looked_block = ?, fault = ?, deployer = ?, deployed_block = ?,
		deployed_at = ?, next_block = ?, last_hash = '' WHERE chain_id = ? AND address = ?`,
		r.Looked, r.Fault, r.Deployer, r.DeployedBlock, r.DeployedAt, r.Next, chainID, r.Address)
	return err
}

// move says that the blocks from one height to another, both included, were read of contracts.
type move struct {
	addresses []string
	from, to  int64
	lastHash  string
}

// moveContracts stores a move of contracts that stand where it begins.
func moveContracts(ctx context.Context, tx *store.Tx, chainID int64, m move) error {
	return inChunks(m.addresses, func(some []string) error {
		w := whereContracts(tx, chainID, some)
		w.Add("next_block = ?", m.from)
		args := append([]any{m.to + 1, m.lastHash}, w.Args...)
		n, err := tx.Exec(ctx, "UPDATE contract_usage SET next_block = ?, last_hash = ?"+w.String(), args...)
		if err == nil && n != int64(len(some)) {
			err = errLost
		}
		return err
	})
}

// deleteContract removes a contract of which no calls are stored.
func deleteContract(ctx context.Context, tx *store.Tx, chainID int64, address string) error {
	_, err := tx.Exec(ctx, "DELETE FROM contract_usage WHERE chain_id = ? AND address = ?", chainID, address)
	return err
}

// deletedAtOnce is about how many rows of a contract are removed in one transaction.
const deletedAtOnce = 5000

// deleteCalls removes calls of a contract, and reports whether there were any.
func deleteCalls(ctx context.Context, tx *store.Tx, chainID int64, address string) (bool, error) {
	n, err := tx.Exec(ctx, `DELETE FROM contract_calls WHERE chain_id = ? AND address = ? AND block_time <= COALESCE(
		(SELECT block_time FROM contract_calls WHERE chain_id = ? AND address = ? ORDER BY block_time LIMIT 1 OFFSET ?), ?)`,
		chainID, address, chainID, address, deletedAtOnce, int64(math.MaxInt64))
	return n > 0, err
}

// callRow is what one sender did with a contract in one block.
type callRow struct {
	Address, Sender string
	At, Number      int64
	Succeeded       int64
	FeeHigh, FeeLow int64
}

var callInsert = store.Insert{
	Table: "contract_calls", Columns: store.Columns(`chain_id bigint, address text, block_time bigint, block_number bigint,
	sender text, succeeded bigint, fee_high bigint, fee_low bigint`), Conflict: store.IgnoreConflicts,
}

func insertCalls(ctx context.Context, tx *store.Tx, chainID int64, calls []callRow) error {
	rows := make([][]any, len(calls))
	for i, c := range calls {
		rows[i] = []any{chainID, c.Address, c.At, c.Number, c.Sender, c.Succeeded, c.FeeHigh, c.FeeLow}
	}
	_, err := tx.InsertRows(ctx, callInsert, rows)
	return err
}

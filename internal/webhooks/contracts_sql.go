package webhooks

import (
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/store"
)

// watchedRow is a source of a contract with what its subscription says.
type watchedRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	TriggerID      *string   `db:"trigger_id"`
	Contract       string    `db:"contract_address"`
	Kind           string    `db:"kind"`
	ABI            string    `db:"abi"`
	FromBlock      string    `db:"from_block"`
	NextBlock      *int64    `db:"next_block"`
	UntilBlock     *int64    `db:"until_block"`
	Finality       string    `db:"finality"`
}

// selectWatched returns the sources of live subscriptions to contracts of a network.
func selectWatched(ctx context.Context, q store.Queryer, chainID uint64) (rows []watchedRow, err error) {
	err = q.Select(ctx, &rows, `SELECT c.id, c.organization_id, c.website_id, c.trigger_id, c.contract_address, c.kind, c.abi,
		c.from_block, c.next_block, c.until_block, COALESCE(s.finality, '') AS finality FROM subscription_sources c
		JOIN subscriptions s ON s.id = c.subscription_id WHERE c.chain_id = ? AND c.live AND c.table_name IS NULL ORDER BY c.id`,
		int64(chainID)) //nolint:gosec // chain ids have 53 bits
	return rows, err
}

// saveBlocks stores the first block of a source, and how far its past is read. A source that was created while no block
// was known gets the block head as that of its creation.
func saveBlocks(ctx context.Context, tx *store.Tx, head int64, w reader.Watch) error {
	_, err := tx.Exec(ctx, `UPDATE subscription_sources SET from_block = ?, next_block = ?, until_block = ?,
		created_at_block = CASE WHEN created_at_block = '0' THEN ? ELSE created_at_block END WHERE id = ?`,
		strconv.FormatInt(w.From, 10), w.Past.Next, w.Past.Until, strconv.FormatInt(head, 10), w.ID)
	return err
}

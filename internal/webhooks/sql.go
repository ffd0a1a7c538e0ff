package webhooks

import (
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

var table = store.NewRecords[Subscription]("subscriptions", "Subscription")

// countSubscriptions counts the live subscriptions of a website and of its organization.
func countSubscriptions(
	ctx context.Context, tx *store.Tx, scope laurel.Scope,
) (ofWebsite, ofOrganization int, err error) {
	return store.CountByTenant(ctx, tx,
		"SELECT website_id FROM subscriptions WHERE organization_id = ? AND deleted_at IS NULL", scope)
}

// insertSubscription inserts a subscription, its sources, and its row in the queue of subscriptions to send for. Its
// position is behind all events, or before them if it replays some: then it is due.
func insertSubscription(ctx context.Context, tx *store.Tx, s Subscription) error {
	if _, err := table.Insert(ctx, tx, &s, ""); err != nil {
		return err
	}
	newest, err := newestPosition(ctx, tx, &s)
	if err != nil {
		return err
	}
	position, due := newest, any(nil)
	if !s.ReplayFrom.IsZero() {
		position, due = 0, store.Micros(tx.Now())
	}
	_, err = tx.Exec(ctx, `INSERT INTO subscription_senders (subscription_id, organization_id, website_id, due_at, held,
		kept_become, day, day_events, position, woken_position) VALUES (?, ?, ?, ?, FALSE, '', 0, 0, ?, ?)`,
		s.ID, s.OrganizationID, s.WebsiteID, due, position, newest)
	if err != nil {
		return err
	}
	rows := make([][]any, len(s.Sources))
	for i, src := range s.Sources {
		var currencies any
		if src.CurrencyIDs != nil {
			currencies = string(store.JSON(src.CurrencyIDs))
		}
		rows[i] = []any{
			src.ID, s.ID, s.OrganizationID, s.WebsiteID, int64(i), store.OrNull(src.TriggerID),
			laurel.NullText(src.Table), currencies, src.ChainID, src.Contract, src.Kind, src.Selector, src.ABI,
			src.FromBlock, src.CreatedAtBlock, src.CreatedAt, true, // live
		}
	}
	_, err = tx.InsertRows(ctx, sourceInsert, rows)
	return err
}

var sourceInsert = store.Insert{Table: "subscription_sources", Columns: store.Columns(
	`id uuid, subscription_id uuid, organization_id uuid, website_id uuid, place bigint, trigger_id text, table_name text,
	currency_ids text, chain_id bigint, contract_address text, kind text, selector text, abi text, from_block text,
	created_at_block text, created_at bigint, live boolean`)}

// deactivateSources marks the sources of a subscription as no longer watched.
func deactivateSources(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_sources SET live = FALSE WHERE subscription_id = ?", id)
	return err
}

// byID returns the condition for the subscription of the scope with the id, even if it is deleted.
func byID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// listSubscriptions returns a page of the live subscriptions that the filter selects, newest first. Errors:
// laurel.ErrCursor if the page starts after a subscription outside the scope.
func listSubscriptions(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Subscription], error) {
	w := store.Live(scope)
	if f.Type != "" {
		w.Add("type = ?", f.Type)
	}
	if f.Disabled != nil && *f.Disabled {
		w.Add("disabled_at IS NOT NULL")
	} else if f.Disabled != nil {
		w.Add("disabled_at IS NULL")
	}
	if condition := stateConditions[f.State]; condition != "" {
		w.Add(condition)
	}
	if f.Name != "" {
		names := store.TextSearch{Table: "subscriptions", Text: "name"}
		if err := names.AddContains(ctx, q, w, f.Name); err != nil {
			return laurel.Page[Subscription]{}, err
		}
	}
	var source store.Where
	source.Add("s.subscription_id = subscriptions.id")
	if f.Table != "" {
		source.Add("s.table_name = ?", f.Table)
	}
	if f.Contract != "" {
		source.Add("s.contract_address = ?", strings.ToLower(f.Contract))
	}
	if f.ChainID != 0 {
		source.Add("s.chain_id = ?", f.ChainID)
	}
	if len(source.Args) > 0 {
		w.Add("EXISTS (SELECT 1 FROM subscription_sources s"+source.String()+")", source.Args...)
	}
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, q, order, page)
}

// stateConditions are the SQL conditions of the states of subscriptions.
var stateConditions = map[string]string{
	StateOn:       "disabled_at IS NULL AND failing_since IS NULL",
	StateFailing:  "disabled_at IS NULL AND failing_since IS NOT NULL",
	StateDisabled: "disabled_at IS NOT NULL",
}

const selectSource = `SELECT id, subscription_id, trigger_id, COALESCE(table_name, '') AS table_name, currency_ids, chain_id,
	contract_address, kind, selector, abi, from_block, created_at_block, next_block, until_block, created_at
	FROM subscription_sources`

// selectSources returns the sources of subscriptions, by subscription, and for each in the order in which its creator
// listed them.
func selectSources(ctx context.Context, q store.Queryer, ids []laurel.ID) (list []Source, err error) {
	var w store.Where
	store.InArray(&w, q, "subscription_id", "uuid", ids)
	err = q.Select(ctx, &list, selectSource+w.String()+" ORDER BY subscription_id, place", w.Args...)
	return list, err
}

type keyRow struct {
	ID             laurel.ID `db:"id"`
	SubscriptionID laurel.ID `db:"subscription_id"`
	Sealed         string    `db:"signing_key"`
}

func (r keyRow) secret() vault.Secret { return vault.StoredSecret(r.Sealed, keyPlace(r.ID)) }

// insertKey inserts the current signing key of a subscription, sealed.
func insertKey(ctx context.Context, tx *store.Tx, id laurel.ID, s Subscription, key vault.Secret) error {
	_, err := tx.Exec(ctx, `INSERT INTO subscription_keys (id, subscription_id, organization_id, website_id, signing_key,
		replaced_at) VALUES (?, ?, ?, ?, ?, NULL)`, id, s.ID, s.OrganizationID, s.WebsiteID, key.Sealed())
	return err
}

// markKeysReplaced marks the current signing key of a subscription as replaced now.
func markKeysReplaced(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_keys SET replaced_at = ? WHERE subscription_id = ? AND replaced_at IS NULL",
		store.Micros(tx.Now()), id)
	return err
}

// deleteOldKeys deletes the signing keys that were replaced before a moment.
func deleteOldKeys(ctx context.Context, tx *store.Tx, id laurel.ID, before time.Time) error {
	_, err := tx.Exec(ctx, "DELETE FROM subscription_keys WHERE subscription_id = ? AND replaced_at < ?",
		id, store.Micros(before))
	return err
}

// selectSigningKeys reads the keys that still sign: the current one first, then those replaced after since, newest
// first.
func selectSigningKeys(ctx context.Context, q store.Queryer, id laurel.ID, since time.Time) ([]keyRow, error) {
	var rows []keyRow
	err := q.Select(ctx, &rows, `SELECT id, subscription_id, signing_key FROM subscription_keys
		WHERE subscription_id = ? AND (replaced_at IS NULL OR replaced_at > ?)
		ORDER BY CASE WHEN replaced_at IS NULL THEN 0 ELSE 1 END, replaced_at DESC`, id, store.Micros(since))
	return rows, err
}

// selectCurrentKeys reads the current signing key of each subscription.
func selectCurrentKeys(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]keyRow, error) {
	var w store.Where
	store.InArray(&w, q, "subscription_id", "uuid", ids)
	w.Add("replaced_at IS NULL")
	var rows []keyRow
	err := q.Select(ctx, &rows, "SELECT id, subscription_id, signing_key FROM subscription_keys"+w.String(), w.Args...)
	return rows, err
}

// LiveAmong returns those of the subscriptions that belong to the scope and are not deleted.
func LiveAmong(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "subscriptions", ids)
}

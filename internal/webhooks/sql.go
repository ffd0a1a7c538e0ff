package webhooks

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
	"laurel/internal/vault"
)

const subscriptionColumns = `id, organization_id, website_id, name, type, function_ids, callback_url, metadata, starts_at,
	ends_at, max_events_per_day, finality, version, consecutive_failures, failing_since, disabled_at, disabled_reason,
	deleted_at, created_at, updated_at`

type subscriptionRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Name           string    `db:"name"`
	Type           string    `db:"type"`
	FunctionIDs    string    `db:"function_ids"`
	CallbackURL    string    `db:"callback_url"`
	Metadata       *string   `db:"metadata"`
	StartsAt       *int64    `db:"starts_at"`
	EndsAt         *int64    `db:"ends_at"`
	MaxPerDay      *int64    `db:"max_events_per_day"`
	Finality       *string   `db:"finality"`
	Version        string    `db:"version"`
	Failures       int64     `db:"consecutive_failures"`
	FailingSince   *int64    `db:"failing_since"`
	DisabledAt     *int64    `db:"disabled_at"`
	DisabledReason *string   `db:"disabled_reason"`
	DeletedAt      *int64    `db:"deleted_at"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
}

// timeOf returns the time of stored microseconds, or nil for nil.
func timeOf(at *int64) *time.Time {
	if at == nil {
		return nil
	}
	t := store.Time(*at)
	return &t
}

// microsOf returns the stored microseconds of a time, or nil for nil.
func microsOf(at *time.Time) *int64 {
	if at == nil {
		return nil
	}
	n := store.Micros(*at)
	return &n
}

// textOf returns the text that p points to, or "" for nil.
func textOf(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// subscription returns the subscription of the row, without sources and signing key. It fails on malformed JSON.
func (r subscriptionRow) subscription() (Subscription, error) {
	out := Subscription{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Name: r.Name, Type: r.Type,
		CallbackURL: r.CallbackURL, StartsAt: timeOf(r.StartsAt), EndsAt: timeOf(r.EndsAt), MaxEventsPerDay: r.MaxPerDay,
		Finality: textOf(r.Finality), Version: r.Version, ConsecutiveFailures: r.Failures, DisabledAt: timeOf(r.DisabledAt),
		FailingSince:   timeOf(r.FailingSince),
		DisabledReason: textOf(r.DisabledReason), CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.Metadata != nil {
		out.Metadata = json.RawMessage(*r.Metadata)
	}
	if r.DeletedAt != nil {
		out.DeletedAt = store.Time(*r.DeletedAt)
	}
	return out, json.Unmarshal([]byte(r.FunctionIDs), &out.FunctionIDs)
}

// jsonOrNil returns the value that stores JSON, or nil, which is NULL, for none.
func jsonOrNil(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return string(raw)
}

// microsOrNil returns the value that stores a time, or nil, which is NULL, for the zero time.
func microsOrNil(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return store.Micros(at)
}

// countSubscriptions counts the live subscriptions of a website and of its organization.
func countSubscriptions(
	ctx context.Context, tx *store.Tx, scope laurel.Scope,
) (ofWebsite, ofOrganization int, err error) {
	return store.CountByTenant(ctx, tx,
		"SELECT website_id FROM subscriptions WHERE organization_id = ? AND deleted_at IS NULL", scope)
}

// insertSubscription inserts a subscription, its sources, and its row in the queue of subscriptions to send for.
func insertSubscription(ctx context.Context, tx *store.Tx, s Subscription) error {
	_, err := tx.Exec(ctx, "INSERT INTO subscriptions ("+subscriptionColumns+
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, NULL, NULL, ?, ?)",
		s.ID, s.OrganizationID, s.WebsiteID, s.Name, s.Type, string(store.JSON(s.FunctionIDs)), s.CallbackURL,
		jsonOrNil(s.Metadata), store.OrNull(microsOf(s.StartsAt)), store.OrNull(microsOf(s.EndsAt)),
		store.OrNull(s.MaxEventsPerDay), store.OrNull(orNil(s.Finality)), s.Version, store.Micros(s.CreatedAt),
		store.Micros(s.UpdatedAt))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO subscription_senders (subscription_id, organization_id, website_id, due_at, held,
		kept_become, day, day_events) VALUES (?, ?, ?, NULL, FALSE, '', 0, 0)`,
		s.ID, s.OrganizationID, s.WebsiteID)
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
			store.OrNull(orNil(string(src.Table))), currencies, src.ChainID, src.Contract, src.Kind, src.Selector, src.ABI,
			src.FromBlock, "0", store.Micros(src.CreatedAt), true, // created_at_block is 0, and live true
		}
	}
	_, err = tx.InsertRows(ctx, sourceInsert, rows)
	return err
}

var sourceInsert = store.Insert{Table: "subscription_sources", Columns: store.Columns(
	`id uuid, subscription_id uuid, organization_id uuid, website_id uuid, place bigint, trigger_id text, table_name text,
	currency_ids text, chain_id bigint, contract_address text, kind text, selector text, abi text, from_block text,
	created_at_block text, created_at bigint, live boolean`)}

// updateSubscription writes the properties of a subscription, except its failures.
func updateSubscription(ctx context.Context, tx *store.Tx, s Subscription) error {
	_, err := tx.Exec(ctx, `UPDATE subscriptions SET name = ?, function_ids = ?, callback_url = ?, metadata = ?,
		starts_at = ?, ends_at = ?, max_events_per_day = ?, finality = ?, version = ?, deleted_at = ?, updated_at = ?
		WHERE id = ?`,
		s.Name, string(store.JSON(s.FunctionIDs)), s.CallbackURL, jsonOrNil(s.Metadata),
		store.OrNull(microsOf(s.StartsAt)), store.OrNull(microsOf(s.EndsAt)), store.OrNull(s.MaxEventsPerDay),
		store.OrNull(orNil(s.Finality)), s.Version, microsOrNil(s.DeletedAt), store.Micros(s.UpdatedAt), s.ID)
	return err
}

// clearFailures clears the failures and the disabled state of a subscription.
func clearFailures(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, `UPDATE subscriptions SET consecutive_failures = 0, failing_since = NULL, disabled_at = NULL,
		disabled_reason = NULL WHERE id = ?`, id)
	return err
}

// deactivateSources marks the sources of a subscription as no longer watched.
func deactivateSources(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_sources SET live = FALSE WHERE subscription_id = ?", id)
	return err
}

// findSubscription returns a subscription of the scope, even a deleted one. lockClause is put at the end of the query,
// to lock the row; "" locks nothing. If there is none, the error is one for which store.IsNoRows is true.
func findSubscription(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id laurel.ID,
	lockClause string,
) (r subscriptionRow, err error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	err = q.Get(ctx, &r, "SELECT "+subscriptionColumns+" FROM subscriptions"+w.String()+lockClause, w.Args...)
	return r, err
}

// listSubscriptions returns a page of the live subscriptions that the filter selects, newest first. Errors:
// laurel.ErrCursor if the page starts after a subscription outside the scope.
func listSubscriptions(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[subscriptionRow], error) {
	var w store.Where
	w.Tenant("", scope)
	w.Add("deleted_at IS NULL")
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
		if err := names.AddContains(ctx, q, &w, f.Name); err != nil {
			return laurel.Page[subscriptionRow]{}, err
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
	if !page.StartingAfter.IsZero() {
		cursor, err := findSubscription(ctx, q, scope, page.StartingAfter, "")
		if store.IsNoRows(err) {
			return laurel.Page[subscriptionRow]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[subscriptionRow]{}, err
		}
		w.After("created_at", "id", true /* descending */, cursor.CreatedAt, cursor.ID)
	}
	return store.SelectPage[subscriptionRow](ctx, q, page.Limit,
		"SELECT "+subscriptionColumns+" FROM subscriptions"+w.String()+" ORDER BY created_at DESC, id DESC", w.Args...)
}

// stateConditions are the SQL conditions of the states of subscriptions.
var stateConditions = map[string]string{
	StateOn:       "disabled_at IS NULL AND failing_since IS NULL",
	StateFailing:  "disabled_at IS NULL AND failing_since IS NOT NULL",
	StateDisabled: "disabled_at IS NOT NULL",
}

type sourceRow struct {
	ID             laurel.ID `db:"id"`
	SubscriptionID laurel.ID `db:"subscription_id"`
	TriggerID      *string   `db:"trigger_id"`
	Table          *string   `db:"table_name"`
	CurrencyIDs    *string   `db:"currency_ids"`
	ChainID        int64     `db:"chain_id"`
	Contract       string    `db:"contract_address"`
	Kind           string    `db:"kind"`
	Selector       string    `db:"selector"`
	ABI            string    `db:"abi"`
	FromBlock      string    `db:"from_block"`
	CreatedAt      int64     `db:"created_at"`
}

const sourceColumns = `id, subscription_id, trigger_id, table_name, currency_ids, chain_id, contract_address, kind, selector,
	abi, from_block, created_at`

// source returns the source of the row. It fails on malformed JSON.
func (r sourceRow) source() (Source, error) {
	out := Source{
		ID: r.ID, TriggerID: r.TriggerID, Table: feed.Table(textOf(r.Table)), ChainID: r.ChainID, Contract: r.Contract,
		Kind: r.Kind, Selector: r.Selector, ABI: r.ABI, FromBlock: r.FromBlock, CreatedAt: store.Time(r.CreatedAt),
	}
	if r.CurrencyIDs == nil {
		return out, nil
	}
	return out, json.Unmarshal([]byte(*r.CurrencyIDs), &out.CurrencyIDs)
}

// selectSources returns the sources of subscriptions, by subscription, and for each in the order in which its creator
// listed them.
func selectSources(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]sourceRow, error) {
	var w store.Where
	store.InArray(&w, q, "subscription_id", "uuid", ids)
	var rows []sourceRow
	err := q.Select(ctx, &rows,
		"SELECT "+sourceColumns+" FROM subscription_sources"+w.String()+" ORDER BY subscription_id, place", w.Args...)
	return rows, err
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

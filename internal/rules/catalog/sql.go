package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// ruleRow is a rule as it is stored.
type ruleRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Record         string    `db:"record"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"` // of points or of the token reward
	Version        int64     `db:"version"`
	HasChains      bool      `db:"chained"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	DeletedAt      *int64    `db:"deleted_at"`
}

// selectVersion reads the version of a rule, and whether its website has required rules or groups.
const selectVersion = `SELECT t.id, t.version,
	EXISTS (SELECT 1 FROM loyalty_rules r WHERE r.website_id = t.website_id AND r.is_required AND r.deleted_at IS NULL)
	OR EXISTS (SELECT 1 FROM loyalty_rule_groups g WHERE g.website_id = t.website_id AND g.is_required AND g.deleted_at IS NULL) AS gated
	FROM loyalty_rules t`

const selectRule = "SELECT id, organization_id, website_id, record, loyalty_currency_id, version, chained, created_at, updated_at, deleted_at FROM loyalty_rules"

// rule decodes the row. The record holds the properties; the other columns hold the rest.
func (row ruleRow) rule() (Rule, error) {
	r := Rule{
		ID:             row.ID,
		OrganizationID: row.OrganizationID,
		WebsiteID:      row.WebsiteID,
		Version:        row.Version,
		HasChains:      row.HasChains,
		CreatedAt:      store.Time(row.CreatedAt),
		UpdatedAt:      store.Time(row.UpdatedAt),
	}
	if row.DeletedAt != nil {
		r.DeletedAt = store.Time(*row.DeletedAt)
	}
	err := json.Unmarshal([]byte(row.Record), &r.Properties)
	if r.RewardType == schema.RewardToken {
		r.TokenCurrencyID = row.CurrencyID
	}
	return r, err
}

// readRule reads a rule of the scope, also a deleted one. lock is a locking clause of SQL or empty. It returns NotFound
// "Loyalty rule" if there is none.
func readRule(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string) (Rule, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	var row ruleRow
	err := q.Get(ctx, &row, selectRule+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return Rule{}, laurel.Missing("Loyalty rule")
	}
	if err != nil {
		return Rule{}, err
	}
	return row.rule()
}

// rulesByID reads rules of any tenant by id, also deleted ones, in no order. Unknown ids are left out.
func rulesByID(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]ruleRow, error) {
	var w store.Where
	store.In(&w, "id", ids)
	var rows []ruleRow
	err := q.Select(ctx, &rows, selectRule+w.String(), w.Args...)
	return rows, err
}

// ReadRules reads the scope's rules with the given ids, also deleted ones, in no order. Other ids are left out.
func ReadRules(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]Rule, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Tenant("", scope)
	return selectRules(ctx, q, w.String(), w.Args)
}

// RulesOfCurrency returns the ids of the rules of the scope that pay in a currency, deleted rules included unless
// onlyLive is set.
func (s *Service) RulesOfCurrency(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	onlyLive bool,
) ([]laurel.ID, error) {
	var w store.Where
	w.Tenant("", scope)
	w.Add("loyalty_currency_id = ?", currency)
	if onlyLive {
		w.Add("deleted_at IS NULL")
	}
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM loyalty_rules"+w.String()+" ORDER BY id", w.Args...)
	return ids, err
}

// EachRulePayingIn calls f with each live rule of the scope that pays in a currency, without holding all of them in
// memory. f must not use the database.
func EachRulePayingIn(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	f func(Rule),
) error {
	var w store.Where
	w.Tenant("", scope)
	w.Add("loyalty_currency_id = ? AND deleted_at IS NULL", currency)
	return eachRule(ctx, q, w, f)
}

// EachRuleOfType calls f with each live rule of a type in the scope: in its website, or in all websites of the
// organization if the scope names none. It does not hold all of them in memory. f must not use the database.
func EachRuleOfType(ctx context.Context, q store.Queryer, scope laurel.Scope, t schema.Type, f func(Rule)) error {
	var w store.Where
	w.Tenant("", scope)
	w.Add("type = ? AND deleted_at IS NULL", string(t))
	return eachRule(ctx, q, w, f)
}

// RulesOfType returns the live rules of a type of all websites: what identifies them, and no properties.
func RulesOfType(ctx context.Context, q store.Queryer, t schema.Type) ([]Rule, error) {
	var rows []ruleRow
	err := q.Select(ctx, &rows, `SELECT id, organization_id, website_id FROM loyalty_rules
		WHERE type = ? AND deleted_at IS NULL ORDER BY id`, string(t))
	out := make([]Rule, len(rows))
	for i, row := range rows {
		out[i] = Rule{ID: row.ID, OrganizationID: row.OrganizationID, WebsiteID: row.WebsiteID}
	}
	return out, err
}

// LockRule is ReadRule, and locks the rule until tx ends.
func LockRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Rule, error) {
	return lockRule(ctx, tx, scope, id)
}

// IsContractUsed reports whether a live rule of the scope refers to a registered contract.
func IsContractUsed(
	ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID,
) (isUsed bool, err error) {
	var w store.Where
	w.Tenant("", scope)
	w.Add("deleted_at IS NULL AND record LIKE ?", "%"+contract.String()+"%")
	// LIKE finds candidates: the id may also stand elsewhere in the record.
	err = eachRule(ctx, q, w, func(r Rule) {
		pays := r.TokenReward != nil && r.TokenReward.ContractID != nil && *r.TokenReward.ContractID == contract
		event := r.Meta().Contract.ContractID
		watches := r.Type == schema.TypeContractEvent && event != nil && *event == contract
		isUsed = isUsed || pays || watches || slices.Contains(r.ContractIDs, contract)
	})
	return isUsed, err
}

// GroupNames returns the names of the groups that are live in the scope, by id.
func GroupNames(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	w.Add("deleted_at IS NULL")
	w.Tenant("", scope)
	store.In(&w, "id", ids)
	var rows []struct {
		ID   laurel.ID `db:"id"`
		Name string    `db:"name"`
	}
	err := q.Select(ctx, &rows, "SELECT id, name FROM loyalty_rule_groups"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, err
}

// RulesTriggeredBy returns the live rules of the scope that events of any of the subscriptions trigger, oldest first.
func RulesTriggeredBy(
	ctx context.Context, q store.Queryer, scope laurel.Scope, subscriptions []laurel.ID,
) ([]Rule, error) {
	if len(subscriptions) == 0 {
		return nil, nil
	}
	var w store.Where
	w.Tenant("", scope)
	store.In(&w, "fed_by", subscriptions)
	w.Add("deleted_at IS NULL")
	return selectRules(ctx, q, w.String()+" ORDER BY created_at, id", w.Args)
}

// eachRule calls f with each rule that a condition selects, without holding all of them in memory.
func eachRule(ctx context.Context, q store.Queryer, w store.Where, f func(Rule)) error {
	return store.ForEachRow(ctx, q, func(row ruleRow) error {
		r, err := row.rule()
		if err == nil {
			f(r)
		}
		return err
	}, selectRule+w.String(), w.Args...)
}

// lockRule waits until no Work holds the rule, locks it until tx ends, and reads it, also if it is deleted. It returns
// NotFound "Loyalty rule" for a rule outside the scope.
func lockRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Rule, error) {
	if err := Versions.LockExclusively(ctx, tx, id); err != nil {
		return Rule{}, err
	}
	return readRule(ctx, tx, scope, id, tx.ForUpdate())
}

// columnValues returns the values of the columns that queries filter by, and the encoded record, in the order of
// insertRule and updateRule. The record has every property; the other columns repeat some of it.
func (r Rule) columnValues() []any {
	stamp := func(t *laurel.Timestamp) any {
		if t == nil {
			return nil
		}
		return store.Micros(t.Time)
	}
	var deleted any
	if !r.DeletedAt.IsZero() {
		deleted = store.Micros(r.DeletedAt)
	}
	return []any{
		r.Name,
		r.Description,
		string(r.Type),
		stamp(r.StartTime),
		stamp(r.EndTime),
		store.OrNull(r.Currency().Ptr()),
		store.OrNull(r.LoyaltyRuleGroupID),
		r.HideInUI,
		r.ShowBeforeStart,
		r.IsRequired,
		r.IsSpecial,
		r.IsCheckedInByOthers(),
		store.OrNull(r.TriggerSubscription()),
		r.collectionAddresses(),
		string(r.Metadata),
		string(r.encodeProperties()),
		r.Version,
		store.Micros(r.UpdatedAt),
		deleted,
	}
}

// collectionAddresses returns all collection addresses of the rule in the form of the column collection_address: with a
// comma before, between and after them.
func (r Rule) collectionAddresses() string {
	list := ","
	if r.CollectionAddress != nil {
		list += *r.CollectionAddress + ","
	}
	for _, c := range r.Collections {
		list += c.Address + ","
	}
	return list
}

// insertRule inserts a rule.
func insertRule(ctx context.Context, tx *store.Tx, r Rule) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO loyalty_rules (name, description, type, start_time, end_time, loyalty_currency_id, loyalty_rule_group_id,
		hide_in_ui, show_before_start, is_required, is_special, checks_in, fed_by, collection_address, metadata, record, version, updated_at, deleted_at,
		id, organization_id, website_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(r.columnValues(), r.ID, r.OrganizationID, r.WebsiteID, store.Micros(r.CreatedAt))...)
	return err
}

// updateRule saves a rule. A rule that changes its group loses its place in the order of the group.
func updateRule(ctx context.Context, tx *store.Tx, r Rule) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE loyalty_rules SET name = ?, description = ?, type = ?, start_time = ?, end_time = ?, loyalty_currency_id = ?,
		loyalty_rule_group_id = ?, hide_in_ui = ?, show_before_start = ?, is_required = ?, is_special = ?, checks_in = ?, fed_by = ?, collection_address = ?, metadata = ?,
		record = ?, version = ?, updated_at = ?, deleted_at = ?,
		group_place = CASE WHEN loyalty_rule_group_id IS NOT DISTINCT FROM ? THEN group_place END WHERE id = ?`,
		append(r.columnValues(), r.LoyaltyRuleGroupID, r.ID)...)
	return err
}

// lockLiveGroup locks a group if it is live, and reports whether it is. Until tx ends, no other transaction deletes the
// group or adds rules to it.
func lockLiveGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	var found []laurel.ID
	err := tx.Select(
		ctx,
		&found,
		"SELECT id FROM loyalty_rule_groups WHERE id = ? AND website_id = ? AND deleted_at IS NULL"+tx.ForUpdate(),
		id,
		scope.WebsiteID,
	)
	return len(found) > 0, err
}

// listQuery is a Filter with the page and the moment to list for.
type listQuery struct {
	Filter
	page laurel.PageRequest
	now  int64
}

// where returns the condition for the rules of the scope that the filter selects.
func (l listQuery) where(scope laurel.Scope) store.Where {
	var w store.Where
	w.Tenant("", scope)
	store.In(&w, "loyalty_rule_group_id", l.GroupIDs)
	store.In(&w, "id", l.RuleIDs)
	if l.CollectionAddress != "" {
		// Not LIKE: it has wildcards, and in SQLite it ignores case, which matters in addresses of networks other than EVM.
		w.Add(
			"REPLACE(collection_address, ?, '') <> collection_address",
			","+identity.NormalizeWallet(l.CollectionAddress)+",",
		)
	}
	if !l.WithDeleted {
		w.Add("deleted_at IS NULL")
	}
	if l.Active != nil {
		active := "((start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time > ?))"
		if !*l.Active {
			active = "NOT " + active
		}
		w.Add(active, l.now, l.now)
	}
	l.State.narrow(&w, l.now)
	if l.Type != "" {
		w.Add("type = ?", string(l.Type))
	}
	if l.OnlyUngrouped {
		w.Add("loyalty_rule_group_id IS NULL")
	}
	if l.OnlySpecial {
		w.Add("is_special")
	} else {
		w.Add("NOT is_special")
	}
	if l.ForClients {
		w.Add("NOT hide_in_ui AND (show_before_start OR start_time IS NULL OR start_time <= ?)", l.now)
	}
	return w
}

// listRules reads a page of the rules that the filter selects, newest first.
func listRules(ctx context.Context, q store.Queryer, scope laurel.Scope, l listQuery) (laurel.Page[Rule], error) {
	var none laurel.Page[Rule]
	w := l.where(scope)
	if !l.page.StartingAfter.IsZero() {
		after, err := readRule(ctx, q, scope, l.page.StartingAfter, "")
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && l.ForClients && !after.isShownToClients(l.now) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("created_at", "id", true, store.Micros(after.CreatedAt), after.ID)
	}
	found, err := store.SelectPage[ruleRow](
		ctx,
		q,
		l.page.Limit,
		selectRule+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
	if err != nil {
		return none, err
	}
	return budget.TryMapPage(found, ruleRow.rule)
}

// isShownToClients reports whether lists for client keys show the rule; listQuery.where has the same condition in SQL.
// Deletion does not count: a deleted rule may have been the last one of a page.
func (r Rule) isShownToClients(now int64) bool {
	return !r.HideInUI && !r.IsSpecial &&
		(r.ShowBeforeStart || r.StartTime == nil || store.Micros(r.StartTime.Time) <= now)
}

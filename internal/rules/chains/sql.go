package chains

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// row is a chain as it is stored.
type row struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Name           string    `db:"name"`
	Operator       string    `db:"operator_type"`
	Conditions     string    `db:"conditions"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
}

const selectChain = "SELECT id, organization_id, website_id, loyalty_rule_id, name, operator_type, conditions, created_at, updated_at FROM rule_chains"

// chain decodes the row.
func (r row) chain() (Chain, error) {
	c := Chain{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		RuleID:         r.RuleID,
		Name:           r.Name,
		Operator:       r.Operator,
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
	if err := json.Unmarshal([]byte(r.Conditions), &c.Conditions); err != nil {
		return c, fmt.Errorf("conditions of chain %s: %w", r.ID, err)
	}
	return c, nil
}

// readChain reads a live chain of the scope. It returns NotFound "Rule chain" if there is none.
func readChain(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Chain, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	w.Add("deleted_at IS NULL")
	var r row
	err := q.Get(ctx, &r, selectChain+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Chain{}, laurel.Missing("Rule chain")
	}
	if err != nil {
		return Chain{}, err
	}
	return r.chain()
}

// maxRulesPerQuery bounds the rules of one query.
const maxRulesPerQuery = 512

// selectChains reads the live chains of rules, oldest first.
func selectChains(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]Chain, error) {
	var out []Chain
	for chunk := range slices.Chunk(ids, maxRulesPerQuery) {
		var w store.Where
		store.In(&w, "loyalty_rule_id", chunk)
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL")
		var rows []row
		if err := q.Select(ctx, &rows, selectChain+w.String()+" ORDER BY created_at, id", w.Args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			c, err := r.chain()
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// insertChain inserts a chain.
func insertChain(ctx context.Context, tx *store.Tx, c Chain) error {
	record, err := json.Marshal(c.Conditions)
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx,
		`INSERT INTO rule_chains (id, organization_id, website_id, loyalty_rule_id, name, operator_type, conditions, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID,
		c.OrganizationID,
		c.WebsiteID,
		c.RuleID,
		c.Name,
		c.Operator,
		string(record),
		store.Micros(c.CreatedAt),
		store.Micros(c.UpdatedAt),
	)
	return err
}

// deleteChain marks a chain as deleted.
func deleteChain(ctx context.Context, tx *store.Tx, c Chain) error {
	at := store.Micros(c.UpdatedAt)
	_, err := tx.Exec(ctx, "UPDATE rule_chains SET deleted_at = ?, updated_at = ? WHERE id = ?", at, at, c.ID)
	return err
}

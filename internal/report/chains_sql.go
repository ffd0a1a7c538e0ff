package report

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/engagement/conditions"
	"laurel/internal/store"
)

// Chain is an item of the rule chains list (contract 3.17).
type Chain struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Name           string    `db:"name"`
	Operator       string    `db:"operator_type"`
	Record         string    `db:"conditions"`
	CreatedMicros  int64     `db:"created_at"`
	UpdatedMicros  int64     `db:"updated_at"`
	Conditions     []conditions.Condition
}

// CreatedAt is when it was made.
func (c Chain) CreatedAt() time.Time { return store.Time(c.CreatedMicros) }

// UpdatedAt is when it last changed.
func (c Chain) UpdatedAt() time.Time { return store.Time(c.UpdatedMicros) }

// Names are the names of the records that conditions name by id.
type Names struct{ Rules, Groups, Currencies, Badges map[laurel.ID]string }

const selectChain = `SELECT c.id, c.organization_id, c.website_id, c.loyalty_rule_id, c.name, c.operator_type, c.conditions, c.created_at, c.updated_at
	FROM rule_chains c`

// ChainFilter limits a list of chains.
type ChainFilter struct {
	IDs     []laurel.ID // only these chains; none: all
	RuleIDs []laurel.ID // only chains of these rules; none: of all
	Client  bool        // only chains of rules that client keys may see
}

// visibleToClients is the condition of rules r that client keys may see at a moment (contract 4.2).
const visibleToClients = "NOT r.hide_in_ui AND (r.show_before_start OR r.start_time IS NULL OR r.start_time <= ?)"

// Chains returns one page of the chains that are not deleted, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) Chains(
	ctx context.Context,
	scope laurel.Scope,
	f ChainFilter,
	page laurel.PageRequest,
) (laurel.Page[Chain], error) {
	none := laurel.PageOf[Chain](nil, page.Limit)
	var w store.Where
	whereTenant(&w, "c.", scope)
	store.In(&w, "c.id", f.IDs)
	store.In(&w, "c.loyalty_rule_id", f.RuleIDs)
	w.Add("c.deleted_at IS NULL")
	if f.Client {
		w.Add(
			"EXISTS (SELECT 1 FROM loyalty_rules r WHERE r.id = c.loyalty_rule_id AND r.deleted_at IS NULL AND "+visibleToClients+")",
			store.Micros(s.db.Now()),
		)
	}
	if !page.StartingAfter.IsZero() {
		var at store.Where
		at.Add("c.id = ?", page.StartingAfter)
		whereTenant(&at, "c.", scope)
		var after Chain
		err := s.db.Get(ctx, &after, selectChain+at.String(), at.Args...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("c.created_at", "c.id", true, after.CreatedMicros, after.ID)
	}
	found, err := store.SelectPage[Chain](
		ctx,
		s.db,
		page.Limit,
		selectChain+w.String()+" ORDER BY c.created_at DESC, c.id DESC",
		w.Args...)
	if err != nil {
		return none, err
	}
	return found, decodeChains(found.Data)
}

// decodeChains sets the conditions of chains from their records.
func decodeChains(list []Chain) error {
	for i := range list {
		if err := json.Unmarshal([]byte(list[i].Record), &list[i].Conditions); err != nil {
			return fmt.Errorf("conditions of chain %s: %w", list[i].ID, err)
		}
	}
	return nil
}

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 512

// CountFittingRules returns how many of the rules, from the first on, fit on a page (budget.MaxPageBytes) together with
// their chains.
func (s *Service) CountFittingRules(ctx context.Context, scope laurel.Scope, rules []laurel.ID) (int, error) {
	var sizes []budget.ByteSize
	for chunk := range slices.Chunk(rules, maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "c.loyalty_rule_id", chunk)
		whereTenant(&w, "c.", scope)
		w.Add("c.deleted_at IS NULL")
		var found []budget.ByteSize
		if err := s.db.Select(
			ctx,
			&found,
			"SELECT c.loyalty_rule_id AS id, SUM(OCTET_LENGTH(c.conditions)) AS bytes FROM rule_chains c"+w.String()+
				" GROUP BY c.loyalty_rule_id",
			w.Args...); err != nil {
			return 0, err
		}
		sizes = append(sizes, found...)
	}
	return budget.CountFitting(rules, sizes), nil
}

// ChainsOfRules returns the chains of rules by the rule's id, oldest first, without deleted chains.
func (s *Service) ChainsOfRules(
	ctx context.Context, scope laurel.Scope, rules []laurel.ID,
) (map[laurel.ID][]Chain, error) {
	out := map[laurel.ID][]Chain{}
	for chunk := range slices.Chunk(rules, maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "c.loyalty_rule_id", chunk)
		whereTenant(&w, "c.", scope)
		w.Add("c.deleted_at IS NULL")
		var rows []Chain
		if err := s.db.Select(ctx, &rows, selectChain+w.String()+" ORDER BY c.created_at, c.id", w.Args...); err != nil {
			return nil, err
		}
		if err := decodeChains(rows); err != nil {
			return nil, err
		}
		for _, c := range rows {
			out[c.RuleID] = append(out[c.RuleID], c)
		}
	}
	return out, nil
}

// NamesOf returns the names of all records that the conditions refer to, including deleted ones. Client keys do not get
// the names of rules and badges that they may not see.
func (s *Service) NamesOf(ctx context.Context, scope laurel.Scope, list []conditions.Condition) (Names, error) {
	named := conditions.ReferencesOf(list)
	rules, err := s.namesByID(ctx, scope, "loyalty_rules", named.Rules)
	if err == nil && scope.Role == laurel.RoleClient {
		err = s.removeHiddenRules(ctx, rules)
	}
	if err != nil {
		return Names{}, err
	}
	out := Names{Rules: rules}
	if out.Groups, err = s.namesByID(ctx, scope, "loyalty_rule_groups", named.Sections); err != nil {
		return Names{}, err
	}
	if out.Badges, err = s.namesByID(ctx, scope, "loyalty_badges", named.Badges); err != nil {
		return Names{}, err
	}
	if scope.Role == laurel.RoleClient {
		if err := s.removeHiddenBadges(ctx, out.Badges); err != nil {
			return Names{}, err
		}
	}
	out.Currencies, err = s.namesByID(ctx, scope, "loyalty_currencies", append(named.Balances, named.Ranks...))
	return out, err
}

// removeHiddenBadges removes from names those of badges that client keys may not see.
func (s *Service) removeHiddenBadges(ctx context.Context, names map[laurel.ID]string) error {
	for chunk := range slices.Chunk(slices.Collect(maps.Keys(names)), maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "b.id", chunk)
		w.Add("(b.hide_in_ui OR b.deleted_at IS NOT NULL)")
		var hidden []laurel.ID
		if err := s.db.Select(ctx, &hidden, "SELECT b.id FROM loyalty_badges b"+w.String(), w.Args...); err != nil {
			return err
		}
		for _, id := range hidden {
			delete(names, id)
		}
	}
	return nil
}

// removeHiddenRules removes from names those of rules that client keys may not see.
func (s *Service) removeHiddenRules(ctx context.Context, names map[laurel.ID]string) error {
	for chunk := range slices.Chunk(slices.Collect(maps.Keys(names)), maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "r.id", chunk)
		w.Add("NOT (r.deleted_at IS NULL AND "+visibleToClients+")", store.Micros(s.db.Now()))
		var hidden []laurel.ID
		if err := s.db.Select(ctx, &hidden, "SELECT r.id FROM loyalty_rules r"+w.String(), w.Args...); err != nil {
			return err
		}
		for _, id := range hidden {
			delete(names, id)
		}
	}
	return nil
}

// namesByID returns the names of the scope's rows of a table with these ids, by id. Unknown ids are left out.
func (s *Service) namesByID(
	ctx context.Context,
	scope laurel.Scope,
	table string,
	ids []laurel.ID,
) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	for chunk := range slices.Chunk(ids, maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "t.id", chunk)
		whereTenant(&w, "t.", scope)
		var rows []struct {
			ID   laurel.ID `db:"id"`
			Name string    `db:"name"`
		}
		if err := s.db.Select(ctx, &rows, "SELECT t.id, t.name FROM "+table+" t"+w.String(), w.Args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.ID] = r.Name
		}
	}
	return out, nil
}

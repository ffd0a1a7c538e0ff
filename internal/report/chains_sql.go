package report

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/store"
)

// Names are the names of the records that conditions name by id.
type Names struct{ Rules, Groups, Currencies, Badges map[laurel.ID]string }

var chainTable = chains.Table.As("c")

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
) (laurel.Page[chains.Chain], error) {
	var w store.Where
	whereTenant(&w, "c.", scope)
	w.Add("c.deleted_at IS NULL")
	store.In(&w, "c.id", f.IDs)
	store.In(&w, "c.loyalty_rule_id", f.RuleIDs)
	if f.Client {
		w.Add(
			"EXISTS (SELECT 1 FROM loyalty_rules r WHERE r.id = c.loyalty_rule_id AND r.deleted_at IS NULL AND "+visibleToClients+")",
			store.Micros(s.db.Now()),
		)
	}
	return chainTable.Page(ctx, s.db, newestRows(scope, "c.", &w), page)
}

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 512

// CountFittingRules returns how many of the rules, from the first on, fit on a page (budget.MaxPageBytes) together with
// their chains.
func (s *Service) CountFittingRules(ctx context.Context, scope laurel.Scope, rules []laurel.ID) (int, error) {
	sizes, err := store.SelectByIDs[budget.ByteSize](ctx, s.db, "c.loyalty_rule_id", rules, func(w *store.Where) string {
		whereTenant(w, "c.", scope)
		w.Add("c.deleted_at IS NULL")
		return "SELECT c.loyalty_rule_id AS id, SUM(OCTET_LENGTH(c.conditions)) AS bytes FROM rule_chains c" + w.String() +
			" GROUP BY c.loyalty_rule_id"
	})
	return budget.CountFitting(rules, sizes), err
}

// ChainsOfRules returns the live chains of rules, by rule, oldest first.
func (s *Service) ChainsOfRules(
	ctx context.Context, scope laurel.Scope, rules []laurel.ID,
) (map[laurel.ID][]chains.Chain, error) {
	list, err := chains.OfRules(ctx, s.db, scope, rules)
	out := map[laurel.ID][]chains.Chain{}
	for _, c := range list {
		out[c.RuleID] = append(out[c.RuleID], c)
	}
	return out, err
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
	return s.removeNames(ctx, names, "b.id", func(w *store.Where) string {
		w.Add("(b.hide_in_ui OR b.deleted_at IS NOT NULL)")
		return "SELECT b.id FROM loyalty_badges b" + w.String()
	})
}

// removeHiddenRules removes from names those of rules that client keys may not see.
func (s *Service) removeHiddenRules(ctx context.Context, names map[laurel.ID]string) error {
	return s.removeNames(ctx, names, "r.id", func(w *store.Where) string {
		w.Add("NOT (r.deleted_at IS NULL AND "+visibleToClients+")", store.Micros(s.db.Now()))
		return "SELECT r.id FROM loyalty_rules r" + w.String()
	})
}

// removeNames removes from names those of the ids that a query selects.
func (s *Service) removeNames(
	ctx context.Context, names map[laurel.ID]string, column string, query func(*store.Where) string,
) error {
	found, err := store.SelectByIDs[laurel.ID](ctx, s.db, column, slices.Collect(maps.Keys(names)), query)
	for _, id := range found {
		delete(names, id)
	}
	return err
}

// namesByID returns the names of the scope's rows of a table with these ids, by id. Unknown ids are left out.
func (s *Service) namesByID(
	ctx context.Context,
	scope laurel.Scope,
	table string,
	ids []laurel.ID,
) (map[laurel.ID]string, error) {
	rows, err := store.SelectByIDs[RuleName](ctx, s.db, "t.id", ids, func(w *store.Where) string {
		whereTenant(w, "t.", scope)
		return "SELECT t.id, t.name FROM " + table + " t" + w.String()
	})
	out := map[laurel.ID]string{}
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, err
}

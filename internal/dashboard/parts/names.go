package parts

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// RulesByID reads rules by id, including deleted ones. A rule that does not exist is zero.
func (c *Call) RulesByID(ids []laurel.ID) (map[laurel.ID]catalog.Rule, error) {
	out := map[laurel.ID]catalog.Rule{}
	for _, id := range ids {
		if _, isRead := out[id]; isRead || id.IsZero() {
			continue
		}
		rule, err := c.Rules.Rule(c.Context(), c.Scope.At(c.Site.ID), id)
		if err != nil && laurel.CodeOf(err) != laurel.NotFound {
			return nil, err
		}
		out[id] = rule
	}
	return out, nil
}

// RuleNames returns the names of rules by id, including deleted and special ones. A rule that does not exist is left
// out.
func (c *Call) RuleNames(ids []laurel.ID) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	if len(ids) == 0 {
		return out, nil
	}
	// A filter matches either special rules, which are bot traps, or the others.
	for _, onlySpecial := range []bool{false, true} {
		filter := catalog.Filter{RuleIDs: ids, WithDeleted: true, OnlySpecial: onlySpecial}
		list, err := c.Rules.List(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: len(ids)})
		if err != nil {
			return nil, err
		}
		for _, rule := range list.Data {
			out[rule.ID] = rule.Name
		}
	}
	return out, nil
}

// CurrencyNames returns the names of currencies by id, including deleted ones and those of token rewards.
func (c *Call) CurrencyNames(ids []laurel.ID) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	if len(ids) == 0 {
		return out, nil
	}
	filter := ledger.CurrencyFilter{IDs: ids, WithDeleted: true, WithTokenRewards: true}
	list, err := c.Ledger.ListCurrencies(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: len(ids)})
	for _, currency := range list.Data {
		out[currency.ID] = currency.Name
	}
	return out, err
}

// NameOrID returns the name of an id; the shortened id if it has none.
func NameOrID(names map[laurel.ID]string, id laurel.ID) string {
	if name, ok := names[id]; ok {
		return name
	}
	return web.Shorten(id)
}

// Names are the groups, currencies and badges of the website, and their names by id.
type Names struct {
	Groups        []catalog.Group
	Currencies    []ledger.Currency
	Badges        []report.BadgeOption
	GroupNames    map[laurel.ID]string
	CurrencyNames map[laurel.ID]string
	BadgeNames    map[laurel.ID]string
}

// Group names a group; empty for none, and for one that is deleted.
func (n *Names) Group(id *laurel.ID) string {
	if id == nil {
		return ""
	}
	return n.GroupNames[*id]
}

// Currency names a currency.
func (n *Names) Currency(id *laurel.ID) string {
	if id == nil {
		return ""
	}
	return n.CurrencyNames[*id]
}

// ReadNames reads the website's groups, currencies and badges, with their names by id. The names include deleted
// currencies.
func (c *Call) ReadNames() (*Names, error) {
	names := &Names{
		GroupNames: map[laurel.ID]string{}, CurrencyNames: map[laurel.ID]string{}, BadgeNames: map[laurel.ID]string{},
	}
	listGroups := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.Rules.ListGroupsWithoutRules(ctx, c.Scope, page)
	}
	groups, err := web.ListAll(c.Context(), listGroups, func(group catalog.Group) laurel.ID { return group.ID })
	if err != nil {
		return nil, err
	}
	names.Groups = groups
	for _, group := range groups {
		names.GroupNames[group.ID] = group.Name
	}
	all := ledger.CurrencyFilter{WithDeleted: true}
	listCurrencies := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.Ledger.ListCurrencies(ctx, c.Scope, all, page)
	}
	idOf := func(currency ledger.Currency) laurel.ID { return currency.ID }
	currencies, err := web.ListAll(c.Context(), listCurrencies, idOf)
	for _, currency := range currencies {
		names.CurrencyNames[currency.ID] = currency.Name
		if currency.DeletedAt.IsZero() {
			names.Currencies = append(names.Currencies, currency)
		}
	}
	if err != nil {
		return nil, err
	}
	listBadges := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[report.BadgeOption], error) {
		return c.Report.BadgeOptions(ctx, c.Scope, page)
	}
	names.Badges, err = web.ListAll(c.Context(), listBadges, func(badge report.BadgeOption) laurel.ID { return badge.ID })
	for _, badge := range names.Badges {
		names.BadgeNames[badge.ID] = badge.Name
	}
	return names, err
}

// DeletedReference stands for the name of a record that was deleted.
const DeletedReference = "(deleted)"

// DescribeReference writes the value of a field in words: the name of the currency, group or badge that it refers to,
// the label of a choice, or a time. Other values stay as they are.
func (n *Names) DescribeReference(field schema.Field, text string) string {
	switch field.Control {
	case schema.ControlCurrency, schema.ControlGroup, schema.ControlBadge:
		id, err := laurel.ParseID(text)
		if err != nil {
			return text
		}
		name := map[schema.Control]map[laurel.ID]string{
			schema.ControlCurrency: n.CurrencyNames, schema.ControlGroup: n.GroupNames, schema.ControlBadge: n.BadgeNames,
		}[field.Control][id]
		if name == "" {
			return DeletedReference
		}
		return name
	case schema.ControlSelect, schema.ControlChoices:
		return field.OptionLabel(text)
	case schema.ControlMoment:
		return strings.Replace(text, "T", " ", 1) + " UTC"
	}
	return text
}

// ListGroups reads all groups of the website with their rules, in their order.
func (c *Call) ListGroups() ([]catalog.Group, error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.Rules.ListGroups(ctx, c.Scope, catalog.GroupFilter{}, page)
	}
	return web.ListAll(c.Context(), list, func(g catalog.Group) laurel.ID { return g.ID })
}

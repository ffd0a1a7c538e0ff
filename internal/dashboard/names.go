package dashboard

import (
	"context"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

// rulesByID reads rules by id, including deleted ones. A rule that does not exist is zero.
func (c *request) rulesByID(ids []laurel.ID) (map[laurel.ID]catalog.Rule, error) {
	out := map[laurel.ID]catalog.Rule{}
	for _, id := range ids {
		if _, isRead := out[id]; isRead || id.IsZero() {
			continue
		}
		rule, err := c.d.Rules.Rule(c.Context(), c.scope.At(c.site.ID), id)
		if err != nil && laurel.CodeOf(err) != laurel.NotFound {
			return nil, err
		}
		out[id] = rule
	}
	return out, nil
}

// uniqueIDs returns the ids of a list's items, each once and without zero ids, in their order.
func uniqueIDs[T any](list []T, id func(T) laurel.ID) []laurel.ID {
	var out []laurel.ID
	for _, item := range list {
		if itemID := id(item); !itemID.IsZero() && !slices.Contains(out, itemID) {
			out = append(out, itemID)
		}
	}
	return out
}

// ruleNames returns the names of rules by id, including deleted and special ones. A rule that does not exist is left
// out.
func (c *request) ruleNames(ids []laurel.ID) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	if len(ids) == 0 {
		return out, nil
	}
	// A filter matches either special rules, which are bot traps, or the others.
	for _, onlySpecial := range []bool{false, true} {
		filter := catalog.Filter{RuleIDs: ids, WithDeleted: true, OnlySpecial: onlySpecial}
		list, err := c.d.Rules.List(c.Context(), c.scope, filter, laurel.PageRequest{Limit: len(ids)})
		if err != nil {
			return nil, err
		}
		for _, rule := range list.Data {
			out[rule.ID] = rule.Name
		}
	}
	return out, nil
}

// currencyNames returns the names of currencies by id, including deleted ones and those of token rewards.
func (c *request) currencyNames(ids []laurel.ID) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	if len(ids) == 0 {
		return out, nil
	}
	filter := ledger.CurrencyFilter{IDs: ids, WithDeleted: true, WithTokenRewards: true}
	list, err := c.d.Ledger.ListCurrencies(c.Context(), c.scope, filter, laurel.PageRequest{Limit: len(ids)})
	for _, currency := range list.Data {
		out[currency.ID] = currency.Name
	}
	return out, err
}

// nameOrID returns the name of an id; the shortened id if it has none.
func nameOrID(names map[laurel.ID]string, id laurel.ID) string {
	if name, ok := names[id]; ok {
		return name
	}
	return shorten(id)
}

// maxOptions bounds the groups, currencies, rules and badges that forms and filters offer.
const maxOptions = 500

// websiteNames are the groups, currencies and badges of the website, and their names by id.
type websiteNames struct {
	Groups     []catalog.Group
	Currencies []ledger.Currency
	Badges     []report.BadgeOption
	groups     map[laurel.ID]string
	currencies map[laurel.ID]string
	badges     map[laurel.ID]string
}

// Group names a group; empty for none, and for one that is deleted.
func (n *websiteNames) Group(id *laurel.ID) string {
	if id == nil {
		return ""
	}
	return n.groups[*id]
}

// Currency names a currency.
func (n *websiteNames) Currency(id *laurel.ID) string {
	if id == nil {
		return ""
	}
	return n.currencies[*id]
}

// readNames reads the website's groups, currencies and badges, with their names by id. The names include deleted
// currencies.
func (c *request) readNames() (*websiteNames, error) {
	names := &websiteNames{
		groups: map[laurel.ID]string{}, currencies: map[laurel.ID]string{}, badges: map[laurel.ID]string{},
	}
	listGroups := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.d.Rules.ListGroupsWithoutRules(ctx, c.scope, page)
	}
	groups, err := listAll(c.Context(), listGroups, func(group catalog.Group) laurel.ID { return group.ID })
	if err != nil {
		return nil, err
	}
	names.Groups = groups
	for _, group := range groups {
		names.groups[group.ID] = group.Name
	}
	all := ledger.CurrencyFilter{WithDeleted: true}
	listCurrencies := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.d.Ledger.ListCurrencies(ctx, c.scope, all, page)
	}
	idOf := func(currency ledger.Currency) laurel.ID { return currency.ID }
	currencies, err := listAll(c.Context(), listCurrencies, idOf)
	for _, currency := range currencies {
		names.currencies[currency.ID] = currency.Name
		if currency.DeletedAt.IsZero() {
			names.Currencies = append(names.Currencies, currency)
		}
	}
	if err != nil {
		return nil, err
	}
	listBadges := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[report.BadgeOption], error) {
		return c.d.Report.BadgeOptions(ctx, c.scope, page)
	}
	names.Badges, err = listAll(c.Context(), listBadges, func(badge report.BadgeOption) laurel.ID { return badge.ID })
	for _, badge := range names.Badges {
		names.badges[badge.ID] = badge.Name
	}
	return names, err
}

// listPageSize is how many records are read at a time where all are needed.
const listPageSize = 100

// listAll reads a list page by page until its end, or until it has at least maxOptions items. id returns the id of an
// item, after which the next page begins.
func listAll[T any](
	ctx context.Context,
	list func(context.Context, laurel.PageRequest) (laurel.Page[T], error),
	id func(T) laurel.ID,
) ([]T, error) {
	var out []T
	for page := (laurel.PageRequest{Limit: listPageSize}); ; {
		found, err := list(ctx, page)
		if err != nil {
			return nil, err
		}
		out = append(out, found.Data...)
		if page.StartingAfter = lastID(found, id); !found.HasNextPage || len(out) >= maxOptions {
			return out, nil
		}
	}
}

// deletedReference stands for the name of a record that was deleted.
const deletedReference = "(deleted)"

// describeReference writes the value of a field in words: the name of the currency, group or badge that it refers to,
// the label of a choice, or a time. Other values stay as they are.
func (n *websiteNames) describeReference(field schema.Field, text string) string {
	switch field.Control {
	case schema.ControlCurrency, schema.ControlGroup, schema.ControlBadge:
		id, err := laurel.ParseID(text)
		if err != nil {
			return text
		}
		name := map[schema.Control]map[laurel.ID]string{
			schema.ControlCurrency: n.currencies, schema.ControlGroup: n.groups, schema.ControlBadge: n.badges,
		}[field.Control][id]
		if name == "" {
			return deletedReference
		}
		return name
	case schema.ControlSelect, schema.ControlChoices:
		return field.OptionLabel(text)
	case schema.ControlMoment:
		return strings.Replace(text, "T", " ", 1) + " UTC"
	}
	return text
}

package report

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// whereTenant adds the condition that rows belong to the scope. For a scope without a website it names the
// organization's websites, since the indexes begin with the website.
func whereTenant(w *store.Where, prefix string, s laurel.Scope) {
	if s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id IN (SELECT id FROM websites WHERE organization_id = ?)", s.OrganizationID)
		return
	}
	w.Tenant(prefix, s)
}

// whereTenantOf is whereTenant for a list with a user filter. If the filter names few users, the database looks these
// up by their index instead of the tenant's.
func (s *Service) whereTenantOf(w *store.Where, prefix string, scope laurel.Scope, f UserFilter) {
	if f.namesFewUsers() {
		prefix = s.db.Engine().NoIndexPrefix() + prefix
	}
	whereTenant(w, prefix, scope)
}

// newestRows lists the rows that meet the conditions, newest first. Any row of the scope is a cursor. The prefix is the
// alias of the table with a dot.
func newestRows(scope laurel.Scope, prefix string, w *store.Where) store.List {
	var cursors store.Where
	whereTenant(&cursors, prefix, scope)
	return store.List{Where: w, Cursors: &cursors, Order: []string{prefix + "created_at", prefix + "id"}, Newest: true}
}

// whereAfter adds the condition that a page of a list, newest first, begins after the row with the cursor's id. It adds
// nothing for the zero id. table is the table with its alias, such as "loyalty_holds t". Errors: Invalid if the scope
// has no such row.
func (s *Service) whereAfter(
	ctx context.Context,
	scope laurel.Scope,
	w *store.Where,
	table string,
	cursor laurel.ID,
) error {
	if cursor.IsZero() {
		return nil
	}
	prefix := table[strings.LastIndexByte(table, ' ')+1:] + "."
	var at store.Where
	at.Add(prefix+"id = ?", cursor)
	whereTenant(&at, prefix, scope)
	var created int64
	err := s.db.Get(ctx, &created, "SELECT "+prefix+"created_at FROM "+table+at.String(), at.Args...)
	if store.IsNoRows(err) {
		return laurel.ErrCursor()
	}
	if err == nil {
		w.After(prefix+"created_at", prefix+"id", true, created, cursor)
	}
	return err
}

// namesFewUsers reports whether the filter names users, by their ids, wallets or groups, that an index finds.
func (f UserFilter) namesFewUsers() bool {
	return len(f.IDs)+len(f.Wallets)+len(f.groupIDs())+len(f.resolvedGroups()) > 0
}

// whereUsers adds the conditions of a user filter, whose groups resolveGroups must have looked up. userColumn and
// websiteColumn are the columns of the user and the website of a row; websiteColumn is only used for conditions other
// than ids and wallets.
func whereUsers(w *store.Where, userColumn, websiteColumn string, scope laurel.Scope, f UserFilter) {
	store.In(w, userColumn, f.IDs)
	if len(f.Wallets) > 0 {
		var wallets store.Where
		wallets.Add("organization_id = ?", scope.OrganizationID)
		store.In(&wallets, "wallet_address", f.Wallets)
		w.Add(userColumn+" IN (SELECT id FROM users"+wallets.String()+")", wallets.Args...)
	}
	for _, groups := range [][]laurel.ID{f.groupIDs(), f.resolvedGroups()} {
		if len(groups) > 0 { // the members of the group are read once, not looked up for each row
			var ofMembers store.Where
			store.In(&ofMembers, "m.user_group_id", groups)
			w.Add(
				"("+userColumn+", "+websiteColumn+") IN (SELECT m.user_id, m.website_id FROM members m"+ofMembers.String()+")",
				ofMembers.Args...)
		}
	}
	if f.WalletGroupIdentifier != "" {
		w.Add(
			"EXISTS (SELECT 1 FROM user_metadata d WHERE d.user_id = "+userColumn+" AND d.website_id = "+websiteColumn+" AND d.wallet_group_identifier = ?)",
			f.WalletGroupIdentifier,
		)
	}
	if f.ExternalIdentifier != "" {
		whereIdentifier(w, userColumn, websiteColumn, "externalIdentifier", f.ExternalIdentifier)
	}
}

// resolveGroups looks up the groups with the filter's external identifier, one per website, and sets them in the
// filter. If the identifier itself were a condition, the planner would overestimate the number of users.
func (s *Service) resolveGroups(ctx context.Context, scope laurel.Scope, f *UserFilter) error {
	if f.GroupExternalIdentifier == "" {
		return nil
	}
	var w store.Where
	whereTenant(&w, "g.", scope)
	w.Add("g.external_identifier = ?", f.GroupExternalIdentifier)
	return s.db.Select(ctx, &f.groups, "SELECT g.id FROM user_groups g"+w.String(), w.Args...)
}

// groupIDs returns the group that the filter names by id.
func (f UserFilter) groupIDs() []laurel.ID {
	if f.GroupID.IsZero() {
		return nil
	}
	return []laurel.ID{f.GroupID}
}

// resolvedGroups returns the groups that the filter names by external identifier. If there are none, it returns an id
// that matches no member.
func (f UserFilter) resolvedGroups() []laurel.ID {
	if f.GroupExternalIdentifier != "" && len(f.groups) == 0 {
		return []laurel.ID{{}}
	}
	return f.groups
}

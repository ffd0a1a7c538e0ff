package report

import (
	"laurel"
	"laurel/internal/store"
)

// tenant limits rows to the scope. Without a website it names the organization's websites, which is what the indexes begin with.
func tenant(w *store.Where, prefix string, s laurel.Scope) {
	if s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id IN (SELECT id FROM websites WHERE organization_id = ?)", s.OrganizationID)
		return
	}
	w.Tenant(prefix, s)
}

// members adds the conditions of a user filter on the user of a row, given by its user and website columns.
func members(w *store.Where, userColumn, websiteColumn string, s laurel.Scope, f UserFilter) {
	store.In(w, userColumn, f.IDs)
	if len(f.Wallets) > 0 {
		var wallets store.Where
		wallets.Add("organization_id = ?", s.OrganizationID)
		store.In(&wallets, "wallet_address", f.Wallets)
		w.Add(userColumn+" IN (SELECT id FROM users"+wallets.String()+")", wallets.Args...)
	}
	member := "EXISTS (SELECT 1 FROM members m WHERE m.user_id = " + userColumn + " AND m.website_id = " + websiteColumn + " AND m.user_group_id "
	if !f.GroupID.IsZero() {
		w.Add(member+"= ?)", f.GroupID)
	}
	if f.GroupExternalIdentifier != "" {
		w.Add(member+"IN (SELECT g.id FROM user_groups g WHERE g.website_id = m.website_id AND g.external_identifier = ?))", f.GroupExternalIdentifier)
	}
	if f.WalletGroupIdentifier != "" {
		w.Add("EXISTS (SELECT 1 FROM user_metadata d WHERE d.user_id = "+userColumn+" AND d.website_id = "+websiteColumn+" AND d.wallet_group_identifier = ?)", f.WalletGroupIdentifier)
	}
	if f.ExternalIdentifier != "" {
		identifier(w, userColumn, websiteColumn, "externalIdentifier", f.ExternalIdentifier)
	}
}

package parts

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// Person is a member as lists show one.
type Person struct {
	ID      laurel.ID
	Name    string
	Wallet  string // empty: none, or not to be seen
	Blocked bool
	Profile identity.Metadata // zero where nothing is known
}

// VisibleWallet returns a wallet. It is empty if the wallet looks like an e-mail address and the role may not see
// those.
func (c *Call) VisibleWallet(wallet string) string {
	if c.hidesContact(wallet) {
		return ""
	}
	return wallet
}

// hidesContact reports whether a text looks like an e-mail address and the role must not see contacts. A text that
// starts with @ is an account name.
func (c *Call) hidesContact(text string) bool {
	return strings.LastIndex(text, "@") > 0 && !c.May(admins.SeeContacts)
}

// hideContacts removes from a profile what a role without the right to see contacts must not see: internal notes,
// e-mail and phone, also where an e-mail address is used as a name or id.
func (c *Call) hideContacts(profile *identity.Metadata) {
	if c.May(admins.SeeContacts) {
		return
	}
	profile.EmailAddress, profile.PhoneNumber, profile.InternalNotes = nil, nil, nil
	profile.RemoveAccountTexts(c.hidesContact)
	for _, text := range []**string{
		&profile.ExternalIdentifier, &profile.DisplayName, &profile.Bio, &profile.Location,
	} {
		if *text != nil && c.hidesContact(**text) {
			*text = nil
		}
	}
	group := profile.UserGroup
	if group != nil && group.ExternalIdentifier != nil && c.hidesContact(*group.ExternalIdentifier) {
		profile.UserGroup = nil
	}
}

// ReadPeople reads the profiles and wallets of members by id. Ids without a member of this website have a person
// without profile and wallet; zero ids are left out. What the role must not see is removed.
func (c *Call) ReadPeople(ids []laurel.ID) (map[laurel.ID]Person, error) {
	scope := c.Scope.At(c.Site.ID)
	out := map[laurel.ID]Person{}
	for _, id := range ids {
		if !id.IsZero() {
			out[id] = Person{ID: id}
		}
	}
	requested := make([]laurel.ID, 0, len(out))
	for id := range out {
		requested = append(requested, id)
	}
	if len(requested) == 0 {
		return out, nil
	}
	wallets, err := c.Identity.WalletsOf(c.Context(), scope, requested)
	if err != nil {
		return nil, err
	}
	profiles, err := c.Identity.MetadataOf(c.Context(), scope, requested)
	if err != nil {
		return nil, err
	}
	for id, member := range out {
		member.Wallet = c.VisibleWallet(wallets[id])
		if list := profiles[id]; len(list) > 0 {
			member.Profile = list[0]
			member.Blocked = member.Profile.IsBlocked && !member.Profile.IsBlockExempt
		}
		c.hideContacts(&member.Profile)
		member.Name = member.displayName()
		out[id] = member
	}
	return out, nil
}

// displayName returns the member's display name, else the external identifier, else the shortened wallet, else "Member"
// with the start of the id.
func (p Person) displayName() string {
	switch {
	case p.Profile.DisplayName != nil && strings.TrimSpace(*p.Profile.DisplayName) != "":
		return *p.Profile.DisplayName
	case p.Profile.ExternalIdentifier != nil:
		return *p.Profile.ExternalIdentifier
	case p.Wallet != "":
		return web.Shorten(p.Wallet)
	}
	return "Member " + p.ID.String()[:8]
}

// GetMember returns the member whose id is in the path: the user of the website, and the person with profile and
// wallet. A malformed id, or that of a member of another website, is not found.
func (c *Call) GetMember() (report.User, Person, error) {
	id, err := c.PathID("user", "Member")
	if err != nil {
		return report.User{}, Person{}, err
	}
	filter := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}}
	list, err := c.Report.Users(c.Context(), c.Scope.At(c.Site.ID), filter, laurel.PageRequest{Limit: 1})
	if err != nil {
		return report.User{}, Person{}, err
	}
	if len(list.Data) == 0 {
		return report.User{}, Person{}, laurel.Missing("Member")
	}
	people, err := c.ReadPeople([]laurel.ID{id})
	return list.Data[0], people[id], err
}

// UserFilter returns the filter that matches one member.
func UserFilter(id laurel.ID) report.UserFilter { return report.UserFilter{IDs: []laurel.ID{id}} }

// searchableFields are the profile fields in which members are searched, in addition to wallet, e-mail and phone.
var searchableFields = []string{
	"externalIdentifier", "microblogUser", "chatServerUser", "messengerUsername", "shortVideoUser",
	"forumPlatformUser", "codeHostUser", "gameStoreUsername",
}

// SearchMembers searches members by id, wallet, external identifier, account name or part of the display name, and by
// e-mail and phone for roles that may see these. Each kind of search returns at most PageSize members. searchedAll is
// false if there was no time to look at all names.
func (c *Call) SearchMembers(query string) (found []report.User, searchedAll bool, err error) {
	var filters []report.UserListFilter
	if id, err := laurel.ParseID(query); err == nil {
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}})
	}
	if c.VisibleWallet(query) != "" { // it is no e-mail address, or the role may see these
		wallet := identity.NormalizeWallet(query)
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{Wallets: []string{wallet}}})
	}
	fields := searchableFields
	if c.May(admins.SeeContacts) {
		fields = append([]string{"emailAddress", "phoneNumber"}, fields...)
	}
	if c.hidesContact(query) { // finding it would confirm an e-mail address
		fields = nil
	}
	for _, field := range fields {
		filters = append(filters, report.UserListFilter{Identifiers: map[string]string{field: query}})
	}
	matches, searchedAll, err := c.Report.SearchUsersByName(c.Context(), c.Scope.At(c.Site.ID), query, web.PageSize,
		func(u report.NamedUser) bool { return !c.hidesContact(u.Name) })
	if err != nil {
		return nil, false, err
	}
	if len(matches) > 0 {
		ids := web.Map(matches, func(u report.NamedUser) laurel.ID { return u.ID })
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{IDs: ids}})
	}
	var results []report.User
	isFound := map[laurel.ID]bool{}
	for _, f := range filters {
		page, err := c.Report.Users(c.Context(), c.Scope.At(c.Site.ID), f, laurel.PageRequest{Limit: web.PageSize})
		if err != nil {
			return nil, false, err
		}
		for _, u := range page.Data {
			if !isFound[u.ID] {
				isFound[u.ID] = true
				results = append(results, u)
			}
		}
	}
	return results, searchedAll, nil
}

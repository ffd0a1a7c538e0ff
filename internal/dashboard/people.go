package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/identity"
)

// person is a member as lists show one.
type person struct {
	ID      laurel.ID
	Name    string
	Wallet  string // empty: none, or not to be seen
	Blocked bool
	Profile identity.Metadata // zero where nothing is known
}

// visibleWallet returns a wallet. It is empty if the wallet looks like an e-mail address and the role may not see
// those.
func (c *request) visibleWallet(wallet string) string {
	if c.hidesContact(wallet) {
		return ""
	}
	return wallet
}

// hidesContact reports whether a text looks like an e-mail address and the role must not see contacts. A text that
// starts with @ is an account name.
func (c *request) hidesContact(text string) bool {
	return strings.LastIndex(text, "@") > 0 && !c.may(admins.SeeContacts)
}

// hideContacts removes from a profile what a role without the right to see contacts must not see: internal notes,
// e-mail and phone, also where an e-mail address is used as a name or id.
func (c *request) hideContacts(profile *identity.Metadata) {
	if c.may(admins.SeeContacts) {
		return
	}
	profile.EmailAddress, profile.PhoneNumber, profile.InternalNotes = nil, nil, nil
	for _, text := range []**string{
		&profile.ExternalIdentifier, &profile.DisplayName, &profile.Bio, &profile.Location, &profile.MicroblogUser,
		&profile.MessengerUsername, &profile.ChatServerUser, &profile.CodeHostUser, &profile.GameStoreUsername,
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

// readPeople reads the profiles and wallets of members by id. Ids without a member of this website have a person
// without profile and wallet; zero ids are left out. What the role must not see is removed.
func (c *request) readPeople(ids []laurel.ID) (map[laurel.ID]person, error) {
	scope := c.scope.At(c.site.ID)
	out := map[laurel.ID]person{}
	for _, id := range ids {
		if !id.IsZero() {
			out[id] = person{ID: id}
		}
	}
	requested := make([]laurel.ID, 0, len(out))
	for id := range out {
		requested = append(requested, id)
	}
	if len(requested) == 0 {
		return out, nil
	}
	wallets, err := c.d.Identity.WalletsOf(c.Context(), scope, requested)
	if err != nil {
		return nil, err
	}
	profiles, err := c.d.Identity.MetadataOf(c.Context(), scope, requested)
	if err != nil {
		return nil, err
	}
	for id, member := range out {
		member.Wallet = c.visibleWallet(wallets[id])
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
func (p person) displayName() string {
	switch {
	case p.Profile.DisplayName != nil && strings.TrimSpace(*p.Profile.DisplayName) != "":
		return *p.Profile.DisplayName
	case p.Profile.ExternalIdentifier != nil:
		return *p.Profile.ExternalIdentifier
	case p.Wallet != "":
		return shorten(p.Wallet)
	}
	return "Member " + p.ID.String()[:8]
}

// Person returns the member of a row, for templates: they see no embedded types of small letters by name.
func (p person) Person() person { return p }

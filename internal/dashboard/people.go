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

// hideContacts removes from a profile what a role without the right to see contacts must not see: e-mail and phone,
// also where they are used as a name or id, and internal notes.
func (c *request) hideContacts(p *identity.Metadata) {
	if c.may(admins.SeeContacts) {
		return
	}
	p.EmailAddress, p.PhoneNumber, p.InternalNotes = nil, nil, nil
	for _, text := range []**string{
		&p.ExternalIdentifier, &p.DisplayName, &p.Bio, &p.Location, &p.MicroblogUser, &p.MessengerUsername,
		&p.ChatServerUser, &p.CodeHostUser, &p.GameStoreUsername,
	} {
		if *text != nil && c.hidesContact(**text) {
			*text = nil
		}
	}
	if g := p.UserGroup; g != nil && g.ExternalIdentifier != nil && c.hidesContact(*g.ExternalIdentifier) {
		p.UserGroup = nil
	}
}

// readPeople reads the profiles and wallets of members of this website. The result has all ids, also unknown ones.
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
	for id, p := range out {
		p.Wallet = c.visibleWallet(wallets[id])
		if list := profiles[id]; len(list) > 0 {
			p.Profile = list[0]
			p.Blocked = p.Profile.IsBlocked && !p.Profile.IsBlockExempt
		}
		c.hideContacts(&p.Profile)
		p.Name = p.displayName()
		out[id] = p
	}
	return out, nil
}

// displayName returns the member's name, else its external identifier or wallet.
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

package members

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
)

// linkedAccount is an account elsewhere of a member, with the name of its platform.
type linkedAccount struct {
	identity.LinkedAccount
	Label string
}

// linkedAccounts returns the accounts of a member that the admin may see.
func (c *call) linkedAccounts(member parts.Person) []linkedAccount {
	var list []linkedAccount
	for _, a := range member.Profile.LinkedAccounts() {
		if c.maySeeAccount(a.Platform) {
			list = append(list, linkedAccount{a, c.Identity.Label(a.Platform)})
		}
	}
	return list
}

// maySeeAccount reports whether the admin may see accounts of a platform: e-mail addresses and phone numbers are
// contacts.
func (c *call) maySeeAccount(platform string) bool {
	return platform != identity.Email && platform != identity.Phone || c.May(admins.SeeContacts)
}

// accountData is the question before an account is unlinked.
type accountData struct {
	web.Refusal
	parts.Person
	Account    linkedAccount
	Version    string // of the account, to find whether another one was connected meanwhile
	HasChanged bool
}

// getAccount returns the member and the account whose ids are in the path.
func (c *call) getAccount() (accountData, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return accountData{}, err
	}
	a, ok := member.Profile.LinkedAccount(c.PathValue("platform"))
	if !ok || !c.maySeeAccount(a.Platform) {
		return accountData{}, laurel.Missing("Account")
	}
	return accountData{
		Person: member, Account: linkedAccount{a, c.Identity.Label(a.Platform)},
		Version: form.VersionOf(map[string]string{"name": a.Name, "id": a.ID}),
	}, nil
}

const unlinkAccountTitle = "Unlink this account?"

// confirmUnlinkAccount shows the page that asks before an account is unlinked.
func confirmUnlinkAccount(c *call) (web.View, error) {
	data, err := c.getAccount()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-account-unlink", unlinkAccountTitle, data)
}

// unlinkAccount removes an account from a member's metadata. If another account was connected since the page was
// opened, it asks again.
func unlinkAccount(c *call) (web.View, error) {
	data, err := c.getAccount()
	if err != nil {
		return web.View{}, err
	}
	if data.HasChanged = c.PostFormValue("version") != data.Version; data.HasChanged {
		return web.Refused("member-account-unlink", unlinkAccountTitle, data), nil
	}
	scope := c.Scope.At(c.Site.ID).IfUnchanged(data.ID, data.Profile.UpdatedAt.Time)
	err = c.Identity.DisconnectAccount(c.Context(), scope, identity.Ref{UserID: data.ID}, data.Account.Platform)
	if err != nil {
		return c.ShowRefused(err, "member-account-unlink", unlinkAccountTitle, func(r web.Refusal) any {
			data.Refusal = r
			return data
		})
	}
	return c.Redirect(c.SitePath("members", data.ID), data.Account.Label+" account unlinked.")
}

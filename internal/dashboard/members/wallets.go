package members

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
)

// walletData is what the page of a member shows of its wallets, devices and attributes.
type walletData struct {
	Accounts    []linkedAccount // e-mail and phone for roles that see contacts alone
	Wallets     []parts.Person  // of the group, the member first; none without a group
	Delegations []delegations.Delegation
	Delegates   []parts.Person // to whom the member's wallet has delegated
	Devices     []devices.Device
	Attributes  []attributes.Labeled
	// HasAttributes says that the website has defined attributes.
	HasAttributes bool
}

// readWallets reads the wallets of the member's group, its delegations and devices, at most SideListLimit of each, and
// its attributes. Only roles that see contacts get devices. readGroup comes before it.
func (c *call) readWallets(d *memberData, _ parts.Currencies) error {
	scope := c.Scope.At(c.Site.ID)
	if len(d.GroupMembers) > 0 {
		d.Wallets = append([]parts.Person{d.Person}, d.GroupMembers...)
	}
	d.Accounts = c.linkedAccounts(d.Person)
	users, page := []laurel.ID{d.ID}, laurel.PageRequest{Limit: web.SideListLimit}
	delegated, err := c.Delegations.List(c.Context(), scope, delegations.Filter{Users: users}, page)
	if err != nil {
		return err
	}
	d.Delegations = delegated.Data
	if err := c.readDelegates(d, page); err != nil {
		return err
	}
	if c.May(admins.SeeContacts) {
		seen, err := c.Devices.List(c.Context(), scope, users, page)
		if err != nil {
			return err
		}
		d.Devices = seen.Data
	}
	labeled, err := c.Attributes.OfUsers(c.Context(), scope, users)
	if err != nil {
		return err
	}
	d.Attributes = labeled[d.ID]
	defined, err := c.Attributes.List(c.Context(), scope, laurel.PageRequest{Limit: 1})
	d.HasAttributes = len(defined.Data) > 0
	return err
}

// readDelegates reads to whom the member's wallet has delegated.
func (c *call) readDelegates(d *memberData, page laurel.PageRequest) error {
	if d.Wallet == "" {
		return nil
	}
	filter := delegations.Filter{Delegators: []string{identity.NormalizeWallet(d.Wallet)}}
	given, err := c.Delegations.List(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	if err != nil {
		return err
	}
	ids := web.UniqueIDs(given.Data, func(d delegations.Delegation) laurel.ID { return d.UserID })
	people, err := c.ReadPeople(ids)
	for _, id := range ids {
		d.Delegates = append(d.Delegates, people[id])
	}
	return err
}

// unlinkData is the question before a member leaves its group.
type unlinkData struct{ parts.Person }

// confirmUnlink shows the page that asks before a member leaves its group.
func confirmUnlink(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-unlink", "Unlink this wallet?", unlinkData{member})
}

// unlinkMember takes a member out of its group.
func unlinkMember(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err == nil {
		err = c.Identity.LeaveGroup(c.Context(), c.Scope.At(c.Site.ID), member.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("members", member.ID), "Wallet unlinked. It keeps its balance.")
}

// delegationData is the question before a delegation is deleted.
type delegationData struct {
	parts.Person
	Delegation delegations.Delegation
}

// getDelegation returns the member and its delegation whose ids are in the path.
func (c *call) getDelegation() (delegationData, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return delegationData{}, err
	}
	id, err := c.PathID("delegation", "Delegation")
	if err != nil {
		return delegationData{}, err
	}
	d, err := c.Delegations.Get(c.Context(), c.Scope.At(c.Site.ID), id)
	if err == nil && d.UserID != member.ID {
		err = laurel.Missing("Delegation")
	}
	return delegationData{member, d}, err
}

// confirmDeleteDelegation shows the page that asks before a delegation is deleted.
func confirmDeleteDelegation(c *call) (web.View, error) {
	data, err := c.getDelegation()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-delegation-delete", "Delete this delegation?", data)
}

// deleteDelegation deletes a delegation to a member.
func deleteDelegation(c *call) (web.View, error) {
	data, err := c.getDelegation()
	if err == nil {
		_, err = c.Delegations.Delete(c.Context(), c.Scope.At(c.Site.ID), data.Delegation.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("members", data.ID), "Delegation deleted.")
}

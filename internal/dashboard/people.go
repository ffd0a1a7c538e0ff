package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
)

// person is a member as lists show one.
type person struct {
	ID      laurel.ID
	Name    string
	Wallet  string // empty: none, or not to be seen
	Blocked bool
	Profile identity.Metadata // zero where nothing is known
}

// wallet returns a wallet as the role may see it: some programs use e-mail addresses as wallets.
func (c *call) wallet(wallet string) string {
	if c.hides(wallet) {
		return ""
	}
	return wallet
}

// hides reports whether the role may not see a text because it looks like an e-mail address. What begins with @ is the
// name of an account elsewhere.
func (c *call) hides(text string) bool {
	return strings.LastIndex(text, "@") > 0 && !c.may(admins.SeeContacts)
}

// hideContacts takes from a profile what a role without the right does not see: e-mail and phone, also where they serve
// as a name or an id, and what the team has noted.
func (c *call) hideContacts(p *identity.Metadata) {
	if c.may(admins.SeeContacts) {
		return
	}
	p.EmailAddress, p.PhoneNumber, p.InternalNotes = nil, nil, nil
	for _, text := range []**string{
		&p.ExternalIdentifier, &p.DisplayName, &p.Bio, &p.Location, &p.MicroblogUser, &p.MessengerUsername,
		&p.ChatServerUser, &p.CodeHostUser, &p.GameStoreUsername,
	} {
		if *text != nil && c.hides(**text) {
			*text = nil
		}
	}
	if g := p.UserGroup; g != nil && g.ExternalIdentifier != nil && c.hides(*g.ExternalIdentifier) {
		p.UserGroup = nil
	}
}

// people reads the names and wallets of members of this website. Everybody who is asked for is in the answer.
func (c *call) people(ids []laurel.ID) (map[laurel.ID]person, error) {
	scope := c.scope.At(c.site.ID)
	out := map[laurel.ID]person{}
	for _, id := range ids {
		if !id.IsZero() {
			out[id] = person{ID: id}
		}
	}
	asked := make([]laurel.ID, 0, len(out))
	for id := range out {
		asked = append(asked, id)
	}
	if len(asked) == 0 {
		return out, nil
	}
	wallets, err := c.d.Identity.WalletsOf(c.Context(), scope, asked)
	if err != nil {
		return nil, err
	}
	known, err := c.d.Identity.MetadataOf(c.Context(), scope, asked)
	if err != nil {
		return nil, err
	}
	for id, p := range out {
		p.Wallet = c.wallet(wallets[id])
		if list := known[id]; len(list) > 0 {
			p.Profile = list[0]
			p.Blocked = p.Profile.IsBlocked && !p.Profile.IsBlockExempt
		}
		c.hideContacts(&p.Profile)
		p.Name = p.called()
		out[id] = p
	}
	return out, nil
}

// called is how a member is called: by its name, else by what tells it from others.
func (p person) called() string {
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

// money is the currencies of the website: those to choose from, and all that entries may name.
type money struct {
	Live []ledger.Currency
	ByID map[laurel.ID]ledger.Currency
}

// readMoney reads the currencies, ended ones and those of token rewards included.
func (c *call) readMoney() (money, error) {
	m := money{ByID: map[laurel.ID]ledger.Currency{}}
	for page := (laurel.PageRequest{Limit: 100}); ; {
		list, err := c.d.Ledger.ListCurrencies(c.Context(), c.scope.At(c.site.ID),
			ledger.CurrencyFilter{WithTokenRewards: true, WithDeleted: true}, page)
		if err != nil {
			return m, err
		}
		for _, currency := range list.Data {
			m.ByID[currency.ID] = currency
			if currency.DeletedAt.IsZero() && !currency.IsTokenRewardCurrency {
				m.Live = append(m.Live, currency)
			}
		}
		if !list.HasNextPage {
			return m, nil
		}
		page.StartingAfter = lastID(list, func(c ledger.Currency) laurel.ID { return c.ID })
	}
}

// named returns the name of a currency.
func (m money) named(id laurel.ID) string { return m.ByID[id].Name }

// chosen is the currency that a parameter of the address names among the live ones, else the first; zero without any.
func (m money) chosen(text string) ledger.Currency {
	for _, currency := range m.Live {
		if currency.ID.String() == text {
			return currency
		}
	}
	if len(m.Live) > 0 {
		return m.Live[0]
	}
	return ledger.Currency{}
}

// rulesOf reads rules by id, deleted ones included.
func (c *call) rulesOf(ids []laurel.ID) (map[laurel.ID]catalog.Rule, error) {
	out := map[laurel.ID]catalog.Rule{}
	for _, id := range ids {
		if _, seen := out[id]; seen || id.IsZero() {
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

// Person returns the member of a row, for templates: they see no embedded types of small letters by name.
func (p person) Person() person { return p }

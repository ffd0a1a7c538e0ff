package identity

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/platforms"
)

// LinkedAccount is an account elsewhere that a member's metadata name.
type LinkedAccount struct {
	Platform   string // a platform id, Email or Phone
	ID, Name   string // one of them may be ""
	VerifiedAt *laurel.Timestamp
}

// LinkedAccounts returns the accounts that the profile names: the e-mail address, the phone number, and those of
// platforms in the order of their ids. An account without VerifiedAt was written by a secret key, and nobody has proved
// it.
func (p Profile) LinkedAccounts() []LinkedAccount {
	var list []LinkedAccount
	for _, platform := range slices.Concat([]string{Email, Phone}, platforms.IDs()) {
		fields, _ := p.accountFields(platform)
		a := LinkedAccount{platform, orEmpty(fields.id), orEmpty(fields.name), *fields.verified}
		if a.ID != "" || a.Name != "" {
			list = append(list, a)
		}
	}
	return list
}

// LinkedAccount returns the account of a platform, of Email or of Phone that the profile names; ok is false if there is
// none.
func (p Profile) LinkedAccount(platform string) (a LinkedAccount, ok bool) {
	list := p.LinkedAccounts()
	i := slices.IndexFunc(list, func(a LinkedAccount) bool { return a.Platform == platform })
	if i < 0 {
		return LinkedAccount{}, false
	}
	return list[i], true
}

// RemoveAccountTexts removes the ids and names of accounts for which isHidden returns true: those on platforms, the
// e-mail address and the phone number.
func (p *Profile) RemoveAccountTexts(isHidden func(text string) bool) {
	for _, platform := range slices.Concat([]string{Email, Phone}, platforms.IDs()) {
		fields, _ := p.accountFields(platform)
		for _, field := range []**string{fields.id, fields.name} {
			if field != nil && *field != nil && isHidden(**field) {
				*field = nil
			}
		}
	}
}

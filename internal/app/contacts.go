package app

import (
	"cmp"
	"strings"

	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
)

// wireContacts makes the services by which members prove phone numbers and e-mail addresses.
func (a *App) wireContacts() {
	limits := a.identityFile.Limits
	if a.config.NoRateLimits {
		limits = nil
	}
	a.Messages = messages.New(messages.Config{
		DB: a.db, Now: a.db.Now, Client: outbound.New(outbound.Options{Trusted: true}), SMS: a.identityFile.SMS,
		Email: a.identityFile.Email, Limits: limits, Outbox: a.config.Dev || a.config.Outbox, Logger: a.log,
	})
	c := connect.ContactConfig{
		DB: a.db, Identity: a.Identity, Tenancy: a.Tenancy, Messages: a.Messages, Vault: a.vault,
		Base: strings.TrimSuffix(cmp.Or(a.config.PublicURL, a.config.Address), "/"),
		Life: a.identityFile.Lifetimes.PhoneCode,
	}
	a.Phones = connect.NewPhones(c)
	c.Life = a.identityFile.Lifetimes.EmailLink
	a.Emails = connect.NewEmails(c)
}

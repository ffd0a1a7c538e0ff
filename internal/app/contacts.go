package app

import (
	"laurel/internal/identity/connect"
	"laurel/internal/messages"
	"laurel/internal/outbound"
)

// wireContacts makes the services by which members prove phone numbers.
func (a *App) wireContacts() {
	limits := a.identityFile.Limits
	if a.config.NoRateLimits {
		limits = nil
	}
	a.Messages = messages.New(messages.Config{
		DB: a.db, Client: outbound.New(outbound.Options{Trusted: true}), SMS: a.identityFile.SMS, Email: a.identityFile.Email,
		Limits: limits, Outbox: a.config.Dev || a.config.Outbox, Logger: a.log,
	})
	a.Phones = connect.NewPhones(connect.ContactConfig{
		DB: a.db, Identity: a.Identity, Tenancy: a.Tenancy, Messages: a.Messages, Vault: a.vault,
		Life: a.identityFile.Lifetimes.PhoneCode,
	})
}

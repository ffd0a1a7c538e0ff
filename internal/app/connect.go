package app

import (
	"cmp"
	"strings"

	"laurel.example/laurel/internal/admins/sso"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// newFlows returns the flows in which members connect accounts. It calls no provider.
func (a *App) newFlows() *connect.Flows {
	own := outbound.New(outbound.Options{Trusted: true}) // calls the addresses of the operator's drivers
	return connect.NewFlows(connect.FlowsConfig{
		DB: a.db, Vault: a.vault, Identity: a.Identity, Tenancy: a.Tenancy,
		Drivers:   platforms.NewRegistry(a.identityFile.Drivers),
		Connector: platforms.NewConnector(own, a.db.Now),
		Lifetimes: a.identityFile.Lifetimes,
		Base:      strings.TrimSuffix(cmp.Or(a.config.PublicURL, a.config.Address), "/"),
		Logger:    a.log,
	})
}

// newSSO returns the sign-in of admins at the identity provider of the configuration; nil if there is none. It calls no
// provider.
func (a *App) newSSO() *sso.Service {
	if a.identityFile.Admins == nil {
		return nil
	}
	own := outbound.New(outbound.Options{Trusted: true})
	return sso.New(sso.Config{
		DB: a.db, Vault: a.vault, Admins: a.Admins, Connector: platforms.NewConnector(own, a.db.Now),
		Provider: a.identityFile.Admins, Base: strings.TrimSuffix(cmp.Or(a.config.PublicURL, a.config.Address), "/"),
		Logger: a.log,
	})
}

// Package sso signs admins in at an OpenID Connect provider of the operator: the configuration of the provider, and the
// flows in which browsers go there and come back. It does not own the admins and their identities (admins), nor how a
// provider is spoken to (platforms).
package sso

import (
	"cmp"

	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// Provider is the identity provider at which admins sign in.
type Provider struct {
	Label        string // name on buttons
	PasswordsOff bool   // admins sign in there alone
	TrustsPrompt bool   // it does not tell when people logged in: that it was asked to ask again is enough
	driver       platforms.Driver
}

// Issuer returns the address that names the provider, as identities have it.
func (p *Provider) Issuer() string { return p.driver.Issuer }

// Properties are those of the part admins of the operator's file.
var Properties = []string{
	"issuer", "clientId", "clientSecret", "label", "scopes", "tokenAuth", "passwordSignIn", "authTime",
}

const (
	defaultLabel = "single sign-on"
	maxLabel     = 50
	maxScopes    = 50
)

// ReadProvider reads the part admins of the operator's file:
//
//	{"issuer": "https://id.example.com", "clientId": "laurel", "clientSecret": "…", "label": "Example ID"}
func ReadProvider(o configfile.Object, guard *outbound.Guard) *Provider {
	p := &Provider{
		Label:        cmp.Or(o.Text("label"), defaultLabel),
		PasswordsOff: o.Has("passwordSignIn") && !o.Bool("passwordSignIn"),
		TrustsPrompt: o.Has("authTime") && !o.Bool("authTime"),
		driver: platforms.Driver{
			Platform: "admins", Kind: platforms.OIDC, Issuer: o.RequiredURL("issuer", guard),
			ClientID: o.RequiredText("clientId"), ClientSecret: o.Text("clientSecret"), Scopes: o.Texts("scopes", maxScopes),
			TokenAuth: o.Choice("tokenAuth", "basic", "post"), Mapping: platforms.Mapping{ID: "sub", Name: "name"},
		},
	}
	o.Faults().Text(o.Path("label"), p.Label, 1, maxLabel)
	if len(p.driver.Scopes) == 0 {
		p.driver.Scopes = []string{"openid", "profile", "email"}
	}
	return p
}

package connect

import (
	"log/slog"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
)

// Flows runs the flows in which members connect accounts of platforms: by a redirect to the provider (contract 8.1), or
// by a code in a public profile (8.2). It may be used by many goroutines.
type Flows struct {
	FlowsConfig
}

// FlowsConfig holds what NewFlows needs.
type FlowsConfig struct {
	DB        *store.DB
	Vault     *vault.Vault
	Identity  *identity.Service
	Tenancy   *tenancy.Service
	Drivers   *platforms.Registry
	Connector *platforms.Connector
	Lifetimes Lifetimes
	// Base is the public address of the service, with its prefix and without a slash at the end. Providers return browsers
	// to addresses below it.
	Base   string
	Logger *slog.Logger
}

// NewFlows returns the flows.
func NewFlows(c FlowsConfig) *Flows { return &Flows{c} }

// CallbackPath is the path to which the provider of a platform returns browsers, below the prefix.
func CallbackPath(platform string) string { return "/api/" + platform + "/auth/callback" }

// Callback returns the address to which the provider of a platform returns browsers.
func (s *Flows) Callback(platform string) string { return s.Base + CallbackPath(platform) }

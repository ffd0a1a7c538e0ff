package app

import (
	"laurel.example/laurel/internal/api"
	"laurel.example/laurel/internal/api/rest"
)

// services returns the services that handlers of the API and loaders of events share. Both check that none is missing.
func (a *App) services() api.Config {
	return api.Config{
		Config:        rest.Config{Tenancy: a.Tenancy, Identity: a.Identity, Logger: a.log},
		Vault:         a.vault,
		Phones:        a.Phones,
		Emails:        a.Emails,
		Ledger:        a.Ledger,
		Expiry:        a.Expiry,
		External:      a.External,
		Transactions:  a.Transactions,
		Reversals:     a.Reversals,
		Payouts:       a.Payouts,
		Rules:         a.Rules,
		Chains:        a.Chains,
		Completions:   a.Completions,
		Lists:         a.Lists,
		Referrals:     a.Referrals,
		Replays:       a.Replays,
		Functions:     a.Functions,
		Reset:         a.Reset,
		Schedule:      a.Schedule,
		Attributes:    a.Attributes,
		Proofs:        a.Proofs,
		Delegations:   a.Delegations,
		Devices:       a.Devices,
		Imports:       a.MemberImports,
		Engagement:    a.Engagement,
		Badges:        a.Badges,
		BadgeProgress: a.Awards.Progress,
		Content:       a.Content,
		Collections:   a.Collections,
		Pages:         a.Pages,
		Contracts:     a.Contracts,
		Holds:         a.Holds,
		Minting:       a.Minting,
		Auctions:      a.Auctions,
		Claims:        a.Claims,
		Flows:         a.Flows,
		Report:        a.Report,
		Webhooks:      a.Webhooks,
		LimitsOff:     a.config.NoRateLimits,
	}
}

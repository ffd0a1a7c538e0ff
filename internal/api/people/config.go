// Package people holds the operations on members: metadata, member tokens, referrals, multipliers, questions and
// streaks. It shapes requests and responses and decides nothing.
package people

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
	"laurel.example/laurel/internal/identity/proofs"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/referrals"
)

// Config holds what the operations need.
type Config struct {
	Caller *caller.Resolver

	Identity    *identity.Service
	Attributes  *attributes.Service
	Proofs      *proofs.Service
	Delegations *delegations.Service
	Devices     *devices.Service
	Engagement  *engagement.Service
	Ledger      *ledger.Service
	External    *external.Service
	Referrals   *referrals.Service
	Imports     *memberimports.Service
	Report      *report.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

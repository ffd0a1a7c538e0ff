// Package people holds the operations on members: metadata, member tokens, referrals, multipliers, questions and
// streaks. It shapes requests and responses and decides nothing.
package people

import (
	"laurel/internal/api/caller"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/identity/attributes"
	"laurel/internal/identity/delegations"
	"laurel/internal/identity/devices"
	"laurel/internal/identity/proofs"
	"laurel/internal/memberimports"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/referrals"
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

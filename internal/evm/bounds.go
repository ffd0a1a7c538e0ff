package evm

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/record"
)

// The bounds of properties that name what is on a blockchain: address of any network, account of an EVM network, and
// network. Addresses are stored as Normalize returns them. The names of networks are those of the process when it
// describes its API.
var (
	_ = record.Define("address", record.Bound[string]{
		Check: record.Identifier.Check, Normalize: Normalize, Keywords: record.Identifier.Keywords,
	})
	_ = record.Define("account", record.Bound[string]{
		Check:     record.Problem("must be 0x and 40 hexadecimal digits", IsAccount),
		Normalize: Normalize, Keywords: laurel.Keywords{"pattern": "^0x[0-9a-fA-F]{40}$"},
	})
	_ = record.Define("network", record.Bound[string]{
		Check:    record.Problem("must be a known network", IsKnownNetwork),
		Keywords: laurel.Keywords{"enum": Networks},
	})
)

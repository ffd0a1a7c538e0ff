package schema

import (
	"fmt"
	"slices"
)

// Family groups rule types in lists to choose from.
type Family string

// The families.
const (
	Engagement Family = "engagement" // what members do on the website itself
	Profile    Family = "profile"    // what members are, or have connected
	Social     Family = "social"     // what members do on social platforms
	Community  Family = "community"  // what members do in chats, forums, games and code hosts
	Commerce   Family = "commerce"   // what members buy, or do with a partner of the operator
	Onchain    Family = "onchain"    // what members' wallets hold or did
	Dapps      Family = "dapps"      // how the members' own applications fare
	Server     Family = "server"     // what the website's own server, lists or functions decide
)

// Families lists them in the order of lists to choose from.
var Families = []Family{Engagement, Profile, Social, Community, Commerce, Onchain, Dapps, Server}

// Provider is who reports whether a member has earned a rule, where the database does not know.
type Provider string

// The drivers.
const (
	NoProvider       Provider = ""
	PartnerProvider  Provider = "partner"  // whom the operator names
	FunctionProvider Provider = "function" // of the rule
)

// Kind is what is fixed of a rule type (contract 6). Package kinds declares every one of them.
type Kind struct {
	Type    Type
	Family  Family
	Title   string // as in a list to choose from
	Summary string // one sentence: what earns the reward

	OnCall            bool // I: completed by calls
	Scheduled         bool // S: runs on a cadence
	TriggeredByEvents bool // E: fed by events
	CheckedInByOthers bool // completions of other rules and entries may complete it too (contract 5.9)

	Provider           Provider // whom completions ask
	Platform           string   // the id of the platform of which it asks for a connected account; "" for none
	PerValue           bool     // may pay its amount for each unit of what was measured (contract 5.4, item 2)
	PaysByList         bool     // pays what stands on its list (contract 5.13)
	IgnoresMultipliers bool     // multipliers of members do not raise what it pays (contract 5.4)
}

var kinds = map[Type]Kind{}

// Declare adds a type. It belongs into the initialization of package kinds, and panics on a type that is there already.
func Declare(k Kind) {
	if _, known := kinds[k.Type]; known {
		panic(fmt.Sprintf("schema: rule type %s is declared twice", k.Type))
	}
	kinds[k.Type] = k
}

// Kind returns what is fixed of the type; the zero Kind of an unknown one.
func (t Type) Kind() Kind { return kinds[t] }

// IsKnown reports whether there is such a type.
func (t Type) IsKnown() bool { return kinds[t].Type != "" }

// TypeNames lists every rule type.
func TypeNames() []string {
	names := make([]string, 0, len(kinds))
	for t := range kinds {
		names = append(names, string(t))
	}
	slices.Sort(names)
	return names
}

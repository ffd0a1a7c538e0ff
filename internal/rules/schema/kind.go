package schema

import (
	"fmt"
	"slices"
)

// Family groups rule types in the lists from which people choose.
type Family string

// The families.
const (
	FamilyEngagement Family = "engagement" // what members do on the website itself
	FamilyProfile    Family = "profile"    // what members are, or have connected
	FamilySocial     Family = "social"     // what members do on social platforms
	FamilyCommunity  Family = "community"  // what members do in chats, forums, games and code hosts
	FamilyCommerce   Family = "commerce"   // what members buy, or do with a partner of the operator
	FamilyOnchain    Family = "onchain"    // what members' wallets hold or did
	FamilyDapps      Family = "dapps"      // how members' own applications perform
	FamilyServer     Family = "server"     // what the website's own server, lists or functions decide
)

// Families lists the families in their order on forms.
var Families = []Family{
	FamilyEngagement, FamilyServer, FamilyCommerce, FamilyProfile, FamilySocial, FamilyCommunity, FamilyOnchain,
	FamilyDapps,
}

// Provider is the kind of provider that verifies whether a member has earned a rule, for rules that the database cannot
// decide.
type Provider string

// The drivers.
const (
	NoProvider       Provider = ""
	PartnerProvider  Provider = "partner"  // a system that the operator has configured
	FunctionProvider Provider = "function" // the function that the rule refers to
	PlatformProvider Provider = "platform" // the platform on which members have accounts
	ChainProvider    Provider = "chain"    // blockchains, read by the nodes that the operator has configured
	UsageProvider    Provider = "usage"    // how contracts are used, read by the same nodes
	HistoryProvider  Provider = "history"  // the past of blockchains: what wallets did since the run before
	PoolProvider     Provider = "pool"     // what wallets have put into pools on blockchains, read by the same nodes
)

// ReadsChain reports whether the provider reads blockchains.
func (p Provider) ReadsChain() bool {
	return p == ChainProvider || p == UsageProvider || p == HistoryProvider || p == PoolProvider
}

// Kind holds what a rule type fixes for its rules (contract 6). Package ruletypes declares the kinds.
type Kind struct {
	Type    Type
	Family  Family
	Title   string // the name on forms
	Summary string // one sentence that says what earns the reward

	OnCall            bool // I: calls complete it
	Scheduled         bool // S: it may have runs on a schedule
	TriggeredByEvents bool // E: events of subscriptions may trigger it
	CheckedInByOthers bool // completions of other rules and entries may complete it, too (contract 5.9)

	Provider           Provider // verifies its completions
	Platform           string   // the platform on which members need a connected account; "" for none
	PerValue           bool     // may pay its amount per unit of the measured value (contract 5.4, item 2)
	PerRangeValue      bool     // may pay its amount per unit of the rangeValue of the call (contract 1.11)
	PerAction          bool     // may pay its amount per action that the provider counts (contract 5.4, item 2)
	PerUnit            bool     // may pay its amount per token or batch that is held (contract 5.4, item 2)
	PerArgument        bool     // may multiply its amount by an argument of an event or call (contract 6)
	WindowPerTier      bool     // each tier of its range is a window of its own (contract 5.3)
	PaysByList         bool     // pays the amounts on its list (contract 5.13)
	IgnoresMultipliers bool     // members' multipliers do not raise its reward (contract 5.4)
}

var kinds = map[Type]Kind{}

// Declare adds a rule type. Package ruletypes calls it during initialization. It panics if the type is declared
// already.
func Declare(k Kind) {
	if _, known := kinds[k.Type]; known {
		panic(fmt.Sprintf("schema: rule type %s is declared twice", k.Type))
	}
	kinds[k.Type] = k
}

// Kind returns the kind of the type; the zero Kind for an unknown type.
func (t Type) Kind() Kind { return kinds[t] }

// IsKnown reports whether the type is declared.
func (t Type) IsKnown() bool { return kinds[t].Type != "" }

// TypeNames returns the names of all rule types in ascending order.
func TypeNames() []string {
	names := make([]string, 0, len(kinds))
	for t := range kinds {
		names = append(names, string(t))
	}
	slices.Sort(names)
	return names
}

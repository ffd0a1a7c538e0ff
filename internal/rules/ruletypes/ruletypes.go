// Package ruletypes owns the rule types (contract 6), mostly one file each: the name and texts of a type, what
// completes it, what it checks, and what its completions read, lock and write in addition to what all completions do.
// It does not own the pipeline of completions (completion), nor the order of the checks (decision).
package ruletypes

import (
	"slices"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// Kind describes one rule type.
type Kind struct {
	schema.Kind
	Decision *decision.Kind // nil: this version does not know the type
	// NewStep returns the step of a completion of the type; nil if there is none. It may depend on the rule: a rule with
	// a shared code redeems no codes of its own.
	NewStep func(d *Deps, c *Case) *Step
	// Profile says that the type looks at the member's profile and accounts, and which accounts earn it.
	Profile *Profile
	// RunsOverAllMembers says that runs of the type consider every member of the website: the database or a provider
	// decides. Other scheduled types consider their own list.
	RunsOverAllMembers bool
}

// Profile says which connected accounts of a member and its group earn a rule. An account earns a rule once per window,
// even if another member connects it.
type Profile struct {
	// Names returns the names of one member's account; none if the member has no account. nil: no account matters.
	Names func(m *identity.Connections) []string
	// GroupIsOneAccount says that the names of the whole group are one account.
	GroupIsOneAccount bool
}

// All lists every rule type. To add one, write its file and add its variable here.
var All = declareInSchema(slices.Concat([]Kind{
	external, bonus, checkIn, codeEntry, textInput, linkClick, quiz, poll,
	profileCompleted, connectWallet, connectedEmail, connectedPhone, connectedMicroblog, microblogLike,
	referredUser, pointsAirdrop, manualUpload, shopSpend, stratusFunction,
	contractEvent,
}, holdKinds, historyKinds, platformKinds, partnerKinds, microblogKinds, mediaKinds, communityKinds, dappKinds,
	liquidityKinds))

var byType = indexByType(All)

// declareInSchema registers the types in schema, for the packages below this one.
func declareInSchema(all []Kind) []Kind {
	for _, k := range all {
		schema.Declare(k.Kind)
	}
	return all
}

// indexByType returns the types by name.
func indexByType(all []Kind) map[schema.Type]*Kind {
	out := make(map[schema.Type]*Kind, len(all))
	for i := range all {
		out[all[i].Type] = &all[i]
	}
	return out
}

// KindOf returns the kind of a type. An unknown type, which a newer node may have given to a rule, gets a kind that
// nothing completes.
func KindOf(t schema.Type) *Kind {
	if k := byType[t]; k != nil {
		return k
	}
	return &Kind{Kind: schema.Kind{Type: t}}
}

// AccountNames returns the names of the member's account that earns the rule; none if there is none, or no account
// matters.
func (k *Kind) AccountNames(m *identity.Connections) []string {
	if k.Profile == nil || k.Profile.Names == nil {
		return nil
	}
	return k.Profile.Names(m)
}

// AsksProvider reports whether rules of the type need a provider to verify members.
func (k *Kind) AsksProvider() bool { return k.Provider != schema.NoProvider }

// AsksProviderOneByOne reports whether each question about a member is a call of its own. Questions to blockchains that
// come at once share calls, and how contracts are used is known before a member is asked about.
func (k *Kind) AsksProviderOneByOne() bool {
	return k.AsksProvider() && !k.Provider.ReadsChain()
}

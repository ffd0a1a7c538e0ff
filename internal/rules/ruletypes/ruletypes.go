// Package ruletypes owns the rule types (contract 6), one file each: what a type is called and completed by, what it
// asks, and what its completions read, lock and change beside what all completions share. It does not own the pipeline
// that completions take (completion), nor the order of the checks (decision).
package ruletypes

import (
	"slices"

	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// Kind is one rule type.
type Kind struct {
	schema.Kind
	Decision *decision.Kind // nil: nothing completes the type yet
	// NewStep makes what one completion of the type has to do with beside what all have; nil: nothing. The rule decides
	// whether there is anything, as a rule of codes that everybody may use redeems none.
	NewStep func(d *Deps, c *Case) Step
	// Profile says that the type looks at the member's profile and accounts, and by which of them it is earned.
	Profile *Profile
	// RunsOverAllMembers says that runs of the type look at every member of the website: what they go by is in the
	// database, or is asked of a provider. Other scheduled types look at their own list, or are not run yet.
	RunsOverAllMembers bool
}

// Profile is how a type goes by the accounts of a member and its group. An account earns a rule once per window,
// whoever holds it.
type Profile struct {
	// Names returns by what an account of one member is known; none: the member has none. nil: no account matters.
	Names func(m *identity.Connections) []string
	// GroupIsOneAccount says that the names of the whole group are one account.
	GroupIsOneAccount bool
}

// All lists every rule type. To add one, write its file and name it here.
var All = declareInSchema(slices.Concat([]Kind{
	external, bonus, checkIn, codeEntry, textInput, linkClick, quiz, poll,
	profileCompleted, connectWallet, connectedEmail, connectedPhone, connectedMicroblog, microblogLike,
	referredUser, pointsAirdrop, manualUpload, shopSpend, stratusFunction,
}, connectedPlatforms, partnerTypes, unbuilt))

var byType = indexByType(All)

// declareInSchema makes the types known to the packages below this one.
func declareInSchema(all []Kind) []Kind {
	for _, k := range all {
		schema.Declare(k.Kind)
	}
	return all
}

func indexByType(all []Kind) map[schema.Type]*Kind {
	out := make(map[schema.Type]*Kind, len(all))
	for i := range all {
		out[all[i].Type] = &all[i]
	}
	return out
}

// KindOf returns the kind of a type. Nothing completes one that is unknown, as where a newer node has made a rule of
// it.
func KindOf(t schema.Type) *Kind {
	if k := byType[t]; k != nil {
		return k
	}
	return &Kind{Kind: schema.Kind{Type: t}}
}

// AccountNames returns by what an account of the member is known by which the rule is earned; none: it has none, or no
// account matters.
func (k *Kind) AccountNames(m *identity.Connections) []string {
	if k.Profile == nil || k.Profile.Names == nil {
		return nil
	}
	return k.Profile.Names(m)
}

// AsksProvider reports whether a provider answers for the members of rules of the type.
func (k *Kind) AsksProvider() bool { return k.Provider != schema.NoProvider }

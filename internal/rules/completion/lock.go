package completion

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// usualLocks is how many locks most completions need.
const usualLocks = 16

// Locks returns the locks of all rows that judge reads and the payment changes: the rule, the person, the rule states,
// the caller's key, the windows, the accounts, and those of the steps, of the check-ins that it triggers and of its
// post.
func (p *plan) Locks() []store.Lock {
	locks := append(
		append(make([]store.Lock, 0, usualLocks), p.Person.Locks()...),
		catalog.Versions.Lock(p.Rule.ID),
		progress.States.Lock(p.StateKey()),
		progress.States.Lock(p.OwnStateKey()),
	)
	locks = append(locks, progress.StateLocks(p.Rule.ID, p.claimants())...)
	for _, k := range p.keyIDs() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	lockWindow := progress.PaidWindows.Lock
	if p.presumesUnpaidWindow() {
		lockWindow = progress.PaidWindows.LockPresumedAbsent
	}
	for _, k := range p.paidWindowKeys() {
		locks = append(locks, lockWindow(k))
	}
	for _, s := range p.steps {
		if s.Locks != nil {
			locks = append(locks, s.Locks(&p.Case)...)
		}
	}
	locks = append(locks, p.posting(decision.Reward{}, true).Locks()...) // of any reward in the rule's currency
	for _, c := range p.checkIns {
		locks = append(locks, c.Locks()...)
	}
	if p.post != nil {
		locks = append(locks, p.post.Locks()...)
	}
	return locks
}

// presumesUnpaidWindow reports whether the row of the paid window may be locked on the presumption that it does not
// exist, which saves reading it. If the presumption fails, the unique key of the row stops the batch. The presumption
// needs a window that the rule state shows as paid, too: the windows of codes, for example, have only their rows.
func (p *plan) presumesUnpaidWindow() bool {
	return p.mayPresumePerson() && p.Trigger.Moment.IsZero() && p.post == nil && !p.IsClaim() &&
		!p.Rule.Meta().ResetProgressOnClaim &&
		!slices.ContainsFunc(p.steps, func(s *ruletypes.Step) bool { return s.Window != nil })
}

// claimants returns the members of the group that claims; nil if this is no claim or the member has no group. The
// eligibility that runs found for them before they joined is claimed along with that of the group.
func (p *plan) claimants() []laurel.ID {
	switch {
	case !p.IsClaim():
		return nil
	case p.Accepted != nil:
		return p.Accepted.Claimants
	}
	return p.Person.Group
}

// reserve sets the guards of the post, if there is one: the names that keep two open posts from paying the same.
func (s *Service) reserve(ctx context.Context, p *plan) error {
	if p.post == nil {
		return nil
	}
	var wallets []string // of the group
	if !p.Person.GroupID.IsZero() {
		var err error
		if wallets, err = s.people.WalletsOfGroup(ctx, p.Scope, p.Person.GroupID); err != nil {
			return err
		}
	}
	post := *p.post // the caller's stays as it is
	post.Guards = p.reservations(wallets)
	p.post = &post
	return nil
}

// reservations returns the names that the completion reserves while it waits for the external ledger, so that nothing
// is paid twice: the rule for this member, for the member's wallet and for each member and wallet of the group, the
// connected accounts that could earn the rule, and the code. They are stored as the guards of the post.
func (p *plan) reservations(walletsOfGroup []string) []string {
	prefix := "rule " + p.Rule.ID.String() + " "
	out := external.GuardsOf(p.post.Request, p.keyIDs()...)
	out = append(out, prefix+"subject "+p.Person.Subject().String())
	if p.Person.Wallet != "" { // the id of a new user is not final yet
		out = append(out, prefix+"wallet "+p.Person.Wallet)
	}
	for _, member := range p.Person.Group { // members may leave the group meanwhile
		out = append(out, prefix+"subject "+member.String())
	}
	for _, wallet := range walletsOfGroup { // posts of users who were new then reserve their wallets
		out = append(out, prefix+"wallet "+wallet)
	}
	for _, s := range p.steps {
		if s.Reservations != nil {
			for _, name := range s.Reservations(&p.Case) {
				out = append(out, prefix+name)
			}
		}
	}
	return out
}

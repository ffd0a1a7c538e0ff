package completion

import (
	"cmp"
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// profileStep reads what the rule looks at in the member's profile and in the accounts that the member and its group
// have connected (contract 5.16). An account earns a rule once per window, even if another member connects it, so it
// has a rule state of its own.
type profileStep struct {
	*Service
	accounts      [][]progress.StateKey // the accounts that could earn the rule, the member's own first
	connected     []progress.StateKey   // all accounts, before a platform has verified one of them
	unusedAccount []progress.StateKey   // the first of them that may still earn the rule, as addLockedFacts has found
}

// newProfileStep returns the step of rules that look at the profile or accounts of members.
func newProfileStep(s *Service) *ruletypes.Step {
	step := &profileStep{Service: s}
	return &ruletypes.Step{
		IsRequirement: true, Prepare: step.prepare, PrepareVerified: step.prepareVerified,
		UnlockedFacts: step.addUnlockedFacts, Locks: step.locks,
		Accounts: step.accountKeys, Reservations: step.reservations, LockedFacts: step.addLockedFacts, Apply: step.markPaid,
	}
}

// needsProfile reports whether the rule looks at the profile or accounts of members.
func needsProfile(r *catalog.Rule) bool {
	meta := r.Meta()
	return ruletypes.KindOf(r.Type).Profile != nil || meta.HasVerifiedMicroblog || meta.EnableVerifiedMultiplier
}

// prepare reads the profiles and connected accounts of the member and its group into the prepared facts. It sets
// s.accounts to the rule states of the accounts that could earn the rule.
func (s *profileStep) prepare(ctx context.Context, c *ruletypes.Case) error {
	s.accounts, s.connected = nil, nil
	connections, err := s.people.PersonProfile(ctx, c.Scope, c.Person)
	if err != nil {
		return err
	}
	platform := cmp.Or(c.Kind.Platform, schema.Microblog)
	p := decision.Profile{Fields: connections.FilledFields(), PlatformLabel: s.people.Label(platform)}
	var groupNames []string
	for _, member := range connections.Members {
		addToProfile(&p, &member, platform)
		switch names := c.Kind.AccountNames(&member); {
		case len(names) == 0: // no account
		case c.Kind.Profile.GroupIsOneAccount:
			groupNames = append(groupNames, names...)
		default:
			s.accounts = append(s.accounts, accountStateKeys(c, names))
		}
	}
	if len(groupNames) > 0 {
		s.accounts = append(s.accounts, accountStateKeys(c, groupNames))
	}
	c.PreparedFacts.Profile = p
	if ruletypes.HasWindowPerTier(c) { // until the tier is known no account has earned it
		s.accounts = nil
	}
	s.connected = slices.Concat(s.accounts...)
	return nil
}

// prepareVerified replaces the accounts by the one that the platform has verified. Where each tier is a window of its
// own, the account has a rule state for each tier.
func (s *profileStep) prepareVerified(_ context.Context, c *ruletypes.Case) error {
	names := slices.Clone(c.PreparedFacts.Verdict.AccountNames)
	if len(names) == 0 {
		return nil
	}
	if tier := ruletypes.TierWindow(c); tier != "" {
		for i := range names {
			names[i] += " " + tier
		}
	}
	s.accounts = [][]progress.StateKey{accountStateKeys(c, names)}
	return nil
}

// addToProfile adds the accounts, addresses and wallets of one member to the facts of its group.
func addToProfile(p *decision.Profile, member *identity.Connections, platform string) {
	_, connected := member.Accounts()[platform]
	email, emailVerified := member.Email()
	phone, phoneVerified := member.Phone()
	p.HasAccount = p.HasAccount || connected
	p.EmailSet, p.EmailVerified = p.EmailSet || email != "", p.EmailVerified || email != "" && emailVerified
	p.PhoneVerified = p.PhoneVerified || phone != "" && phoneVerified
	p.Wallets = append(p.Wallets, member.ProvenWalletTypes()...)
	if microblog := member.Profile; microblog.MicroblogUserID != nil {
		p.HasVerifiedMark = p.HasVerifiedMark || microblog.MicroblogVerifiedAccount
		if n := microblog.MicroblogFollowersCount; n != nil {
			p.Followers = max(p.Followers, identity.AmountOfCount(*n))
		}
	}
	p.IsCustomer = p.IsCustomer || len(member.CustomerNames()) > 0
}

// accountStateKeys returns the keys of an account's rule state, one for each of its names.
func accountStateKeys(c *ruletypes.Case, names []string) []progress.StateKey {
	return progress.AccountKeys(c.Rule.ID, c.Scope.WebsiteID, names)
}

// locks returns the locks of the rule states of all accounts.
func (s *profileStep) locks(c *ruletypes.Case) []store.Lock {
	var locks []store.Lock
	for _, k := range s.allKeys() {
		locks = append(locks, progress.States.Lock(k))
	}
	return locks
}

// addLockedFacts sets unusedAccount to the first account that may still earn the rule. If there are accounts and none
// may, it sets AccountPaid, which refuses the completion.
func (s *profileStep) addLockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	s.unusedAccount = nil
	eligibleAt := claimableEligibility(c, progress.States.Row(b, c.StateKey()))
	for _, keys := range s.accounts {
		open := !slices.ContainsFunc(
			keys,
			func(k progress.StateKey) bool {
				return !accountMayEarn(c, progress.States.Row(b, k), eligibleAt, b.Now())
			},
		)
		if open {
			s.unusedAccount = keys
			return
		}
	}
	f.Profile.AccountPaid = len(s.accounts) > 0
	if f.Profile.AccountPaid {
		earner := laurel.ID{}
		for _, k := range s.accounts[0] {
			if state := progress.States.Row(b, k); !accountMayEarn(c, state, eligibleAt, b.Now()) {
				earner = state.UserID
			}
		}
		f.Profile.SharedAccountLabel = s.sharedAccountLabel(c, earner)
	}
}

// sharedAccountLabel returns the display name of the platform if the account has earned the rule for a user outside the
// group; "" otherwise, and for types without accounts.
func (s *profileStep) sharedAccountLabel(c *ruletypes.Case, earner laurel.ID) string {
	if earner.IsZero() || earner == c.Person.UserID || slices.Contains(c.Person.Group, earner) {
		return ""
	}
	switch {
	case c.Kind.Platform != "":
		return s.people.Label(c.Kind.Platform)
	case c.Rule.Type == schema.TypeConnectedEmail:
		return "Email"
	case c.Rule.Type == schema.TypeConnectedPhone:
		return "Phone"
	}
	return ""
}

// addUnlockedFacts sets AccountPaid if there are accounts and none may still earn the rule, read without locks. It
// notes those that may not.
func (s *profileStep) addUnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	own, err := s.deps.Loaders.State(ctx, c.StateKey())
	if err != nil {
		return err
	}
	c.UsedAccounts = nil
	var earner laurel.ID // of the first account
	for i, keys := range s.accounts {
		for _, k := range keys {
			state, err := s.deps.Loaders.State(ctx, k)
			if err != nil {
				return err
			}
			if accountMayEarn(c, &state, claimableEligibility(c, &own), c.DecisionTime(s.db.Now())) {
				continue
			}
			if c.UsedAccounts = append(c.UsedAccounts, keys[0]); i == 0 {
				earner = state.UserID
			}
			break
		}
	}
	if f.Profile.AccountPaid = len(s.accounts) > 0 && len(c.UsedAccounts) == len(s.accounts); f.Profile.AccountPaid {
		f.Profile.SharedAccountLabel = s.sharedAccountLabel(c, earner)
	}
	return nil
}

// claimableEligibility returns when a run found the member eligible for what it may claim; nil: nothing can be claimed.
func claimableEligibility(c *ruletypes.Case, own *progress.State) *int64 {
	if own.Progress == nil {
		return nil
	}
	return c.ClaimEligibleAt(own)
}

// accountMayEarn reports whether a connected account, by its rule state, may earn the rule with this completion. It may
// unless it was paid for the same before:
//
//   - For a claim: since the run found the member eligible. If no run did (eligibleAt is nil), the account may earn
//     it, and the missing progress refuses the claim.
//   - For a run or an event: for its moment or a later one.
//   - With a custom interval: within the interval before now.
//   - Otherwise: in the present window of the calendar.
//
// WindowPaidAt is the last moment for which the account was paid. If every payment opens the rule again
// (resetProgressOnClaim), it is not set, and only LastPaidAt shows for claims that the account was paid.
func accountMayEarn(c *ruletypes.Case, account *progress.State, eligibleAt *int64, now time.Time) bool {
	if ruletypes.HasWindowPerTier(c) { // the account has a rule state for each tier
		return account.LastPaidAt == nil || c.Rule.Meta().ResetProgressOnClaim
	}
	if c.IsClaim() {
		paid := progress.Later(account.LastPaidAt, account.WindowPaidAt)
		return eligibleAt == nil || paid == nil || *paid < *eligibleAt
	}
	if !c.IsCallOrCheckIn() { // the window is the moment of the run or event
		return account.WindowPaidAt == nil || *account.WindowPaidAt < store.Micros(c.Trigger.Moment)
	}
	meta := c.Rule.Meta()
	if seconds := meta.CustomIntervalSeconds; c.Rule.Interval == schema.IntervalCustom && seconds != nil &&
		account.LastPaidAt != nil &&
		!meta.ResetProgressOnClaim {
		return !now.Before(store.Time(*account.LastPaidAt).Add(time.Duration(*seconds) * time.Second))
	}
	_, open := account.WindowAt(c.Rule.Interval, now)
	return open
}

// markPaid sets, in the rule state of the account that earns the rule, the moment up to which the account is paid. That
// is PaidUpTo; or, for a claim whose reward is not measured, the moment of the run that found the member eligible.
// Callers never see that row as a status.
func (s *profileStep) markPaid(b *store.Batch, c *ruletypes.Case, _ *ruletypes.Payment) error {
	opensAgain := c.Rule.Meta().ResetProgressOnClaim // the rule, with each payment
	eligibleAt := c.ClaimEligibleAt(progress.States.Row(b, c.StateKey()))
	if opensAgain && !c.Kind.AsksProvider() && eligibleAt == nil {
		return nil // the account may earn the rule again at once, and no provider needs to know since when it was paid
	}
	now, paidUpTo := store.Micros(b.Now()), c.PaidUpTo(b)
	if eligibleAt != nil && !c.Rule.Meta().IsMeasured(c.Rule.Type) {
		paidUpTo = *eligibleAt // a later run, before the claim was made, may have found the account for a claim of its own
	}
	for _, k := range s.unusedAccount {
		state := progress.States.Changed(b, k)
		state.Init(b, c.Scope)
		state.UpdatedAt, state.LastPaidAt, state.UserID = now, progress.Later(state.LastPaidAt, &paidUpTo), c.Person.UserID
		if !opensAgain { // else the window stays open, and LastPaidAt keeps what was done from paying twice
			state.WindowPaidAt = progress.Later(state.WindowPaidAt, &paidUpTo)
		}
	}
	return nil
}

// accountKeys returns the rule states of all connected accounts. They stay the same once the platform has verified one
// of them, since the time that a question is about depends on them.
func (s *profileStep) accountKeys() []progress.StateKey { return s.connected }

// allKeys returns the rule states of all accounts, the verified one included, each once.
func (s *profileStep) allKeys() []progress.StateKey {
	all := slices.Clone(s.connected)
	for _, k := range slices.Concat(s.accounts...) {
		if !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}

// reservations names the accounts, for the post to an external ledger.
func (s *profileStep) reservations(*ruletypes.Case) []string {
	var out []string
	for _, k := range s.allKeys() {
		out = append(out, "account "+k.Subject.String())
	}
	return out
}

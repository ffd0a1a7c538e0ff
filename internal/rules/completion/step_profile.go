package completion

import (
	"cmp"
	"context"
	"slices"
	"time"

	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// profileStep: what the rule asks of the member's profile and of the accounts that it and its group have connected
// (contract 5.16), read when the call is prepared. An account earns a rule once per window, whoever holds it: it has a
// memory of its own, as members do.
type profileStep struct {
	*Service
	accounts      [][]progress.StateKey // by which the rule could be earned, the member's own first: the memory of each
	unusedAccount []progress.StateKey   // the one by which it is
}

// needsProfile reports whether the rule looks at the profile or accounts of members.
func needsProfile(r *catalog.Rule) bool {
	meta := r.Meta()
	return ruletypes.KindOf(r.Type).Profile != nil || meta.HasVerifiedMicroblog || meta.EnableVerifiedMultiplier
}

func (s *profileStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	s.accounts = nil
	known, err := s.people.Standing(ctx, c.Scope, c.Person)
	if err != nil {
		return err
	}
	platform := cmp.Or(c.Kind.Platform, schema.Microblog)
	p := decision.Profile{Fields: known.Fields(), PlatformLabel: s.people.Label(platform)}
	var together []string
	for _, member := range known.Members {
		_, connected := member.Accounts()[platform]
		email, emailVerified := member.Email()
		phone, phoneVerified := member.Phone()
		p.HasAccount = p.HasAccount || connected
		p.EmailSet, p.EmailVerified = p.EmailSet || email != "", p.EmailVerified || email != "" && emailVerified
		p.PhoneVerified = p.PhoneVerified || phone != "" && phoneVerified
		p.Wallets = append(p.Wallets, member.Proven()...)
		if microblog := member.Profile; microblog.MicroblogUserID != nil {
			p.HasVerifiedMark = p.HasVerifiedMark || microblog.MicroblogVerifiedAccount
			if n := microblog.MicroblogFollowersCount; n != nil {
				p.Followers = max(p.Followers, identity.Count(*n))
			}
		}
		p.IsCustomer = p.IsCustomer || len(member.CustomerNames()) > 0
		switch names := c.Kind.AccountNames(&member); {
		case len(names) == 0:
		case c.Kind.Profile.GroupIsOneAccount:
			together = append(together, names...)
		default:
			s.accounts = append(s.accounts, accountStateKeys(c, names))
		}
	}
	if len(together) > 0 {
		s.accounts = append(s.accounts, accountStateKeys(c, together))
	}
	c.PreparedFacts.Profile = p
	return nil
}

// accountStateKeys names the memory of an account, one for each of its names.
func accountStateKeys(c *ruletypes.Case, names []string) []progress.StateKey {
	return progress.AccountKeys(c.Rule.ID, c.Scope.WebsiteID, names)
}

func (s *profileStep) Locks(c *ruletypes.Case) []store.Lock {
	var locks []store.Lock
	for _, keys := range s.accounts {
		for _, k := range keys {
			locks = append(locks, progress.States.Lock(k))
		}
	}
	return locks
}

func (s *profileStep) LockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	s.unusedAccount = nil
	found := claimableSince(c, progress.States.Row(b, c.StateKey()))
	for _, keys := range s.accounts {
		open := !slices.ContainsFunc(
			keys,
			func(k progress.StateKey) bool { return !accountMayEarn(c, progress.States.Row(b, k), found, b.Now()) },
		)
		if open {
			s.unusedAccount = keys
			return
		}
	}
	f.Profile.AccountPaid = len(s.accounts) > 0
}

func (s *profileStep) UnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	own, err := s.deps.Loaders.State(ctx, c.StateKey())
	if err != nil {
		return err
	}
	for _, keys := range s.accounts {
		open := true
		for _, k := range keys {
			sub, err := s.deps.Loaders.State(ctx, k)
			if err != nil {
				return err
			}
			open = open && accountMayEarn(c, &sub, claimableSince(c, &own), c.DecisionTime(s.db.Now()))
		}
		if open {
			return nil
		}
	}
	f.Profile.AccountPaid = len(s.accounts) > 0
	return nil
}

// claimableSince is up to when the run looked that found what the member may claim; nil: nothing, which progress tells.
func claimableSince(c *ruletypes.Case, own *progress.State) *int64 {
	if own.Progress == nil {
		return nil
	}
	return c.ClaimedEligibility(own)
}

// accountMayEarn reports whether the account has not earned the rule in the present window, or by a claim of what the
// same run found.
func accountMayEarn(c *ruletypes.Case, s *progress.State, found *int64, now time.Time) bool {
	if c.IsClaim() {
		paid := progress.Later(s.LastPaidAt, s.WindowPaidAt)
		return found == nil || paid == nil || *paid < *found
	}
	if !c.IsCallOrCheckIn() { // the window is the run's time
		return s.WindowPaidAt == nil || *s.WindowPaidAt < store.Micros(c.Trigger.Moment)
	}
	meta := c.Rule.Meta()
	if seconds := meta.CustomIntervalSeconds; c.Rule.Interval == schema.IntervalCustom && seconds != nil &&
		s.LastPaidAt != nil &&
		!meta.ResetProgressOnClaim {
		return !now.Before(store.Time(*s.LastPaidAt).Add(time.Duration(*seconds) * time.Second))
	}
	_, open := s.WindowAt(c.Rule.Interval, now)
	return open
}

// paid remembers that the account has earned the rule. The row is no status of anybody.
func (s *profileStep) Apply(b *store.Batch, c *ruletypes.Case, _ decision.Reward) error {
	reset := c.Rule.Meta().ResetProgressOnClaim
	found := c.ClaimedEligibility(progress.States.Row(b, c.StateKey()))
	if reset && !c.Kind.AsksProvider() && found == nil {
		return nil
	}
	now, at := store.Micros(b.Now()), c.PaidUpTo(b)
	// a later run may have found the account before the claim was made
	if found != nil && !c.Rule.Meta().IsMeasured(c.Rule.Type) {
		at = *found
	}
	for _, k := range s.unusedAccount {
		sub := progress.States.Changed(b, k)
		sub.Init(b, c.Scope)
		sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, progress.Later(sub.LastPaidAt, &at), c.Person.UserID
		if !reset { // the window stays open, and yet nothing is paid for twice
			sub.WindowPaidAt = progress.Later(sub.WindowPaidAt, &at)
		}
	}
	return nil
}

func (s *profileStep) AccountStateKeys() []progress.StateKey { return slices.Concat(s.accounts...) }

func (s *profileStep) Reservations(*ruletypes.Case) []string {
	var out []string
	for _, k := range s.AccountStateKeys() {
		out = append(out, "account "+k.Subject.String())
	}
	return out
}

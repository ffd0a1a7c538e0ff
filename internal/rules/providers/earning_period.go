package providers

import (
	"reflect"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// EarningPeriod determines from which moment on a member's actions count for a rule.
type EarningPeriod struct {
	Rule      *schema.Properties
	Until     time.Time
	IsRun     bool
	LastRunAt time.Time // the last complete run; zero in calls and in the first run
	IsClaim   bool      // the member claims a reward for which a run has found it eligible
	// CountsFrom, if set, is from when on actions count, in place of the start of the rule.
	CountsFrom   time.Time
	ProgressKeys []progress.StateKey // the rule states of the member and of its connected accounts
}

// Since returns the moment from which on a member's actions count: for a run, the time of the run before it; for a call
// that is no claim, the start of the window. It is never before the start of the rule or the last payment, so that
// nothing is paid twice, even after a run that broke off or a change of the rule. The zero time means that all actions
// count. loadState returns the rule state of a key.
func (s EarningPeriod) Since(loadState func(progress.StateKey) (*progress.State, error)) (time.Time, error) {
	from := s.CountsFrom
	if start := s.Rule.StartTime; start != nil && from.IsZero() {
		from = start.Time
	}
	from = laterOf(from, s.LastRunAt)
	if !s.IsRun && !s.IsClaim && !s.Rule.Meta().ResetProgressOnClaim {
		from = laterOf(from, schema.WindowStart(s.Rule.Interval, s.Until))
	}
	for _, key := range s.ProgressKeys {
		state, err := loadState(key)
		if err != nil {
			return from, err
		}
		isClaimable := state.EligibleAt != nil && state.Progress != nil && *state.Progress >= s.Rule.Target()
		if s.IsRun && s.Rule.IsClaimedByCall() && isClaimable {
			// The member may claim already, and its payment may be pending at an external ledger.
			from = laterOf(from, store.Time(*state.EligibleAt))
		}
		if paid := paidUpTo(state); paid.After(s.Until) { // a claim or a later run has paid: nothing is left for this run
			from = laterOf(from, s.Until)
		} else {
			from = laterOf(from, paid)
		}
	}
	return from.Truncate(time.Millisecond), nil
}

// paidUpTo returns the moment up to which the member's actions are paid for. The rule state of a connected account has
// no completions; its last payment counts.
func paidUpTo(state *progress.State) time.Time {
	last := state.CompletedAt
	if last == nil {
		last = state.LastPaidAt
	}
	if last = progress.Later(last, state.WindowPaidAt); last == nil {
		return time.Time{}
	}
	return store.Time(*last)
}

// laterOf returns the later of two moments.
func laterOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// MembersOfGroup returns the ids by which providers may know a person and the other members of its group, the person
// first.
func MembersOfGroup(connections identity.PersonProfile, p identity.Person) []Member {
	list := make([]Member, len(connections.Members))
	for i, c := range connections.Members {
		profile := &connections.Members[i].Profile
		list[i] = Member{UserID: c.UserID, Wallet: c.Wallet, WalletType: c.WalletType, Profile: profile}
		if address, verified := c.Email(); verified {
			list[i].Email = address
		}
		if id := c.Profile.ExternalIdentifier; id != nil {
			list[i].ExternalID = *id
		}
	}
	if p.NewUser && len(list) > 0 {
		list[0].UserID = laurel.ID{} // the id of a new user is not final
	}
	return list
}

// SameAs reports whether a verification of one request is valid for the other: they may differ in Until only.
func (q VerificationRequest) SameAs(o VerificationRequest) bool {
	q.Until = o.Until
	return reflect.DeepEqual(q, o)
}

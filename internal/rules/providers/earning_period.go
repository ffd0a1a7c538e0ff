package providers

import (
	"reflect"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// EarningPeriod is the time that counts of what a member does.
type EarningPeriod struct {
	Rule         *schema.Properties
	Until        time.Time
	IsRun        bool
	LastRunAt    time.Time           // the last run that has looked at everybody; zero in calls and in the first one
	IsClaim      bool                // the member claims what runs have found
	ProgressKeys []progress.StateKey // what the rule remembers of the member, and of the accounts by which it is known
}

// Since is the moment from which on it counts what members do: of a run the one before it, of a window its beginning,
// and never before the last payment, so that nothing is paid for twice: not after a run that broke off, nor after the
// rule was changed. The zero time: all counts.
func (s EarningPeriod) Since(loadState func(progress.StateKey) (*progress.State, error)) (time.Time, error) {
	var from time.Time
	if start := s.Rule.StartTime; start != nil {
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
			from = laterOf(from, store.Time(*state.EligibleAt)) // it may be claimed, and its payment on its way outside
		}
		if paid := paidUpTo(state); paid.After(s.Until) { // by a claim, or a run's successor: nothing is left for the run
			from = laterOf(from, s.Until)
		} else {
			from = laterOf(from, paid)
		}
	}
	return from.Truncate(time.Millisecond), nil
}

// paidUpTo returns up to when was paid for. An account has no completions: of it, when it earned last.
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

func laterOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// GroupMembers returns how a person and the others of its group may be known outside.
func MembersOf(connections identity.PersonProfile, p identity.Person) []Member {
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
		list[0].UserID = laurel.ID{} // it has no lasting one yet
	}
	return list
}

// SameAs reports whether an answer to one question answers the other.
func (q VerificationRequest) SameAs(o VerificationRequest) bool {
	q.Until = o.Until
	return reflect.DeepEqual(q, o)
}

package verifiers

import (
	"reflect"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/memory"
	"laurel/internal/rulebook"
	"laurel/internal/store"
)

// Span is the time that counts of what a member does.
type Span struct {
	Rule   *rulebook.Properties
	Until  time.Time
	InRun  bool
	Before time.Time    // the run before; Until or later in the first one
	Claims bool         // the member claims what runs have found
	Known  []memory.Key // what the rule remembers of the member, and of the accounts by which it is known
}

// Since is the moment from which on it counts what members do: of a run the one before it, of a window its beginning, and where none closes the last
// payment, so that nothing is paid for twice. The zero time: all counts.
func (s Span) Since(row func(memory.Key) (*memory.Subject, error)) (time.Time, error) {
	var from time.Time
	if start := s.Rule.StartTime; start != nil {
		from = start.Time
	}
	switch {
	case s.InRun:
		if s.Before.Before(s.Until) {
			from = latest(from, s.Before)
		}
	case s.Claims || s.Rule.Meta().ResetProgressOnClaim || rulebook.WindowKey(s.Rule.Interval, s.Until) == "":
		for _, k := range s.Known {
			sub, err := row(k)
			if err != nil {
				return from, err
			}
			from = latest(from, paidUpTo(sub))
		}
	default:
		from = latest(from, rulebook.WindowStart(s.Rule.Interval, s.Until))
	}
	return from.Truncate(time.Millisecond), nil
}

// paidUpTo answers up to when was paid for; where the window was opened again, when that was.
func paidUpTo(sub *memory.Subject) time.Time {
	switch {
	case sub.WindowPaidAt != nil:
		return store.Time(*sub.WindowPaidAt)
	case sub.CompletedAt != nil:
		return store.Time(*sub.CompletedAt)
	}
	return time.Time{}
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Known answers how a person and the others of its group may be known outside.
func Known(of identity.Standing, p identity.Person) []Member {
	list := make([]Member, len(of.Members))
	for i, c := range of.Members {
		list[i] = Member{UserID: c.UserID, Wallet: c.Wallet, WalletType: c.WalletType}
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

// Same reports whether an answer to one question answers the other.
func (q Question) Same(o Question) bool {
	q.Until = o.Until
	return reflect.DeepEqual(q, o)
}

package messages

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Limit bounds how often one address and one member are sent messages (contract 1.9). Zero fields are no limit.
type Limit struct {
	Every   time.Duration // at most one message in this time
	PerHour int
}

// Limits are the limits of each kind.
type Limits map[Kind]Limit

// DefaultLimits returns the limits of contract 1.9.
func DefaultLimits() Limits {
	limit := Limit{Every: 30 * time.Second, PerHour: 5}
	return Limits{SMS: limit, Email: limit}
}

// limitWindow is the time in which Limit.PerHour counts.
const limitWindow = time.Hour

// Sending is the record that a member was sent a message, which the limits count.
type Sending struct {
	ID             laurel.ID `db:"id" json:"-"`
	OrganizationID laurel.ID `db:"organization_id" json:"-"`
	WebsiteID      laurel.ID `db:"website_id" json:"-"`
	Recipient
	CreatedAt laurel.Timestamp `db:"created_at" json:"-"`
}

// Recipient is to whom messages of a kind are counted: to the address and to the user, each by itself.
type Recipient struct {
	Kind    Kind      `db:"kind" json:"-"`
	Address string    `db:"recipient" json:"-"` // in the form in which equal addresses are equal
	UserID  laurel.ID `db:"user_id" json:"-"`
}

// Reserve counts a message to an address of a member, before it is sent, over all nodes. It must come before every lock
// of the transaction. Errors: RateLimited, with the seconds to wait, if a limit of the address or of the member is used
// up; then nothing is counted.
func (s *Service) Reserve(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, to Recipient,
) (Sending, error) {
	sending := Sending{
		ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Recipient: to,
		CreatedAt: laurel.Timestamp{Time: tx.Now()},
	}
	if err := lockSendings(ctx, tx, sending); err != nil {
		return sending, err
	}
	after := tx.Now().Add(-limitWindow)
	for _, selectTimes := range []selectTimes{selectTimesOfAddress, selectTimesOfUser} {
		times, err := selectTimes(ctx, tx, sending, after)
		if err != nil {
			return sending, err
		}
		if wait := s.Limits[to.Kind].wait(times, tx.Now()); wait > 0 {
			seconds := int((wait + time.Second - 1) / time.Second)
			return sending, &laurel.Error{Code: laurel.RateLimited, Message: msgTooMany, RetryAfter: seconds}
		}
	}
	_, err := sendings.Insert(ctx, tx, &sending, "")
	return sending, err
}

const msgTooMany = "Too many requests, please try again later."

// wait returns how long the next message must wait, given the times of the messages of the last hour; 0 if it may be
// sent now.
func (l Limit) wait(times []time.Time, now time.Time) time.Duration {
	times = slices.SortedFunc(slices.Values(times), time.Time.Compare)
	wait := time.Duration(0)
	if n := len(times); n > 0 && l.Every > 0 {
		wait = times[n-1].Add(l.Every).Sub(now)
	}
	if n := len(times); l.PerHour > 0 && n >= l.PerHour {
		wait = max(wait, times[n-l.PerHour].Add(limitWindow).Sub(now))
	}
	return max(wait, 0)
}

// release takes back a sending, so that it no longer counts.
func (s *Service) release(ctx context.Context, sending Sending) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return deleteSending(ctx, tx, sending.ID) })
}

// DeleteOld deletes sendings that no limit counts any more, and messages of the outbox that are older than a day. It is
// for a periodic worker.
func (s *Service) DeleteOld(ctx context.Context) error {
	now := s.DB.Now()
	for _, old := range []struct {
		table  string
		before time.Time
	}{{"message_sendings", now.Add(-limitWindow)}, {"outbox_messages", now.Add(-outboxRetention)}} {
		for {
			var n int64
			err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
				n, err = deleteBefore(ctx, tx, old.table, old.before)
				return err
			})
			if err != nil {
				return err
			}
			if n < deleteChunk {
				break
			}
		}
	}
	return nil
}

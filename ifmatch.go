package laurel

import "time"

// ErrChanged is returned by an operation whose precondition does not hold (Scope.IfMatch). The API shows the record as
// it is now with the message.
var ErrChanged = Errorf(Refused, "Record was changed meanwhile")

// Precondition is the If-Match of one request (contract 1.12): the record with the ID was changed last at UpdatedAt.
type Precondition struct {
	ID        ID        // zero: the one record that the request changes
	UpdatedAt time.Time // zero: the record does not exist yet
	IsAny     bool      // in place of UpdatedAt: the record exists
}

// IfUnchanged returns the same caller with the precondition that a record was changed last at a moment.
func (s Scope) IfUnchanged(id ID, updatedAt time.Time) Scope {
	s.IfMatch = &Precondition{ID: id, UpdatedAt: updatedAt}
	return s
}

// CheckUnchanged returns ErrChanged if the scope has a precondition for the record with the id that updatedAt, zero for
// a record that does not exist yet, does not meet. Every change and deletion of a record by its id calls it in its
// transaction, once the row is locked. Times are compared in milliseconds, as the API shows them; Tx.NowAfter makes
// sure that two changes differ.
func (s Scope) CheckUnchanged(id ID, updatedAt time.Time) error {
	p := s.IfMatch
	if p == nil || !p.ID.IsZero() && p.ID != id {
		return nil
	}
	if p.IsAny && !updatedAt.IsZero() || !p.IsAny && p.UpdatedAt.UnixMilli() == updatedAt.UnixMilli() {
		return nil
	}
	return ErrChanged
}

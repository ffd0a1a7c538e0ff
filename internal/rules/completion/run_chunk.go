package completion

import (
	"errors"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Outcome counts the results of candidates.
type Outcome struct {
	Rewarded int // or found eligible, where members claim by call
	Refused  int
	Failed   int // not refused, and yet not payable, as where an amount is out of range
}

// Plus returns the sum of two outcomes.
func (o Outcome) Plus(p Outcome) Outcome {
	return Outcome{o.Rewarded + p.Rewarded, o.Refused + p.Refused, o.Failed + p.Failed}
}

// RunChunk pays candidates of a page in one transaction. It is a store.Work; after store.ErrStale the page must be
// prepared again.
type RunChunk struct {
	Outcome
	plans []*plan
}

// String describes the chunk in log messages.
func (s *RunChunk) String() string {
	for _, p := range s.plans {
		if p != nil {
			return strconv.Itoa(len(s.plans)) + " members of a run, the first: " + p.String()
		}
	}
	return strconv.Itoa(len(s.plans)) + " members of a run, none of them to be paid"
}

// Locks returns the locks of every candidate that may be paid.
func (s *RunChunk) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range s.plans {
		if p != nil {
			locks = append(locks, p.Locks()...)
		}
	}
	return locks
}

// Judge decides on every candidate, stages the payments and counts the outcome. Refusals are counted; it returns only
// other errors, such as store.ErrStale.
func (s *RunChunk) Judge(b *store.Batch) error {
	s.Outcome = Outcome{}
	for _, p := range s.plans {
		err := error(nil)
		if p != nil {
			_, err = p.judgeAndStage(b)
		}
		var refusal *laurel.Error
		switch {
		case p == nil:
			s.Refused++
		case err == nil:
			s.Rewarded++
		case errors.As(err, &refusal) && refusal.Code == laurel.Refused:
			s.Refused++
		case errors.As(err, &refusal) && refusal.Code == laurel.Invalid:
			s.Failed++
		default:
			return err
		}
	}
	return nil
}

// Result returns the outcome of the committed chunk.
func (s *RunChunk) Result() Outcome { return s.Outcome }

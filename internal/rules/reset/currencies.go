package reset

import (
	"context"
	"errors"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Description is that of a reset's transactions (contract 4.3).
const Description = "Currency reset"

// Input names a currency and how much of it is reset.
type Input struct {
	CurrencyID laurel.ID
	Kind       string
}

func (in Input) validate() error {
	var f laurel.Faults
	if in.CurrencyID.IsZero() {
		f.Add("loyaltyCurrencyId", "is required")
	}
	switch {
	case in.Kind == "":
		f.Add("type", "is required")
	case !slices.Contains(ResetKinds, in.Kind):
		f.Add("type", "must be one of: %s", strings.Join(ResetKinds, ", "))
	}
	return f.Err()
}

// Reset takes all balances of a currency to 0 and, with data, clears what rules of the currency remember of members,
// and may delete those rules (contract 4.3). It reports whether all is done; what is not after some seconds goes on in
// the background. Errors: Invalid; NotFound "Loyalty currency"; Unavailable while another reset of the currency takes
// its time.
func (s *Service) Reset(ctx context.Context, scope laurel.Scope, in Input) (done bool, err error) {
	if err := in.validate(); err != nil {
		return false, err
	}
	c, err := s.Ledger.Currency(ctx, scope, in.CurrencyID)
	if err != nil {
		return false, err
	}
	if !c.DeletedAt.IsZero() {
		return false, laurel.Missing("Loyalty currency")
	}
	if c.API.PostURL != nil {
		return false, ledger.ErrExternal
	}
	if c.IsTokenRewardCurrency {
		return false, ledger.ErrTokenCurrency()
	}
	j := Job{
		OrganizationID: c.OrganizationID,
		WebsiteID:      c.WebsiteID,
		Kind:           Kind(in.Kind),
		CurrencyID:     c.ID,
		Status:         Processing,
		CreatedByID:    scope.ActorID,
	}
	waiting, cancel := context.WithTimeout(ctx, waitAtMost)
	defer cancel()
	// one that is under way may have passed accounts that have points by now: it is waited for, and all begins again
	for waiting.Err() == nil {
		begun, err := s.begin(ctx, scope.Request, &j)
		if err != nil {
			return false, err
		}
		if begun {
			return s.finish(waiting, j.ID), nil
		}
		other, err := resetOf(ctx, s.DB, c.ID)
		if err != nil {
			return false, err
		}
		if !other.IsZero() && !s.finish(waiting, other) {
			break
		}
	}
	return false, &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 10}
}

// begin writes the job, and returns false where one of the currency is under way.
func (s *Service) begin(ctx context.Context, key *laurel.RequestKey, j *Job) (bool, error) {
	err := s.DB.Write(ctx, key, func(tx *store.Tx) error {
		j.ID, j.CreatedAt, j.at = tx.NewID(), tx.Now(), position{Phase: phaseRules}
		begun, err := insertJob(ctx, tx, *j)
		if err == nil && !begun {
			return errUnderWay // and the request's Idempotency-Key is not used up
		}
		return err
	})
	if errors.Is(err, errUnderWay) {
		return false, nil
	}
	return err == nil, err
}

// The phases of a reset, in order, and of a rule's debit.
const (
	phaseRules    = "rules"    // rules are deleted, one by one
	phaseAccounts = "accounts" // accounts in the order of their users, each with all that is remembered of its people
	phaseRest     = "rest"     // people of whom something is remembered who have no account
	phaseWaiting  = "waiting"  // points of the rule that wait
	phaseEntries  = "entries"  // what the rule paid, in the order of payment
)

// clearance is one step of a job.
type clearance struct {
	*Service
	tx    *store.Tx
	job   *Job
	scope laurel.Scope
	size  int
	// rest and reached are what was found before the step (findRest).
	rest    []laurel.ID
	reached position
}

func (c *clearance) carryOn(ctx context.Context) error {
	switch c.job.at.Phase {
	case phaseRules:
		c.job.goTo(phaseAccounts)
		return nil
	case phaseAccounts:
		return c.clearAccounts(ctx)
	case phaseRest:
		return c.clearRest(ctx)
	case phaseWaiting:
		return c.cancelWaiting(ctx)
	default:
		return c.debitPaid(ctx)
	}
}

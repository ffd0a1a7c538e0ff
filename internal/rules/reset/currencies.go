package reset

import (
	"context"
	"errors"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Input says which currency is reset, and how much of it.
type Input struct {
	CurrencyID laurel.ID
	Kind       string
}

// validate checks the currency and the kind of a reset.
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

// Reset takes all balances of a currency to 0. Depending on in.Kind, it also removes the rule states of members in the
// currency's rules, and deletes these rules (contract 4.3). done is false if a part goes on in the background. Errors:
// Invalid; NotFound "Loyalty currency"; Unavailable while another reset of the currency takes long.
func (s *Service) Reset(ctx context.Context, scope laurel.Scope, in Input) (done bool, err error) {
	if err := in.validate(); err != nil {
		return false, err
	}
	c, err := s.resettableCurrency(ctx, scope, in.CurrencyID)
	if err != nil {
		return false, err
	}
	j := Job{
		OrganizationID: c.OrganizationID,
		WebsiteID:      c.WebsiteID,
		Kind:           Kind(in.Kind),
		CurrencyID:     c.ID,
		Status:         Processing,
		CreatedByID:    scope.ActorID,
	}
	waitCtx, cancel := context.WithTimeout(ctx, maxRequestWait)
	defer cancel()
	// An open reset may have passed accounts that have points again by now. So wait for its end and start a new one.
	for waitCtx.Err() == nil {
		started, err := s.startJob(ctx, scope.Request, &j)
		if err != nil {
			return false, err
		}
		if started {
			return s.runUntilDone(waitCtx, j.ID), nil
		}
		other, err := findOpenReset(ctx, s.DB, c.ID)
		if err != nil {
			return false, err
		}
		if !other.IsZero() && !s.runUntilDone(waitCtx, other) {
			break
		}
	}
	return false, &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 10}
}

// resettableCurrency returns a currency. It refuses one that is deleted, on an external ledger, or for token rewards.
func (s *Service) resettableCurrency(ctx context.Context, scope laurel.Scope, id laurel.ID) (ledger.Currency, error) {
	c, err := s.Ledger.Currency(ctx, scope, id)
	switch {
	case err != nil:
		return c, err
	case !c.DeletedAt.IsZero():
		return c, laurel.Missing("Loyalty currency")
	case c.API.PostURL != nil:
		return c, ledger.ErrExternal
	case c.IsTokenRewardCurrency:
		return c, ledger.ErrTokenCurrency()
	}
	return c, nil
}

// startJob gives the job an id and inserts it. It returns false if another reset of the currency is open. key is the
// Idempotency-Key of the request; nil: none.
func (s *Service) startJob(ctx context.Context, key *laurel.RequestKey, j *Job) (bool, error) {
	err := s.DB.Write(ctx, key, func(tx *store.Tx) error {
		j.ID, j.CreatedAt, j.position = tx.NewID(), tx.Now(), position{Phase: phaseRules}
		started, err := insertJob(ctx, tx, *j)
		if err == nil && !started {
			return errUnderWay // rolls back, so the request's Idempotency-Key stays unused
		}
		return err
	})
	if errors.Is(err, errUnderWay) {
		return false, nil
	}
	return err == nil, err
}

// The phases of a reset in their order, and those of the debit of a rule.
const (
	phaseRules      = "rules"    // deletes rules, one at a time
	phaseAccounts   = "accounts" // resets accounts in the order of their users, with the rule states of their people
	phaseLeftovers  = "rest"     // removes rule states of people without an account
	phaseHeldPoints = "waiting"  // cancels held points of the rule
	phaseEntries    = "entries"  // debits what the rule paid, in the order of payment
)

// jobStep is one step of a job in its transaction.
type jobStep struct {
	*Service
	tx    *store.Tx
	job   *Job
	scope laurel.Scope
	size  int // the most accounts
	// leftovers and reached are the results of findLeftovers.
	leftovers []laurel.ID
	reached   position
}

// execute executes the next step of the job's phase.
func (c *jobStep) execute(ctx context.Context) error {
	switch c.job.position.Phase {
	case phaseRules: // deleteRules has deleted them before this transaction
		c.job.startPhase(phaseAccounts)
		return nil
	case phaseAccounts:
		return c.resetAccounts(ctx)
	case phaseLeftovers:
		return c.resetLeftovers(ctx)
	case phaseHeldPoints:
		return c.cancelHeldPoints(ctx)
	default: // phaseEntries
		return c.debitPayments(ctx)
	}
}

package schedule

import (
	"errors"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/store"
)

// preparedShares are the referral shares of a page of referees. It implements preparedPayees.
type preparedShares struct {
	service *Service
	rule    catalog.CachedRule
	at      time.Time
	list    []*referralShares // by referee; nil: there is nothing to pay
}

func (s preparedShares) mayBePaid(i int) bool { return s.list[i] != nil }

func (s preparedShares) work(from, to int) payWork {
	return &referralShareWork{preparedShares: preparedShares{s.service, s.rule, s.at, s.list[from:to]}}
}

// referralShareWork pays the shares of some referees, each in a transaction of the ledger and once per run.
type referralShareWork struct {
	completion.Outcome
	preparedShares
}

// Result returns the outcome of the committed Work.
func (w *referralShareWork) Result() completion.Outcome { return w.Outcome }

// Locks returns the locks of the rule and, for each referee with shares to pay, those of the run's window for the
// referee, of the referrals, the referrers and their accounts.
func (w *referralShareWork) Locks() []store.Lock {
	locks := []store.Lock{catalog.Versions.Lock(w.rule.Rule.ID)}
	for _, shares := range w.list {
		if shares == nil {
			continue
		}
		locks = append(locks, w.window(shares).Lock(w.at))
		for _, c := range shares.credits {
			locks = append(locks, referrals.Table.Lock(c.referral))
		}
		locks = append(locks, shares.posting.Locks()...)
	}
	return locks
}

// window returns the window of the run for the referee.
func (w *referralShareWork) window(shares *referralShares) completion.RunWindow {
	return completion.RunWindow{Rule: w.rule.Rule.ID, User: shares.referee}
}

// Judge stages the shares of every referee that this run has not paid yet, and counts the outcome. Refusals are
// counted; it returns only other errors, such as store.ErrStale if the rule has changed.
func (w *referralShareWork) Judge(b *store.Batch) error {
	w.Outcome = completion.Outcome{}
	if catalog.Versions.Row(b, w.rule.Rule.ID).Version != w.rule.Rule.Version {
		return store.ErrStale
	}
	for _, shares := range w.list {
		if shares == nil || !w.window(shares).IsOpen(b, w.at) {
			w.Refused++
			continue
		}
		t, err := shares.posting.Stage(b)
		var refusal *laurel.Error
		switch {
		case err == nil:
			w.Rewarded++
		case errors.As(err, &refusal) && refusal.Code == laurel.Refused:
			w.Refused++
			continue
		case errors.As(err, &refusal) && refusal.Code == laurel.Invalid:
			w.Failed++
			continue
		default:
			return err
		}
		w.window(shares).MarkPaid(b, w.at, t)
		for _, c := range shares.credits {
			c.addToReferral(b)
		}
	}
	return nil
}

// addToReferral adds the amount to what the referral has earned its referrer. The sum is capped below laurel.MaxAmount.
func (c shareCredit) addToReferral(b *store.Batch) {
	row := referrals.Table.Changed(b, c.referral)
	if c.tier == 1 {
		row.Tier1 += min(c.amount, laurel.MaxAmount-1-row.Tier1)
	} else {
		row.Tier2 += min(c.amount, laurel.MaxAmount-1-row.Tier2)
	}
	row.UpdatedAt = store.Micros(b.Now())
}

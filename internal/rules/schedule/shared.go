package schedule

import (
	"errors"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/referrals"
	"laurel/internal/store"
)

// shared are referees whose shares are worked out.
type shared struct {
	service *Service
	rule    catalog.CachedRule
	at      time.Time
	list    []*share // nil: nothing
}

func (s shared) may(i int) bool { return s.list[i] != nil }

func (s shared) work(from, to int) pays {
	return &shareWork{shared: shared{s.service, s.rule, s.at, s.list[from:to]}}
}

// shareWork posts the shares of some referees, each in a transaction of the ledger and once per run.
type shareWork struct {
	completion.Outcome
	shared
}

// Result returns what became of the referees when the Work was committed.
func (w *shareWork) Result() completion.Outcome { return w.Outcome }

// Locks are the rule, and of every share its window, the referrals it is counted with, the referrers and their
// accounts.
func (w *shareWork) Locks() []store.Lock {
	locks := []store.Lock{catalog.Versions.Lock(w.rule.Rule.ID)}
	for _, sh := range w.list {
		if sh == nil {
			continue
		}
		locks = append(locks, w.claim(sh).Lock(w.at))
		for _, c := range sh.credits {
			locks = append(locks, referrals.Table.Lock(c.of))
		}
		locks = append(locks, sh.posting.Locks()...)
	}
	return locks
}

func (w *shareWork) claim(sh *share) completion.RunWindow {
	return completion.RunWindow{Rule: w.rule.Rule.ID, User: sh.referee}
}

// Judge stages every share whose window is open.
func (w *shareWork) Judge(b *store.Batch) error {
	w.Outcome = completion.Outcome{}
	if catalog.Versions.Row(b, w.rule.Rule.ID).Version != w.rule.Rule.Version {
		return store.ErrStale
	}
	for _, sh := range w.list {
		if sh == nil || !w.claim(sh).IsOpen(b, w.at) {
			w.Refused++
			continue
		}
		t, err := sh.posting.Stage(b)
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
		w.claim(sh).MarkPaid(b, w.at, t)
		for _, c := range sh.credits {
			c.count(b)
		}
	}
	return nil
}

// count adds the credit to what the referral has brought.
func (c credit) count(b *store.Batch) {
	row := referrals.Table.Changed(b, c.of)
	if c.tier == 1 {
		row.Tier1 += min(c.amount, laurel.MaxAmount-1-row.Tier1)
	} else {
		row.Tier2 += min(c.amount, laurel.MaxAmount-1-row.Tier2)
	}
	row.UpdatedAt = store.Micros(b.Now())
}

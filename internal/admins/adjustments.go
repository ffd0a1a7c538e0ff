package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// DefaultDailyAdjustment is the most that an admin without the right to adjust freely may credit and debit per
// currency and UTC day, unless the owner of the website has set another limit.
const DefaultDailyAdjustment = 1000 * laurel.One

// DailyAdjustment returns the daily limit of the scope's website.
func (s *Service) DailyAdjustment(ctx context.Context, scope laurel.Scope) (laurel.Amount, error) {
	return findDailyLimit(ctx, s.DB, scope)
}

// SetDailyAdjustment sets how much each admin may adjust balances on the scope's website, per currency and day; 0
// allows nothing. Errors: Invalid.
func (s *Service) SetDailyAdjustment(ctx context.Context, scope laurel.Scope, limit laurel.Amount) error {
	var f laurel.Faults
	if limit < 0 {
		f.Add("adjustADay", "must be at least 0")
	}
	if err := f.Err(); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return upsertDailyLimit(ctx, tx, scope, limit) })
}

// Adjustment is a credit or debit that an admin is about to post.
type Adjustment struct {
	ID         laurel.ID // of the form; the same form counts once
	AdminID    laurel.ID
	CurrencyID laurel.ID
	Amount     laurel.Amount
}

// Allowance is the result of CountAdjustment.
type Allowance struct {
	OK    bool // the adjustment is within the limit
	New   bool // it was counted by this call; UndoAdjustment can take it back
	Limit laurel.Amount
	Left  laurel.Amount // what was left of the limit before this adjustment
}

// CountAdjustment counts an adjustment, before it is posted, against the daily limit of the scope's website, which
// holds per admin, currency and UTC day, for all nodes together. If the adjustment exceeds what is left, it is not
// counted, and OK is false. If the same form was counted before, it is not counted again: OK is true, New is false, and
// Limit and Left are not set. Errors: Refused if the same form was sent before with other values.
func (s *Service) CountAdjustment(ctx context.Context, scope laurel.Scope, a Adjustment) (out Allowance, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.AdvisoryLock(ctx, "adjustments of "+a.AdminID.String()+" on "+scope.WebsiteID.String()); err != nil {
			return err
		}
		earlier, err := findAdjustment(ctx, tx, scope, a.ID)
		if err == nil {
			if earlier != a {
				return errOtherValues()
			}
			out.OK = true
			return nil
		}
		if !store.IsNoRows(err) {
			return err
		}
		if out.Limit, err = findDailyLimit(ctx, tx, scope); err != nil {
			return err
		}
		used, err := sumAdjustments(ctx, tx, scope, a, tx.Now().UTC().Truncate(24*time.Hour))
		if err != nil {
			return err
		}
		if out.Left = max(0, out.Limit-used); a.Amount > out.Left {
			return nil
		}
		out.OK, out.New = true, true
		return insertAdjustment(ctx, tx, scope, a)
	})
	return out, err
}

func errOtherValues() error {
	return laurel.Errorf(laurel.Refused, "This form was already submitted with other values. Reload the page and try again.")
}

// UndoAdjustment takes back an adjustment that CountAdjustment has counted, because it was refused and nothing was
// posted.
func (s *Service) UndoAdjustment(ctx context.Context, scope laurel.Scope, a Adjustment) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return deleteAdjustment(ctx, tx, scope, a) })
}

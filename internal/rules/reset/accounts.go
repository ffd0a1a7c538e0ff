package reset

import (
	"context"
	"errors"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
)

// deleteRules deletes the next live rules of the job's currency, at most maxStepAccounts, each in a transaction of its
// own. It reports whether there were any. It does nothing, and returns false, if the job is not to delete rules, or is
// past the phase in which it does.
func (s *Service) deleteRules(ctx context.Context, j Job) (bool, error) {
	if j.Kind != ResetAndRules || j.position.Phase != phaseRules {
		return false, nil
	}
	live, err := s.Rules.RulesOfCurrency(ctx, s.DB, j.scope(), j.CurrencyID, true)
	for _, id := range live[:min(len(live), maxStepAccounts)] {
		if _, err := s.Rules.Delete(
			ctx,
			j.scope(),
			id,
			catalog.Deletion{Comment: rewardhistory.ResetDescription},
		); err != nil &&
			laurel.CodeOf(err) != laurel.NotFound {
			return false, err
		}
	}
	return len(live) > 0, err
}

// resetAccounts resets the next accounts, at most c.size, in the order of their users. After the last account it starts
// the next phase or ends the job.
func (c *jobStep) resetAccounts(ctx context.Context) error {
	page := laurel.PageRequest{StartingAfter: c.job.position.After, Limit: c.size}
	accounts, err := c.Ledger.AccountsAfter(ctx, c.tx, c.scope, c.job.CurrencyID, page)
	if err != nil {
		return err
	}
	users := make([]laurel.ID, len(accounts))
	for i, a := range accounts {
		users[i] = a.UserID
	}
	if len(users) > 0 {
		if err := c.resetPeople(ctx, users); err != nil {
			return err
		}
		c.job.position.After = users[len(users)-1]
	}
	switch {
	case len(users) == c.size: // there may be more
	case c.job.Kind.includesRuleState():
		c.job.startPhase(phaseLeftovers)
	default:
		c.job.finish(Complete, "")
	}
	return nil
}

// resetPeople removes the rule states of some people and debits their whole balances, in one transaction. A payment
// comes before both or after both, so its points and its window are either both kept or both removed. Groups are reset
// as a whole.
func (c *jobStep) resetPeople(ctx context.Context, ids []laurel.ID) error {
	users := ids
	if c.job.Kind.includesRuleState() {
		people, err := c.People.LockWithGroups(ctx, c.tx, c.scope, ids)
		if err != nil {
			return err
		}
		// without users, this locks no account but keeps the currency from being deleted
		if _, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, c.job.CurrencyID, nil); err != nil {
			return err
		}
		rules, err := c.Rules.RulesOfCurrency(ctx, c.tx, c.scope, c.job.CurrencyID, false)
		if err != nil {
			return err
		}
		subjects := union(ids, people.Subjects())
		for _, data := range c.RuleData {
			if err := data.DeleteRuleData(ctx, c.tx, c.scope, rules, subjects); err != nil {
				return err
			}
		}
		users = union(ids, people.Users)
	}
	return c.zeroBalances(ctx, users)
}

// union returns the sorted union of two lists of ids.
func union(a, b []laurel.ID) []laurel.ID {
	all := slices.Concat(a, b)
	slices.SortFunc(all, laurel.ID.Compare)
	return slices.Compact(all)
}

// zeroBalances debits users by their whole balances in one transaction, and cancels their held points.
func (c *jobStep) zeroBalances(ctx context.Context, users []laurel.ID) error {
	accounts, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, c.job.CurrencyID, users)
	if err != nil {
		return err
	}
	p := ledger.Posting{Type: ledger.TypeAPIKey, Cause: ledger.CauseReset, Description: rewardhistory.ResetDescription}
	ids := make([]laurel.ID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.AccountID
		if a.Amount > 0 {
			p.Lines = append(p.Lines, ledger.Line{
				Member: ledger.LockedMember(a.UserID), CurrencyID: a.CurrencyID, Direction: ledger.Debit, Amount: a.Amount,
			})
			c.job.Accounts++
			c.job.Amount += a.Amount // in range: a currency owes no more
		}
	}
	if err := lots.CancelLotsOfAccounts(ctx, c.tx, ids, rewardhistory.ResetDescription); err != nil || len(p.Lines) == 0 {
		return err
	}
	_, err = c.Ledger.PostIn(ctx, c.tx, c.scope, p)
	return err
}

// findLeftovers returns some people without an account whose rule states are older than the job, if the job is in the
// phase that resets them. If it returns nobody, none are left. at is the position from which the next call goes on.
// findLeftovers goes through one rule after the other, and reads without the step's transaction because it may read
// much.
func (s *Service) findLeftovers(ctx context.Context, j Job) (subjects []laurel.ID, at position, err error) {
	at = j.position
	if j.position.Phase != phaseLeftovers {
		return nil, at, nil
	}
	rules, err := s.Rules.RulesOfCurrency(ctx, s.DB, j.scope(), j.CurrencyID, false)
	if err != nil {
		return nil, at, err
	}
	for _, rule := range rules {
		if !at.After.IsZero() && rule.Compare(at.After) <= 0 {
			continue
		}
		for _, data := range s.RuleData {
			subjects, err = data.SubjectsUnchangedSince(ctx, s.DB, j.scope(), rule, store.Micros(j.CreatedAt))
			if err != nil || len(subjects) > 0 {
				return subjects, at, err
			}
		}
		at.After = rule
	}
	return nil, at, nil
}

// resetLeftovers resets the people found by findLeftovers, at most c.size, and ends the job if there were none.
func (c *jobStep) resetLeftovers(ctx context.Context) error {
	if len(c.leftovers) == 0 {
		c.job.finish(Complete, "")
		return nil
	}
	c.job.position.After = c.reached.After
	return c.resetPeople(ctx, c.leftovers[:min(len(c.leftovers), c.size)])
}

var errUnderWay = errors.New("reset: another job is under way")

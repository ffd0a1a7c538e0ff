package reset

import (
	"context"
	"errors"
	"slices"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/rules/catalog"
	"laurel/internal/store"
)

// deleteRules deletes some of the rules of the job's currency, each in a transaction of its own, and reports whether
// there were any.
func (s *Service) deleteRules(ctx context.Context, j Job) (bool, error) {
	if j.Kind != ResetAndRules || j.at.Phase != phaseRules {
		return false, nil
	}
	live, err := s.Rules.RulesOfCurrency(ctx, s.DB, j.scope(), j.CurrencyID, true)
	for _, id := range live[:min(len(live), stepsIn)] {
		if _, err := s.Rules.Delete(
			ctx,
			j.scope(),
			id,
			catalog.Deletion{Comment: Description},
		); err != nil &&
			laurel.CodeOf(err) != laurel.NotFound {
			return false, err
		}
	}
	return len(live) > 0, err
}

// clearAccounts clears the next accounts.
func (c *clearance) clearAccounts(ctx context.Context) error {
	page := laurel.PageRequest{StartingAfter: c.job.at.After, Limit: c.size}
	accounts, err := c.Ledger.AccountsAfter(ctx, c.tx, c.scope, c.job.CurrencyID, page)
	if err != nil {
		return err
	}
	users := make([]laurel.ID, len(accounts))
	for i, a := range accounts {
		users[i] = a.UserID
	}
	if len(users) > 0 {
		if err := c.clearPeople(ctx, users); err != nil {
			return err
		}
		c.job.at.After = users[len(users)-1]
	}
	switch {
	case len(users) == c.size:
	case c.job.Kind.withData():
		c.job.goTo(phaseRest)
	default:
		c.job.end(Complete, "")
	}
	return nil
}

// clearPeople clears what is remembered of some people and takes their balances to 0, in one: whoever is paid is paid
// before both or after both, so nothing that is kept has lost its window, and nothing that is cleared keeps one. Groups
// are cleared whole.
func (c *clearance) clearPeople(ctx context.Context, ids []laurel.ID) error {
	users := ids
	if c.job.Kind.withData() {
		people, err := c.People.LockWithGroups(ctx, c.tx, c.scope, ids)
		if err != nil {
			return err
		}
		if _, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, c.job.CurrencyID, nil); err != nil {
			return err
		}
		of, err := c.Rules.RulesOfCurrency(ctx, c.tx, c.scope, c.job.CurrencyID, false)
		if err != nil {
			return err
		}
		subjects := union(ids, people.Subjects())
		for _, data := range c.RuleData {
			if err := data.DeleteRuleData(ctx, c.tx, c.scope, of, subjects); err != nil {
				return err
			}
		}
		users = union(ids, people.Users)
	}
	return c.empty(ctx, users)
}

func union(a, b []laurel.ID) []laurel.ID {
	all := slices.Concat(a, b)
	slices.SortFunc(all, laurel.ID.Compare)
	return slices.Compact(all)
}

// empty takes users' balances to 0 by one transaction, and cancels what waits for them.
func (c *clearance) empty(ctx context.Context, users []laurel.ID) error {
	held, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, c.job.CurrencyID, users)
	if err != nil {
		return err
	}
	p := ledger.Posting{Type: ledger.TypeAPIKey, Cause: ledger.CauseReset, Description: Description}
	ids := make([]laurel.ID, len(held))
	for i, a := range held {
		ids[i] = a.AccountID
		if a.Amount > 0 {
			p.Lines = append(p.Lines, ledger.Line{
				Member: ledger.LockedMember(a.UserID), CurrencyID: a.CurrencyID, Direction: ledger.Debit, Amount: a.Amount,
			})
			c.job.Accounts++
			c.job.Amount += a.Amount // in range: a currency owes no more
		}
	}
	if err := lots.CancelOfAccounts(ctx, c.tx, ids, Description); err != nil || len(p.Lines) == 0 {
		return err
	}
	_, err = c.Ledger.PostIn(ctx, c.tx, c.scope, p)
	return err
}

// findRest returns people without an account of whom something is remembered from before the job. It walks one rule
// after the other, outside of the step's transaction: it may read much.
func (s *Service) findRest(ctx context.Context, j Job) (subjects []laurel.ID, at position, err error) {
	at = j.at
	if j.at.Phase != phaseRest {
		return nil, at, nil
	}
	of, err := s.Rules.RulesOfCurrency(ctx, s.DB, j.scope(), j.CurrencyID, false)
	if err != nil {
		return nil, at, err
	}
	for _, rule := range of {
		if !at.After.IsZero() && rule.Compare(at.After) <= 0 {
			continue
		}
		for _, data := range s.RuleData {
			subjects, err = data.IdleSubjects(ctx, s.DB, j.scope(), rule, store.Micros(j.CreatedAt))
			if err != nil || len(subjects) > 0 {
				return subjects, at, err
			}
		}
		at.After = rule
	}
	return nil, at, nil
}

// clearRest clears the people that were found, and ends the job when there were none.
func (c *clearance) clearRest(ctx context.Context) error {
	if len(c.rest) == 0 {
		c.job.end(Complete, "")
		return nil
	}
	c.job.at.After = c.reached.After
	return c.clearPeople(ctx, c.rest[:min(len(c.rest), c.size)])
}

var errUnderWay = errors.New("reset: another job is under way")

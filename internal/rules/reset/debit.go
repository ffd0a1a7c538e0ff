package reset

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
)

// DeleteRule deletes a rule and debits each user by what it paid, at most down to 0 (contract 5.17). The debits may go
// on in the background after it returns. NotFound "Loyalty rule".
func (s *Service) DeleteRule(ctx context.Context, scope laurel.Scope, id laurel.ID) (catalog.Rule, error) {
	var job laurel.ID
	r, err := s.Rules.Delete(
		ctx,
		scope,
		id,
		catalog.Deletion{InTx: func(ctx context.Context, tx *store.Tx, r catalog.Rule) error {
			if id := r.Currency(); !id.IsZero() {
				if c, err := s.Ledger.Currency(ctx, scope.At(r.WebsiteID), id); err != nil || c.API.PostURL != nil {
					return cmp.Or(err, error(ledger.ErrExternal))
				}
			}
			j := Job{
				ID:             tx.NewID(),
				OrganizationID: r.OrganizationID,
				WebsiteID:      r.WebsiteID,
				Kind:           RuleDebit,
				RuleID:         r.ID,
				Status:         Processing,
				CreatedByID:    scope.ActorID,
				CreatedAt:      tx.Now(),
				position:       position{Phase: phaseHeldPoints},
			}
			job = j.ID
			started, err := insertJob(ctx, tx, j)
			if err == nil && !started {
				return store.ErrRerun // cannot happen: a rule with an open job is not restored, so it cannot be deleted again
			}
			return err
		}},
	)
	if err != nil {
		return r, err
	}
	s.runUntilDone(ctx, job)
	return r, nil
}

// cancelHeldPoints cancels held points that the rule has paid, at most c.size lots, and starts the next phase if there
// are none.
func (c *jobStep) cancelHeldPoints(ctx context.Context) error {
	ids, err := lots.HeldLotsOfRule(ctx, c.tx, c.job.RuleID, c.size)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		c.job.startPhase(phaseEntries)
		return nil
	}
	if _, err := lots.LockHeldLots(ctx, c.tx, ids); err != nil {
		return err
	}
	return lots.Cancel(ctx, c.tx, ids, ruleDeleted)
}

// ruleDeleted is the reason in entries and lots of a deleted rule's debits.
const ruleDeleted = "Loyalty rule deleted"

// debitPayments reads the next payments of the rule, at most c.size, and debits their accounts unless this job has done
// so. Each account is debited by all that the rule has paid it since the last debit for the rule. Without payments, it
// ends the job.
func (c *jobStep) debitPayments(ctx context.Context) error {
	payments, err := c.history.PaymentsOfRule(
		ctx,
		c.tx,
		c.scope,
		c.job.RuleID,
		laurel.PageRequest{StartingAfter: c.job.position.After, Limit: c.size},
	)
	if err != nil {
		return err
	}
	if len(payments) == 0 {
		c.job.finish(Complete, "")
		return nil
	}
	c.job.position.After = payments[len(payments)-1].EntryID
	slices.SortStableFunc(payments, func(a, b rewardhistory.Payment) int { return a.CurrencyID.Compare(b.CurrencyID) })
	for len(payments) > 0 {
		end := 1 // of the payments in the first one's currency
		for end < len(payments) && payments[end].CurrencyID == payments[0].CurrencyID {
			end++
		}
		if err := c.debitCurrency(ctx, payments[0].CurrencyID, payments[:end]); err != nil {
			return err
		}
		payments = payments[end:]
	}
	return nil
}

// debitCurrency debits the accounts of some payments, all in one currency. It leaves out accounts that this job has
// debited already. It does nothing in a currency of tokens, a deleted one, or one of an external ledger; in the last
// case it says so in the job's message.
func (c *jobStep) debitCurrency(ctx context.Context, currency laurel.ID, payments []rewardhistory.Payment) error {
	// Tokens that were owed or sent are never debited.
	if record, err := c.Ledger.Currency(ctx, c.scope, currency); err != nil || record.IsTokenRewardCurrency {
		return err
	}
	var users, ids []laurel.ID
	for _, p := range payments {
		users, ids = append(users, p.UserID), append(ids, p.AccountID)
	}
	marks, err := c.history.DebitMarks(ctx, c.tx, c.scope, c.job.RuleID, ids)
	if err != nil {
		return err
	}
	users = slices.DeleteFunc(union(users, nil), func(user laurel.ID) bool {
		i := slices.IndexFunc(payments, func(p rewardhistory.Payment) bool { return p.UserID == user })
		return marks[payments[i].AccountID].Job == c.job.ID
	})
	if len(users) == 0 {
		return nil
	}
	accounts, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, currency, users)
	if laurel.CodeOf(err) == laurel.Refused {
		return nil // the currency was deleted, and nothing can be posted in it
	}
	if err != nil {
		return err
	}
	if isExternal, err := ledger.IsExternallyHeldIn(ctx, c.tx, c.scope, currency); err != nil {
		return err
	} else if isExternal {
		c.job.noteExternalCurrency(currency) // only its external ledger could debit it
		return nil
	}
	sums, err := c.sumDebits(ctx, accounts)
	if err != nil {
		return err
	}
	return c.postDebits(ctx, accounts, sums)
}

// sumDebits returns what to debit from each account: what the rule has paid since the account was last debited for the
// rule, without points that a reset has removed or that have expired. Otherwise the debit would take what other rules
// have paid.
func (c *jobStep) sumDebits(ctx context.Context, accounts []lots.Account) (map[laurel.ID]laurel.Amount, error) {
	ids := make([]laurel.ID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.AccountID
	}
	gone, err := c.history.GoneUntil(ctx, c.tx, c.scope, c.job.RuleID, ids)
	if err != nil {
		return nil, err
	}
	since := map[laurel.ID]int64{}
	for _, id := range ids {
		since[id] = gone[id]
	}
	sums, err := c.history.PaidSince(ctx, c.tx, c.scope, c.job.RuleID, since)
	if err != nil {
		return nil, err
	}
	expired, err := lots.ExpiredPartsOfCredits(ctx, c.tx, ids)
	if err != nil {
		return nil, err
	}
	credits := make([]laurel.ID, len(expired))
	for i, e := range expired {
		credits[i] = e.EntryID
	}
	isOfRule, err := c.history.EntriesOfRule(ctx, c.tx, c.scope, c.job.RuleID, credits)
	for _, e := range expired {
		if isOfRule[e.EntryID] && e.Version > since[e.AccountID] {
			sums[e.AccountID] -= e.Amount
		}
	}
	return sums, err
}

// postDebits debits each account by its sum, at most down to 0, with one transaction of the ledger per account, and
// saves the version up to which each account is debited. Accounts with nothing to debit get only the version.
func (c *jobStep) postDebits(ctx context.Context, accounts []lots.Account, sums map[laurel.ID]laurel.Amount) error {
	r, err := c.Rules.Rule(ctx, c.scope, c.job.RuleID)
	if err != nil {
		return err
	}
	var postings []ledger.Posting
	marks := make([]rewardhistory.DebitMark, len(accounts))
	var debited []int
	for i, a := range accounts {
		marks[i] = rewardhistory.DebitMark{Account: a.AccountID, Job: c.job.ID, Version: a.Version}
		amount := min(sums[a.AccountID], a.Amount)
		if amount <= 0 {
			continue
		}
		postings, debited = append(postings, debitPosting(r, a, amount)), append(debited, i)
		c.job.Accounts++
		c.job.Amount += amount // in range: a currency owes no more
	}
	transactions, err := c.Ledger.PostIn(ctx, c.tx, c.scope, postings...)
	if err != nil {
		return err
	}
	for n, i := range debited {
		marks[i].Version = transactions[n].Entries[0].LockVersion
	}
	return c.history.SaveDebitMarks(ctx, c.tx, c.scope, c.job.RuleID, marks)
}

// debitPosting returns the posting that debits an account for a deleted rule.
func debitPosting(r catalog.Rule, account lots.Account, amount laurel.Amount) ledger.Posting {
	return ledger.Posting{
		Type:        ledger.TypeLoyaltyRule,
		Cause:       ledger.CauseRuleDeleted,
		Description: r.Name,
		RuleID:      r.ID,
		RuleType:    string(r.Type),
		Lines: []ledger.Line{{
			Member:     ledger.LockedMember(account.UserID),
			CurrencyID: account.CurrencyID,
			Direction:  ledger.Debit,
			Amount:     amount,
			Metadata:   debitMetadata,
		}},
	}
}

var debitMetadata = json.RawMessage(`{"reason":"` + ruleDeleted + `"}`)

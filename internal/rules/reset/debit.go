package reset

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/points/rewardhistory"
	"laurel/internal/rules/catalog"
	"laurel/internal/store"
)

// DeleteRule deletes a rule and debits each user by what it paid, at most down to 0 (contract 5.17). It returns when
// the rule is deleted and the debits are done, or go on in the background after some seconds. NotFound "Loyalty rule".
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
				at:             position{Phase: phaseWaiting},
			}
			job = j.ID
			begun, err := insertJob(ctx, tx, j)
			if err == nil && !begun {
				return store.ErrRerun // a rule that is cleared does not come back, so it cannot be deleted again meanwhile
			}
			return err
		}},
	)
	if err != nil {
		return r, err
	}
	s.finish(ctx, job)
	return r, nil
}

// cancelWaiting cancels what the rule granted and has not been given yet.
func (c *clearance) cancelWaiting(ctx context.Context) error {
	ids, err := lots.HeldOfRule(ctx, c.tx, c.job.RuleID, c.size)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		c.job.goTo(phaseEntries)
		return nil
	}
	if _, err := lots.LockHeld(ctx, c.tx, ids); err != nil {
		return err
	}
	return lots.Cancel(ctx, c.tx, ids, ruleDeleted)
}

// Of what a deleted rule paid, entries and lots say why it went.
const ruleDeleted = "Loyalty rule deleted"

// debitPaid looks at the next payments of the rule and debits the accounts among them that this job has not come to
// yet, each by all that the rule paid it since it was debited for the rule last.
func (c *clearance) debitPaid(ctx context.Context) error {
	paid, err := c.paid.PaymentsOfRule(
		ctx,
		c.tx,
		c.scope,
		c.job.RuleID,
		laurel.PageRequest{StartingAfter: c.job.at.After, Limit: c.size},
	)
	if err != nil {
		return err
	}
	if len(paid) == 0 {
		c.job.end(Complete, "")
		return nil
	}
	c.job.at.After = paid[len(paid)-1].EntryID
	slices.SortStableFunc(paid, func(a, b rewardhistory.Payment) int { return a.CurrencyID.Compare(b.CurrencyID) })
	for len(paid) > 0 {
		n := 1
		for n < len(paid) && paid[n].CurrencyID == paid[0].CurrencyID {
			n++
		}
		if err := c.debitIn(ctx, paid[0].CurrencyID, paid[:n]); err != nil {
			return err
		}
		paid = paid[n:]
	}
	return nil
}

// debitIn debits the payments of one currency.
func (c *clearance) debitIn(ctx context.Context, currency laurel.ID, paid []rewardhistory.Payment) error {
	// tokens that were owed or sent are not taken back
	if of, err := c.Ledger.Currency(ctx, c.scope, currency); err != nil || of.IsTokenRewardCurrency {
		return err
	}
	var users, ids []laurel.ID
	for _, p := range paid {
		users, ids = append(users, p.UserID), append(ids, p.AccountID)
	}
	before, err := countedOf(ctx, c.tx, c.job.RuleID, ids)
	if err != nil {
		return err
	}
	users = slices.DeleteFunc(union(users, nil), func(user laurel.ID) bool {
		i := slices.IndexFunc(paid, func(p rewardhistory.Payment) bool { return p.UserID == user })
		return before[paid[i].AccountID].Job == c.job.ID
	})
	if len(users) == 0 {
		return nil
	}
	held, err := c.Ledger.LockAccounts(ctx, c.tx, c.scope, currency, users)
	if laurel.CodeOf(err) == laurel.Refused {
		return nil // the currency is deleted: nothing is posted in it any more
	}
	if err != nil {
		return err
	}
	if kept, err := ledger.IsExternallyHeldIn(ctx, c.tx, c.scope, currency); err != nil {
		return err
	} else if kept {
		c.job.leaveOut(currency) // only its keeper could take it back
		return nil
	}
	sums, err := c.leftOver(ctx, held, before)
	if err != nil {
		return err
	}
	return c.take(ctx, held, sums)
}

// leftOver returns what the rule has paid to accounts since each was looked at, without what the service itself has
// taken back of it: all that was there before a reset, and what has expired. Else the debit would take what other rules
// paid.
func (c *clearance) leftOver(
	ctx context.Context,
	held []lots.Account,
	before map[laurel.ID]counted,
) (map[laurel.ID]laurel.Amount, error) {
	ids := make([]laurel.ID, len(held))
	for i, a := range held {
		ids[i] = a.AccountID
	}
	reset, err := c.paid.LastResets(ctx, c.tx, c.scope, Description, ids)
	if err != nil {
		return nil, err
	}
	since := map[laurel.ID]int64{}
	for _, id := range ids {
		since[id] = max(before[id].Version, reset[id])
	}
	sums, err := c.paid.PaidSince(ctx, c.tx, c.scope, c.job.RuleID, since)
	if err != nil {
		return nil, err
	}
	expired, err := lots.ExpiredOf(ctx, c.tx, ids)
	if err != nil {
		return nil, err
	}
	credits := make([]laurel.ID, len(expired))
	for i, e := range expired {
		credits[i] = e.EntryID
	}
	of, err := c.paid.EntriesOfRule(ctx, c.tx, c.scope, c.job.RuleID, credits)
	for _, e := range expired {
		if of[e.EntryID] && e.Version > since[e.AccountID] {
			sums[e.AccountID] -= e.Amount
		}
	}
	return sums, err
}

// take posts the debits, a transaction for each account, and writes down up to where each was looked at.
func (c *clearance) take(ctx context.Context, held []lots.Account, sums map[laurel.ID]laurel.Amount) error {
	r, err := c.Rules.Rule(ctx, c.scope, c.job.RuleID)
	if err != nil {
		return err
	}
	var postings []ledger.Posting
	seen := make([]counted, len(held))
	var debited []int
	for i, a := range held {
		seen[i] = counted{Account: a.AccountID, Version: a.Version}
		amount := min(sums[a.AccountID], a.Amount)
		if amount <= 0 {
			continue
		}
		postings = append(
			postings,
			ledger.Posting{
				Type:        ledger.TypeLoyaltyRule,
				Cause:       ledger.CauseRuleDeleted,
				Description: r.Name,
				RuleID:      r.ID,
				RuleType:    string(r.Type),
				Lines: []ledger.Line{
					{
						Member:     ledger.LockedMember(a.UserID),
						CurrencyID: a.CurrencyID,
						Direction:  ledger.Debit,
						Amount:     amount,
						Metadata:   debitMetadata,
					},
				},
			},
		)
		debited = append(debited, i)
		c.job.Accounts++
		c.job.Amount += amount // in range: a currency owes no more
	}
	made, err := c.Ledger.PostIn(ctx, c.tx, c.scope, postings...)
	if err != nil {
		return err
	}
	for n, i := range debited {
		seen[i].Version = made[n].Entries[0].LockVersion
	}
	return saveCounted(ctx, c.tx, c.job, seen)
}

var debitMetadata = json.RawMessage(`{"reason":"` + ruleDeleted + `"}`)

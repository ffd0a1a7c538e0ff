package schedule

import (
	"context"
	"math/big"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// referralSharePage returns the pageFunc of rules of type referred_user. It walks the referees and pays their referrers
// a share of their earnings in the time that the run covers (contract 5.12). The run waits until no entry can be
// dated into that time any more.
func (s *Service) referralSharePage(rule catalog.CachedRule) pageFunc {
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		if rule.Rule.LoyaltyCurrencyID == nil {
			return 0, false, s.failRun(ctx, r, decision.Refuse(decision.MsgCurrencyNotFound))
		}
		settledUntil, err := s.DB.Settled(ctx)
		if err != nil {
			return 0, false, err
		}
		if wait := r.at().Sub(settledUntil); wait > 0 {
			return wait, false, nil
		}
		after := laurel.ID{}
		if r.Position != "" {
			if after, err = laurel.ParseID(r.Position); err != nil {
				return 0, false, err
			}
		}
		page, err := s.Referrals.ListOfRule(
			ctx,
			scope,
			referrals.Page{RuleID: r.RuleID, After: after, Until: r.at(), Limit: pageSize},
		)
		if err != nil || len(page) == 0 {
			return 0, err == nil, err
		}
		return 0, len(page) < pageSize, s.pay(ctx, scope, r, refereePage{s, rule, page})
	}
}

// refereePage is a page of referees. It implements payees.
type refereePage struct {
	*Service
	cachedRule catalog.CachedRule
	list       []referrals.Referral
}

func (e refereePage) rule() catalog.CachedRule { return e.cachedRule }
func (e refereePage) size() int                { return len(e.list) }
func (e refereePage) position(i int) string    { return e.list[i].RefereeID.String() }
func (e refereePage) slice(from, to int) payees {
	return refereePage{e.Service, e.cachedRule, e.list[from:to]}
}

// referralShares are the shares of one referee's earnings: one for the referrer, one for the referrer's referrer.
type referralShares struct {
	referee laurel.ID
	posting ledger.Posting
	credits []shareCredit
}

// shareCredit is one share, and the referral that it is counted with.
type shareCredit struct {
	referral referrals.Key
	tier     int
	amount   laurel.Amount
}

// shareFacts are what the shares of a page of referees follow from.
type shareFacts struct {
	terms      schema.Referral
	currency   laurel.ID
	earnings   map[laurel.ID]laurel.Amount      // by referee
	secondTier map[laurel.ID]referrals.Referral // the referrals of the referrers themselves, by referrer
	referrers  map[laurel.ID]identity.Person    // of both tiers, by user
}

// prepare works out the shares of every referee from its earnings.
func (e refereePage) prepare(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	_ preparedPayees,
) (preparedPayees, error) {
	f := shareFacts{terms: e.cachedRule.Rule.Referral(), currency: *e.cachedRule.Rule.LoyaltyCurrencyID}
	var err error
	if f.earnings, err = e.sumEarnings(ctx, scope, r, f.currency); err != nil {
		return nil, err
	}
	if f.secondTier, err = e.secondTierReferrals(ctx, scope, f.terms, f.earnings); err != nil {
		return nil, err
	}
	if f.referrers, err = e.loadReferrers(ctx, scope, f.secondTier, f.earnings); err != nil {
		return nil, err
	}
	out := preparedShares{service: e.Service, rule: e.cachedRule, at: r.at(), list: make([]*referralShares, len(e.list))}
	for i, row := range e.list {
		out.list[i] = e.sharesOf(scope, row, f)
	}
	return out, nil
}

// sharesOf returns the shares of a referee's earnings; nil if there is nothing to pay.
func (e refereePage) sharesOf(scope laurel.Scope, row referrals.Referral, f shareFacts) *referralShares {
	shares := &referralShares{
		referee: row.RefereeID,
		posting: ledger.Posting{
			Scope:       scope,
			Type:        ledger.TypeLoyaltyRule,
			Cause:       ledger.CauseReward,
			Description: e.cachedRule.Rule.Name,
			RuleID:      e.cachedRule.Rule.ID,
			RuleType:    string(e.cachedRule.Rule.Type),
		},
	}
	earned := f.earnings[row.RefereeID]
	shares.add(f.referrers[row.ReferrerID], f.currency, shareCredit{
		referral: referrals.Key{Rule: row.RuleID, Referee: row.RefereeID},
		tier:     1,
		amount:   percentage(earned, f.terms.FirstTier),
	})
	if second, ok := f.secondTier[row.ReferrerID]; ok {
		shares.add(f.referrers[second.ReferrerID], f.currency, shareCredit{
			referral: referrals.Key{Rule: second.RuleID, Referee: second.RefereeID},
			tier:     2,
			amount:   percentage(earned, f.terms.SecondTier),
		})
	}
	if len(shares.credits) == 0 {
		return nil
	}
	return shares
}

// add adds a share for a referrer, unless it is 0, or the referrer is unknown or blocked.
func (sh *referralShares) add(referrer identity.Person, currency laurel.ID, c shareCredit) {
	if c.amount <= 0 || referrer.UserID.IsZero() || referrer.Blocked {
		return
	}
	kind := "tier1"
	if c.tier == 2 {
		kind = "tier2"
	}
	sh.credits = append(sh.credits, c)
	sh.posting.Lines = append(
		sh.posting.Lines,
		ledger.Line{
			Member: ruletypes.ToLedgerMember(referrer, sh.posting.Scope), CurrencyID: currency, Direction: ledger.Credit,
			Amount: c.amount, Metadata: referrals.Metadata(kind, sh.referee),
		},
	)
}

// sumEarnings returns what each referee earned in the time that the run covers, since it was referred, without pauses
// of the rule and without time whose shares an earlier run has paid.
func (e refereePage) sumEarnings(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	currency laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	earnings := make([]ledger.EarningUser, len(e.list))
	for i, row := range e.list {
		earnings[i] = ledger.EarningUser{User: row.RefereeID, From: store.Time(max(r.Since, row.CreatedAt))}
	}
	if err := e.skipPaidTime(ctx, scope, r, earnings); err != nil {
		return nil, err
	}
	spans, err := earningSpans(ctx, e.DB, r)
	if err != nil {
		return nil, err
	}
	total := make(map[laurel.ID]laurel.Amount, len(earnings))
	for _, s := range spans {
		sums, err := e.Ledger.SumEarnings(
			ctx,
			e.DB,
			scope,
			ledger.EarningsQuery{CurrencyID: currency, To: s.To, Users: s.clip(earnings)},
		)
		if err != nil {
			return nil, err
		}
		for user, amount := range sums {
			total[user] = addCapped(total[user], amount)
		}
	}
	return total, nil
}

// skipPaidTime leaves out time that is paid already: if an earlier, incomplete run has paid the shares of a referee,
// the referee's earning time starts at the last such run.
func (e refereePage) skipPaidTime(
	ctx context.Context, scope laurel.Scope, r *runRow, earnings []ledger.EarningUser,
) error {
	times, err := incompleteRunTimes(ctx, e.DB, r)
	if err != nil || len(times) == 0 {
		return err
	}
	users := make([]laurel.ID, len(earnings))
	for i := range earnings {
		users[i] = earnings[i].User
	}
	for _, us := range times {
		at := store.Time(us)
		paid, err := e.Completions.PaidUsers(ctx, scope, e.cachedRule.Rule.ID, users, at)
		if err != nil {
			return err
		}
		for i := range earnings {
			if paid[earnings[i].User] && earnings[i].From.Before(at) {
				earnings[i].From = at
			}
		}
	}
	return nil
}

// secondTierReferrals returns, by referrer, the referrals in which the referrers of the page are themselves the
// referees, for referrers whose own referees have earned something. It returns nil if the rule pays no second tier.
func (e refereePage) secondTierReferrals(
	ctx context.Context,
	scope laurel.Scope,
	terms schema.Referral,
	earnings map[laurel.ID]laurel.Amount,
) (map[laurel.ID]referrals.Referral, error) {
	if terms.SecondTier <= 0 {
		return nil, nil
	}
	var referrers []laurel.ID
	for _, row := range e.list {
		if earnings[row.RefereeID] > 0 {
			referrers = append(referrers, row.ReferrerID)
		}
	}
	return e.Referrals.FindByReferee(ctx, scope, e.cachedRule.Rule.ID, referrers)
}

// loadReferrers returns, by user id, the referrers of both tiers whose referees have earned something.
func (e refereePage) loadReferrers(
	ctx context.Context,
	scope laurel.Scope,
	secondTier map[laurel.ID]referrals.Referral,
	earnings map[laurel.ID]laurel.Amount,
) (map[laurel.ID]identity.Person, error) {
	var refs []identity.Ref
	for _, row := range e.list {
		if earnings[row.RefereeID] > 0 {
			refs = append(refs, identity.Ref{UserID: row.ReferrerID})
		}
	}
	for _, referral := range secondTier {
		refs = append(refs, identity.Ref{UserID: referral.ReferrerID})
	}
	people, err := e.People.ResolveMany(ctx, e.DB, scope, refs)
	out := make(map[laurel.ID]identity.Person, len(people))
	for _, p := range people {
		out[p.UserID] = p
	}
	return out, err
}

// percentage returns a percentage of an amount, rounded half up at six places. Neither may be negative.
func percentage(amount, percent laurel.Amount) laurel.Amount {
	v := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(percent)))
	hundred := big.NewInt(100 * int64(laurel.One))
	v.Add(v, big.NewInt(50*int64(laurel.One)))
	return laurel.Amount(v.Quo(v, hundred).Int64())
}

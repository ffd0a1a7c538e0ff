package schedule

import (
	"context"
	"math/big"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/referrals"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// shares pays referrers their part of what the people earned whom they brought: a run of a rule of type referred_user
// (contract 5.12). It walks the referees; a run waits until nothing more can be dated into the time that it covers.
func (s *Service) shares(rule catalog.CachedRule) step {
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		if rule.Rule.LoyaltyCurrencyID == nil {
			return 0, false, s.refuse(ctx, r, decision.Refuse(decision.MsgCurrencyNotFound))
		}
		settled, err := s.DB.Settled(ctx)
		if err != nil {
			return 0, false, err
		}
		if wait := r.at().Sub(settled); wait > 0 {
			return wait, false, nil
		}
		after := laurel.ID{}
		if r.Position != "" {
			if after, err = laurel.ParseID(r.Position); err != nil {
				return 0, false, err
			}
		}
		found, err := s.Referrals.ListOfRule(
			ctx,
			scope,
			referrals.Page{RuleID: r.RuleID, After: after, Until: r.at(), Limit: pageSize},
		)
		if err != nil || len(found) == 0 {
			return 0, err == nil, err
		}
		return 0, len(found) < pageSize, s.pay(ctx, scope, r, earners{s, rule, found})
	}
}

// earners are referees that come next.
type earners struct {
	*Service
	of   catalog.CachedRule
	list []referrals.Referral
}

func (e earners) rule() catalog.CachedRule   { return e.of }
func (e earners) size() int                  { return len(e.list) }
func (e earners) position(i int) string      { return e.list[i].RefereeID.String() }
func (e earners) slice(from, to int) payable { return earners{e.Service, e.of, e.list[from:to]} }

// share is what one referee's earnings bring to others.
type share struct {
	referee laurel.ID
	posting ledger.Posting
	credits []credit
}

// credit is a line of a share and the referral that it is counted with.
type credit struct {
	of     referrals.Key
	tier   int
	amount laurel.Amount
}

// prepare works out every share from what was earned; nil: none.
func (e earners) prepare(ctx context.Context, scope laurel.Scope, r *runRow, _ ready) (ready, error) {
	terms, currency := e.of.Rule.Referral(), *e.of.Rule.LoyaltyCurrencyID
	earned, err := e.earned(ctx, scope, r, currency)
	if err != nil {
		return nil, err
	}
	above, err := e.above(ctx, scope, terms, earned)
	if err != nil {
		return nil, err
	}
	people, err := e.referrers(ctx, scope, above, earned)
	if err != nil {
		return nil, err
	}
	out := shared{service: e.Service, rule: e.of, at: r.at(), list: make([]*share, len(e.list))}
	for i, row := range e.list {
		sh := &share{
			referee: row.RefereeID,
			posting: ledger.Posting{
				Scope:       scope,
				Type:        ledger.TypeLoyaltyRule,
				Cause:       ledger.CauseReward,
				Description: e.of.Rule.Name,
				RuleID:      e.of.Rule.ID,
				RuleType:    string(e.of.Rule.Type),
			},
		}
		sh.add(
			people[row.ReferrerID],
			currency,
			credit{referrals.Key{Rule: row.RuleID, Referee: row.RefereeID}, 1, percent(earned[row.RefereeID], terms.FirstTier)},
		)
		if up, ok := above[row.ReferrerID]; ok {
			sh.add(
				people[up.ReferrerID],
				currency,
				credit{referrals.Key{Rule: up.RuleID, Referee: up.RefereeID}, 2, percent(earned[row.RefereeID], terms.SecondTier)},
			)
		}
		if len(sh.credits) > 0 {
			out.list[i] = sh
		}
	}
	return out, nil
}

// add gives a referrer a share, unless there is none or the referrer is blocked.
func (sh *share) add(to identity.Person, currency laurel.ID, c credit) {
	if c.amount <= 0 || to.UserID.IsZero() || to.Blocked {
		return
	}
	kind := "tier1"
	if c.tier == 2 {
		kind = "tier2"
	}
	sh.credits = append(sh.credits, c)
	sh.posting.Lines = append(
		sh.posting.Lines,
		ledger.Line{Member: ruletypes.LedgerMember(to, sh.posting.Scope), CurrencyID: currency, Direction: ledger.Credit,
			Amount: c.amount, Metadata: referrals.Metadata(kind, sh.referee)},
	)
}

// earned returns what each referee earned in the time that the run covers, since it was brought.
func (e earners) earned(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	currency laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	who := make([]ledger.Earning, len(e.list))
	for i, row := range e.list {
		who[i] = ledger.Earning{User: row.RefereeID, From: store.Time(max(r.Since, row.CreatedAt))}
	}
	if err := e.paidAlready(ctx, scope, r, who); err != nil {
		return nil, err
	}
	spans, err := spansOf(ctx, e.DB, r)
	if err != nil {
		return nil, err
	}
	sum := make(map[laurel.ID]laurel.Amount, len(who))
	for _, s := range spans {
		part, err := e.Ledger.Earned(ctx, e.DB, scope, ledger.Earnings{CurrencyID: currency, To: s.To, Who: s.within(who)})
		if err != nil {
			return nil, err
		}
		for user, amount := range part {
			sum[user] = plus(sum[user], amount)
		}
	}
	return sum, nil
}

// paidAlready has what referees earned count from the last of the runs that broke off after it had paid their shares.
func (e earners) paidAlready(ctx context.Context, scope laurel.Scope, r *runRow, who []ledger.Earning) error {
	times, err := brokenOff(ctx, e.DB, r)
	if err != nil || len(times) == 0 {
		return err
	}
	users := make([]laurel.ID, len(who))
	for i := range who {
		users[i] = who[i].User
	}
	for _, us := range times {
		at := store.Time(us)
		paid, err := e.Completions.PaidUsers(ctx, scope, e.of.Rule.ID, users, at)
		if err != nil {
			return err
		}
		for i := range who {
			if paid[who[i].User] && who[i].From.Before(at) {
				who[i].From = at
			}
		}
	}
	return nil
}

// above returns who brought the referrers of those that earned something, where that pays.
func (e earners) above(
	ctx context.Context,
	scope laurel.Scope,
	terms schema.Referral,
	earned map[laurel.ID]laurel.Amount,
) (map[laurel.ID]referrals.Referral, error) {
	if terms.SecondTier <= 0 {
		return nil, nil
	}
	var referrers []laurel.ID
	for _, row := range e.list {
		if earned[row.RefereeID] > 0 {
			referrers = append(referrers, row.ReferrerID)
		}
	}
	return e.Referrals.FindByReferee(ctx, scope, e.of.Rule.ID, referrers)
}

func (e earners) referrers(
	ctx context.Context,
	scope laurel.Scope,
	above map[laurel.ID]referrals.Referral,
	earned map[laurel.ID]laurel.Amount,
) (map[laurel.ID]identity.Person, error) {
	var refs []identity.Ref
	for _, row := range e.list {
		if earned[row.RefereeID] > 0 {
			refs = append(refs, identity.Ref{UserID: row.ReferrerID})
		}
	}
	for _, up := range above {
		refs = append(refs, identity.Ref{UserID: up.ReferrerID})
	}
	people, err := e.People.ResolveMany(ctx, e.DB, scope, refs)
	out := make(map[laurel.ID]identity.Person, len(people))
	for _, p := range people {
		out[p.UserID] = p
	}
	return out, err
}

// percent returns a part of an amount, rounded half away from zero at six places. Neither is negative.
func percent(of, percent laurel.Amount) laurel.Amount {
	v := new(big.Int).Mul(big.NewInt(int64(of)), big.NewInt(int64(percent)))
	hundred := big.NewInt(100 * int64(laurel.One))
	v.Add(v, big.NewInt(50*int64(laurel.One)))
	return laurel.Amount(v.Quo(v, hundred).Int64())
}

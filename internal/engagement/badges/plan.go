package badges

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Plan is a badge as it was read, with everything that granting it causes: the further badges that its rewards grant,
// each once, and the currencies of all rewards. A Work that grants the badge holds the Locks of the plan, calls Check
// before it stages anything, and then Grant.
type Plan struct {
	scope         laurel.Scope // of the badge's website
	root          laurel.ID
	badges        map[laurel.ID]Badge
	tokens        map[laurel.ID]ledger.Token // by hidden currency
	allCurrencies []laurel.ID                // the currencies of a retroactive multiplier that lists none
}

// Plan returns a plan to grant a live badge: it reads the badge, the further badges that its rewards grant, and the
// currencies that all these pay. It returns NotFound "Badge" for a badge that is deleted or outside the scope.
func (s *Service) Plan(ctx context.Context, scope laurel.Scope, badge laurel.ID) (*Plan, error) {
	b, err := ReadBadge(ctx, s.DB, scope, badge)
	if err != nil {
		return nil, err
	}
	p := &Plan{scope: scope.At(b.WebsiteID), root: b.ID, badges: map[laurel.ID]Badge{b.ID: b}}
	if err := s.readFurtherBadges(ctx, p, b); err != nil {
		return nil, err
	}
	var tokens []laurel.ID
	for r := range p.rewards() {
		if r.Type == Token {
			tokens = append(tokens, r.CurrencyID)
		}
		if r.Type == Multiplier && r.Retroactive && len(r.CurrencyIDs) == 0 && p.allCurrencies == nil {
			if p.allCurrencies, err = s.listPointCurrencies(ctx, p.scope); err != nil {
				return nil, err
			}
		}
	}
	p.tokens, err = ledger.TokensOf(ctx, s.DB, p.scope, tokens)
	return p, err
}

// readFurtherBadges adds to the plan the badges that b grants as rewards, those that these grant, and so on. Deleted
// badges are left out.
func (s *Service) readFurtherBadges(ctx context.Context, p *Plan, b Badge) error {
	level := []Badge{b}
	for range MaxBadgeRewardDepth {
		var ids []laurel.ID
		for _, badge := range level {
			for _, r := range badge.Rewards {
				if _, isRead := p.badges[r.BadgeID]; r.Type == FurtherBadge && !isRead && !slices.Contains(ids, r.BadgeID) {
					ids = append(ids, r.BadgeID)
				}
			}
		}
		found, err := ReadBadges(ctx, s.DB, p.scope, ids)
		if err != nil || len(found) == 0 {
			return err
		}
		maps.Copy(p.badges, found)
		level = slices.Collect(maps.Values(found))
	}
	return nil
}

// maxRetroactive bounds the balances that one retroactive multiplier raises.
const maxRetroactive = 100

// listPointCurrencies returns up to maxRetroactive currencies of the website's points. It leaves out the hidden
// currencies of token rewards, and currencies on external ledgers, whose balances are not known here.
func (s *Service) listPointCurrencies(ctx context.Context, scope laurel.Scope) ([]laurel.ID, error) {
	live, err := s.Ledger.ListCurrencies(ctx, scope, ledger.CurrencyFilter{}, laurel.PageRequest{Limit: maxRetroactive})
	ids := []laurel.ID{}
	for _, c := range live.Data {
		if c.API.PostURL == nil { // on no external ledger
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// rewards iterates over the rewards of all badges of the plan.
func (p *Plan) rewards() func(yield func(Reward) bool) {
	return func(yield func(Reward) bool) {
		for _, b := range p.badges {
			for _, r := range b.Rewards {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Badge returns the badge that is to be granted.
func (p *Plan) Badge() Badge { return p.badges[p.root] }

// HasMultiplier reports whether a reward of the plan is a multiplier. Then the person must be marked as having
// multipliers before it is granted.
func (p *Plan) HasMultiplier() bool {
	for r := range p.rewards() {
		if r.Type == Multiplier {
			return true
		}
	}
	return false
}

// retroactiveCurrencies returns the currencies whose balances the reward raises at once when it is granted: none unless
// it is a retroactive multiplier above 1.
func (p *Plan) retroactiveCurrencies(r Reward) []laurel.ID {
	switch {
	case r.Type != Multiplier || !r.Retroactive || r.Multiplier <= laurel.One:
		return nil
	case len(r.CurrencyIDs) > 0:
		return r.CurrencyIDs
	}
	return p.allCurrencies
}

// Locks returns the locks that Check and Grant need: of the person, the badges and their records, the person's
// multipliers, and the accounts that rewards are paid to.
func (p *Plan) Locks(person identity.Person) []store.Lock {
	locks := person.Locks()
	for id := range p.badges {
		locks = append(locks, badgeVersions.Lock(id), badgeUsers.Lock(badgeUserKey{id, person.UserID}))
	}
	if p.HasMultiplier() {
		locks = append(locks, engagement.MultiplierLocks(p.scope.WebsiteID, []laurel.ID{person.UserID})...)
	}
	posting := ledger.Posting{}
	for r := range p.rewards() {
		for _, currency := range append(p.retroactiveCurrencies(r), r.CurrencyID) {
			if !currency.IsZero() {
				posting.Lines = append(posting.Lines, p.rewardLine(person, currency, 0)) // locks depend on no amount
			}
		}
	}
	return append(locks, posting.Locks()...)
}

// rewardLine returns the line of a posting that credits an amount to the person's account in a currency.
func (p *Plan) rewardLine(person identity.Person, currency laurel.ID, amount laurel.Amount) ledger.Line {
	return ledger.Line{
		Member: ledger.Member{
			UserID:   person.UserID,
			Wallet:   person.Wallet,
			Blocked:  person.Blocked,
			Spenders: person.SpendingOrder(),
			Locks:    person.Locks(),
			Check:    person.Check,
			Admit:    func(b *store.Batch) error { return person.Admit(b, p.scope) },
		},
		CurrencyID: currency,
		Direction:  ledger.Credit,
		Amount:     amount,
	}
}

// GrantOptions says how a badge is granted.
type GrantOptions struct {
	RuleID   laurel.ID // the rule that grants it
	Dynamic  bool      // a dynamic reward: granted while the rule's conditions hold
	Progress []conditions.State
	Force    bool // grants the badge even if it was revoked
}

// grantStep is a badge that is granted now.
type grantStep struct {
	badge       Badge
	paysRewards bool // true for the first grant
}

// stepsFor returns the badges that are granted now: the badge of the plan and the further badges that its rewards
// grant. Badges that the person has, or that were revoked from it, are left out; options.Force overrides a revocation
// of the plan's badge. The rewards of a badge are paid only the first time.
func (p *Plan) stepsFor(b *store.Batch, person identity.Person, options GrantOptions) []grantStep {
	var out []grantStep
	visited := map[laurel.ID]bool{}
	var visit func(id laurel.ID, force bool)
	visit = func(id laurel.ID, force bool) {
		badge, live := p.badges[id]
		if !live || visited[id] {
			return
		}
		visited[id] = true
		row := badgeUsers.Row(b, badgeUserKey{id, person.UserID})
		if row.Status == Active || row.Status == Revoked && !force {
			return
		}
		out = append(out, grantStep{badge, row.RewardedAt.IsZero()})
		for _, r := range badge.Rewards {
			if r.Type == FurtherBadge && row.RewardedAt.IsZero() {
				visit(r.BadgeID, false)
			}
		}
	}
	visit(p.root, options.Force)
	return out
}

// Check returns store.ErrStale if the plan or the person has changed since it was read. It returns a refusal if the
// badge cannot be granted: a balance or the number of multipliers would exceed its bounds, or the person has no wallet
// for a token. It stages nothing.
func (p *Plan) Check(b *store.Batch, person identity.Person, options GrantOptions) error {
	if err := person.Check(b); err != nil {
		return err
	}
	for id, badge := range p.badges {
		if now := badgeVersions.Row(b, id); now.Version != badge.Version || now.Deleted != nil {
			return store.ErrStale
		}
	}
	all := ledger.Posting{Scope: p.scope, Type: ledger.TypeLoyaltyRule, Cause: ledger.CauseReward}
	multipliers := 0
	for _, s := range p.stepsFor(b, person, options) {
		posting, err := p.rewardPosting(b, person, s)
		if err != nil {
			return err
		}
		if len(posting.Tokens) > 0 && person.Wallet == "" {
			return laurel.Errorf(laurel.Refused, "User has no wallet address")
		}
		all.Lines = append(all.Lines, posting.Lines...)
		for _, r := range s.badge.Rewards {
			if r.Type == Multiplier {
				multipliers++
			}
		}
	}
	if multipliers > 0 {
		live := engagement.LiveMultipliers(b, p.scope.WebsiteID, []laurel.ID{person.UserID})
		if len(live)+multipliers > multiplier.MaxPerUser {
			return multiplier.ErrTooMany()
		}
	}
	return all.CheckRange(b)
}

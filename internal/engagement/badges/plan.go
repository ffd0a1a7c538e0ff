package badges

import (
	"context"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/engagement/conditions"
	"laurel/internal/engagement/multiplier"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Plan is a badge as it was read, with everything that granting it sets off: the badges that its rewards give, each
// once, and what these pay in. A Work that grants it holds its Locks, calls Check before it stages anything, and then
// Grant.
type Plan struct {
	scope         laurel.Scope // of the badge's website
	root          laurel.ID
	badges        map[laurel.ID]Badge
	tokens        map[laurel.ID]ledger.Token // by their hidden currency
	allCurrencies []laurel.ID                // what a retroactive multiplier concerns that names no currency
}

// Plan reads a live badge and what granting it sets off. NotFound "Badge".
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

// readFurtherBadges reads the badges that rewards give, and those that these give. A deleted one is given no more.
func (s *Service) readFurtherBadges(ctx context.Context, p *Plan, b Badge) error {
	level := []Badge{b}
	for range MaxDepth {
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

// maxRetroactive bounds the accounts that one multiplier concerns at once.
const maxRetroactive = 100

// listPointCurrencies lists the currencies of the website's points: not the hidden ones of token rewards, and not those
// whose balances are known to an external ledger alone.
func (s *Service) listPointCurrencies(ctx context.Context, scope laurel.Scope) ([]laurel.ID, error) {
	live, err := s.Ledger.ListCurrencies(ctx, scope, ledger.CurrencyFilter{}, laurel.PageRequest{Limit: maxRetroactive})
	ids := []laurel.ID{}
	for _, c := range live.Data {
		if c.API.PostURL == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// rewards yields all rewards of the plan.
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

// Badge returns the badge that is granted.
func (p *Plan) Badge() Badge { return p.badges[p.root] }

// HasMultiplier reports whether a reward is a multiplier: then the person is to be marked first (identity.Marked).
func (p *Plan) HasMultiplier() bool {
	for r := range p.rewards() {
		if r.Type == Multiplier {
			return true
		}
	}
	return false
}

// retroactiveCurrencies lists the currencies whose balances a multiplier works on at once.
func (p *Plan) retroactiveCurrencies(r Reward) []laurel.ID {
	switch {
	case r.Type != Multiplier || !r.Retroactive || r.Multiplier <= laurel.One:
		return nil
	case len(r.CurrencyIDs) > 0:
		return r.CurrencyIDs
	}
	return p.allCurrencies
}

// Locks names the rows that Check and Grant look at and change.
func (p *Plan) Locks(person identity.Person) []store.Lock {
	locks := person.Locks()
	for id := range p.badges {
		locks = append(locks, versions.Lock(id), users.Lock(userKey{id, person.UserID}))
	}
	if p.HasMultiplier() {
		locks = append(locks, engagement.MultiplierLocks(p.scope.WebsiteID, []laurel.ID{person.UserID})...)
	}
	posting := ledger.Posting{}
	for r := range p.rewards() {
		for _, currency := range append(p.retroactiveCurrencies(r), r.CurrencyID) {
			if !currency.IsZero() {
				posting.Lines = append(posting.Lines, p.rewardLine(person, currency, 0))
			}
		}
	}
	return append(locks, posting.Locks()...)
}

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

// GrantOptions says how a badge comes to a member.
type GrantOptions struct {
	RuleID   laurel.ID // the rule that gives it
	Dynamic  bool      // for as long as what the rule asks for holds
	Progress []conditions.State
	Force    bool // also one that was revoked
}

// grantStep is a badge that is granted now.
type grantStep struct {
	badge  Badge
	isPaid bool // for the first time
}

// stepsFor works out which badges are granted: not one that the person has, nor, unless that is forced, one that was
// revoked. Its rewards follow where they were not paid before.
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
		row := users.Row(b, userKey{id, person.UserID})
		if row.Status == Active || row.Status == Revoked && !force {
			return
		}
		out = append(out, grantStep{badge, row.RewardedAt == nil})
		for _, r := range badge.Rewards {
			if r.Type == FurtherBadge && row.RewardedAt == nil {
				visit(r.BadgeID, false)
			}
		}
	}
	visit(p.root, options.Force)
	return out
}

// Check returns store.ErrStale where the plan or the person is not what was read any more, and the refusal of what
// cannot be granted: a balance or the number of multipliers would be out of range, or nobody can be sent a token. It
// stages nothing.
func (p *Plan) Check(b *store.Batch, person identity.Person, options GrantOptions) error {
	if err := person.Check(b); err != nil {
		return err
	}
	for id, badge := range p.badges {
		if now := versions.Row(b, id); now.Version != badge.Version || now.Deleted != nil {
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

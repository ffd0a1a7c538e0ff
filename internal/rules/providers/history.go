package providers

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// History verifies members by what their wallets did on blockchains since the run before, and by the tokens that they
// have locked. It is a Provider.
type History struct{ HistoryConfig }

// HistoryConfig holds what NewHistory needs.
type HistoryConfig struct {
	Delegations

	Reader *history.Reader
	Chains *holdings.Reader // finds blocks, and tells contracts apart
	// CollectionOf returns what the website says of a collection; the zero value if it has none.
	CollectionOf func(ctx context.Context, scope laurel.Scope, network, address string) (WebsiteCollection, error)
}

// WebsiteCollection is what a website says of a collection.
type WebsiteCollection struct {
	StakingAddress string         // the account that locks tokens; "": none
	RoyaltyAddress string         // "": unknown
	RoyaltyFee     *laurel.Amount // percent; nil: unknown
}

// NewHistory returns a provider.
func NewHistory(c HistoryConfig) *History { return &History{c} }

// IsAvailable reports whether the rule says whose tokens count. What else is missing PrepareRun says.
func (p *History) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	_, ok := tokensOf(rule)
	return ok && rule.CustomRewardsAPIURL == nil && rule.CustomRewardsCSVURL == nil, nil
}

// tokensOf returns whose tokens count for a rule.
func tokensOf(rule *schema.Properties) ([]schema.Held, bool) {
	if rule.Type.IsSale() || rule.Type == schema.TypeListing {
		return rule.Traded()
	}
	return rule.Held()
}

// PrepareRun makes sure that the rule can be read, and that the last block of the run's time will not change. Until
// then the run must wait.
func (p *History) PrepareRun(ctx context.Context, scope laurel.Scope, rule *schema.Properties, at time.Time) error {
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPast(scope, rule, at)
	err := v.prepare(limited)
	if pending := (*holdings.NotSettledError)(nil); errors.As(err, &pending) {
		return NotReady(pending.Error())
	}
	if refusal := problemOf(err); refusal != "" {
		return decision.Refuse(refusal)
	}
	return v.unanswered(err)
}

// Prefetch reads what happened since the earliest moment of the requests. If that takes long, it returns NotReady, and
// another call reads on.
func (p *History) Prefetch(ctx context.Context, scope laurel.Scope, requests []VerificationRequest) error {
	first := slices.MinFunc(requests, func(a, b VerificationRequest) int { return a.Since.Compare(b.Since) })
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPast(scope, first.Rule, first.RunAt)
	err := v.prepare(limited)
	for i := 0; i < len(v.items) && err == nil; i++ {
		var in []history.Range
		if in, err = v.rangesOf(limited, v.items[i], first.Since); err == nil {
			err = v.readAll(limited, v.items[i], in)
		}
	}
	if unfinished := (*history.UnfinishedError)(nil); errors.As(err, &unfinished) {
		return NotReady(unfinished.Error())
	}
	if problemOf(err) != "" {
		return nil // Verify refuses
	}
	return v.unanswered(err)
}

// Verify counts what the wallets of the member and its group did after the beginning of the request's period, up to the
// last block of its run. Of tokens that are locked or offered, it also counts those of cold wallets. A call that claims
// what a run has found is verified as that run, and one that claims offers as of the newest final block. If there is no
// valid response, the error has the code laurel.Unanswered.
func (p *History) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	if q.RunAt.IsZero() && q.Rule.Type != schema.TypeListing {
		return Verification{}, nil // no run has found anything
	}
	wallets := accountsOf(q.Members)
	if q.Rule.Type == schema.TypeLodging || q.Rule.Type == schema.TypeListing {
		d, err := p.delegationsOf(ctx, scope, q.Members)
		if err != nil {
			return Verification{}, err
		}
		wallets = d.walletsOf(q.Members)
	}
	slices.Sort(wallets)
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPast(scope, q.Rule, q.RunAt)
	out, err := v.count(limited, slices.Compact(wallets), q.Since)
	if refusal := problemOf(err); refusal != "" {
		return Verification{Refusal: refusal}, nil
	}
	if err != nil && ctx.Err() != nil {
		return Verification{}, ctx.Err()
	}
	return out, v.unanswered(err)
}

// past is what is read for one verification, or for many.
type past struct {
	*History
	scope  laurel.Scope
	rule   *schema.Properties
	meta   schema.Meta
	until  time.Time // nothing later counts
	isOver bool      // the rule's effectiveEndTime was before the run, and is until
	isNow  bool      // a call asks, and no run

	blocks   map[string]holdings.Block // by network: the last block that counts
	items    []pastItem
	currency saleCurrency
	asked    string // the network that was asked last
}

// pastItem is what is read of one collection.
type pastItem struct {
	schema.Held

	sources []history.Source // of sales and offers: one for each market
	markets []string         // of offers: the contract of each
	account string           // of tokens that are locked: where
	royalty royalty
}

// royalty is what must be paid in a sale.
type royalty struct {
	isWanted   bool
	receiver   string // "": anybody
	percentage laurel.Amount
}

// saleCurrency is what must be paid with in a sale.
type saleCurrency struct {
	isWanted bool
	contract string // "": the coin of the network
}

func (p *History) newPast(scope laurel.Scope, rule *schema.Properties, runAt time.Time) *past {
	v := &past{History: p, scope: scope, rule: rule, meta: rule.Meta(), until: runAt, isNow: runAt.IsZero()}
	if end := rule.EffectiveEndTime; end != nil && end.Before(runAt) {
		v.until, v.isOver = end.Time, true
	}
	return v
}

// notSetUp returns the error of a rule of which something is missing.
func notSetUp(parts ...string) error {
	return unreadableError(decision.MsgNotSetUp + ": " + strings.Join(parts, " "))
}

// prepare finds the last block of each network, and what is read of each collection. Errors: unreadableError.
func (v *past) prepare(ctx context.Context) error {
	list, _ := tokensOf(v.rule)
	v.blocks = map[string]holdings.Block{}
	if err := v.setCurrency(); err != nil {
		return err
	}
	for _, h := range list {
		v.asked = h.Network
		if !v.Chains.Reads(h.Network) {
			return notSetUp("no node of", h.Network, "is configured")
		}
		if _, ok := v.blocks[h.Network]; !ok {
			var err error
			if v.blocks[h.Network], err = v.lastBlock(ctx, h.Network); err != nil {
				return err
			}
		}
		item, err := v.newItem(ctx, h)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	return nil
}

// setCurrency reads the currency in which sales count.
func (v *past) setCurrency() error {
	name := evm.Normalize(v.meta.Currency())
	if !v.rule.Type.IsSale() || name == "" {
		return nil
	}
	v.currency.isWanted = true
	switch {
	case strings.EqualFold(name, schema.NativeCurrency), history.IsCoin(name):
	case evm.IsAccount(name):
		v.currency.contract = name
	default:
		return notSetUp("saleCurrency must be the address of a token, or native")
	}
	return nil
}

// newItem returns what is read of a collection.
func (v *past) newItem(ctx context.Context, h schema.Held) (pastItem, error) {
	item := pastItem{Held: h}
	isMulti := false
	if h.Contract != "" {
		if !evm.IsAccount(h.Contract) {
			return item, unreadableError(h.Contract + " on " + h.Network + " is not the address of a contract")
		}
		c, err := v.Chains.CurrentContract(ctx, h.Network, h.Contract)
		if err != nil {
			return item, err
		}
		if c.Standard == holdings.Fungible {
			return item, unreadableError(h.Contract + " on " + h.Network + " is not a collection")
		}
		isMulti = c.Standard == holdings.MultiCollection
	}
	if v.rule.Type == schema.TypeMinted {
		item.sources = []history.Source{history.Mints(h.Network, h.Contract, isMulti)}
		return item, nil
	}
	if v.rule.Type == schema.TypeListing {
		v.addOffers(&item)
		return item, nil
	}
	collection := WebsiteCollection{}
	if h.Contract != "" {
		var err error
		if collection, err = v.CollectionOf(ctx, v.scope, h.Network, h.Contract); err != nil {
			return item, err
		}
	}
	if v.rule.Type != schema.TypeLodging {
		err := v.addSales(&item, collection)
		return item, err
	}
	if item.account = evm.Normalize(collection.StakingAddress); !evm.IsAccount(item.account) {
		return item, notSetUp("the collection", h.Contract, "on", h.Network, "has no stakingAddress")
	}
	item.sources = []history.Source{history.Deposits(h.Network, h.Contract, item.account, isMulti)}
	return item, nil
}

// addSales adds the markets of which sales are read, and the royalty that must be paid there.
func (v *past) addSales(item *pastItem, collection WebsiteCollection) error {
	if item.royalty.isWanted = v.rule.WantsRoyalty(); item.royalty.isWanted {
		percentage := v.meta.RoyaltyPercentage
		if percentage == nil {
			percentage = collection.RoyaltyFee
		}
		if percentage == nil || *percentage < 0 {
			return notSetUp("it has no royaltyPercentage")
		}
		item.royalty.percentage, item.royalty.receiver = *percentage, evm.Normalize(v.meta.RoyaltyAddress)
		if item.royalty.receiver == "" {
			item.royalty.receiver = evm.Normalize(collection.RoyaltyAddress)
		}
	}
	hasMarket := false
	for _, m := range v.Reader.Markets(item.Network) {
		if name := v.meta.Market(); name != "" && !strings.EqualFold(name, m.FillSource) {
			continue
		}
		hasMarket = true
		if item.royalty.isWanted && (m.Mapping.RoyaltyAmount == "" ||
			item.royalty.receiver != "" && m.Mapping.RoyaltyAddress == "") {
			continue
		}
		item.sources = append(item.sources, history.Sales(item.Network, m))
	}
	switch {
	case !hasMarket && v.meta.Market() != "":
		return notSetUp("no market", v.meta.Market(), "of", item.Network, "is configured")
	case !hasMarket:
		return notSetUp("no market of", item.Network, "is configured")
	case len(item.sources) == 0:
		return notSetUp("no market of", item.Network, "tells which royalty was paid to whom")
	}
	return nil
}

// rangeOf returns the blocks that are read of a collection: those after a moment, and of tokens that are locked, those
// since deposits count.
func (v *past) rangeOf(ctx context.Context, item pastItem, since time.Time) (history.Range, error) {
	if v.rule.Type == schema.TypeLodging {
		return v.rangeSinceCreation(ctx, item.Network, item.Contract, since)
	}
	v.asked = item.Network
	last := v.blocks[item.Network]
	in := history.Range{Last: last.Number, LastHash: last.Hash}
	if !since.Before(v.until) {
		in.From = in.Last + 1
		return in, nil
	}
	return v.startAt(ctx, item.Network, in, since)
}

// readAll reads the ranges of all sources of a collection.
func (v *past) readAll(ctx context.Context, item pastItem, in []history.Range) error {
	for i, source := range item.sources {
		if err := v.Reader.Read(ctx, source, in[i]); err != nil {
			return err
		}
	}
	return nil
}

// count counts what wallets did since a moment, and judges it.
func (v *past) count(ctx context.Context, wallets []string, since time.Time) (Verification, error) {
	if err := v.prepare(ctx); err != nil {
		return Verification{}, err
	}
	list, counts := make([]schema.Held, len(v.items)), make([]*big.Rat, len(v.items))
	blocks := map[string]any{}
	for i, item := range v.items {
		ranges, err := v.rangesOf(ctx, item, since)
		if err != nil {
			return Verification{}, err
		}
		in := ranges[0]
		list[i], blocks[item.Network] = item.Held, map[string]uint64{"from": in.From, "to": in.Last}
		switch v.rule.Type {
		case schema.TypeLodging:
			counts[i], err = v.countDeposits(ctx, item, in, wallets)
		case schema.TypeListing:
			counts[i], err = v.countOffers(ctx, item, ranges, wallets)
		default:
			counts[i], err = v.countEvents(ctx, item, in, wallets)
		}
		if err != nil {
			return Verification{}, err
		}
	}
	out := judge(v.rule, list, counts)
	name := "count"
	if v.rule.Type.IsSale() && v.meta.RewardPerValue {
		name = "value"
	}
	out.Data = string(store.JSON(map[string]any{name: sumOf(counts), "blocks": blocks}))
	return out, nil
}

// hasID reports whether a token of a collection counts.
func (i pastItem) hasID(id string) bool { return len(i.IDs) == 0 || slices.Contains(i.IDs, id) }

// countDeposits returns how many tokens wallets have locked.
func (v *past) countDeposits(
	ctx context.Context, item pastItem, in history.Range, wallets []string,
) (*big.Rat, error) {
	locked, err := v.Reader.Deposited(ctx, item.sources[0], in)
	if err != nil {
		return nil, err
	}
	sum := new(big.Int)
	for _, wallet := range wallets {
		for id, n := range locked[wallet] {
			if item.hasID(id) {
				sum.Add(sum, n)
			}
		}
	}
	return new(big.Rat).SetInt(sum), nil
}

// countEvents returns how many tokens wallets have minted, bought or sold in a range, or for which value.
func (v *past) countEvents(
	ctx context.Context, item pastItem, in history.Range, wallets []string,
) (*big.Rat, error) {
	sum := new(big.Rat)
	for _, source := range item.sources {
		events, err := v.Reader.EventsOf(ctx, source, in, wallets)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if !item.hasID(e.ID) || e.Payment != nil && !v.isWanted(item, e, wallets) {
				continue
			}
			if e.Payment == nil || !v.meta.RewardPerValue {
				sum.Add(sum, new(big.Rat).SetInt(e.Count))
				continue
			}
			value, err := v.valueOf(ctx, item.Network, *e.Payment)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, value)
		}
	}
	return sum, nil
}

// isWanted reports whether a sale counts: of the collection, by or to one of the wallets and not between two of them,
// in the currency, and with the royalty.
func (v *past) isWanted(item pastItem, e history.Event, wallets []string) bool {
	member, other := e.From, e.To
	if v.rule.Type.IsPurchase() {
		member, other = e.To, e.From
	}
	if item.Contract != "" && e.Collection != item.Contract ||
		!slices.Contains(wallets, member) || slices.Contains(wallets, other) {
		return false
	}
	if v.currency.isWanted && e.Payment.Currency != v.currency.contract {
		return false
	}
	return !item.royalty.isWanted || item.royalty.isPaid(*e.Payment)
}

// isPaid reports whether the whole royalty was paid. Markets round it down to the smallest unit.
func (r royalty) isPaid(p history.Payment) bool {
	if p.Royalty == nil || r.receiver != "" && p.RoyaltyTo != r.receiver {
		return false
	}
	part := new(big.Rat).Mul(new(big.Rat).SetInt(p.Price), ratOf(r.percentage))
	part.Quo(part, big.NewRat(100, 1)) //nolint:mnd // percent
	return p.Royalty.Cmp(new(big.Int).Quo(part.Num(), part.Denom())) >= 0
}

// valueOf returns what was paid, in whole units of the currency. A currency that does not say what its unit is has no
// value.
func (v *past) valueOf(ctx context.Context, network string, p history.Payment) (*big.Rat, error) {
	decimals := coinDecimals
	if p.Currency != "" {
		c, err := v.Chains.CurrentContract(ctx, network, p.Currency)
		noContract := (*holdings.ContractError)(nil)
		switch {
		case errors.As(err, &noContract), err == nil && c.Standard != holdings.Fungible:
			return new(big.Rat), nil
		case err != nil:
			return nil, err
		}
		decimals = c.Decimals
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).SetFrac(p.Price, unit), nil
}

// unanswered returns the error for a network that was not read; nil for nil.
func (v *past) unanswered(err error) error {
	if unfinished := (*history.UnfinishedError)(nil); errors.As(err, &unfinished) {
		return unansweredError(msgPending, err)
	}
	if isUnknownBlock(err) && v.Chains.Reads(v.asked) {
		v.Chains.Forget(v.asked, v.until)
	}
	return notRead(v.asked, err)
}

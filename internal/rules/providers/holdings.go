package providers

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Holdings verifies members by what their wallets hold on blockchains. It is a Provider.
type Holdings struct{ HoldingsConfig }

// HoldingsConfig holds what NewHoldings needs.
type HoldingsConfig struct {
	Delegations

	Reader *holdings.Reader
	Past   *history.Reader // finds sales, and the tokens of contracts with several
}

// NewHoldings returns a provider.
func NewHoldings(c HoldingsConfig) *Holdings { return &Holdings{c} }

// IsAvailable reports whether the rule says what members hold, and its networks are read. Rules of type token_hold
// refuse calls for a network that is not read with a message of their own (contract 5.1), and runs in PrepareRun.
func (p *Holdings) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	list, ok := rule.Held()
	if !ok || rule.CustomRewardsAPIURL != nil || rule.CustomRewardsCSVURL != nil {
		return false, nil
	}
	meta := rule.Meta()
	if meta.RewardByBatch && meta.BatchSize != nil && *meta.BatchSize < 0 {
		return false, nil
	}
	if meta.HasNeverSold && (rule.Type == schema.TypeTokenHoldERC20 || p.hasNoMarket(rule, list)) {
		return false, nil
	}
	return rule.Type == schema.TypeTokenHold || p.unreadNetwork(list) == "", nil
}

// unreadNetwork returns the first network of a list that is not read; "" if all are.
func (p *Holdings) unreadNetwork(list []schema.Held) string {
	for _, h := range list {
		if !p.Reader.Reads(h.Network) {
			return h.Network
		}
	}
	return ""
}

// PrepareRun finds the blocks that the run reads, and makes sure that their contracts are what the rule takes them for.
// The run must wait while the last block of its time may still change.
func (p *Holdings) PrepareRun(
	ctx context.Context, _ laurel.Scope, rule *schema.Properties, at time.Time,
) error {
	list, _ := rule.Held()
	meta := rule.Meta()
	if name := p.unreadNetwork(list); name != "" {
		return laurel.Errorf(laurel.Refused, decision.MsgNotSetUp+": no node of %s is configured", name)
	}
	if meta.HasPaidFullRoyalty || meta.OnlyNative {
		return decision.Refuse(decision.MsgNotSetUp + ": what members paid for tokens is not known")
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := &holding{Holdings: p, rule: rule, meta: meta, list: list, runAt: at}
	err := v.prepare(limited)
	if pending := (*holdings.NotSettledError)(nil); errors.As(err, &pending) {
		return NotReady(pending.Error())
	}
	if refusal := problemOf(err); refusal != "" {
		return decision.Refuse(refusal)
	}
	return v.unanswered(err)
}

// Verify counts what the wallets of the member hold, those of its group and those that have delegated to it: a call
// now, a run at the last block of its time. If there is no valid response, the error has the code laurel.Unanswered.
func (p *Holdings) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	list, _ := q.Rule.Held()
	if name := p.unreadNetwork(list); name != "" {
		return Verification{Refusal: fmt.Sprintf(decision.MsgHoldNetwork, name)}, nil
	}
	d, err := p.delegationsOf(ctx, scope, q.Members)
	if err != nil {
		return Verification{}, err
	}
	wallets := d.walletsOf(q.Members)
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := &holding{Holdings: p, rule: q.Rule, meta: q.Rule.Meta(), list: list, runAt: q.RunAt}
	out, err := v.read(limited, wallets)
	if isUnknownBlock(err) && q.RunAt.IsZero() {
		// Of several nodes behind an address, one may not have the newest block yet.
		out, err = v.read(limited, wallets)
	}
	if refusal := problemOf(err); refusal != "" {
		return Verification{Refusal: refusal}, nil
	}
	if err != nil && ctx.Err() != nil {
		return Verification{}, ctx.Err()
	}
	return out, v.unanswered(err)
}

// Prefetch reads the balances of the members of all requests at once. What Verify would refuse it leaves to Verify.
func (p *Holdings) Prefetch(ctx context.Context, scope laurel.Scope, requests []VerificationRequest) error {
	rule := requests[0].Rule
	list, _ := rule.Held()
	if p.unreadNetwork(list) != "" {
		return nil
	}
	wallets, err := p.walletsOfAll(ctx, scope, requests)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := &holding{Holdings: p, rule: rule, meta: rule.Meta(), list: list, runAt: requests[0].RunAt, isOfMany: true}
	_, err = v.read(limited, wallets)
	if unfinished := (*history.UnfinishedError)(nil); errors.As(err, &unfinished) {
		return NotReady(unfinished.Error())
	}
	if problemOf(err) != "" {
		return nil
	}
	return v.unanswered(err)
}

// holding is what is read for one verification.
type holding struct {
	*Holdings
	rule  *schema.Properties
	meta  schema.Meta
	list  []schema.Held
	runAt time.Time // zero: a call
	// isOfMany says that the wallets are those of many members: everything is read, also if some of them have sold.
	isOfMany bool

	blocks   map[string]holdings.Block // by network
	decimals []int                     // by item of the list
	allIDs   []bool                    // by item of the list: tokens of all ids count
	asked    string                    // the network that was asked last
}

const coinDecimals = 18

// read returns what the wallets hold.
func (v *holding) read(ctx context.Context, wallets []string) (Verification, error) {
	if err := v.prepare(ctx); err != nil {
		return Verification{}, err
	}
	return v.count(ctx, wallets)
}

// prepare finds the block of each network, and what each contract is there.
func (v *holding) prepare(ctx context.Context) error {
	v.blocks, v.decimals = map[string]holdings.Block{}, make([]int, len(v.list))
	v.allIDs = make([]bool, len(v.list))
	for i, h := range v.list {
		v.asked = h.Network
		at, ok := v.blocks[h.Network]
		if !ok {
			var err error
			if at, err = v.block(ctx, h.Network); err != nil {
				return err
			}
			v.blocks[h.Network] = at
		}
		if h.Contract == "" {
			v.decimals[i] = coinDecimals
			continue
		}
		if !evm.IsAccount(h.Contract) {
			return unreadableError(h.Contract + " on " + h.Network + " is not the address of a contract")
		}
		c, err := v.Reader.Contract(ctx, h.Network, at, h.Contract)
		if err != nil {
			return err
		}
		v.decimals[i] = c.Decimals
		problem := ""
		switch wantsFungible := v.rule.Type == schema.TypeTokenHoldERC20; {
		case wantsFungible && c.Standard != holdings.Fungible:
			problem = "is not a fungible token"
		case !wantsFungible && c.Standard == holdings.Fungible:
			problem = "is not a collection"
		case c.Standard == holdings.MultiCollection:
			v.allIDs[i] = len(h.IDs) == 0
		case c.Standard == holdings.Collection && len(h.IDs) > 0:
			problem = "has no balances by token, and the rule names token ids"
		}
		if problem != "" {
			return unreadableError(h.Contract + " on " + h.Network + " " + problem)
		}
	}
	return nil
}

// block returns the block of a network that is read.
func (v *holding) block(ctx context.Context, network string) (holdings.Block, error) {
	if v.runAt.IsZero() {
		return v.Reader.Head(ctx, network)
	}
	return v.Reader.BlockAt(ctx, network, v.runAt)
}

// unanswered returns the error for a network that was not read; nil for nil.
func (v *holding) unanswered(err error) error {
	if unfinished := (*history.UnfinishedError)(nil); errors.As(err, &unfinished) {
		return unansweredError(msgPending, err)
	}
	if isUnknownBlock(err) && !v.runAt.IsZero() && v.Reader.Reads(v.asked) {
		v.Reader.Forget(v.asked, v.runAt)
	}
	return notRead(v.asked, err)
}

// count reads the balances of wallets and judges them.
func (v *holding) count(ctx context.Context, wallets []string) (Verification, error) {
	counts := make([]*big.Rat, len(v.list))
	for i, h := range v.list {
		v.asked = h.Network
		hasSold, err := v.hasSold(ctx, h, wallets)
		if err != nil {
			return Verification{}, err
		}
		if hasSold && !v.isOfMany {
			return Verification{Value: new(laurel.Amount), Data: v.record(0)}, nil
		}
		keys, err := v.keysOf(ctx, i, wallets)
		if err != nil {
			return Verification{}, err
		}
		balances, err := v.Reader.Balances(ctx, h.Network, v.blocks[h.Network], keys)
		if err != nil {
			return Verification{}, err
		}
		sum := new(big.Int)
		for _, b := range balances {
			sum.Add(sum, b)
		}
		if v.meta.OneTokenPerContract && v.rule.Type != schema.TypeTokenHoldERC20 && sum.Sign() > 0 {
			sum.SetInt64(1)
		}
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.decimals[i])), nil)
		counts[i] = new(big.Rat).SetFrac(sum, unit)
	}
	out := judge(v.rule, v.list, counts)
	out.Data = v.record(sumOf(counts))
	return out, nil
}

// record returns what the entry of a payment says of it: what was held, and at which block of each network.
func (v *holding) record(held laurel.Amount) string {
	numbers := make(map[string]uint64, len(v.blocks))
	for name, at := range v.blocks {
		numbers[name] = at.Number
	}
	return string(store.JSON(map[string]any{"held": held, "blocks": numbers}))
}

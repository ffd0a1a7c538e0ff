package providers

import (
	"context"
	"errors"
	"math"
	"math/big"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/pools"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/formula"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Liquidity verifies members by what their wallets have put into pools. It is a Provider.
type Liquidity struct{ LiquidityConfig }

// LiquidityConfig holds what NewLiquidity needs.
type LiquidityConfig struct {
	Delegations

	Reader *pools.Reader
	Chains *holdings.Reader // finds blocks
	// Network returns what the operator has configured of a network that is read.
	Network func(name string) evm.Network
}

// NewLiquidity returns a provider.
func NewLiquidity(c LiquidityConfig) *Liquidity { return &Liquidity{c} }

// IsAvailable reports whether the rule reads pools. What it lacks PrepareRun says.
func (p *Liquidity) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	return rule.CustomRewardsAPIURL == nil && rule.CustomRewardsCSVURL == nil, nil
}

// PrepareRun makes sure that the rule has all it needs, that its pools can be valued, and that the last block of the
// run's time will not change. Until then the run must wait.
func (p *Liquidity) PrepareRun(ctx context.Context, _ laurel.Scope, rule *schema.Properties, at time.Time) error {
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newStake(rule, at)
	err := v.prepare(limited)
	if pending := (*holdings.NotSettledError)(nil); errors.As(err, &pending) {
		return NotReady(pending.Error())
	}
	if refusal := v.problemOf(err); refusal != "" {
		return decision.Refuse(refusal)
	}
	return v.unanswered(err)
}

// Prefetch reads what the members of all requests have in the pools at once. What Verify would refuse it leaves to
// Verify.
func (p *Liquidity) Prefetch(ctx context.Context, scope laurel.Scope, requests []VerificationRequest) error {
	wallets, err := p.walletsOfAll(ctx, scope, requests)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newStake(requests[0].Rule, requests[0].RunAt)
	_, err = v.read(limited, wallets)
	if v.problemOf(err) != "" {
		return nil
	}
	return v.unanswered(err)
}

// Verify tells what those parts of the pools are worth that the wallets of the member have, those of its group and
// those that have delegated to it, and what that earns: in a run at the last block of its time, in a claim after a
// run now. If there is no valid response, the error has the code laurel.Unanswered.
func (p *Liquidity) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	d, err := p.delegationsOf(ctx, scope, q.Members)
	if err != nil {
		return Verification{}, err
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newStake(q.Rule, q.RunAt)
	dollars, err := v.read(limited, d.walletsOf(q.Members))
	if isUnknownBlock(err) && q.RunAt.IsZero() {
		// Of several nodes behind an address, one may not have the newest block yet.
		dollars, err = v.read(limited, d.walletsOf(q.Members))
	}
	if refusal := v.problemOf(err); refusal != "" {
		return Verification{Refusal: refusal}, nil
	}
	if err != nil && ctx.Err() != nil {
		return Verification{}, ctx.Err()
	}
	if err != nil {
		return Verification{}, v.unanswered(err)
	}
	return v.judge(dollars), nil
}

// stake is what is read for one verification, or for many.
type stake struct {
	*Liquidity
	rule  *schema.Properties
	meta  schema.Liquidity
	runAt time.Time // zero: a call
	pools pools.Choice

	custom *formula.Formula // nil: the calculation is fixed
	block  holdings.Block
}

func (p *Liquidity) newStake(rule *schema.Properties, runAt time.Time) *stake {
	meta := rule.Meta().Liquidity
	return &stake{Liquidity: p, rule: rule, meta: meta, runAt: runAt, pools: pools.Choice{
		Network: rule.PoolNetwork(), Addresses: meta.Addresses(), HasRanges: rule.Type == schema.TypeLiquidityV3,
		OnlyInRange: meta.OnlyRewardInRangeLiquidity,
	}}
}

// paysByDollars reports whether the reward is computed from the dollars. Badges and multipliers are not.
func (v *stake) paysByDollars() bool {
	return v.rule.RewardType == schema.RewardPoints || v.rule.RewardType == schema.RewardToken
}

// setUp returns an unreadableError if the rule or the configuration lacks something.
func (v *stake) setUp() error {
	name := v.pools.Network
	switch {
	case name == "":
		return notSetUp("liquidity names no network")
	case len(v.pools.Addresses) == 0:
		return notSetUp("liquidity names no pool")
	case !v.Chains.Reads(name):
		return notSetUp("no node of", name, "is configured")
	}
	network := v.Network(name)
	if len(network.DollarTokens) == 0 {
		return notSetUp("no dollar token of", name, "is configured")
	}
	if v.pools.HasRanges && len(network.PositionManagers) == 0 {
		return notSetUp("no position manager of", name, "is configured")
	}
	for _, address := range v.pools.Addresses {
		if !evm.IsAccount(address) {
			return notSetUp(address, "on", name, "is not the address of a contract")
		}
	}
	if !v.paysByDollars() {
		return nil
	}
	if v.meta.CalculationType != schema.CalculationCustom {
		if v.meta.LiquidityPerDay == nil || *v.meta.LiquidityPerDay <= 0 {
			return notSetUp("liquidityPerDay must be above 0")
		}
		if v.rule.Amount == nil || *v.rule.Amount <= 0 {
			return notSetUp("amount must be above 0")
		}
		return nil
	}
	var err error
	if v.custom, err = formula.Parse(v.meta.CustomFunction); err != nil {
		return notSetUp("customFunction is no formula")
	}
	return nil
}

// prepare finds the block that is read, and makes sure that the pools can be valued there.
func (v *stake) prepare(ctx context.Context) error {
	err := v.setUp()
	if err != nil {
		return err
	}
	if v.runAt.IsZero() {
		v.block, err = v.Chains.Head(ctx, v.pools.Network)
	} else {
		v.block, err = v.Chains.BlockAt(ctx, v.pools.Network, v.runAt)
	}
	if err != nil {
		return err
	}
	return v.Reader.Check(ctx, v.pools, v.block)
}

// read returns how many dollars wallets have in the pools.
func (v *stake) read(ctx context.Context, wallets []string) (*big.Rat, error) {
	if err := v.prepare(ctx); err != nil {
		return nil, err
	}
	return v.Reader.Worth(ctx, v.pools, v.block, wallets)
}

// problemOf returns the refusal if an error says that the rule names what cannot be read; "" for other errors.
func (v *stake) problemOf(err error) string {
	if noPool := (*holdings.ContractError)(nil); errors.As(err, &noPool) {
		err = notSetUp(noPool.Error())
	}
	return problemOf(err)
}

// unanswered returns the error for a network that was not read; nil for nil.
func (v *stake) unanswered(err error) error {
	if isUnknownBlock(err) && !v.runAt.IsZero() {
		v.Chains.Forget(v.pools.Network, v.runAt)
	}
	return notRead(v.pools.Network, err)
}

// judge returns the verification of a number of dollars.
func (v *stake) judge(dollars *big.Rat) Verification {
	value := amountOf(dollars)
	out := Verification{Fulfilled: value > 0, Value: &value, Data: string(store.JSON(map[string]any{
		"dollars": value, "blocks": map[string]uint64{v.pools.Network: v.block.Number},
	}))}
	if !v.paysByDollars() {
		return out
	}
	amount := v.customAmount(dollars)
	if v.custom == nil {
		amount = v.fixedAmount(dollars)
	}
	out.Amount, out.Fulfilled = &amount, value > 0 && amount > 0
	return out
}

// fixedAmount returns the rule's amount for each liquidityPerDay, cut to six places; 0 for more than the largest
// amount.
func (v *stake) fixedAmount(dollars *big.Rat) laurel.Amount {
	if v.rule.Amount == nil {
		return 0
	}
	share := new(big.Rat).Quo(dollars, ratOf(*v.meta.LiquidityPerDay))
	amount := share.Mul(share, ratOf(*v.rule.Amount))
	if amount.Sign() < 0 || amount.Cmp(ratOf(laurel.MaxAmount)) >= 0 {
		return 0
	}
	return amountOf(amount)
}

// customAmount returns the value of the rule's formula, rounded to six places; 0 for less, for more than the largest
// amount, and if the formula has no value.
func (v *stake) customAmount(dollars *big.Rat) laurel.Amount {
	if v.custom == nil {
		return 0
	}
	x, _ := dollars.Float64()
	value := math.Round(v.custom.Value(x) * float64(laurel.One))
	if value > 0 && value < float64(laurel.MaxAmount) { // NaN is neither
		return laurel.Amount(value)
	}
	return 0
}

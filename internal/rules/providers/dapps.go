package providers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/evm/usage"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Dapps ranks the contracts of websites by how they are used, and tells what each deployer earns by their ranks
// (contract 5.21). It is a Provider.
type Dapps struct {
	DappsConfig
	mu       sync.Mutex
	rankings map[string]keptRanking
	flights  singleflight.Group // rankings that are made
}

// DappsConfig holds what NewDapps needs.
type DappsConfig struct {
	Networks *node.Networks
	Blocks   *holdings.Reader // which block a moment has
	Usage    *usage.Reader
	// Contracts returns the addresses of live contracts of the scope's website on a chain: those with the ids, or all if
	// there are none.
	Contracts func(ctx context.Context, scope laurel.Scope, chainID uint64, ids []laurel.ID) ([]string, error)
	Now       func() time.Time
}

// NewDapps returns a provider.
func NewDapps(c DappsConfig) *Dapps {
	return &Dapps{DappsConfig: c, rankings: map[string]keptRanking{}}
}

// metrics are what the types rank by.
var metrics = map[schema.Type]usage.Metric{
	schema.TypeGasSpent: usage.GasSpent, schema.TypeTransactionCount: usage.TransactionCount,
	schema.TypeActiveUsers: usage.ActiveUsers, schema.TypeNewUsers: usage.NewUsers,
	schema.TypeUserRetention: usage.UserRetention,
}

// IsAvailable reports whether the rule names a network. Whether it is read, runs say in PrepareRun.
func (p *Dapps) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	return rule.Network != nil && *rule.Network != "", nil
}

// PrepareRun ranks the contracts at the time of a run. The run must wait while the last block of its time may still
// change, and until all blocks up to that one are read.
func (p *Dapps) PrepareRun(ctx context.Context, scope laurel.Scope, rule *schema.Properties, at time.Time) error {
	_, err := p.ranking(ctx, scope, rule, at)
	return err
}

// Deployer is the wallet that has deployed contracts of a ranking, and is paid for them.
type Deployer struct {
	Wallet string
	dapps  []rankedDapp // the best first
}

// rankedDapp is a contract with a rank that is paid, as the entry of the payment has it.
type rankedDapp struct {
	Address string        `json:"address"`
	Rank    int           `json:"rank"`
	Value   string        `json:"value"`
	Amount  laurel.Amount `json:"amount"`
}

// DeployersPage asks for some of the deployers that a run pays.
type DeployersPage struct {
	At    time.Time // of the run
	After string    // the wallet before the first one; "": the first page
	Limit int
}

// Deployers returns those whom a run of the rule pays, in the order of their wallets. Errors: as of PrepareRun.
func (p *Dapps) Deployers(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, page DeployersPage,
) ([]Deployer, error) {
	all, err := p.ranking(ctx, scope, rule, page.At)
	if err != nil {
		return nil, err
	}
	from, _ := slices.BinarySearchFunc(all, page.After+"\x00", func(d Deployer, wallet string) int {
		return strings.Compare(d.Wallet, wallet)
	})
	return all[from:min(from+page.Limit, len(all))], nil
}

// maxListedDapps is how many contracts the entry of a payment lists: the best ones.
const maxListedDapps = 100

// Verify tells what the ranks pay of the contracts that the member has deployed, and its group. In a run they are those
// of its time, in a call those of the newest block that is confirmed and read. Errors: Unanswered.
func (p *Dapps) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	all, err := p.ranking(ctx, scope, q.Rule, q.RunAt)
	waits, refusal := NotReady(""), (*laurel.Error)(nil)
	switch {
	case errors.As(err, &waits):
		return Verification{}, unansweredError(msgPending, fmt.Errorf("%w: %w", ErrBusy, err))
	case errors.As(err, &refusal) && refusal.Code == laurel.Refused:
		return Verification{Refusal: refusal.Message}, nil
	case err != nil:
		return Verification{}, err
	}
	var dapps []rankedDapp
	for _, d := range all {
		if slices.ContainsFunc(q.Members, func(m Member) bool { return m.Wallet == d.Wallet }) {
			dapps = append(dapps, d.dapps...)
		}
	}
	if len(dapps) == 0 {
		return Verification{}, nil
	}
	slices.SortStableFunc(dapps, func(a, b rankedDapp) int { return cmp.Compare(a.Rank, b.Rank) })
	sum := new(big.Rat)
	for _, d := range dapps {
		sum.Add(sum, ratOf(d.Amount))
	}
	amount, best := amountOf(sum), laurel.Amount(dapps[0].Rank)*laurel.One
	listed := dapps[:min(len(dapps), maxListedDapps)]
	out := Verification{Fulfilled: true, Value: &best, Data: string(store.JSON(map[string]any{"dapps": listed}))}
	if q.Rule.RewardType != schema.RewardMultiplier { // else the tier of the best rank has the value
		out.Amount = &amount
	}
	return out, nil
}

// keptRanking is a ranking that is used again for a while.
type keptRanking struct {
	deployers []Deployer
	until     time.Time
}

const (
	keptForRun  = 10 * time.Minute // its block is final
	keptForCall = 5 * time.Second
	maxKept     = 200 // rankings
)

// ranking returns the deployers that a rule pays by the ranks at the time of a run. A zero runAt stands for now. Calls
// for the same ranking at the same time share it. Errors: NotReady; Refused if the network is not read; Unanswered.
func (p *Dapps) ranking(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, runAt time.Time,
) ([]Deployer, error) {
	key := fmt.Sprintf("%s %d %s", scope.WebsiteID, runAt.Unix(), store.JSON([]any{
		rule.Type, rule.Network, rule.ContractIDs, rule.DappDataWindow, rule.DappDeployedWithin, rule.Amount,
		rule.Meta().Range,
	}))
	now := p.Now()
	p.mu.Lock()
	kept, ok := p.rankings[key]
	p.mu.Unlock()
	if ok && kept.until.After(now) {
		return kept.deployers, nil
	}
	flight := p.flights.DoChan(key, func() (any, error) {
		kept := keptRanking{until: now.Add(keptForRun)}
		if runAt.IsZero() {
			kept.until = now.Add(keptForCall)
		}
		var err error
		kept.deployers, err = panics.Try(func() ([]Deployer, error) { // else it would end the server
			return p.newRanking(context.WithoutCancel(ctx), scope, rule, runAt)
		})
		if err == nil {
			p.keep(key, kept)
		}
		return kept.deployers, err
	})
	select {
	case result := <-flight:
		deployers, _ := result.Val.([]Deployer)
		return deployers, result.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Dapps) keep(key string, kept keptRanking) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rankings) >= maxKept {
		clear(p.rankings)
	}
	p.rankings[key] = kept
}

// newRanking is ranking without what is kept.
func (p *Dapps) newRanking(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, runAt time.Time,
) ([]Deployer, error) {
	client := p.Networks.Find(*rule.Network)
	if client == nil {
		return nil, laurel.Errorf(laurel.Refused, decision.MsgNotSetUp+": no node of %s is configured", *rule.Network)
	}
	r := &ranked{Dapps: p, rule: rule, client: client, runAt: runAt}
	addresses, err := p.Contracts(ctx, scope, client.Network().ChainID, rule.ContractIDs)
	if err != nil || len(addresses) == 0 {
		return nil, err
	}
	found, err := p.Usage.Contracts(ctx, client.Network(), addresses)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	if err := r.findBlock(limited, found); err != nil {
		return nil, r.unanswered(ctx, err)
	}
	candidates, err := r.candidates(ctx, found)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	if err := r.checkChain(limited, candidates); err != nil {
		return nil, r.unanswered(ctx, err)
	}
	return r.rank(ctx, candidates)
}

// ranked is a ranking that is made.
type ranked struct {
	*Dapps
	rule   *schema.Properties
	client *node.Client
	runAt  time.Time // zero: a call

	block int64     // the last one that counts
	until time.Time // the last moment that counts
}

// maxBehind is how many blocks the reader may be behind in calls.
const maxBehind = 100

// findBlock finds the block of the ranking: the last one at the time of a run, and else the newest one that is
// confirmed and read.
func (r *ranked) findBlock(ctx context.Context, contracts []usage.Contract) error {
	network := r.client.Network()
	if !r.runAt.IsZero() {
		at, err := r.Blocks.BlockAt(ctx, network.Name, r.runAt)
		r.block, r.until = int64(at.Number), r.runAt.Truncate(time.Second) //nolint:gosec // heights have 63 bits
		return err
	}
	head, err := r.Blocks.Head(ctx, network.Name)
	if err != nil {
		return err
	}
	confirmed := max(int64(head.Number)-int64(network.Confirmations), 0) //nolint:gosec // heights have 63 bits
	r.block = confirmed
	for _, c := range contracts {
		if c.IsDeployed && c.Next > c.DeployedBlock {
			r.block = min(r.block, c.Next-1)
		}
	}
	r.block = max(r.block, confirmed-maxBehind)
	header, err := r.client.HeaderByNumber(ctx, uint64(r.block)) //nolint:gosec // not negative
	r.until = header.Time
	return err
}

// unanswered returns the error for a block that is not known; NotReady while it may still change.
func (r *ranked) unanswered(ctx context.Context, err error) error {
	pending, waits := (*holdings.NotSettledError)(nil), NotReady("")
	message := outbound.ProviderMessage(err)
	switch {
	case errors.As(err, &pending):
		return NotReady(pending.Error())
	case errors.As(err, &waits):
		return waits
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		message = outbound.ProviderSlow
	case errors.Is(err, node.ErrNotFound):
		message = msgNoBlock
	}
	return unansweredError(message, fmt.Errorf("%w: %s: %w", ErrBusy, r.client.Network().Name, err))
}

// windowOf returns the length of a window by its name; 0: all time.
func windowOf(name *string) time.Duration {
	days := map[string]int{"daily": 1, "weekly": 7, "monthly": 30}
	if name == nil {
		return 0
	}
	return time.Duration(days[*name]) * 24 * time.Hour
}

// candidates returns the contracts that are ranked: those that exist at the block and are young enough. It returns
// NotReady as long as something of them is unknown.
func (r *ranked) candidates(ctx context.Context, contracts []usage.Contract) ([]usage.Contract, error) {
	name := r.client.Network().Name
	var out []usage.Contract
	unknown, behind, lowest := 0, 0, r.block
	age := windowOf(r.rule.DappDeployedWithin)
	for _, c := range contracts {
		switch {
		case c.IsDeployed && c.DeployedBlock > r.block, !c.IsDeployed && c.Looked >= r.block,
			c.IsDeployed && age > 0 && !c.DeployedAt.After(r.until.Add(-age)):
			continue
		case c.Fault != "":
			return nil, NotReady(fmt.Sprintf("Who has deployed %s on %s is not known: %s", c.Address, name, c.Fault))
		case !c.IsDeployed:
			unknown++
		case c.Next <= r.block:
			behind++
			lowest = min(lowest, c.Next)
		}
		out = append(out, c)
	}
	if unknown+behind == 0 {
		return out, nil
	}
	if err := r.checkGoesOn(ctx); err != nil {
		return nil, err
	}
	if unknown > 0 {
		return nil, NotReady(fmt.Sprintf("Looking for who has deployed %d contracts on %s", unknown, name))
	}
	return nil, NotReady(fmt.Sprintf("Reading the transactions of %d contracts on %s: block %d of %d", behind, name, lowest,
		r.block))
}

// checkGoesOn returns NotReady if reading the network has stopped.
func (r *ranked) checkGoesOn(ctx context.Context) error {
	stopped, err := r.Usage.Stopped(ctx)
	if reason := stopped[r.client.Network().ChainID]; reason != "" {
		return NotReady(fmt.Sprintf("Reading %s has stopped: %s", r.client.Network().Name, reason))
	}
	return err
}

// checkChain returns NotReady if the chain has other blocks than those that were read: then the reader is about to
// stop.
func (r *ranked) checkChain(ctx context.Context, contracts []usage.Contract) error {
	seen := map[string]int64{} // the last block that was read, by hash: mostly one
	for _, c := range contracts {
		seen[c.LastHash] = c.Next - 1
	}
	for hash, number := range seen {
		header, err := r.client.HeaderByNumber(ctx, uint64(number)) //nolint:gosec // not negative
		if err != nil && !errors.Is(err, node.ErrNotFound) {
			return err
		}
		if err != nil || header.Hash != hash {
			if err := r.checkGoesOn(ctx); err != nil {
				return err
			}
			name := r.client.Network().Name
			return NotReady(fmt.Sprintf("%s has another block %d than the one that was read", name, number))
		}
	}
	return nil
}

// rank sorts contracts by the rule's metric, and returns the deployers that are paid for them.
func (r *ranked) rank(ctx context.Context, contracts []usage.Contract) ([]Deployer, error) {
	addresses := make([]string, len(contracts))
	for i, c := range contracts {
		addresses[i] = c.Address
	}
	window := usage.Window{Until: r.until}
	if length := windowOf(r.rule.DappDataWindow); length > 0 {
		window.From = r.until.Add(-length)
	}
	values, err := r.Usage.Count(ctx, r.client.Network(), addresses, metrics[r.rule.Type], window)
	if err != nil {
		return nil, err
	}
	contracts = slices.DeleteFunc(contracts, func(c usage.Contract) bool { return values[c.Address] == nil })
	slices.SortFunc(contracts, func(a, b usage.Contract) int {
		return cmp.Or(values[b.Address].Cmp(values[a.Address]), strings.Compare(a.Address, b.Address))
	})
	paid := map[string][]rankedDapp{}
	rank := 0
	for i, c := range contracts {
		value := values[c.Address]
		if i == 0 || value.Cmp(values[contracts[i-1].Address]) != 0 {
			rank = i + 1
		}
		amount, isPaid := amountOfRank(r.rule, rank)
		if !isPaid || c.Deployer == "" {
			continue
		}
		paid[c.Deployer] = append(paid[c.Deployer], rankedDapp{c.Address, rank, r.shown(value), amount})
	}
	out := make([]Deployer, 0, len(paid))
	for wallet, dapps := range paid {
		out = append(out, Deployer{wallet, dapps})
	}
	slices.SortFunc(out, func(a, b Deployer) int { return strings.Compare(a.Wallet, b.Wallet) })
	return out, nil
}

// shown returns a value as entries have it: a decimal number, a share of senders in percent.
func (r *ranked) shown(value *big.Rat) string {
	if metrics[r.rule.Type] == usage.UserRetention {
		return amountOf(new(big.Rat).Mul(value, big.NewRat(100, 1))).String()
	}
	return value.Num().String()
}

// amountOfRank returns what a rank pays, and false if it pays nothing because no tier has it.
func amountOfRank(rule *schema.Properties, rank int) (laurel.Amount, bool) {
	amount := rule.Amount
	if tiers := rule.Meta().Range; len(tiers) > 0 {
		at := laurel.Amount(rank) * laurel.One
		i := slices.IndexFunc(tiers, func(t schema.Tier) bool { return t.Start <= at && at <= t.End })
		if i < 0 {
			return 0, false
		}
		amount = tiers[i].Amount
	}
	if amount == nil {
		return 0, true
	}
	return *amount, true
}

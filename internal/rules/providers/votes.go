package providers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Votes verifies members by the votes that governors on blockchains have counted. It is a Provider.
type Votes struct{ VotesConfig }

// VotesConfig holds what NewVotes needs.
type VotesConfig struct {
	Reader *history.Reader
	Chains *holdings.Reader // finds blocks
	// Networks returns the networks that are read.
	Networks func() []evm.Network
}

// NewVotes returns a provider.
func NewVotes(c VotesConfig) *Votes { return &Votes{c} }

// ballot is the proposals of one governor.
type ballot struct {
	network, governor string
	ids               []string // of the proposals that count, as decimal numbers; none: all
}

// ballotsOf returns the proposals on which a vote counts for a rule: those that it names or, if it names none, all of
// its collectionAddress or of its network. ok is false if governors do not know all of them: then it is none of
// blockchains. An id alone says whose proposal it is only where there is one governor: others count from 1, too.
func (p *Votes) ballotsOf(rule *schema.Properties) (list []*ballot, ok bool) {
	address, network := "", ""
	if rule.CollectionAddress != nil {
		address = evm.Normalize(strings.TrimSpace(*rule.CollectionAddress))
	}
	if rule.Network != nil {
		network = *rule.Network
	}
	proposals := rule.Meta().Proposals
	if len(proposals) == 0 {
		if address == "" && network == "" {
			return nil, false
		}
		list = p.ballotsIn(network, "", address)
		return list, len(list) > 0
	}
	for _, proposal := range proposals {
		id := proposal.Number()
		found := p.ballotsIn(network, proposal.Space, address)
		isBare := network == "" && address == "" && proposal.Space == ""
		if id == "" || len(found) == 0 || isBare && len(found) > 1 {
			return nil, false
		}
		for _, b := range found {
			at := slices.IndexFunc(list, func(o *ballot) bool { return o.network == b.network && o.governor == b.governor })
			if at < 0 {
				at, list = len(list), append(list, b)
			}
			list[at].ids = append(list[at].ids, id)
		}
	}
	return list, true
}

// ballotsIn returns the governors of a network, or of all for "", that have a space: its name, or their address. Without
// a space, those at an address; all without an address.
func (p *Votes) ballotsIn(network, space, address string) (list []*ballot) {
	for _, n := range p.Networks() {
		if network != "" && n.Name != network {
			continue
		}
		for _, g := range n.Governors {
			isWanted := address == "" || g.ContractAddress == address
			if space != "" {
				isWanted = strings.EqualFold(space, g.Space) || evm.Normalize(space) == g.ContractAddress
			}
			if isWanted {
				list = append(list, &ballot{network: n.Name, governor: g.ContractAddress})
			}
		}
	}
	return list
}

// IsAvailable reports whether governors know the proposals of a rule.
func (p *Votes) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	return p.Covers(rule), nil
}

// PrepareRun makes sure that the governors are contracts, and that the last block of the run's time will not change.
// Until then the run must wait.
func (p *Votes) PrepareRun(ctx context.Context, _ laurel.Scope, rule *schema.Properties, at time.Time) error {
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPoll(VerificationRequest{Rule: rule, RunAt: at, Until: at})
	err := v.prepare(limited)
	if pending := (*holdings.NotSettledError)(nil); errors.As(err, &pending) {
		return NotReady(pending.Error())
	}
	if refusal := problemOf(err); refusal != "" {
		return decision.Refuse(refusal)
	}
	return v.unanswered(err)
}

// Prefetch reads the votes since the earliest moment of the requests. If that takes long, it returns NotReady, and
// another call reads on.
func (p *Votes) Prefetch(ctx context.Context, _ laurel.Scope, requests []VerificationRequest) error {
	first := slices.MinFunc(requests, func(a, b VerificationRequest) int { return a.Since.Compare(b.Since) })
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPoll(first)
	err := v.prepare(limited)
	for i := 0; i < len(v.ballots) && err == nil; i++ {
		var in history.Range
		if in, err = v.rangeOf(limited, v.ballots[i]); err == nil {
			err = p.Reader.Read(limited, history.Votes(v.ballots[i].network, v.ballots[i].governor), in)
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

// Verify tells on how many of the rule's proposals the wallets of the member and its group have voted in the request's
// period. If there is no valid response, the error has the code laurel.Unanswered.
func (p *Votes) Verify(ctx context.Context, _ laurel.Scope, q VerificationRequest) (Verification, error) {
	wallets := accountsOf(q.Members)
	slices.Sort(wallets)
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := p.newPoll(q)
	out, err := v.count(limited, slices.Compact(wallets))
	if refusal := problemOf(err); refusal != "" {
		return Verification{Refusal: refusal}, nil
	}
	if err != nil && ctx.Err() != nil {
		return Verification{}, ctx.Err()
	}
	return out, v.unanswered(err)
}

// Covers reports whether governors know all proposals of a rule.
func (p *Votes) Covers(rule *schema.Properties) bool {
	_, ok := p.ballotsOf(rule)
	return ok
}

// poll is what is read for one verification, or for many.
type poll struct {
	*Votes
	ballots []*ballot
	isOfRun bool
	start   time.Time         // of the rule: nothing earlier counts
	since   time.Time         // when the period begins; zero: everything counts
	until   time.Time         // when the period ends
	end     *laurel.Timestamp // nothing later counts

	blocks map[string]holdings.Block // by network: the last block that counts
	asked  string                    // the network that was asked last
}

func (p *Votes) newPoll(q VerificationRequest) *poll {
	v := &poll{
		Votes: p, isOfRun: !q.RunAt.IsZero(), since: q.Since, until: q.Until, end: q.Rule.EffectiveEndTime,
		blocks: map[string]holdings.Block{},
	}
	v.ballots, _ = p.ballotsOf(q.Rule)
	if v.isOfRun {
		v.until = q.RunAt
	}
	for _, start := range []*laurel.Timestamp{q.Rule.StartTime, q.Rule.EffectiveStartTime} {
		if start != nil {
			v.start = laterOf(v.start, start.Time)
		}
	}
	return v
}

// prepare finds the last block of each network. Errors: unreadableError.
func (v *poll) prepare(ctx context.Context) error {
	for _, b := range v.ballots {
		v.asked = b.network
		last, ok := v.blocks[b.network]
		if !ok {
			var err error
			if last, err = v.Chains.BlockAt(ctx, b.network, v.lastMoment(b.network)); err != nil {
				return err
			}
			v.blocks[b.network] = last
		}
		isContract, err := v.Reader.IsContract(ctx, b.network, b.governor, last.Number)
		if err != nil {
			return err
		}
		if !isContract && v.isOfRun {
			return unreadableError(b.governor + " on " + b.network + " is not a contract")
		}
	}
	return nil
}

// settling returns how much later a network's blocks count than their time.
func (v *poll) settling(network string) time.Duration {
	list := v.Networks()
	at := slices.IndexFunc(list, func(n evm.Network) bool { return n.Name == network })
	if at < 0 {
		return 0
	}
	return settling(list[at])
}

// lastMoment returns the moment whose last block on a network is the last one that counts.
func (v *poll) lastMoment(network string) time.Time {
	until := v.until.Add(-v.settling(network))
	if v.end != nil && v.end.Before(until) {
		return v.end.Time
	}
	return until
}

// rangeOf returns the blocks of a governor that are read: those since a moment, else since its creation.
func (v *poll) rangeOf(ctx context.Context, b *ballot) (history.Range, error) {
	v.asked = b.network
	last := v.blocks[b.network]
	in := history.Range{Last: last.Number, LastHash: last.Hash}
	from := v.start
	if !v.since.IsZero() {
		from = laterOf(from, v.since.Add(-v.settling(b.network)))
	}
	if from.IsZero() {
		var err error
		in.From, err = v.Reader.CreatedAt(ctx, b.network, b.governor, last.Number)
		return in, err
	}
	before, err := v.Chains.BlockAt(ctx, b.network, from)
	pending := (*holdings.NotSettledError)(nil)
	switch {
	case errors.As(err, &pending): // all that is final is before
		in.From = in.Last + 1
		return in, nil
	case errors.Is(err, node.ErrTooEarly):
		return in, nil
	}
	in.From = before.Number + 1
	return in, err
}

// count counts the proposals on which wallets have voted.
func (v *poll) count(ctx context.Context, wallets []string) (Verification, error) {
	err := v.prepare(ctx)
	if errors.Is(err, node.ErrTooEarly) && !v.isOfRun { // the chain is younger
		return Verification{Value: new(laurel.Amount)}, nil
	}
	if err != nil {
		return Verification{}, err
	}
	const most = 20 // proposals that the entry names
	count, named := 0, []string{}
	for _, b := range v.ballots {
		in, err := v.rangeOf(ctx, b)
		if err != nil {
			return Verification{}, err
		}
		events, err := v.Reader.EventsOf(ctx, history.Votes(b.network, b.governor), in, wallets)
		if err != nil {
			return Verification{}, err
		}
		var ids []string
		for _, e := range events {
			if len(b.ids) == 0 || slices.Contains(b.ids, e.ID) {
				ids = append(ids, e.ID)
			}
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		count, named = count+len(ids), append(named, ids...)
	}
	value := laurel.Amount(count) * laurel.One
	blocks := map[string]uint64{}
	for network, last := range v.blocks {
		blocks[network] = last.Number
	}
	data := map[string]any{"proposals": named[:min(len(named), most)], "count": count, "blocks": blocks}
	return Verification{Fulfilled: count > 0, Value: &value, Data: string(store.JSON(data))}, nil
}

// unanswered returns the error for a network that was not read; nil for nil.
func (v *poll) unanswered(err error) error {
	if unfinished := (*history.UnfinishedError)(nil); errors.As(err, &unfinished) {
		return unansweredError(msgPending, err)
	}
	if isUnknownBlock(err) && v.Chains.Reads(v.asked) {
		v.Chains.Forget(v.asked, v.lastMoment(v.asked))
	}
	return notRead(v.asked, err)
}

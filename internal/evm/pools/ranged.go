package pools

import (
	"context"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
)

// readRanged reads a pool of version 3.
func (r *Reader) readRanged(ctx context.Context, network string, at holdings.Block, address string) (pool, error) {
	answers, err := r.answersOf(ctx, network, at, address, token0, token1, feeOf, factory, slot0)
	if err != nil {
		return pool{}, err
	}
	isNoWord := func(answer []word) bool { return len(answer) != 1 }
	if slices.ContainsFunc(answers[:4], isNoWord) || len(answers[4]) < 2 {
		return pool{}, &holdings.ContractError{Network: network, Address: address, Problem: "is not a pool of version 3"}
	}
	p := pool{
		address: address, token: [2]string{answers[0][0].address(), answers[1][0].address()},
		fee: answers[2][0].number().String(), root: answers[4][0].number(), tick: answers[4][1].tick(),
	}
	for _, manager := range r.networks.Find(network).Network().PositionManagers {
		made, err := r.factoryOf(ctx, network, at, manager)
		if err != nil {
			return pool{}, err
		}
		if made == answers[3][0].address() {
			p.managers = append(p.managers, manager)
		}
	}
	if len(p.managers) == 0 {
		return pool{}, &holdings.ContractError{
			Network: network, Address: address, Problem: "is of no configured position manager",
		}
	}
	err = r.addUnits(ctx, network, at, address, &p)
	return p, err
}

// factoryOf returns the factory of the pools whose positions a contract has. It never changes.
func (r *Reader) factoryOf(ctx context.Context, network string, at holdings.Block, manager string) (string, error) {
	key := contractKey{network, manager}
	r.mu.Lock()
	known, ok := r.factories[key]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	answers, err := r.answersOf(ctx, network, at, manager, factory)
	if err != nil {
		return "", err
	}
	if len(answers[0]) != 1 {
		return "", &holdings.ContractError{Network: network, Address: manager, Problem: "is not a position manager"}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.factories[key] = answers[0][0].address()
	return r.factories[key], nil
}

// managersOf returns the contracts of the positions of pools.
func managersOf(list []pool) (out []string) {
	for _, p := range list {
		out = append(out, p.managers...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// position is what somebody has put into a pool, for a range of prices.
type position struct {
	manager      string
	token        [2]string
	fee          string
	lower, upper int64 // ticks
	liquidity    *big.Int
}

// positionKey names the position that a wallet has at an index.
type positionKey struct {
	network         string
	at              holdings.Block
	manager, wallet string
	index           int64
}

const (
	// maxPerWallet is how many positions of a wallet count: the first ones of each contract. Anybody can send positions to
	// anybody.
	maxPerWallet = 500
	atOnce       = 500 // positions that are read before they are kept
)

// positionsOf returns the positions of wallets.
func (r *Reader) positionsOf(
	ctx context.Context, network string, at holdings.Block, managers, wallets []string,
) ([]position, error) {
	var counted []holdings.Key
	for _, manager := range managers {
		for _, wallet := range wallets {
			counted = append(counted, holdings.Key{Contract: manager, Wallet: wallet})
		}
	}
	counts, err := r.chains.Balances(ctx, network, at, counted)
	if err != nil {
		return nil, err
	}
	var keys []positionKey
	for i, c := range counted {
		count := int64(maxPerWallet)
		if counts[i].IsInt64() {
			count = min(count, counts[i].Int64())
		}
		for index := range count {
			keys = append(keys, positionKey{network, at, c.Contract, c.Wallet, index})
		}
	}
	var out []position
	for part := range slices.Chunk(keys, atOnce) {
		found, err := r.readPositions(ctx, network, at, part)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// readPositions returns positions, of which it reads those that are not known.
func (r *Reader) readPositions(
	ctx context.Context, network string, at holdings.Block, keys []positionKey,
) (out []position, err error) {
	var unknown []positionKey
	r.mu.Lock()
	for _, key := range keys {
		if known, ok := r.knownPosition(key); ok {
			out = append(out, known)
		} else {
			unknown = append(unknown, key)
		}
	}
	r.mu.Unlock()
	messages := make([]node.Message, len(unknown))
	for i, key := range unknown {
		data := ownedToken.MustEncodeCall(key.wallet, big.NewInt(key.index).String())
		messages[i] = node.Message{To: key.manager, Data: data}
	}
	ids, err := r.chains.Calls(ctx, network, at, messages)
	if err != nil {
		return nil, err
	}
	for i, key := range unknown {
		id := wordsIn(ids[i])
		if len(id) != 1 {
			return nil, noPosition(key)
		}
		messages[i].Data = positions.MustEncodeCall(id[0].number().String())
	}
	answers, err := r.chains.Calls(ctx, network, at, messages)
	if err != nil {
		return nil, err
	}
	read := map[positionKey]position{}
	for i, key := range unknown {
		// nonce, operator, token0, token1, fee, tickLower, tickUpper, liquidity, and what the position has earned
		const least = 8
		words := wordsIn(answers[i])
		if len(words) < least {
			return nil, noPosition(key)
		}
		read[key] = position{
			manager: key.manager, token: [2]string{words[2].address(), words[3].address()}, fee: words[4].number().String(),
			lower: words[5].tick(), upper: words[6].tick(), liquidity: words[7].number(),
		}
		out = append(out, read[key])
	}
	r.keep(read)
	return out, nil
}

func noPosition(key positionKey) error {
	return &holdings.ContractError{
		Network: key.network, Address: key.manager, Problem: "gave no position of " + key.wallet,
	}
}

// knownPosition returns a position that is kept. The caller has the lock.
func (r *Reader) knownPosition(key positionKey) (position, bool) {
	if known, ok := r.positions[key]; ok {
		return known, true
	}
	known, ok := r.olderPositions[key]
	return known, ok
}

// keep keeps positions as they are at a block. Those of the last maxPositions reads stay, and with them those that the
// page of a run has read ahead.
func (r *Reader) keep(list map[positionKey]position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.positions)+len(list) > r.most {
		r.positions, r.olderPositions = map[positionKey]position{}, r.positions
	}
	for key, p := range list {
		r.positions[key] = p
	}
}

// has reports whether a position is one of the pool.
func (p pool) has(of position) bool {
	return p.token == of.token && p.fee == of.fee && slices.Contains(p.managers, of.manager)
}

// isInRange reports whether the price of the pool is in the range of a position.
func (p pool) isInRange(of position) bool { return of.lower <= p.tick && p.tick < of.upper }

// worthOf returns what a position is worth at the price of the pool: how many of each token would be taken out, without
// the fees that it has earned.
func (p pool) worthOf(of position) *big.Rat {
	if p.root.Sign() == 0 || of.lower < -maxTick || of.lower >= of.upper || of.upper > maxTick {
		return new(big.Rat)
	}
	root := new(big.Rat).SetFrac(p.root, new(big.Int).Lsh(big.NewInt(1), rootBits))
	liquidity := new(big.Rat).SetInt(of.liquidity)
	low, high := rootAt(of.lower), rootAt(of.upper)
	within := root
	if within.Cmp(low) < 0 {
		within = low
	} else if within.Cmp(high) > 0 {
		within = high
	}
	// Of token 0 there is liquidity x (1/within - 1/high), of token 1 liquidity x (within - low).
	amount := [2]*big.Rat{
		new(big.Rat).Sub(new(big.Rat).Inv(within), new(big.Rat).Inv(high)), new(big.Rat).Sub(within, low),
	}
	price := new(big.Rat).Mul(root, root) // how many of token 1 one of token 0 is worth
	worth := new(big.Rat)
	for i, unit := range p.unit {
		if unit == nil {
			continue
		}
		side := new(big.Rat).Set(amount[i])
		switch {
		case p.unit[1-i] != nil:
		case i == 0:
			side.Add(side, new(big.Rat).Quo(amount[1], price))
		default:
			side.Add(side, new(big.Rat).Mul(amount[0], price))
		}
		worth.Add(worth, side.Quo(side, new(big.Rat).SetInt(unit)))
	}
	return rounded(worth.Mul(worth, liquidity))
}

// rounded cuts a number to worthBits bits behind the point. The exact sum of many positions would have more digits with
// each of them.
func rounded(n *big.Rat) *big.Rat {
	scaled := new(big.Int).Lsh(n.Num(), worthBits)
	return new(big.Rat).SetFrac(scaled.Quo(scaled, n.Denom()), new(big.Int).Lsh(big.NewInt(1), worthBits))
}

const (
	rootBits  = 96  // behind the point of the root of a price
	worthBits = 128 // behind the point of the worth of a position
	precision = 256 // bits of a root that is computed; 40 products lose few of them
	maxTick   = 887_272
)

// rootAt returns the root of the price at a tick, which is 1.0001 to the power of the tick.
func rootAt(tick int64) *big.Rat {
	float := func() *big.Float { return new(big.Float).SetPrec(precision) }
	step := float().Quo(float().SetInt64(10_001), float().SetInt64(10_000))
	price := float().SetInt64(1)
	for steps := max(tick, -tick); steps > 0; steps /= 2 {
		if steps%2 == 1 {
			price.Mul(price, step)
		}
		step.Mul(step, step)
	}
	if tick < 0 {
		price.Quo(float().SetInt64(1), price)
	}
	out, _ := price.Sqrt(price).Rat(nil)
	return out
}

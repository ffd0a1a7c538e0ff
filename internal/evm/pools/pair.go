package pools

import (
	"context"
	"math/big"

	"laurel.example/laurel/internal/evm/holdings"
)

// readPair reads a pool of version 2: a pair of tokens, whose shares are a token of their own.
func (r *Reader) readPair(ctx context.Context, network string, at holdings.Block, address string) (pool, error) {
	answers, err := r.answersOf(ctx, network, at, address, token0, token1, getReserves, totalSupply)
	if err != nil {
		return pool{}, err
	}
	if len(answers[0]) != 1 || len(answers[1]) != 1 || len(answers[2]) < 2 || len(answers[3]) != 1 {
		return pool{}, &holdings.ContractError{Network: network, Address: address, Problem: "is not a pool of version 2"}
	}
	p := pool{
		address: address, token: [2]string{answers[0][0].address(), answers[1][0].address()},
		reserve: [2]*big.Int{answers[2][0].number(), answers[2][1].number()}, supply: answers[3][0].number(),
	}
	err = r.addUnits(ctx, network, at, address, &p)
	return p, err
}

// sharesOf returns what the shares of wallets are worth. Both sides of a pair are worth the same.
func (r *Reader) sharesOf(
	ctx context.Context, network string, at holdings.Block, p pool, wallets []string,
) (*big.Rat, error) {
	keys := make([]holdings.Key, len(wallets))
	for i, wallet := range wallets {
		keys[i] = holdings.Key{Contract: p.address, Wallet: wallet}
	}
	balances, err := r.chains.Balances(ctx, network, at, keys)
	if err != nil || p.supply.Sign() == 0 {
		return new(big.Rat), err
	}
	shares, worth := new(big.Int), new(big.Rat)
	for _, b := range balances {
		shares.Add(shares, b)
	}
	for i, unit := range p.unit {
		if unit == nil {
			continue
		}
		side := new(big.Rat).SetFrac(p.reserve[i], unit)
		worth.Add(worth, side)
		if p.unit[1-i] == nil {
			worth.Add(worth, side)
		}
	}
	return worth.Mul(worth, new(big.Rat).SetFrac(shares, p.supply)), nil
}

package pools

import (
	"math/big"
	"testing"
)

// TestWorthOfManyPositionsStaysShort: anybody can send a wallet positions, each with a range of its own.
func TestWorthOfManyPositionsStaysShort(t *testing.T) {
	t.Parallel()
	of := pool{root: new(big.Int).Lsh(big.NewInt(3), rootBits), tick: 21_973, unit: [2]*big.Int{big.NewInt(1_000_000), nil}}
	sum, one := new(big.Rat), new(big.Rat)
	for i := range int64(500) {
		worth := of.worthOf(position{lower: 20_000 + i, upper: 22_000 + 2*i, liquidity: big.NewInt(1_000_000)})
		one.Set(worth)
		sum.Add(sum, worth)
	}
	if bits := sum.Denom().BitLen(); bits > worthBits+1 {
		t.Errorf("the sum has a denominator of %d bits", bits)
	}
	if one.Sign() <= 0 || sum.Cmp(one) <= 0 {
		t.Errorf("the last is worth %s, all %s", one.FloatString(9), sum.FloatString(9))
	}
}

// TestWhatAPageHasReadIsKept: the page of a run reads its positions ahead, more than are kept at once.
func TestWhatAPageHasReadIsKept(t *testing.T) {
	t.Parallel()
	r := &Reader{positions: map[positionKey]position{}, most: 10}
	keyOf := func(i int) positionKey { return positionKey{wallet: "w", index: int64(i)} }
	for i := range 25 {
		r.keep(map[positionKey]position{keyOf(i): {lower: int64(i)}})
		for back := range min(i+1, 10) {
			if p, ok := r.knownPosition(keyOf(i - back)); !ok || p.lower != int64(i-back) {
				t.Fatalf("after %d, position %d is gone", i, i-back)
			}
		}
	}
	if n := len(r.positions) + len(r.olderPositions); n > 20 {
		t.Errorf("%d positions are kept", n)
	}
}

package multiplier_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/multiplier"
)

func id(n byte) laurel.ID { return laurel.ID{1, n} }

func TestMultipliersStack(t *testing.T) {
	t.Parallel()
	of := func(user, rule, badge byte, value laurel.Amount, currencies ...laurel.ID) multiplier.Live {
		m := multiplier.Live{UserID: id(user), Value: value, Currencies: currencies}
		if rule > 0 {
			m.RuleID = id(rule)
		}
		if badge > 0 {
			m.BadgeID = id(badge)
		}
		return m
	}
	const one = laurel.One
	points, gold := id(100), id(101)
	for _, c := range []struct {
		name string
		list []multiplier.Live
		want string
	}{
		{"none", nil, "1"},
		{"one", []multiplier.Live{of(1, 0, 0, 3*one/2)}, "1.5"},
		{"2 and 3", []multiplier.Live{of(1, 0, 0, 2*one), of(1, 0, 0, 3*one)}, "4"},
		{"of two members", []multiplier.Live{of(1, 0, 0, 2*one), of(2, 0, 0, 3*one)}, "4"},
		{"less than one", []multiplier.Live{of(1, 0, 0, one/2), of(1, 0, 0, 2*one)}, "1.5"},
		{"never below nothing", []multiplier.Live{of(1, 0, 0, one/100), of(1, 0, 0, one/100)}, "0"},
		{"of another currency", []multiplier.Live{of(1, 0, 0, 2*one, gold), of(1, 0, 0, 3*one, gold, points)}, "3"},
		{"of one rule twice in a group", []multiplier.Live{of(1, 7, 0, 2*one), of(2, 7, 0, 3*one)}, "3"},
		{"of one rule twice in a group, worse last", []multiplier.Live{of(1, 7, 0, one/2), of(2, 7, 0, one/4)}, "0.5"},
		{"of two rules", []multiplier.Live{of(1, 7, 0, 2*one), of(2, 8, 0, 3*one)}, "4"},
		{"of a badge and a rule", []multiplier.Live{of(1, 7, 0, 2*one), of(1, 0, 7, 3*one)}, "4"},
		{"two rewards of one badge", []multiplier.Live{of(1, 0, 7, 2*one), of(1, 0, 7, 3*one), of(2, 0, 7, 3*one)}, "4"},
	} {
		if got := multiplier.Combine(c.list, points).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMultipliersStackInAnyOrder draws multipliers and adds them up again, exactly and otherwise.
func TestMultipliersStackInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "multipliers")
		list := make([]multiplier.Live, n)
		own := new(big.Int)
		most := map[byte]map[laurel.ID]*big.Int{}
		for i := range list {
			value := rapid.Int64Range(10_000, 999_999_999).Draw(t, "value")
			rule, user := rapid.ByteRange(0, 2).Draw(t, "rule"), id(rapid.ByteRange(1, 3).Draw(t, "user"))
			list[i] = multiplier.Live{Value: laurel.Amount(value), UserID: user}
			more := big.NewInt(value - 1_000_000)
			if rule == 0 {
				own.Add(own, more)
				continue
			}
			list[i].RuleID = id(rule)
			if most[rule] == nil {
				most[rule] = map[laurel.ID]*big.Int{}
			}
			if most[rule][user] == nil {
				most[rule][user] = new(big.Int)
			}
			most[rule][user].Add(most[rule][user], more)
		}
		for _, users := range most {
			var best *big.Int
			for _, sum := range users {
				if best == nil || sum.Cmp(best) > 0 {
					best = sum
				}
			}
			own.Add(own, best)
		}
		want := max(own.Int64()+1_000_000, 0)
		list = rapid.Permutation(list).Draw(t, "order")
		if got := multiplier.Combine(list, id(9)); int64(got) != want {
			t.Fatalf("%v of %v, want %d", int64(got), list, want)
		}
	})
}

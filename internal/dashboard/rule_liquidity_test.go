package dashboard_test

import (
	"fmt"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestPoolsOfARuleAreEditedInRows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("liquidity_amm_v3", object{"metadata": object{"liquidity": object{
			"network": "base", "pools": []any{object{"id": "0xab", "name": "kept"}}, "protocol": "kept", "liquidityPerDay": 100,
		}}})
		path := b.Site("/rules/" + id)
		page := b.Get(path).Shows(200, "Pools", "0xab", "Members get 10 Acme points for every 100 dollars", "Count only positions in range")
		b.Post(path, with(formOn(page))...).FollowsTo(path).Shows(200, "There were no changes to save.")
		b.Post(path, with(formOn(page), "metadata.liquidity.pools.1.id", "0xcd",
			"metadata.liquidity.calculationType", "custom", "metadata.liquidity.customFunction", "min(X, 5)",
			"metadata.liquidity.onlyRewardInRangeLiquidity", "on")...).FollowsTo(path).Shows(200, "Rule saved", "0xcd").
			Hides("for every 100 dollars")
		want := "map[calculationType:custom customFunction:min(X, 5) liquidityPerDay:100 network:base " +
			"onlyRewardInRangeLiquidity:true pools:[map[id:0xab name:kept] map[id:0xcd]] protocol:kept]"
		if got := fmt.Sprint(getRule(s, id)["metadata"].(object)["liquidity"]); got != want {
			t.Errorf("liquidity is %s", got)
		}
		b.Post(path, with(formOn(b.Get(path)), "metadata.liquidity.customFunction", "2 * y",
			"metadata.liquidity.network", "nowhere")...).
			Shows(400, "Formula: Must be a formula of X", "at position 5,", "Network: Must be a known network")
		pair := s.Rule("liquidity_amm_v2", object{})
		b.Get(b.Site("/rules/"+pair)).Shows(200, "Dollars per amount", "The rule has no pools.").
			Hides("Count only positions in range")
		for gap, liquidity := range map[string]object{
			"The rule has no network.": {}, "how many dollars earn the amount": {"network": "base"},
			"The rule has no formula.": {"network": "base", "calculationType": "custom"},
		} {
			liquidity["pools"] = []object{{"id": "0xab"}}
			id := s.Rule("liquidity_amm_v2", object{"metadata": object{"liquidity": liquidity}})
			b.Get(b.Site("/rules/"+id)).Shows(200, gap)
		}
	})
}

func TestTokensOfASwapAreEditedInRows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/rules/new?type=swap")).Shows(200, "must name pools in the file of LAUREL_NETWORKS, or a partner for swap")
		id := s.Rule("swap", object{"metadata": object{"swap": object{
			"from": object{"mode": "any", "chain": 137}, "to": object{"tokens": []any{object{"address": "0xab", "chainId": "137"}}},
		}}})
		path := b.Site("/rules/" + id)
		page := b.Get(path).Shows(200, "Tokens received", "0xab")
		b.Post(path, with(formOn(page))...).FollowsTo(path).Shows(200, "There were no changes to save.")
		b.Post(path, with(formOn(page), "metadata.swap.to.trackAmount", "on", "metadata.swap.to.tokens.0.address", "0xcd")...).
			FollowsTo(path).Shows(200, "Rule saved", "0xcd")
		want := "map[from:map[chain:137 mode:any] to:map[tokens:[map[address:0xcd chainId:137]] trackAmount:true]]"
		if got := fmt.Sprint(getRule(s, id)["metadata"].(object)["swap"]); got != want {
			t.Errorf("swap is %s", got)
		}
		b.Post(path, with(formOn(b.Get(path)), "metadata.swap.from.chain", "polygon", "metadata.swap.from.trackAmount", "on")...).
			Shows(400, "Chain of the tokens given: Must be a chain id, or any", "Measure the amount given: Needs exactly one token")
	})
}

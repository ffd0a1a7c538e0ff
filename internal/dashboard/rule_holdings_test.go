package dashboard_test

import (
	"fmt"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestContractsOfARuleAreEditedInRows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("token_hold", object{
			"collections": []any{object{"address": "0xab", "network": "polygon", "symbol": "AB"}},
			"metadata": object{
				"collection": []any{object{"address": "0xab", "multiplier": 2, "tokenIds": []any{"1", 2}}},
				"batchSize":  10, "rewardByBatch": true,
			},
		})
		path := b.Site("/rules/" + id)
		page := b.Get(path).Shows(200, "Contracts", "0xab", "polygon", "Pay per batch", "Multiply by the number of tokens")
		b.Post(path, with(formOn(page))...).FollowsTo(path).Shows(200, "There were no changes to save.")
		b.Post(path, with(formOn(page), "collections.1.address", "0x1234567", "collections.1.network", "base",
			"metadata.collection.0.multiplier", "2.5")...).FollowsTo(path).Shows(200, "Rule saved", "0x1234567")
		rule := getRule(s, id)
		if got := fmt.Sprint(rule["collections"]); got != "[map[address:0xab network:polygon symbol:AB] map[address:0x1234567 network:base]]" {
			t.Errorf("collections are %s", got)
		}
		if got := fmt.Sprint(rule["metadata"].(object)["collection"]); got != "[map[address:0xab multiplier:2.5 tokenIds:[1 2]]]" {
			t.Errorf("multipliers are %s", got)
		}
		b.Post(path, with(formOn(b.Get(path)), "collections.1.network", "nowhere")...).
			Shows(400, "Contracts, row 2, network")
		b.Get(path+"/history").Shows(200, "0x1234567")
		native := s.Rule("token_hold_erc20", object{"network": "base", "metadata": object{"erc20Type": "native"}})
		b.Get(b.Site("/rules/"+native)).Shows(200, "The coin of the network")
	})
}

func TestProposalsOfARuleAreEditedInRows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("governance_vote", object{"network": "base", "metadata": object{
			"governanceProposals": []any{object{"id": "115792089237316195423570985008687907853269984665640564039457584007913129639935", "space": "acme.dao", "title": "T"}},
		}})
		path := b.Site("/rules/" + id)
		page := b.Get(path).Shows(200, "Proposals", "Governor", "acme.dao")
		b.Post(path, with(formOn(page))...).FollowsTo(path).Shows(200, "There were no changes to save.")
		b.Post(path, with(formOn(page), "metadata.governanceProposals.1.id", "7", "metadata.governanceProposals.1.space",
			"old")...).FollowsTo(path).Shows(200, "Rule saved")
		if got := fmt.Sprint(getRule(s, id)["metadata"].(object)["governanceProposals"]); got !=
			"[map[id:115792089237316195423570985008687907853269984665640564039457584007913129639935 space:acme.dao title:T] map[id:7 space:old]]" {
			t.Errorf("proposals are %s", got)
		}
	})
}

package app_test

import "time"

// theRules are the rules of each website. The weights say how often they are called.
func theRules() []*mrule {
	const one = millionth
	tiers := func() []mtier {
		return []mtier{{10 * one, 19 * one, 3 * one}, {20 * one, 49 * one, 7_500_000}, {50 * one, 90 * one, 12 * one}}
	}
	later := noon.Add(9 * time.Minute) // than the members came, and before the first call
	all := []*mrule{
		{name: "required", kind: "external_rule", interval: "unlimited", required: true, amount: one, weight: 1},
		{name: "required later", kind: "check_in", interval: "daily", required: true, amount: one, start: noon.Add(10000 * time.Hour)},
		{name: "required before", kind: "check_in", interval: "daily", required: true, amount: one, end: noon.Add(time.Minute), start: noon.Add(-time.Hour)},
		{name: "plain", kind: "external_rule", interval: "unlimited", amount: 10 * one, weight: 14},
		{name: "gold", kind: "external_rule", interval: "unlimited", currency: "gold", amount: 2_345_678, weight: 4},
		{name: "unraised", kind: "external_rule", interval: "unlimited", amount: 4 * one, plain: true, weight: 2},
		{name: "nothing", kind: "external_rule", interval: "daily", weight: 1},
		{name: "once by hand", kind: "external_rule", interval: "once", amount: 5 * one, weight: 3},
		{name: "capped daily", kind: "external_rule", interval: "unlimited", amount: 7 * one, capPer: "daily", cap: 20 * one, weight: 3},
		{name: "capped weekly", kind: "external_rule", interval: "hourly", amount: 9 * one, capPer: "weekly", cap: 30 * one, weight: 1},
		{name: "capped ever", kind: "external_rule", interval: "unlimited", amount: 11 * one, capPer: "lifetime", cap: 50 * one, weight: 1},
		{name: "range", kind: "external_rule", interval: "unlimited", amount: one, tiers: tiers(), weight: 8},
		{name: "counted", kind: "external_rule", interval: "daily", amount: one, tiers: tiers(), tracked: true, counter: true, weight: 3},
		{name: "percent", kind: "external_rule", interval: "once", amount: 6 * one, tracked: true, reset: true, weight: 3},
		{name: "percent check-in", kind: "check_in", interval: "hourly", amount: 6 * one, tracked: true, weight: 2},
		{name: "hourly", kind: "check_in", interval: "hourly", amount: 2 * one, weight: 3},
		{name: "daily", kind: "check_in", interval: "daily", amount: 3 * one, weight: 2},
		{name: "weekly", kind: "check_in", interval: "weekly", amount: 4 * one, weight: 2},
		{name: "monthly", kind: "check_in", interval: "monthly", amount: 5 * one, weight: 1},
		{name: "once", kind: "check_in", interval: "once", amount: 6 * one, weight: 1},
		{name: "rolling", kind: "check_in", interval: "custom", seconds: 4500, amount: one, weight: 2},
		{name: "no amount", kind: "check_in", interval: "daily", weight: 2},
		{name: "bonus", kind: "bonus", interval: "unlimited", amount: one, weight: 3, client: 40},
		{name: "shared code", kind: "code_entry", interval: "unlimited", amount: one, shared: "Sesame 1", weight: 4, client: 30},
		{name: "code each", kind: "code_entry", interval: "once", amount: 2 * one, weight: 2, client: 30},
		{name: "many codes", kind: "code_entry", interval: "once", amount: 2 * one, several: true, weight: 3},
		{name: "no code", kind: "code_entry", interval: "once", amount: one, unset: true, weight: 1},
		{name: "text", kind: "text_input", interval: "unlimited", amount: one, least: 5, weight: 6, client: 40},
		{name: "link", kind: "link_click", interval: "hourly", amount: one, seconds: 2700, weight: 9, client: 20},
		{name: "no link", kind: "link_click", interval: "daily", amount: one, seconds: 30, unset: true, weight: 1},
		{name: "no driver", kind: "microblog_follow", interval: "daily", amount: one, unset: true, weight: 1},
		{name: "one try", kind: "quiz", interval: "daily", amount: one, question: &asked{}, weight: 3, client: 30},
		{name: "many tries", kind: "quiz", interval: "hourly", amount: one, question: &asked{}, again: true, weight: 5},
		{name: "poll", kind: "poll", interval: "daily", amount: one, question: &asked{}, weight: 3, client: 30},
		{name: "no question", kind: "quiz", interval: "daily", amount: one, weight: 3},
		{name: "future hidden", kind: "text_input", interval: "daily", amount: one, start: noon.Add(9000 * time.Hour), weight: 4, client: 55},
		{name: "future shown", kind: "text_input", interval: "daily", amount: one, start: noon.Add(9000 * time.Hour), shown: true, weight: 2, client: 50},
		{name: "expired", kind: "check_in", interval: "daily", amount: one, end: noon.Add(3 * time.Hour), weight: 2},
		{name: "newcomers", kind: "check_in", interval: "daily", amount: one, start: later, newOnly: true, weight: 3},
		{name: "deleted", kind: "check_in", interval: "daily", amount: one, deleted: true, weight: 2},
		{name: "worthless", kind: "check_in", interval: "daily", amount: one, currencyGone: true, weight: 2},
		{name: "both", kind: "check_in", interval: "hourly", amount: one, chain: &mchain{rule: "plain", repeat: 3, holds: 200 * one}, weight: 2},
		{name: "either", kind: "external_rule", interval: "unlimited", amount: one, chain: &mchain{any: true, rule: "gold", repeat: 4, holds: 900 * one}, weight: 2},
		{name: "profile", kind: "profile_completed", interval: "hourly", amount: one, fields: []string{"displayName", "bio"}, weight: 2},
		{name: "any wallet", kind: "connect_wallet", interval: "daily", amount: one, weight: 1},
		{name: "other wallet", kind: "connect_wallet", interval: "daily", amount: one, wallet: "solana", weight: 1},
		{name: "evm wallet", kind: "connect_wallet", interval: "hourly", amount: one, wallet: "evm", weight: 1},
		{name: "email", kind: "connected_email", interval: "hourly", amount: one, weight: 6, client: 20},
		{name: "phone", kind: "connected_phone", interval: "hourly", amount: one, weight: 4},
		{name: "streak by day", kind: "check_in", interval: "daily", amount: one, milestones: map[int]int64{2: 5_500_000, 4: 9 * one}, weight: 7},
		{name: "streak by hour", kind: "check_in", interval: "hourly", amount: 2 * one, milestones: map[int]int64{1: one, 2: 3 * one}, weight: 4},
		{name: "streak fed", kind: "check_in", interval: "hourly", milestones: map[int]int64{1: 2 * one, 2: 4 * one}, fedBy: "text", weight: 1},
		{name: "listed", kind: "text_input", interval: "hourly", amount: 2 * one, least: 5, list: true, weight: 6, client: 30},
		{name: "airdrop", kind: "points_airdrop", interval: "daily", amount: 3 * one, list: true, weight: 6},
		{name: "partner account", kind: "create_partner_account", interval: "hourly", amount: 4 * one, weight: 5, client: 20},
		{name: "attendance", kind: "attendance_token_claim", interval: "daily", amount: one, weight: 4},
		{name: "shop", kind: "shop_spend", interval: "unlimited", amount: 150_000, perValue: true, weight: 8},
		{name: "brings", kind: "referred_user", interval: "once", currency: "gold", amount: welcomes, weight: 1},
		{name: "shop by day", kind: "shop_spend", interval: "daily", amount: 6 * one, weight: 5},
	}
	for i, c := range connections {
		if c.kind != "connected_email" && c.kind != "connected_phone" {
			platform := c.missing[:len(c.missing)-len(" not connected")]
			all = append(all, &mrule{name: c.kind, kind: c.kind, interval: []string{"daily", "unlimited"}[i%2], amount: one, platform: platform, weight: 5, client: 10})
		}
	}
	return all
}

package providers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// governors are contracts that count votes.
type governors struct {
	chain

	acme string // of the space acme
	bare string // of no space
	old  string // of the space old, with the oldest event
}

// eachWithGovernors runs the test on each engine, with a network that has governors, and with a partner who says of
// everybody that they have voted.
func eachWithGovernors(t *testing.T, f func(t *testing.T, s *apptest.Server, g governors)) {
	t.Helper()
	partner := apptest.NewPartner(t)
	partner.RespondAlways(200, `{"fulfilled": true}`)
	var g governors
	config := app.Config{NoRateLimits: true, Dev: true, Partners: partner.ConfigFile(t)}
	eachWithConfig(t, config, func(c *chain) string {
		g = governors{acme: c.Deploy("governors", "Governor", ""), bare: c.Deploy("governors", "Governor", ""),
			old: c.Deploy("governors", "OldGovernor", "")}
		return fmt.Sprintf(`"governors": [{"space": "Acme.dao", "contractAddress": %q}, {"contractAddress": %q},
			{"space": "old", "contractAddress": %q}, {"space": "nobody", "contractAddress": %q}]`, g.acme, g.bare, g.old, artist)
	}, func(t *testing.T, s *apptest.Server, c chain) {
		g := g
		g.chain = c
		f(t, s, g)
	})
}

// propose lets a governor know proposals.
func (g governors) propose(governor string, ids ...int) {
	for _, id := range ids {
		g.Send(governor, call("propose(uint256)", id), "0x0")
	}
}

// vote has somebody vote on a proposal.
func (g governors) vote(governor, who string, id int) {
	g.Send(governor, call("vote(address,uint256,uint8)", who, id, 1), "0x0")
}

// proposals returns the metadata of a rule about proposals of a space.
func proposals(space string, ids ...any) object {
	list := make([]object, len(ids))
	for i, id := range ids {
		list[i] = object{"id": id, "space": space}
	}
	return object{"metadata": object{"governanceProposals": list}}
}

func TestCallsPayForVotesThatGovernorsHaveCounted(t *testing.T) {
	t.Parallel()
	eachWithGovernors(t, func(t *testing.T, s *apptest.Server, g governors) {
		const kind = "governance_vote"
		members(s)
		start := s.Clock.Now()
		delegate(s, cold, apptest.Carol)
		named := s.Rule(kind, proposals("acme.DAO", "7", "0x1F"))
		address := s.Rule(kind, proposals("0x"+strings.ToUpper(g.bare[2:]), 1))
		contract := s.Rule(kind, object{"collectionAddress": g.bare, "network": "devnet"})
		network := s.Rule(kind, object{"network": "devnet"})
		oldest := s.Rule(kind, proposals("old", "3"))
		late := s.Rule(kind, apptest.Over(proposals("old", "3"), object{
			"effectiveStartTime": s.Clock.Now().Add(time.Hour).Format(time.RFC3339)}))
		ended := s.Rule(kind, apptest.Over(proposals("old", "3"), object{
			"effectiveEndTime": s.Clock.Now().Add(-59 * time.Minute).Format(time.RFC3339)}))
		elsewhere := map[string]string{
			"another space": s.Rule(kind, proposals("elsewhere", "7")), "no number": s.Rule(kind, proposals("acme.dao", "Qm1")),
			"one of both":   s.Rule(kind, object{"metadata": object{"governanceProposals": []object{{"id": "7", "space": "acme.dao"}, {"id": "7", "space": "x"}}}}),
			"a network":     s.Rule(kind, object{"network": "unreadnet"}),
			"its governor":  s.Rule(kind, apptest.Over(proposals("acme.dao", "7"), object{"network": "unreadnet"})),
			"nothing named": s.Rule(kind, nil),
			"an id alone":   s.Rule(kind, object{"metadata": object{"governanceProposals": []object{{"id": "7"}}}}),
		}
		for name, rule := range elsewhere {
			s.Complete(rule, wallet(dave)).OK()
			if got := s.Balance(dave); got == "" {
				t.Errorf("%s: the partner was not asked", name)
			}
		}

		g.propose(g.acme, 7, 9, 31)
		g.propose(g.bare, 1)
		g.NextBlockAt(s.Clock.Now()) // after the end of the last rule
		g.vote(g.acme, apptest.Alice, 7)
		g.vote(g.acme, apptest.Carol, 9) // not of the list
		g.Send(g.acme, call("voteWithParams(address,uint256,uint8)", apptest.Bob, 31, 0), "0x0")
		g.vote(g.bare, cold, 1) // stays the cold wallet's own
		g.Send(g.old, call("vote(address,uint256,bool)", apptest.Alice, 3, 1), "0x0")
		check := func(rule, who string, isPaid bool) {
			t.Helper()
			simulation, dry := s.Simulate(rule, wallet(who)), s.Complete(rule, apptest.Over(wallet(who), object{"verifyOnly": true}))
			got := s.Complete(rule, wallet(who))
			simulation.Predicts(got)
			if isPaid {
				dry.OK()
				got.OK()
				return
			}
			dry.Refused(400, apptest.Undone)
			got.Refused(400, apptest.Undone)
		}
		check(oldest, apptest.Alice, false) // the block is not final yet
		g.settle(s, start.Add(time.Minute))
		check(named, apptest.Alice, true)
		check(named, apptest.Bob, true)
		check(named, apptest.Carol, false)
		check(address, cold, true)
		check(address, apptest.Carol, false)
		check(contract, cold, true)
		check(contract, apptest.Alice, false)
		for who, isPaid := range map[string]bool{apptest.Alice: true, apptest.Carol: true, cold: true, vault: false} {
			check(network, who, isPaid)
		}
		check(oldest, apptest.Alice, true)
		check(late, apptest.Alice, false)
		check(ended, apptest.Alice, false)
		s.In(apptest.Carol, "g")
		s.In(apptest.Bob, "g")
		s.Complete(named, wallet(apptest.Carol)).Refused(400, apptest.PaidAlready) // for the vote of its group
		s.In(dave, "h")
		s.In(apptest.Alice, "h")
		s.Complete(oldest, wallet(dave)).Refused(400, apptest.PaidAlready)
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + named + "&walletAddress=" + apptest.Bob).Data()
		if data := entries[0]["metadata"].(object); fmt.Sprint(data["proposals"], data["count"]) != "[31]1" || data["blocks"] == nil {
			t.Errorf("the entry says %v", data)
		}

		g.proxy.Set(anvil.Fault{Status: 500})
		if got := s.Complete(network, wallet(vault)); got.Status != 503 {
			t.Errorf("while the node is down: %d %s", got.Status, got.Body)
		}
		s.Sound()
	})
}

func TestAVoteThatLeavesTheChainPaysNothing(t *testing.T) {
	t.Parallel()
	eachWithGovernors(t, func(t *testing.T, s *apptest.Server, g governors) {
		members(s)
		rule, start := s.Rule("governance_vote", proposals("acme.dao", 7)), s.Clock.Now()
		g.propose(g.acme, 7)
		mark := g.Snapshot()
		g.at(start.Add(time.Minute), func() { g.vote(g.acme, apptest.Alice, 7) })
		g.Mine(confirmations - 1)
		s.Clock.Set(start.Add(time.Minute + 5*time.Second))
		s.Complete(rule, wallet(apptest.Alice)).Refused(400, apptest.Undone)
		g.Revert(mark)
		g.at(start.Add(time.Minute), func() { g.vote(g.acme, apptest.Bob, 7) }) // in place of the other one
		g.settle(s, start.Add(3*time.Minute))
		s.Complete(rule, wallet(apptest.Alice)).Refused(400, apptest.Undone)
		s.Complete(rule, wallet(apptest.Bob)).OK()
		g.at(start.Add(4*time.Minute), func() { g.vote(g.acme, apptest.Alice, 7) })
		g.settle(s, start.Add(6*time.Minute))
		s.Complete(rule, wallet(apptest.Alice)).OK()
		if got := paid(s, rule); got != "map[alice:10 bob:10]" {
			t.Errorf("paid %s", got)
		}
		s.Sound()
	})
}

func TestRunsPayForVotesSinceTheRunBefore(t *testing.T) {
	t.Parallel()
	eachWithGovernors(t, func(t *testing.T, s *apptest.Server, g governors) {
		members(s)
		g.propose(g.acme, 1, 2, 3, 4, 5)
		g.vote(g.acme, dave, 1)
		start := s.Clock.Now()
		daily := object{"frequency": "daily", "interval": "daily"}
		rule := s.Rule("governance_vote", apptest.Over(proposals("acme.dao", 1, 2, 3, 4), daily))
		tiers := s.Rule("governance_vote", apptest.Over(daily, object{"network": "devnet", "collectionAddress": g.acme, "metadata": object{
			"range": []object{{"startRange": 2, "endRange": 9, "amount": 7}}}}))
		failing := s.Rule("governance_vote", apptest.Over(proposals("nobody", 1), daily))
		called := s.Rule("governance_vote", apptest.Over(proposals("acme.dao", 1, 2, 3, 4), object{"interval": "daily"}))
		g.runUntil(s, start)
		g.at(start.Add(time.Hour), func() {
			g.vote(g.acme, apptest.Alice, 1)
			g.vote(g.acme, apptest.Alice, 2)
			g.vote(g.acme, apptest.Bob, 3)
			g.vote(g.acme, apptest.Carol, 5) // not of the list
		})
		g.at(start.Add(day+10*time.Second), func() { g.vote(g.acme, apptest.Bob, 4) }) // for the next run
		s.Clock.Set(start.Add(day + time.Minute))
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[1]); !strings.HasPrefix(got, "processing 0/0/0/0 Waiting for ") {
			t.Errorf("the run is %q", got)
		}
		g.settle(s, start.Add(day+2*time.Minute))
		s.RunSchedule()
		s.Complete(called, wallet(apptest.Alice)).Refused(400, apptest.Undone) // she voted yesterday
		s.Complete(called, wallet(apptest.Bob)).OK()
		g.runUntil(s, start.Add(2*day))
		g.runUntil(s, start.Add(3*day))
		if got := paid(s, rule); got != "map[alice:10 bob:10+10 dave:10]" {
			t.Errorf("paid %s", got)
		}
		if got := paid(s, tiers); got != "map[alice:7]" {
			t.Errorf("paid by tiers %s", got)
		}
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		viewer.Get(viewer.Site("/rules/"+tiers+"/runs/"+s.Runs(tiers)[1]["id"].(string))).Shows(200, "2 proposals")
		if got := apptest.RunCounts(s.Runs(failing)[0]); got != "failed 0/0/0/0 "+artist+" on devnet is not a contract" {
			t.Errorf("the run of an address without a contract is %q", got)
		}
		s.Sound()
	})
}

// TestAVoteCountsInOnePeriod: a vote whose block is not final when a call pays for another one counts in the next call,
// and none counts twice.
func TestAVoteCountsInOnePeriod(t *testing.T) {
	t.Parallel()
	eachWithGovernors(t, func(t *testing.T, s *apptest.Server, g governors) {
		members(s)
		start := s.Clock.Now()
		rule := s.Rule("governance_vote", apptest.Over(proposals("acme.dao", 1, 2), object{"interval": "unlimited"}))
		refused := func() { s.Complete(rule, wallet(apptest.Alice)).Refused(400, apptest.Undone) }
		g.propose(g.acme, 1, 2)
		g.at(start.Add(time.Minute), func() { g.vote(g.acme, apptest.Alice, 1) })
		g.confirm(start.Add(2 * time.Minute))
		g.at(start.Add(5*time.Minute-10*time.Second), func() { g.vote(g.acme, apptest.Alice, 2) })
		g.Mine(confirmations - 1)
		s.Clock.Set(start.Add(5 * time.Minute))
		s.Complete(rule, wallet(apptest.Alice)).OK()
		refused()
		g.settle(s, start.Add(8*time.Minute))
		s.Complete(rule, wallet(apptest.Alice)).OK()
		refused()
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
		if got := fmt.Sprint(entries[0]["metadata"].(object)["proposals"], entries[1]["metadata"].(object)["proposals"]); got != "[2] [1]" {
			t.Errorf("paid for the proposals %s", got)
		}
		s.Sound()
	})
}

// TestAnIDIsEnoughWhereThereIsOneGovernor: with several, the rule must say whose proposal it is.
func TestAnIDIsEnoughWhereThereIsOneGovernor(t *testing.T) {
	t.Parallel()
	var governor string
	eachWithNetworks(t, func(c *chain) string {
		governor = c.Deploy("governors", "Governor", "")
		return fmt.Sprintf(`"governors": [{"contractAddress": %q}]`, governor)
	}, func(t *testing.T, s *apptest.Server, c chain) {
		g := governors{chain: c}
		members(s)
		start := s.Clock.Now()
		rule := s.Rule("governance_vote", object{"metadata": object{"governanceProposals": []object{{"id": "17"}}}})
		g.propose(governor, 17)
		g.at(start.Add(time.Minute), func() { g.vote(governor, apptest.Alice, 17) })
		g.settle(s, start.Add(3*time.Minute))
		s.Complete(rule, wallet(apptest.Alice)).OK()
	})
}

package schedule_test

import (
	"fmt"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestPartnersAreShownWhatVotesSwapsAndListingsAreAbout(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		swap := object{
			"from": object{"mode": "any"},
			"to": object{
				"mode":        "specific",
				"chain":       137,
				"tokens":      []object{{"address": "0xabc", "chainId": "137"}},
				"trackAmount": true,
			},
		}
		tiers := []object{{"startRange": 10, "endRange": 20, "amount": 1}, {"startRange": 21, "endRange": 30, "amount": 3}}
		for kind, metadata := range map[string]object{
			"governance_vote": {"governanceProposals": []object{{"id": "p-1", "space": "dao"}}},
			"swap":            {"swap": swap, "range": tiers},
		} {
			p.RespondAlways(200, `{"fulfilled":true,"value":"25.5"}`)
			rule := s.Rule(kind, object{"metadata": apptest.Over(metadata, object{"promoCode": "hidden"})})
			s.Complete(rule, object{"walletAddress": "w-" + kind}).OK()
			if got, want := s.Balance("w-"+kind), map[string]string{"governance_vote": "10", "swap": "3"}[kind]; got != want {
				t.Errorf("%s paid %s, not %s", kind, got, want)
			}
			q := p.TakeQuestions()
			for name := range metadata {
				if len(q) != 1 || q[0].Rule.Metadata[name] == nil || len(q[0].Rule.Metadata) != len(metadata) {
					t.Errorf("%s: asked %+v", kind, q)
				}
			}
			if kind == "swap" {
				p.RespondAlways(200, `{"fulfilled":true,"value":9}`)
				s.Complete(rule, object{"walletAddress": "little"}).Refused(400, "Quest not achieved, please try again.")
				p.TakeQuestions()
			}
		}
	})
}

func TestRunsAskAboutVotesAndListings(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		s.User("a", nil)
		s.User("b", nil)
		p.Set(func(p *apptest.Partner) { p.Holders["a"] = true })
		for _, kind := range []string{"governance_vote", "listing"} {
			p.TakeQuestions()
			before := s.Balance("a")
			rule := s.Rule(
				kind,
				object{
					"frequency":   "daily",
					"collections": []object{{"address": "0xabc", "network": "polygon"}},
					"metadata":    object{"fillSource": "a.example"},
				},
			)
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 2/1/1/0 " {
				t.Errorf("%s: %s", kind, got)
			}
			if got, want := s.Balance(
				"a",
			), map[string]string{"": "10", "10": "20"}[before]; got != want ||
				s.Balance("b") != "" {
				t.Errorf("%s: %s and %s", kind, got, s.Balance("b"))
			}
			if q := p.TakeQuestions(); len(q) != 2 || len(q[0].Rule.Collections) != 1 ||
				fmt.Sprint(q[0].Rule.Metadata) != "map[fillSource:a.example]" {
				t.Errorf("%s: %+v", kind, q)
			}
			s.Complete(rule, object{"walletAddress": "a"}).Refused(400, apptest.Undone)
		}
		never := s.Rule("listing", nil)
		s.Complete(never, object{"walletAddress": "a"}).Refused(400, apptest.Undone)
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "swap", "frequency": "daily"}).
			Refused(400, "frequency must be one of: none, once, immediately for a rule of type swap")
		s.Sound()
	})
}

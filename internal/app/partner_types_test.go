package app_test

import (
	"fmt"
	"testing"
)

func TestPartnersAreShownWhatVotesSwapsAndListingsAreAbout(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
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
			p.always(200, `{"fulfilled":true,"value":"25.5"}`)
			rule := s.rule(kind, object{"metadata": over(metadata, object{"promoCode": "hidden"})})
			s.complete(rule, object{"walletAddress": "w-" + kind}).ok()
			if got, want := s.balance("w-"+kind), map[string]string{"governance_vote": "10", "swap": "3"}[kind]; got != want {
				t.Errorf("%s paid %s, not %s", kind, got, want)
			}
			q := p.asked()
			for name := range metadata {
				if len(q) != 1 || q[0].Rule.Metadata[name] == nil || len(q[0].Rule.Metadata) != len(metadata) {
					t.Errorf("%s: asked %+v", kind, q)
				}
			}
			if kind == "swap" {
				p.always(200, `{"fulfilled":true,"value":9}`)
				s.complete(rule, object{"walletAddress": "little"}).refused(400, "Quest not achieved, please try again.")
				p.asked()
			}
		}
	})
}

func TestRunsAskAboutVotesAndListings(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		s.user("a", nil)
		s.user("b", nil)
		p.set(func(p *partner) { p.holders["a"] = true })
		for _, kind := range []string{"governance_vote", "listing"} {
			p.asked()
			before := s.balance("a")
			rule := s.rule(
				kind,
				object{
					"frequency":   "daily",
					"collections": []object{{"address": "0xabc", "network": "polygon"}},
					"metadata":    object{"fillSource": "a.example"},
				},
			)
			s.run()
			if got := counts(s.runs(rule)[0]); got != "complete 2/1/1/0 " {
				t.Errorf("%s: %s", kind, got)
			}
			if got, want := s.balance(
				"a",
			), map[string]string{"": "10", "10": "20"}[before]; got != want ||
				s.balance("b") != "" {
				t.Errorf("%s: %s and %s", kind, got, s.balance("b"))
			}
			if q := p.asked(); len(q) != 2 || len(q[0].Rule.Collections) != 1 ||
				fmt.Sprint(q[0].Rule.Metadata) != "map[fillSource:a.example]" {
				t.Errorf("%s: %+v", kind, q)
			}
			s.complete(rule, object{"walletAddress": "a"}).refused(400, undone)
		}
		never := s.rule("listing", nil)
		s.complete(never, object{"walletAddress": "a"}).refused(400, undone)
		s.post("/api/loyalty/rules", object{"name": "N", "type": "swap", "frequency": "daily"}).
			refused(400, "frequency must be one of: none, once, immediately for a rule of type swap")
		s.sound()
	})
}

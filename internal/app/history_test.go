package app_test

import (
	"context"
	"testing"
	"time"
)

func TestRulesKeepTheirHistoryProgressCodesClicksAndOrder(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		g := s.post("/api/loyalty/rule_groups/create", object{"name": "G"}).ok()
		r := s.rule("external_rule", object{"loyaltyRuleGroupId": g["id"], "trackProgress": true})
		s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": r, "walletAddress": alice, "progress": 60}).ok()
		s.complete(r, object{"walletAddress": alice}).refused(400, "Quest not completed")
		s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": r, "walletAddress": alice, "incProgress": 60}).ok()
		s.complete(r, object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/rules/"+r, object{"amount": 50}).ok()
		edits := s.get("/api/loyalty/rule_edits?loyaltyRuleId=" + r).data()
		s.post("/api/loyalty/rule_edits/"+edits[0]["id"].(string)+"/restore", nil).ok()
		c := s.rule("code_entry", object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 3000}})
		codes := s.get("/api/loyalty/rules/" + c + "/codes?limit=1000").data()
		if len(codes) != 1000 {
			t.Fatal(len(codes))
		}
		s.complete(c, object{"walletAddress": alice, "verificationCode": "nope"}).refused(400, "The code you entered could not be verified")
		s.complete(c, object{"walletAddress": alice, "verificationCode": codes[0]["code"]}).ok()
		s.complete(c, object{"walletAddress": "0x00000000000000000000000000000000000000b0", "verificationCode": codes[0]["code"]}).refused(400, "The code you entered could not be verified")
		l := s.rule("link_click", object{"metadata": object{"link": "https://a.example"}})
		s.complete(l, object{"walletAddress": alice}).ok()
		s.complete(l, object{"walletAddress": alice}).refused(400, "Link already clicked, your reward is being processed")
		before := s.balance(alice)
		s.clock.advance(31 * time.Second)
		if n, err := s.app.Rules.RunJobs(context.Background()); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if before != "20" || s.balance(alice) != "30" {
			t.Fatalf("balance %s, then %s", before, s.balance(alice))
		}
		s.complete(l, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		req := s.rule("text_input", object{"isRequired": true})
		x := s.rule("external_rule", object{})
		s.complete(x, object{"walletAddress": alice}).refused(400, "Please complete other required rules to unlock this quest.")
		s.complete(req, object{"walletAddress": alice}).refused(400, "Invalid Verification, try again")
		s.complete(req, object{"walletAddress": alice, "verificationCode": "hi"}).ok()
		s.complete(x, object{"walletAddress": alice}).ok()
	})
}

package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestATransactionIsReversedOnceByItsForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := s.Transact(apptest.Points("maren-1", 20)).OK()["id"].(string)
		b, support := s.SignInAdmin(tenancy.RoleAdmin), s.SignInAdmin(tenancy.RoleModerator)
		page, address := b.Site("/ledger/"+id), b.Site("/ledger/"+id+"/reverse")
		b.Get(page).Shows(200, "Reverse…")
		support.Get(page).Hides("Reverse…")
		support.Get(address).Shows(403, "can’t adjust balances without a daily limit, reverse transactions")
		key := formKey(b.Get(address).Shows(200, "Reverse “A transaction”", "Take what is left"))
		b.Post(address, "key", key, "amount", "21", "policy", "reverse").
			Shows(400, "Transaction was already reversed", `value="21"`, `value="reverse" checked`)
		b.Post(address, "key", key, "amount", "much").Shows(400, "amount")
		var reversal string
		for range 2 { // sent twice, it reverses once
			sent := b.Post(address, "key", key, "amount", "5", "recheckBadges", "yes")
			sent.FollowsTo(b.Site("/ledger/")).Shows(200, "This is the reversal", id)
			reversal = sent.Location
		}
		if got := s.Balance("maren-1"); got != "15" {
			t.Errorf("the balance is %s, want 15", got)
		}
		b.Get(reversal).Hides("Reverse…")
		s.Sound()
	})
}

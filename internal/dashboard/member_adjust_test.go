package dashboard_test

import (
	"net/http"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// Where the ledger outside does not answer, nobody knows whether the points were given: the form stays with its key,
// the activity keeps its note, and sent again it counts once.
func TestAnAdjustmentWhoseEndIsUnknownCanBeSentAgain(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, bank *apptest.Bank, currency string) {
		const wallet = "0x00000000000000000000000000000000000000aa"
		maren := s.User(wallet, apptest.Object{"displayName": "Maren"})
		owner, b := s.SignInAdmin(tenancy.RoleSuperAdmin), s.SignInAdmin(tenancy.RoleModerator)
		address := b.Site("/members/" + maren + "/adjust")
		key := formKey(b.Get(address))
		send := func() apptest.Page {
			return b.Post(address, "direction", "credit", "currency", currency, "key", key, "amount", "600", "reason", "Late parcel")
		}
		bank.Mu.Lock()
		bank.After = func(int) int { return http.StatusTeapot } // it has done it, and nobody learns
		bank.Mu.Unlock()
		if shown := send().Shows(503, "Result unknown", "Late parcel", `value="600"`); formKey(shown) != key {
			t.Error("the form has another key")
		}
		owner.Get(owner.Site("/activity")).Shows(200, "Adjusted a balance")
		bank.Mu.Lock()
		bank.After = nil
		bank.Mu.Unlock()
		s.Clock.Advance(time.Minute)
		send().FollowsTo(b.Site("/members/"+maren)).Shows(200, "added to Maren")
		bank.CheckBalance(t, wallet, "600")
		b.Post(address, "direction", "credit", "currency", currency, "key", formKey(b.Get(address)), "amount", "401",
			"reason", "More").Shows(400, "You have 400")
	})
}

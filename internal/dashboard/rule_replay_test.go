package dashboard_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestARuleIsReplayedAsItIsTyped(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		working, stop := context.WithCancel(t.Context())
		var worker sync.WaitGroup
		worker.Go(func() { s.App.Replays.Run(working) })
		defer worker.Wait()
		defer stop()
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("check_in", object{"name": "Daily", "interval": "daily", "amount": 5})
		path := b.Site("/rules/" + id)
		form := formOn(b.Get(path).Shows(200, "Replay the last 30 days", "Replay"))
		b.Post(path+"/replay", with(form)...).Shows(200, "Nothing to replay")
		other := s.Rule("check_in", object{"name": "Other", "interval": "daily", "amount": 5})
		otherPath := b.Site("/rules/" + other)
		for day := range 3 {
			for wallet := range 3 {
				s.Complete(other, object{"walletAddress": apptest.Wallet(wallet)})
			}
			s.Clock.Advance(24*time.Hour + time.Duration(day)*time.Minute)
		}
		form = formOn(b.Get(otherPath))
		b.Post(otherPath+"/replay", with(form)...).Shows(200, "Nothing would differ", "Calculated with the saved rule.", "45")
		page := b.Post(otherPath+"/replay", with(form, "amount", "7")...).
			Shows(200, "9 completions would differ", "3 members would be affected", "unsaved changes", "45", "63", "+18", "Affected members",
				`value="7"`)
		member := match(t, page, `href="(/admin/[^"]+/members/[^"]+)"`)
		b.Get(member).Shows(200)
		b.Post(otherPath+"/replay", with(form, "interval", "once")...).Shows(200, "6 completions would differ", "2 refused")
		b.Post(otherPath+"/replay", with(form, "amount", "much")...).Shows(400, "This rule can’t be replayed", "Must be a number")
		if got := getRule(s, other); got["amount"] != apptest.JSONNumber("5") || len(s.Edits(other)) != 1 {
			t.Errorf("the replay has saved %v", got)
		}
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		viewer.Get(otherPath).Shows(200).Hides("Replay the last 30 days")
		viewer.Post(otherPath+"/replay", with(form, "amount", "7")...).Shows(403)
		strange := s.NewProgram("Other")
		foreign := s.Call(strange.WebsiteAPIKey, "POST", "/api/loyalty/rules", object{"name": "Foreign", "type": "bonus",
			"amount": 1}).OK()["id"].(string)
		b.Post(b.Site("/rules/" + foreign + "/replay")).Shows(404)
		stop()
		worker.Wait()
		waits := b.Post(otherPath+"/replay", with(form, "amount", "8")...).Shows(200, "In progress: 0%", `value="8"`)
		card := match(t, waits, `hx-get="([^"]+)"`)
		b.Get(card).Shows(200, "In progress: 0%", "Other")
		if err := s.App.Replays.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Get(card).Shows(200, "9 completions would differ", "+27").Hides("hx-get")
		b.Get(strings.Replace(card, other, id, 1)).Shows(404, "Replay not found")
		s.SignInOwner(strange.OrganizationID).Get(card).Shows(404, "Website not found")
	})
}

package dashboard_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

func TestNetworksShowHowTheyAre(t *testing.T) {
	t.Parallel()
	born := fmt.Sprint(apptest.Noon.Add(-20 * time.Second).Unix())
	n := anvil.Start(t, "--timestamp", born)
	n.Mine(7)
	storetest.EachURL(t, func(t *testing.T, address string) {
		first, second := anvil.NewProxy(t, n), anvil.NewProxy(t, n)
		file := apptest.WriteConfig(t, fmt.Sprintf(`{"networks": [
			{"name": "devnet", "chainId": %d, "rpcUrl": ["%s", "%s"], "confirmations": 3, "blockTimeSeconds": 2},
			{"name": "othernet", "chainId": 31338, "rpcUrl": "%s"},
			{"name": "deadnet", "chainId": 31339, "rpcUrl": "http://127.0.0.1:1/%s"},
			{"name": "namednet", "chainId": 31340}]}`, anvil.ChainID, first.URL, second.URL, n.URL, anvil.ProxyKey))
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Networks: file})
		hidden := []string{anvil.ProxyKey, "127.0.0.1", "apikey", n.URL}
		owner, developer := s.SignInAdmin(tenancy.RoleSuperAdmin), s.SignInAdmin(tenancy.RoleDeveloper)
		at := owner.Site("/networks")
		owner.Get(at).Shows(200, "devnet", "Chain ID 31337", "othernet", "deadnet", "Not read yet", "None seen", "Not used yet").
			Hides(hidden...).Hides("namednet", "Final up to", "Down", "Working")

		first.Set(anvil.Fault{Status: 503})
		second.Set(anvil.Fault{Behind: 3})
		s.App.Networks.Look(t.Context())
		owner.Get(at).Shows(200, "Working", "Paused", "answered with status 503", "Final up to block 1")
		s.Clock.Advance(5 * time.Second)
		first.Set(anvil.Fault{Remaining: "4321"})
		s.App.Networks.Look(t.Context())
		page := owner.Get(at).Shows(200, "Working", "just now", "Final up to block 4", "Wrong chain", "Down",
			"4321 calls left", "Address 2 of the file", "Last success", `href="`+at+`"`,
			"the node is of chain 31337; configured is 31338")
		page.Hides(hidden...).Hides("No new blocks", "Not read yet")
		developer.Get(at).Shows(200, "Working", "Final up to block 4", "Wrong chain", "Down").Hides(hidden...).
			Hides("calls left", "Address 2", "Last success")
		s.Clock.Advance(10 * time.Minute)
		owner.Get(at).Shows(200, "No new blocks", "A block takes about 2 s", "10 min ago")
		for _, role := range []*apptest.Browser{s.SignInAdmin(tenancy.RoleModerator), s.SignInAdmin(tenancy.RoleViewer)} {
			role.Get(at).Shows(403).Hides("devnet")
		}

		rival := s.NewProgram("Rival") // now no owner stands for the operator
		stranger := s.SignInOwner(rival.OrganizationID)
		for _, page := range []apptest.Page{owner.Get(at), stranger.Get("/admin/" + rival.WebsiteID.String() + "/networks")} {
			page.Shows(200, "devnet", "Final up to block 4").Hides(hidden...).Hides("calls left", "Address 2", "Last success")
		}
	})
}

func TestNetworksShowHowFarTheyAreRead(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	n.Mine(7)
	storetest.EachURL(t, func(t *testing.T, address string) {
		file := apptest.WriteConfig(t, fmt.Sprintf(
			`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q, "confirmations": 3}]}`, anvil.ChainID, n.URL))
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Networks: file})
		owner, developer := s.SignInAdmin(tenancy.RoleSuperAdmin), s.SignInAdmin(tenancy.RoleDeveloper)
		at := owner.Site("/networks")
		s.App.Networks.Look(t.Context())
		owner.Get(at).Shows(200, "Nobody watches a contract").Hides("to read", "has stopped")

		s.Post("/api/stratus/subscriptions", apptest.Object{
			"name": "Chain", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID, "callbackUrl": "https://shop.example/hook",
			"blockchainSubscriptions": []any{apptest.Object{
				"chainId": anvil.ChainID, "contractAddress": apptest.Wallet(7), "blockchainSubscriptionType": "EVENT",
				"eventAbi": `{"type": "event", "name": "Paid", "inputs": []}`,
			}},
		}).OK()
		if err := s.App.Reader.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		owner.Get(at).Shows(200, "Up to block 7").Hides("Nobody watches", "to read")
		apptest.ExecOnce(t, address, "UPDATE network_cursors SET block_number = 4")
		developer.Get(at).Shows(200, "Up to block 4", "3 blocks to read")
		apptest.ExecOnce(t, address, "UPDATE network_cursors SET stopped_reason = 'the chain has another block 5'")
		owner.Get(at).Shows(200, "Reading stopped", "the chain has another block 5", "laurel networks resume devnet")

		rival := s.NewProgram("Rival") // now what is read may concern another tenant
		stranger := s.SignInOwner(rival.OrganizationID)
		for _, page := range []apptest.Page{owner.Get(at), stranger.Get("/admin/" + rival.WebsiteID.String() + "/networks")} {
			page.Shows(200, "devnet").Hides("Up to block", "to read", "stopped", "another block", "watches a contract")
		}
	})
}

func TestWithoutNetworksThePageSaysHowToConfigureSome(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("/networks")).Shows(200, "No network is read", "--networks", "/docs/networks").Hides("Newest block")
	})
}

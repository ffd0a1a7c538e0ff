package app_test

import (
	"fmt"
	"reflect"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const delegationsPath = "/api/users/delegations"

func TestColdWalletsDelegateToOneUser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Post(apptest.MetadatasPath, object{"walletAddress": wallet}).OK()
		}
		alice, bob := s.UserOf(apptest.Alice), s.UserOf(apptest.Bob)
		cold := apptest.NewSigningWallet(9)
		delegate := func(to string, token string) apptest.Response {
			body := cold.Delegate(s.WebsiteID.String(), s.Clock.Now(), to)
			body["walletAddress"] = to
			return s.Call(s.ClientAPIKey, "POST", delegationsPath, body, "Authorization", "Bearer "+token)
		}
		first := delegate(apptest.Alice, s.Token(apptest.Alice)).OK()
		if first["delegatorWalletAddress"] != cold.Address || first["userId"] != alice || first["createdAt"] == nil {
			t.Errorf("delegated %v", first)
		}
		if again := delegate(apptest.Alice, s.Token(apptest.Alice)).OK(); !reflect.DeepEqual(again, first) {
			t.Errorf("delegated again: %v", again)
		}
		from := func(user string) string {
			u := s.Get("/api/users?includeDelegation=true&userId=" + user).Data()[0]
			return fmt.Sprint(u["delegationsFrom"])
		}
		if got := from(alice); got != "[map[walletAddress:"+cold.Address+"]]" || from(bob) != "[]" {
			t.Errorf("alice has %s, bob %s", got, from(bob))
		}
		second := delegate(apptest.Bob, s.Token(apptest.Bob)).OK() // it replaces the first
		if from(alice) != "[]" || from(bob) == "[]" || second["id"] == first["id"] {
			t.Errorf("after a second delegation alice has %s, bob %s", from(alice), from(bob))
		}
		s.Get(delegationsPath+"/"+first["id"].(string)).Refused(404, "Delegation not found")
		for query, want := range map[string]int{
			"": 1, "?userId=" + alice: 0, "?userId=" + bob: 1, "?delegatorWalletAddress=" + cold.Address: 1,
			"?delegatorWalletAddress=" + apptest.Alice: 0,
		} {
			if got := s.Call(s.ReadOnlyAPIKey, "GET", delegationsPath+query, nil).Data(); len(got) != want ||
				want == 1 && !reflect.DeepEqual(got[0], second) {
				t.Errorf("%s lists %v", query, got)
			}
		}
		path := delegationsPath + "/" + second["id"].(string)
		if got := s.Remove(path); !reflect.DeepEqual(got, object{"id": second["id"]}) {
			t.Errorf("deleted %v", got)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).Refused(404, "Delegation not found")
		if from(bob) != "[]" {
			t.Error("a deleted delegation is listed")
		}
	})
}

func TestDelegationsNeedTheSignatureOfTheColdWallet(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice}).OK()
		cold, site, now := apptest.NewSigningWallet(9), s.WebsiteID.String(), s.Clock.Now()
		token := "Bearer " + s.Token(apptest.Alice)
		send := func(body object) apptest.Response {
			body["walletAddress"], body["delegatorWalletAddress"] = apptest.Alice, cold.Address
			return s.Call(s.ClientAPIKey, "POST", delegationsPath, body, "Authorization", token)
		}
		send(object{}).Refused(400, "Signature is required")
		for name, message := range map[string]string{
			"to nobody":         cold.Message(site, now),
			"to another user":   cold.Message(site, now, "Delegate: "+apptest.Bob),
			"to two":            cold.Message(site, now, "Delegate: "+apptest.Alice, "Delegate: "+apptest.Bob),
			"of another wallet": apptest.NewSigningWallet(8).Message(site, now, "Delegate: "+apptest.Alice),
		} {
			if got := send(cold.Sign(message)); got.Status != 400 || got.JSON()["message"] != "Invalid signature" {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		good := cold.Delegate(site, now, apptest.Alice)
		good["walletType"] = "evm"
		send(good).Refused(400, "Invalid signature")
		delete(good, "walletType")
		send(good).OK()
		send(good).Refused(400, "Invalid signature") // its nonce is used
		connect := object{"walletAddress": cold.Address, "walletType": "solana"}
		connect["verificationData"] = cold.Sign(cold.Message(site, now, "Delegate: "+apptest.Alice))
		s.Call(s.ClientAPIKey, "POST", connectPath, connect).Refused(400, "Invalid signature") // it delegates, and connects nothing
		// Secret keys vouch, and a signature that they send is checked.
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Bob}).OK()
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Bob, "message": "m", "signature": "0x00"}).
			Refused(400, "Invalid signature")
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": "cust_1", "message": "m", "signature": "0x00"}).
			Refused(400, "Wallet type is not supported")
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Alice}).
			Refused(400, "Wallets cannot delegate to themselves")
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice}).Refused(400, "delegatorWalletAddress is required")
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Bob, "walletType": "x"}).
			Refused(400, "walletType must be one of: agw, cosmos, evm, flow_cadence, imx, solana, substrate, sui, ton")
		s.Post(delegationsPath, object{"delegatorWalletAddress": apptest.Alice}).Refused(400, "userId or walletAddress is required")
		s.Post(delegationsPath, object{"userId": apptest.UnknownID, "delegatorWalletAddress": apptest.Alice}).Refused(404, "User not found")
		for i := range 98 {
			s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Wallet(100 + i)}).OK()
		}
		s.Post(delegationsPath, object{"walletAddress": apptest.Alice, "delegatorWalletAddress": apptest.Wallet(99)}).
			Refused(400, "User has 100 delegations already")
	})
}

const devicesPath = "/api/users/devices"

func TestDevicesOfMembersAreStoredAndListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		record := func(body object) object {
			t.Helper()
			return s.Post(devicesPath, body).OK()
		}
		first := record(object{"walletAddress": apptest.Alice, "ipAddress": "192.0.2.7", "deviceIdentifier": "a phone"})
		if first["ipAddress"] != "192.0.2.7" || first["deviceIdentifier"] != "a phone" || first["source"] != "api" ||
			first["userId"] != s.UserOf(apptest.Alice) || first["websiteId"] != s.WebsiteID.String() {
			t.Errorf("stored %v", first)
		}
		mapped := record(object{"walletAddress": apptest.Alice, "ipAddress": "::ffff:192.0.2.7", "deviceIdentifier": "a phone"})
		if !reflect.DeepEqual(mapped, first) {
			t.Errorf("the same device: %v", mapped)
		}
		bare := record(object{"walletAddress": apptest.Alice, "ipAddress": "2001:DB8::1"})
		if again := record(object{"walletAddress": apptest.Alice, "ipAddress": "2001:db8:0::1", "deviceIdentifier": nil}); bare["ipAddress"] != "2001:db8::1" ||
			bare["deviceIdentifier"] != nil || !reflect.DeepEqual(again, bare) {
			t.Errorf("stored %v, then %v", bare, again)
		}
		bob := record(object{"walletAddress": apptest.Bob, "ipAddress": "192.0.2.7"})
		list := s.Get(devicesPath).Data()
		if len(list) != 3 || list[0]["id"] != bob["id"] || s.Count(devicesPath+"?userId="+s.UserOf(apptest.Alice)) != 2 {
			t.Errorf("listed %v", list)
		}
		if got := s.Get(devicesPath + "/" + bob["id"].(string)).OK(); !reflect.DeepEqual(got, bob) {
			t.Errorf("read as %v", got)
		}
		if got := s.Get(devicesPath + "?limit=1&startingAfter=" + bob["id"].(string)).Data(); got[0]["id"] != bare["id"] {
			t.Errorf("the next page: %v", got)
		}
		own := s.Call(s.ClientAPIKey, "POST", devicesPath, object{"ipAddress": "192.0.2.8"}, s.MemberTokenHeaders(s.UserOf(apptest.Bob))...).OK()
		if own["userId"] != bob["userId"] {
			t.Errorf("a client key stored %v", own)
		}
		s.Call(s.ClientAPIKey, "POST", devicesPath, object{"ipAddress": "192.0.2.8"}).Refused(403, apptest.TokenMissing)
		s.Call(s.ReadOnlyAPIKey, "GET", devicesPath, nil).Refused(403, "API key is not allowed to perform this operation")
		for message, body := range map[string]object{
			"ipAddress is required":               {"walletAddress": apptest.Alice},
			"ipAddress must be an IP address":     {"walletAddress": apptest.Alice, "ipAddress": "example.com"},
			"userId or walletAddress is required": {"ipAddress": "192.0.2.7"},
		} {
			s.Post(devicesPath, body).Refused(400, message)
		}
		s.Post(devicesPath, object{"userId": apptest.UnknownID, "ipAddress": "192.0.2.7"}).Refused(404, "User not found")
	})
}

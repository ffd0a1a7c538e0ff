package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

const connectPath = "/api/users/connect"

// wallets calls the operations on wallets of one server.
type walletCalls struct{ *apptest.Server }

// vouch connects a wallet as a secret key does.
func (s walletCalls) vouch(body object) apptest.Response {
	s.T.Helper()
	body["walletType"] = "evm"
	return s.Post(connectPath, body)
}

// sign connects a wallet by its signature through a client key, with the member token of a user.
func (s walletCalls) sign(body object, token string) apptest.Response {
	s.T.Helper()
	return s.Call(s.ClientAPIKey, "POST", connectPath, body, "Authorization", "Bearer "+token)
}

// message returns the body by which the wallet signs now.
func (s walletCalls) message(w *apptest.SigningWallet) object {
	return w.Connect(s.WebsiteID.String(), s.Clock.Now())
}

// group returns the wallets of the group of a user in order of joining; "" without a group.
func (s walletCalls) group(user string) string {
	s.T.Helper()
	listed := s.Get("/api/users?userId=" + user).Data()
	if len(listed) == 0 || len(listed[0]["userMetadata"].([]any)) == 0 {
		return "unknown"
	}
	id, _ := listed[0]["userMetadata"].([]any)[0].(object)["userGroupId"].(string)
	if id == "" {
		return ""
	}
	token := s.Post("/api/users/tokens", object{"userId": user}).OK()["token"].(string)
	me := s.Call(s.ClientAPIKey, "GET", "/api/users/me", nil, "Authorization", "Bearer "+token).OK()
	var out []string
	for _, u := range me["userGroup"].(object)["users"].([]any) {
		out = append(out, u.(object)["walletAddress"].(string))
	}
	return strings.Join(out, " ")
}

func TestASignedWalletBecomesAUserWithAToken(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		wallet := apptest.NewSigningWallet(1)
		body := s.message(wallet)
		got := s.sign(body, "").OK()
		id, _ := got["id"].(string)
		expires, err := time.Parse(time.RFC3339, got["tokenExpiresAt"].(string))
		if err != nil || got["walletAddress"] != wallet.Address || got["token"] == nil ||
			expires.Sub(s.Clock.Now()).Round(time.Minute) != time.Hour {
			t.Errorf("connected %v", got)
		}
		me := s.Call(s.ClientAPIKey, "GET", "/api/users/me", nil, "Authorization", "Bearer "+got["token"].(string)).OK()
		if me["id"] != id || me["walletType"] != "solana" || me["temporaryLoyaltyUser"] != false ||
			me["userMetadata"].([]any)[0].(object)["verifiedLocallyAt"] == nil || me["userGroup"] != nil {
			t.Errorf("the user is %v", me)
		}
		s.sign(body, "").Refused(400, "Invalid signature") // its nonce is used
		s.Post(connectPath, body).Refused(400, "Invalid signature")
		again := s.sign(s.message(wallet), "").OK()
		if again["id"] != id {
			t.Errorf("another user: %v", again)
		}
		s.sign(object{"walletAddress": wallet.Address, "walletType": "solana"}, "").Refused(400, "Signature is required")
		for name, c := range map[string]struct{ message, text string }{
			"another website":   {wallet.Message(apptest.UnknownID, s.Clock.Now()), "Invalid signature"},
			"of eleven minutes": {wallet.Message(s.WebsiteID.String(), s.Clock.Now().Add(-11*time.Minute)), "Signature has expired"},
			"of the future":     {wallet.Message(s.WebsiteID.String(), s.Clock.Now().Add(2*time.Minute)), "Invalid signature"},
			"a delegation":      {wallet.Message(s.WebsiteID.String(), s.Clock.Now(), "Delegate: "+apptest.Alice), "Invalid signature"},
			"of no form":        {"Please let me in", "Invalid signature"},
			"of another wallet": {apptest.NewSigningWallet(2).Message(s.WebsiteID.String(), s.Clock.Now()), "Invalid signature"},
		} {
			body["verificationData"] = wallet.Sign(c.message)
			if got := s.sign(body, ""); got.Status != 400 || got.JSON()["message"] != c.text {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			if got := s.Post(connectPath, body); got.Status != 400 || got.JSON()["message"] != c.text {
				t.Errorf("%s, by a secret key: %d %s", name, got.Status, got.Body)
			}
		}
		if n := s.Count("/api/users"); n != 1 {
			t.Errorf("refusals left %d users", n)
		}
	})
}

func TestBadConnectionsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		for message, body := range map[string]object{
			"walletAddress is required": {"walletType": "evm"},
			"walletType is required":    {"walletAddress": apptest.Alice},
			"walletType must be one of: agw, cosmos, evm, flow_cadence, imx, solana, substrate, sui, ton": {
				"walletAddress": apptest.Alice, "walletType": "EVM"},
			"walletAddress must be an address of type evm":    {"walletAddress": "cust_1001", "walletType": "evm"},
			"walletAddress must be an address of type solana": {"walletAddress": apptest.Alice, "walletType": "solana"},
			"userId must be a uuid":                           {"walletAddress": apptest.Alice, "walletType": "evm", "userId": "x"},
			"verificationData.signature must be at most 4096 characters": {"walletAddress": apptest.Alice, "walletType": "evm",
				"verificationData": object{"signature": strings.Repeat("0", 4097)}},
			"Wallet type is not supported": {"walletAddress": "0x0000000000000001", "walletType": "flow_cadence",
				"verificationData": object{"message": "m", "signature": "s"}},
			"Invalid signature": {"walletAddress": apptest.Alice, "walletType": "evm",
				"verificationData": object{"message": "m", "signature": "s"}},
		} {
			if got := s.Post(connectPath, body); got.Status != 400 || got.JSON()["message"] != message {
				t.Errorf("%v: %d %s", body, got.Status, got.Body)
			}
		}
		s.Post(connectPath, object{"walletAddress": apptest.Alice, "walletType": "evm", "userId": apptest.UnknownID}).
			Refused(404, "User not found")
		if n := s.Count("/api/users"); n != 0 {
			t.Errorf("refusals left %d users", n)
		}
		vouched := s.Post(connectPath, object{"walletAddress": "0x0000000000000001", "walletType": "flow_cadence"}).OK()
		if vouched["token"] != nil || s.Get("/api/users/" + vouched["id"].(string)).OK()["walletType"] != "flow_cadence" {
			t.Errorf("vouched for %v", vouched)
		}
	})
}

func TestWalletsJoinGroupsAndLeaveThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		ids := map[string]string{}
		for i := 1; i <= 5; i++ {
			ids[apptest.Wallet(i)] = s.vouch(object{"walletAddress": apptest.Wallet(i)}).OK()["id"].(string)
		}
		join := func(wallet, named int, changes ...object) apptest.Response {
			t.Helper()
			body := object{"walletAddress": apptest.Wallet(wallet), "userId": ids[apptest.Wallet(named)]}
			for _, c := range changes {
				for name, v := range c {
					body[name] = v
				}
			}
			return s.vouch(body)
		}
		want := func(of int, wallets ...int) {
			t.Helper()
			var list []string
			for _, w := range wallets {
				list = append(list, apptest.Wallet(w))
			}
			if got := s.group(ids[apptest.Wallet(of)]); got != strings.Join(list, " ") {
				t.Errorf("the group of %d is %s, want %v", of, got, wallets)
			}
		}
		join(1, 1).OK() // with itself: nothing
		want(1)
		join(1, 2).OK() // neither has a group: the named user comes first
		want(1, 2, 1)
		join(1, 2).OK() // again: nothing
		join(2, 1).OK()
		want(1, 2, 1)
		join(3, 1).OK() // the named user's
		want(3, 2, 1, 3)
		join(1, 4).OK() // the wallet's
		want(4, 2, 1, 3, 4)
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Wallet(5), "userGroupExternalIdentifier": "other"}).OK()
		join(5, 1).Refused(400, "User is already connected to another group")
		join(1, 5).Refused(400, "User is already connected to another group")
		want(5, 5)
		join(1, 5, object{"confirmDisconnect": true}).OK() // the named user's group wins
		want(5, 5, 1)
		want(2, 2, 3, 4)
		s.Post("/api/users/disconnect", object{"userId": ids[apptest.Wallet(3)]}).OK()
		s.Post("/api/users/disconnect", object{"userId": ids[apptest.Wallet(3)]}).Refused(400, "User is not connected")
		s.Post("/api/users/disconnect", object{"userId": apptest.UnknownID}).Refused(404, "User not found")
		s.Post("/api/users/disconnect", object{}).Refused(400, "userId is required")
		want(3)
		want(4, 2, 4)
	})
}

func TestAWalletJoinsThroughAClientKeyAndPointsAreSpentTogether(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		first, second := apptest.NewSigningWallet(1), apptest.NewSigningWallet(2)
		own := s.sign(s.message(first), "").OK()
		body := s.message(second)
		body["userId"] = own["id"]
		s.sign(body, "").Refused(403, apptest.TokenMissing)
		s.sign(body, s.Token(apptest.Bob)).Refused(403, "Member token does not belong to this user")
		joined := s.sign(body, own["token"].(string)).OK() // the refusals used no nonce up
		if got := s.group(own["id"].(string)); got != first.Address+" "+second.Address {
			t.Errorf("the group is %s", got)
		}
		// Alice has a token and has not proven her wallet.
		other := s.message(apptest.NewSigningWallet(3))
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice}).OK()
		other["userId"] = s.UserOf(apptest.Alice)
		s.sign(other, s.Token(apptest.Alice)).Refused(400, "User is not verified")
		s.vouch(object{"walletAddress": apptest.Alice, "verificationData": object{"verifiedLocally": true}}).OK()
		s.sign(other, s.Token(apptest.Alice)).OK()

		s.Transact(apptest.Points(first.Address, 100), apptest.Points(second.Address, 300)).OK()
		currency := s.LoyaltyCurrencyID.String()
		debit := object{"description": "Spend", "loyaltyCurrencyId": currency, "entries": []object{
			{"amount": 350, "direction": "debit", "walletAddress": first.Address},
		}}
		s.Post("/api/loyalty/transactions", debit).OK()
		if got := s.Balance(first.Address) + " " + s.Balance(second.Address); got != "0 50" {
			t.Errorf("balances %s, want 0 50", got)
		}
		s.Post("/api/users/disconnect", object{"userId": joined["id"]}).OK()
		debit["entries"].([]object)[0]["amount"] = 1
		s.Post("/api/loyalty/transactions", debit).Refused(400, "Insufficient balance")
		if got := s.Balance(second.Address); got != "50" {
			t.Errorf("who left has %s", got)
		}
	})
}

func TestAccountsWindowsAndMarksMergeOnJoining(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		rule := s.Rule("check_in", object{"interval": "daily", "metadata": object{"enableStreaks": true}})
		for day := range 3 {
			for i := 1; i <= 2; i++ {
				if i == 1 || day == 2 {
					s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
				}
			}
			if day < 2 {
				s.Clock.Advance(24 * time.Hour)
			}
		}
		write := func(wallet int, body object) string {
			t.Helper()
			body["walletAddress"] = apptest.Wallet(wallet)
			return s.Post(apptest.MetadatasPath, body).OK()["userId"].(string)
		}
		first := write(1, object{"chatServerUserId": "c1", "chatServerUser": "one", "codeHostUserId": "h1"})
		second := write(2, object{"chatServerUserId": "c2", "chatServerUser": "two", "messengerUserId": "m2", "isBlocked": true})
		s.vouch(object{"walletAddress": apptest.Wallet(2), "userId": first}).OK()
		profile := func(user string) object {
			return s.Get("/api/users/" + user).OK()["userMetadata"].([]any)[0].(object)
		}
		one, two := profile(first), profile(second)
		if one["chatServerUserId"] != "c1" || one["codeHostUserId"] != "h1" || two["chatServerUserId"] != nil ||
			two["chatServerUser"] != nil || two["messengerUserId"] != "m2" {
			t.Errorf("accounts: %v, %v", one, two)
		}
		if one["isBlocked"] != true || two["isBlocked"] != true {
			t.Errorf("blocked: %v, %v", one["isBlocked"], two["isBlocked"])
		}
		write(1, object{"isBlocked": false})
		third := write(3, object{"chatServerUserId": "c2"}) // it is free
		if profile(third)["chatServerUserId"] != "c2" {
			t.Error("the account that was dropped is still held")
		}
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, object{"walletAddress": apptest.Wallet(2)}).OK()
		for i := 1; i <= 2; i++ { // the window is the group's
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).Refused(400, "You have already been rewarded")
		}
		if streaks := s.Streaks(rule); len(streaks) != 1 || streaks[0]["streakCount"] != apptest.JSONNumber("4") {
			t.Errorf("the longer streak does not go on: %v", streaks) // three days of the first, and today
		}
	})
}

func TestOneNonceCountsOnceAtTheSameTime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		wallet := apptest.NewSigningWallet(1)
		body := s.message(wallet)
		var wg sync.WaitGroup
		var mu sync.Mutex
		good := 0
		for range 8 {
			wg.Go(func() {
				got := s.sign(body, "")
				mu.Lock()
				defer mu.Unlock()
				if got.Status == 200 {
					good++
				} else if got.JSON()["message"] != "Invalid signature" {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		wg.Wait()
		if good != 1 {
			t.Errorf("%d calls counted", good)
		}
		for i := range 4 { // pairs that name each other join one group, whatever the order
			a, b := apptest.Wallet(10+2*i), apptest.Wallet(11+2*i)
			ids := map[string]string{}
			for _, w := range []string{a, b} {
				ids[w] = s.vouch(object{"walletAddress": w}).OK()["id"].(string)
			}
			for _, pair := range [][2]string{{a, b}, {b, a}, {a, b}} {
				wg.Go(func() {
					s.vouch(object{"walletAddress": pair[0], "userId": ids[pair[1]], "confirmDisconnect": true}).OK()
				})
			}
			wg.Wait()
			if got := s.group(ids[a]); len(strings.Fields(got)) != 2 || got != s.group(ids[b]) {
				t.Errorf("groups %q and %q", got, s.group(ids[b]))
			}
		}
	})
}

// TestATONWalletIsOneInBothForms connects a wallet by the address that wallets return and the one that they show.
func TestATONWalletIsOneInBothForms(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"homeUrl": "https://shop.example/"}).OK()
		connect := func(name string) object {
			t.Helper()
			s.Clock.Set(time.Date(2026, 11, 27, 12, 14, 0, 0, time.UTC))
			if err := s.App.Proofs.RemoveOld(t.Context()); err != nil { // the proofs have one nonce
				t.Fatal(err)
			}
			s.Clock.Set(time.Date(2026, 11, 27, 12, 1, 0, 0, time.UTC))
			return s.sign(proofOf(t, name), "").OK()
		}
		raw, friendly := connect("ton v4r2, raw address"), connect("ton v4r2, friendly address")
		if raw["id"] != friendly["id"] || friendly["walletAddress"] != raw["walletAddress"] {
			t.Errorf("%v and %v", raw, friendly)
		}
	})
}

// TestAWalletIsOneUserWhateverItsSpellingAndAtOnce connects a key by the addresses of several networks, by calls at
// once and one after the other.
func TestAWalletIsOneUserWhateverItsSpellingAndAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		users := 0
		for kind, spellings := range map[string]func(w *apptest.SigningWallet) []*apptest.SigningWallet{
			"substrate": func(w *apptest.SigningWallet) []*apptest.SigningWallet {
				return []*apptest.SigningWallet{w.Substrate(0), w.Substrate(2), w.Substrate(42)}
			},
			"cosmos": func(w *apptest.SigningWallet) []*apptest.SigningWallet {
				return []*apptest.SigningWallet{w.Cosmos("cosmos"), w.Cosmos("osmo"), w.Cosmos("juno")}
			},
		} {
			for number := range byte(4) {
				var calls sync.WaitGroup
				var mu sync.Mutex
				found, addresses := map[string]int{}, map[string]bool{}
				connect := func(body object) {
					got := s.sign(body, "")
					mu.Lock()
					defer mu.Unlock()
					found[fmt.Sprint(got.Status, " ", got.JSON()["id"], " ", got.JSON()["walletAddress"])]++
				}
				wallets := spellings(apptest.NewSigningWallet(number + 1))
				for _, w := range wallets {
					addresses[w.Address] = true
					for range 2 {
						body := s.message(w)
						calls.Go(func() { connect(body) })
					}
				}
				calls.Wait()
				for _, w := range wallets {
					connect(s.message(w))
				}
				users++
				if len(found) != 1 || len(addresses) != len(wallets) || s.Count("/api/users") != users {
					t.Fatalf("%s: %d users of %d keys, %v", kind, s.Count("/api/users"), users, found)
				}
				for answer := range found {
					if fields := strings.Fields(answer); fields[0] != "200" || !addresses[fields[2]] {
						t.Errorf("%s: %s", kind, answer)
					}
				}
			}
		}
	})
}

// proofOf returns a proof that another library has made, by its name (see package wallets).
func proofOf(t *testing.T, name string) object {
	t.Helper()
	text, err := os.ReadFile("../identity/wallets/testdata/proofs.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []object
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if v["name"] == name {
			data := object{"message": v["message"], "signature": v["signature"]}
			if v["ton"] != nil {
				data = object{"tonVerification": v["ton"]}
			}
			return object{"walletAddress": v["address"], "walletType": v["type"], "verificationData": data}
		}
	}
	t.Fatal(name)
	return nil
}

func TestMessagesNameADomainOfTheWebsite(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, PublicURL: "https://shop.example:8443"}, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		s.Clock.Set(time.Date(2026, 11, 27, 12, 1, 0, 0, time.UTC))
		signIn, bare := proofOf(t, "EIP-4361"), proofOf(t, "EIP-4361 without options")
		ton := proofOf(t, "ton v4r2, friendly address")
		s.sign(signIn, "").Refused(400, "Invalid signature") // the website has no address: that of the service counts
		s.sign(ton, "").Refused(400, "Invalid signature")
		s.sign(bare, "").OK()
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"homeUrl": "https://Shop.example/home"}).OK()
		s.sign(ton, "").Refused(400, "Invalid signature") // its nonce was used by the message of the other wallet
		s.Clock.Advance(20 * time.Minute)
		s.sign(signIn, "").Refused(400, "Signature has expired")
		s.Clock.Set(time.Date(2026, 11, 27, 12, 1, 0, 0, time.UTC))
		if err := s.App.Proofs.RemoveOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.sign(signIn, "").Refused(400, "Invalid signature") // the nonce is remembered while a message may be valid
		s.Clock.Advance(13 * time.Minute)
		if err := s.App.Proofs.RemoveOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Clock.Set(time.Date(2026, 11, 27, 12, 1, 0, 0, time.UTC))
		user := s.sign(signIn, "").OK()
		if user["walletAddress"] != strings.ToLower(signIn["walletAddress"].(string)) {
			t.Errorf("connected %v", user)
		}
		key := s.Call(s.OrganizationAPIKey, "POST", "/api/api_keys", object{"roleType": "WEBSITE_CLIENT_API_KEY", "name": "page",
			"websiteId": s.WebsiteID, "allowedOrigins": []string{"https://other.example"}}).OK()["key"].(string)
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"homeUrl": nil}).OK()
		s.Call(key, "POST", connectPath, ton).Refused(400, "Invalid signature") // the key's origins alone count then
	})
}

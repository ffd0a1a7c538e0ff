package minting_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

func TestAPurchaseDebitsAndMintsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *shop) {
		asset := s.asset(object{"price": "2.5", "quantity": 5})
		s.rich(apptest.Alice, 10)
		made := s.minted(s.mint(asset, apptest.Alice, object{
			"quantity": 3, "emailAddress": "a@b.example", "customInputValue": "M", "shippingId": apptest.UnknownID,
		}))
		same(t, "the mint", made, object{
			"status": "minted", "quantity": number("3"), "price": number("7.5"), "walletAddress": apptest.Alice,
			"mintingContractAssetId": asset, "mintingContractId": s.contract, "userId": s.UserOf(apptest.Alice),
			"errorCode": nil, "errorMessage": nil, "txHash": nil, "relayerTxId": nil, "emailAddress": "a@b.example",
			"customInputValue": "M", "shippingId": apptest.UnknownID,
		})
		if _, signed := made["signature"]; signed {
			t.Errorf("signed %v", made)
		}
		entry := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()[0]
		same(t, "the entry", entry, object{"direction": "debit", "amount": number("7.5")})
		if of := entry["loyaltyTransaction"].(object); of["type"] != "direct_mint" {
			t.Errorf("the transaction is %v", of)
		}
		if got := s.Balance(apptest.Alice); got != "2.5" {
			t.Errorf("a balance of %s", got)
		}
		same(t, "the asset", s.read(asset), object{"quantityMinted": number("3")})
		s.mint(asset, apptest.Alice, object{"quantity": 3}).Refused(400, soldOut)
		s.mint(asset, apptest.Alice, object{"quantity": 2}).Refused(400, "Insufficient balance")
		s.Post(statusPath+"/"+made["id"].(string), object{"status": "failed"}).Refused(400, "Mint is already final")
		if n := len(s.Get(statusPath).Data()); n != 1 {
			t.Errorf("%d mints", n)
		}
		for want, bad := range map[string]object{
			"quantity must be between 1 and 100":         {"quantity": 101},
			"emailAddress must be a valid email address": {"emailAddress": "x"},
			"assetId is required":                        {"assetId": nil},
		} {
			s.mint(asset, apptest.Alice, bad).Refused(400, want)
		}
		s.Post(mintPath, object{"assetId": asset, "contractId": s.contract}).
			Refused(400, "userId or walletAddress is required")
		s.mint(asset, apptest.Alice, object{"contractId": apptest.UnknownID}).Refused(404, "Asset not found")
		s.Sound()
	})
}

func TestRefusalsComeInOrder(t *testing.T) {
	t.Parallel()
	each(t, object{
		"isListed": false, "perUserMintLimit": 1, "shouldCollectEmail": true, "requireHoldingAllGatedItems": true,
		"mustOwnCollections": []object{{"address": apptest.Bob, "network": "base"}},
	}, func(t *testing.T, s *shop) {
		badge := s.CreateBadge()
		contract := func(change object) func() {
			return func() { s.Post(contractsPath+"/"+s.contract, change).OK() }
		}
		contract(object{"loyaltyBadgeIds": []string{badge}})()
		now := s.Clock.Now()
		asset := s.asset(object{
			"isListed": false, "listingStartsAt": now.Add(time.Hour), "isAllowlisted": true, "quantity": 1,
			"shouldCollectUserInfo": true, "collectInfoType": "shippingDetails",
		})
		item := func(change object) func() {
			return func() { s.Post(assetsPath+"/"+asset, change).OK() }
		}
		allow := func(n int) func() {
			return func() {
				s.Post(allowPath, object{
					"mintingContractAssetId": asset, "entries": []object{{"walletAddress": apptest.Alice, "quantity": n}},
				}).OK()
			}
		}
		order := object{"quantity": 2}
		s.User(apptest.Alice, object{"isBlocked": true})
		for _, step := range []struct {
			refusal string
			lift    func()
		}{
			{"Asset is not listed", contract(object{"isListed": true})},
			{"Asset is not listed", item(object{"isListed": true})},
			{"Minting has not started yet", item(object{
				"listingStartsAt": now.Add(-time.Hour), "listingEndsAt": now.Add(-time.Minute),
			})},
			{"Minting has ended", item(object{"listingEndsAt": nil})},
			{"Access restricted. Your account is blocked.", func() { s.User(apptest.Alice, object{"isBlocked": false}) }},
			{"Wallet is not on the allowlist", allow(1)},
			{"Allowlist quantity exceeded", allow(5)},
			{"Mint limit per user reached", contract(object{"perUserMintLimit": 0})},
			{"You must own a token of the required collections", contract(object{"mustOwnCollections": nil})},
			{"You must hold the required badge", func() { s.GrantBadge(badge, apptest.Alice) }},
			{soldOut, item(object{"quantity": 2})},
			{"Email is required", func() { order["emailAddress"] = "a@b.example" }},
			{"Additional information is required", func() { order["shippingId"] = apptest.UnknownID }},
			{"Insufficient balance", func() { s.rich(apptest.Alice, 20) }},
		} {
			s.mint(asset, apptest.Alice, order).Refused(400, step.refusal)
			step.lift()
		}
		s.mint(asset, apptest.Alice, order).OK()
		same(t, "the list", s.Get(allowPath + "?mintingContractAssetId=" + asset).Data()[0], object{
			"walletAddress": apptest.Alice, "totalQuantity": number("5"), "quantityMinted": number("2"),
			"mintingContractAssetId": asset,
		})
		s.Sound()
	})
}

func TestAllowlistsAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *shop) {
		asset := s.asset(object{"isAllowlisted": true, "price": 0})
		write := func(entries ...object) apptest.Response {
			return s.Post(allowPath, object{"mintingContractAssetId": asset, "entries": entries})
		}
		upper := "0x" + strings.ToUpper(apptest.Alice[2:])
		same(t, "written", write(object{"walletAddress": upper, "quantity": 1}, object{"walletAddress": "cust_1", "quantity": 2}).OK(),
			object{"createdCount": number("2"), "mintingContractAssetId": asset})
		same(t, "again", write(object{"walletAddress": apptest.Alice, "quantity": 3}, object{"walletAddress": "cust_2", "quantity": 0}).OK(),
			object{"createdCount": number("1")})
		path := allowPath + "?mintingContractAssetId=" + asset
		if got := s.Get(path).Data(); len(got) != 3 {
			t.Errorf("listed %v", got)
		}
		same(t, "one", s.Get(path + "&walletAddress=" + upper).Data()[0], object{"totalQuantity": number("3")})
		if rest := s.Get(path + "&limit=2&startingAfter=" + s.Get(path).Data()[0]["id"].(string)).Data(); len(rest) != 2 {
			t.Errorf("behind the first: %v", rest)
		}
		s.mint(asset, "cust_2", nil).Refused(400, "Allowlist quantity exceeded")
		s.mint(asset, "cust_1", object{"quantity": 2}).OK()
		s.mint(asset, "cust_1", nil).Refused(400, "Allowlist quantity exceeded")
		s.Post(allowPath, object{"mintingContractAssetId": asset, "entries": []object{}}).
			Refused(400, "entries must have between 1 and 25 items")
		write(object{"walletAddress": "", "quantity": 1}).Refused(400, "entries.0.walletAddress is required")
		write(object{"walletAddress": "a", "quantity": -1}).Refused(400, "entries.0.quantity must be between 0 and 9007199254740991")
		s.Post(allowPath, object{"mintingContractAssetId": apptest.UnknownID, "entries": []object{{"walletAddress": "a", "quantity": 1}}}).
			Refused(404, "Asset not found")
		s.Get(allowPath).Refused(400, "mintingContractAssetId is required")
		s.Call(s.ClientAPIKey, "GET", path, nil).Refused(403, "API key is not allowed to perform this operation")
	})
}

func TestLimitsCountTheContractOrEachAsset(t *testing.T) {
	t.Parallel()
	each(t, object{"perUserMintLimit": 2}, func(t *testing.T, s *shop) {
		one, two := s.asset(object{"price": 0}), s.asset(object{"price": 0})
		s.mint(one, apptest.Alice, nil).OK()
		s.mint(two, apptest.Alice, nil).OK()
		s.mint(two, apptest.Alice, nil).Refused(400, "Mint limit per user reached")
		s.mint(two, apptest.Bob, object{"quantity": 2}).OK()
		s.Post(contractsPath+"/"+s.contract, object{"isPerAssetMintLimit": true}).OK()
		s.mint(two, apptest.Alice, nil).OK()
		s.mint(two, apptest.Alice, nil).Refused(400, "Mint limit per user reached")
		s.mint(one, apptest.Alice, nil).OK()
	})
}

func TestHoldersOfABadgeClaimForFreeWhereOthersPay(t *testing.T) {
	t.Parallel()
	each(t, object{"isFreeClaimForBadgeHolders": true}, func(t *testing.T, s *shop) {
		gold, silver := s.CreateBadge(), s.CreateBadge()
		s.Post(contractsPath+"/"+s.contract, object{"loyaltyBadgeIds": []string{gold, silver}}).OK()
		asset := s.asset(nil)
		s.GrantBadge(gold, apptest.Alice)
		same(t, "a holder", s.minted(s.mint(asset, apptest.Alice, nil)), object{"price": number("0"), "status": "minted"})
		s.mint(asset, apptest.Bob, nil).Refused(400, "Insufficient balance")
		s.rich(apptest.Bob, 10)
		same(t, "another", s.minted(s.mint(asset, apptest.Bob, nil)), object{"price": number("10")})
		s.Post(contractsPath+"/"+s.contract, object{"requireHoldingAllGatedItems": true}).OK()
		s.mint(asset, apptest.Alice, nil).Refused(400, "Insufficient balance") // she holds one of two
		s.GrantBadge(silver, apptest.Alice)
		s.mint(asset, apptest.Alice, nil).OK()
		s.RevokeBadge(gold, apptest.Alice)
		s.mint(asset, apptest.Alice, nil).Refused(400, "Insufficient balance")
		s.Post(contractsPath+"/"+s.contract, object{"isFreeClaimForBadgeHolders": false}).OK()
		s.mint(asset, apptest.Alice, nil).Refused(400, "You must hold the required badge")
		s.Post(contractsPath+"/"+s.contract, object{"requireHoldingAllGatedItems": false}).OK()
		s.rich(apptest.Alice, 10)
		s.mint(asset, apptest.Alice, nil).OK() // any one suffices, and is paid
		s.Sound()
	})
}

func TestAGroupPaysTogether(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *shop) {
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.rich(apptest.Alice, 30)
		s.rich(apptest.Bob, 100)
		s.mint(s.asset(nil), apptest.Alice, object{"quantity": 5}).OK()
		if got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob); got != "0 80" {
			t.Errorf("balances %s, want 0 80", got)
		}
		s.Sound()
	})
}

func TestClientKeysMintForTheMemberOfTheToken(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := open(apptest.OpenAtNoon(t, address, app.Config{}), nil)
		asset := s.asset(object{"price": 0})
		alice := s.User(apptest.Alice, nil)
		s.User(apptest.Bob, nil)
		call := func(method, path string, body any, of string) apptest.Response {
			var header []string
			if of != "" {
				header = s.MemberTokenHeaders(of)
			}
			return s.Call(s.ClientAPIKey, method, path, body, header...)
		}
		order := s.order(asset, apptest.Alice, nil)
		call("POST", mintPath, order, "").Refused(403, apptest.TokenMissing)
		call("POST", mintPath, order, s.UserOf(apptest.Bob)).Refused(403, "Member token does not belong to this user")
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"trustClientUsers": true}).OK()
		call("POST", mintPath, order, "").Refused(403, apptest.TokenMissing) // mints need it even so
		id := call("POST", mintPath, order, alice).OK()["mintingContractAssetMintStatusId"].(string)
		for range 4 {
			call("POST", mintPath, order, alice).OK()
		}
		call("POST", mintPath, order, alice).Refused(429, "Too many requests, please try again later.")
		one, list := statusPath+"/"+id, statusPath+"?userId="+alice
		call("GET", one, nil, "").Refused(403, apptest.TokenMissing)
		call("GET", list, nil, "").Refused(403, apptest.TokenMissing)
		call("GET", one, nil, s.UserOf(apptest.Bob)).Refused(404, "Mint not found")
		call("POST", one, object{"status": "minted"}, s.UserOf(apptest.Bob)).Refused(404, "Mint not found")
		call("GET", one, nil, alice).OK()
		if got := call("GET", list, nil, alice).Data(); len(got) != 5 {
			t.Errorf("%d mints", len(got))
		}
		if got := s.Get(statusPath + "?walletAddress=" + apptest.Bob).Data(); len(got) != 0 {
			t.Errorf("mints of Bob: %v", got)
		}
		s.Get(statusPath+"?status=x").Refused(400, "status must be one of: generatingSignature, minting, minted, failed")
	})
}

func TestEventsTellOfAssets(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, server *apptest.Server) {
		s := open(server, nil)
		r := apptest.NewReceiver(t)
		s.Subscribe(r.URL, nil, "MintingContractAsset")
		asset := s.asset(object{"price": 0})
		s.Post(assetsPath+"/"+asset, object{"name": "Print"}).OK()
		s.mint(asset, apptest.Alice, nil).OK()
		s.Call(s.WebsiteAPIKey, "DELETE", assetsPath+"/"+asset, nil).OK()
		kinds := map[string]int{}
		s.FanOut()
		for range 10 {
			s.DeliverEvents()
			s.Clock.Advance(time.Second)
		}
		for _, c := range r.TakeCalls() {
			var body object
			if err := json.Unmarshal([]byte(c.Body), &body); err != nil {
				t.Fatal(err)
			}
			kinds[body["type"].(string)]++
			if data := body["data"].(object); data["id"] != asset || data["mintingContractId"] != s.contract {
				t.Errorf("got %v", body)
			}
		}
		if kinds["MintingContractAsset.created"] != 1 || kinds["MintingContractAsset.updated"] != 2 ||
			kinds["MintingContractAsset.deleted"] != 1 {
			t.Errorf("got %v", kinds)
		}
	})
}

func TestEventsTellThatAssetsGoWithTheirContract(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, server *apptest.Server) {
		s := open(server, nil)
		other := open(server, nil)
		other.asset(nil)
		gone := s.asset(nil)
		s.Call(s.WebsiteAPIKey, "DELETE", assetsPath+"/"+gone, nil).OK()
		want := map[any]bool{s.asset(nil): true, s.asset(object{"isHidden": true}): true}
		r := apptest.NewReceiver(t)
		s.Subscribe(r.URL, nil, "MintingContractAsset")
		s.Call(s.WebsiteAPIKey, "DELETE", contractsPath+"/"+s.contract, nil).OK()
		s.FanOut()
		for range 5 {
			s.DeliverEvents()
			s.Clock.Advance(time.Second)
		}
		for _, c := range r.TakeCalls() {
			var body object
			if err := json.Unmarshal([]byte(c.Body), &body); err != nil {
				t.Fatal(err)
			}
			data := body["data"].(object)
			if body["type"] != "MintingContractAsset.deleted" || !want[data["id"]] || data["deletedAt"] == nil {
				t.Errorf("got %v", body)
			}
			delete(want, data["id"])
		}
		if len(want) > 0 {
			t.Errorf("no event was sent for %v", want)
		}
	})
}

func TestTokensOpenNoGateWithoutAReaderOfBlockchains(t *testing.T) {
	t.Parallel()
	each(t, object{"mustOwnCollections": []object{{"address": apptest.Bob, "network": "base"}}}, func(t *testing.T, s *shop) {
		asset := s.asset(nil)
		path := "/api/minting/token_gate?network=base&tokenId=1&collectionAddress=" + apptest.Bob + "&mintingContractId=" +
			s.contract + "&mintingContractAssetId="
		same(t, "the gate", s.Get(path+asset).OK(),
			object{"eligible": false, "message": "You must own a token of the required collections"})
		s.Get(path+apptest.UnknownID).Refused(404, "Asset not found")
		s.Get("/api/minting/token_gate").Refused(400, "collectionAddress is required")
	})
}

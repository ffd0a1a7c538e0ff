package minting_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

const (
	contractsPath = "/api/minting/contracts"
	assetsPath    = "/api/minting/assets"
	allowPath     = "/api/minting/assets/allowlist"
	mintPath      = "/api/minting/contracts/mint"
	statusPath    = "/api/minting/status"
)

const soldOut = "Not enough quantity left"

// shop is a server with a listed contract.
type shop struct {
	*apptest.Server
	contract string
}

// each runs a test in a shop whose contract has properties over those of a plain one.
func each(t *testing.T, properties object, f func(t *testing.T, s *shop)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) { f(t, open(s, properties)) })
}

func open(s *apptest.Server, properties object) *shop {
	s.T.Helper()
	made := s.Post(contractsPath, apptest.Over(
		object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true}, properties)).OK()
	return &shop{s, made["id"].(string)}
}

// asset makes one with properties over those of a plain one.
func (s *shop) asset(properties object) string {
	s.T.Helper()
	return s.Post(assetsPath, apptest.Over(object{
		"mintingContractId": s.contract, "name": "Poster", "price": 10, "quantity": 100, "isListed": true,
		"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(),
	}, properties)).OK()["id"].(string)
}

// order is what a wallet asks for.
func (s *shop) order(asset, wallet string, properties object) object {
	return apptest.Over(object{"assetId": asset, "contractId": s.contract, "walletAddress": wallet}, properties)
}

func (s *shop) mint(asset, wallet string, properties object) apptest.Response {
	s.T.Helper()
	return s.Post(mintPath, s.order(asset, wallet, properties))
}

// minted returns the mint that an answer names.
func (s *shop) minted(a apptest.Response) object {
	s.T.Helper()
	return s.Get(statusPath + "/" + a.OK()["mintingContractAssetMintStatusId"].(string)).OK()
}

// rich gives a wallet points.
func (s *shop) rich(wallet string, amount any) {
	s.T.Helper()
	s.Transact(apptest.Points(wallet, amount)).OK()
}

func (s *shop) read(asset string) object {
	s.T.Helper()
	return s.Get(assetsPath + "/" + asset).OK()
}

func number(text string) any { return apptest.JSONNumber(text) }

// same demands fields of a record.
func same(t *testing.T, what string, got, want object) {
	t.Helper()
	for field, value := range want {
		if got[field] != value {
			t.Errorf("%s: %s is %v, not %v", what, field, got[field], value)
		}
	}
}

func TestContractsAreStoredListedAndEnded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge()
		collection := s.Post("/api/website_collections", object{
			"name": "Founders", "collectionAddress": apptest.Alice, "network": "base", "sortId": 1,
		}).OK()["id"].(string)
		in := object{
			"name": "Passes", "contractKind": "ONCHAIN", "address": "0x00000000000000000000000000000000000C0113",
			"network": "base", "tokenType": "erc1155", "perUserMintLimit": 3, "isListed": true, "showOnMarketplace": true,
			"mustOwnCollections": []object{{"address": "0x00000000000000000000000000000000000C0113", "network": "base"}},
			"loyaltyBadgeIds":    []string{badge}, "websiteCollectionId": collection, "royaltyFee": "2.5",
			"revealAvailableAt": "2026-05-01T00:00:00Z",
		}
		made := s.Post(contractsPath, in).OK()
		same(t, "made", made, object{
			"address": "0x00000000000000000000000000000000000c0113", "symbol": "", "tokenType": "erc1155",
			"perUserMintLimit": number("3"), "isPerAssetMintLimit": false, "royaltyFee": number("2.5"), "totalAssets": number("0"),
			"websiteCollectionId": collection, "revealAvailableAt": "2026-05-01T00:00:00.000Z", "deletedAt": nil,
		})
		gate := made["mintingContractBadgeAssociation"].([]any)[0].(object)["loyaltyBadge"].(object)
		same(t, "its badge", gate, object{"id": badge, "name": "Regular"})
		id := made["id"].(string)
		one := func() object {
			return s.Get("/api/website_collections/" + collection).OK()
		}
		if one()["mintingContractId"] != id {
			t.Errorf("the collection does not name its contract: %v", one())
		}
		s.Post(contractsPath, apptest.Over(in, object{"name": "Others"})).
			Refused(400, "websiteCollectionId must not be the collection of another minting contract")
		shop := &shop{s, id}
		shop.asset(object{"quantity": 7})
		shop.asset(object{"quantity": 5, "isListed": false})
		shop.asset(object{"isHidden": true, "unlimitedQty": true, "quantity": 0})
		plain := s.Post(contractsPath, object{"name": "Plain", "contractKind": "OFFCHAIN"}).OK()["id"]
		listed := s.Call(s.ClientAPIKey, "GET", contractsPath, nil).OK()
		data, stats := listed["data"].([]any), listed["stats"].([]any)
		if len(data) != 2 || data[0].(object)["id"] != plain || data[1].(object)["totalAssets"] != number("3") ||
			len(data[1].(object)["mintingContractAssets"].([]any)) != 2 {
			t.Errorf("listed %v", data)
		}
		same(t, "no stats", stats[0].(object)["_sum"].(object), object{"quantity": nil, "quantityMinted": nil})
		same(t, "sums", stats[1].(object)["_sum"].(object), object{"quantity": number("12"), "quantityMinted": number("0")})
		same(t, "counts", stats[1].(object)["_count"].(object), object{"isListed": number("2")})
		if got := s.Get(contractsPath + "?showOnMarketplace=true").Data(); len(got) != 1 || got[0]["id"] != id {
			t.Errorf("on the marketplace: %v", got)
		}
		websites := s.Get("/api/websites").Data()
		same(t, "the website", websites[0]["_count"].(object), object{"mintingContractAssets": number("3")})
		changed := s.Post(contractsPath+"/"+id, object{
			"name": "Tickets", "websiteCollectionId": nil, "contractKind": "OFFCHAIN", "tokenType": "erc721",
			"loyaltyBadgeIds": nil,
		}).OK()
		same(t, "changed", changed, object{"name": "Tickets", "contractKind": "ONCHAIN", "tokenType": "erc1155", "isListed": true})
		if changed["websiteCollectionId"] != nil || one()["mintingContractId"] != nil ||
			len(changed["mintingContractBadgeAssociation"].([]any)) != 0 {
			t.Errorf("the collection and the badges are still named: %v %v", changed, one())
		}
		s.Post(contractsPath+"/"+id, object{"websiteCollectionId": collection}).OK()
		gone := s.Call(s.WebsiteAPIKey, "DELETE", contractsPath+"/"+id, nil).OK()
		same(t, "ended", gone, object{"totalAssets": number("0")})
		if gone["deletedAt"] == nil || one()["mintingContractId"] != nil {
			t.Errorf("ended as %v; the collection names %v", gone["deletedAt"], one()["mintingContractId"])
		}
		s.Call(s.WebsiteAPIKey, "DELETE", contractsPath+"/"+id, nil).Refused(404, "Minting contract not found")
		s.Post(contractsPath+"/"+id, object{}).Refused(404, "Minting contract not found")
		if n, with := len(s.Get(contractsPath).Data()), len(s.Get(contractsPath+"?includeDeleted=true").Data()); n != 1 || with != 2 {
			t.Errorf("%d live, %d in all", n, with)
		}
		if n, with := len(s.Get(assetsPath+"?isHidden=true").Data()),
			len(s.Get(assetsPath+"?isHidden=true&includeDeleted=true").Data()); n != 0 || with != 3 {
			t.Errorf("%d assets live, %d in all", n, with)
		}
	})
}

func TestBadContractsAndAssetsAreRefusedAndChangeNothing(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *shop) {
		base := object{"name": "A", "contractKind": "OFFCHAIN"}
		for want, change := range map[string]object{
			"name is required":                                        {"name": ""},
			"contractKind is required":                                {"contractKind": nil},
			"contractKind must be one of: ONCHAIN, OFFCHAIN":          {"contractKind": "CHAIN"},
			"tokenType must be one of: erc721, erc1155, erc721c":      {"tokenType": "erc20"},
			"address is required":                                     {"contractKind": "ONCHAIN", "isListed": true, "network": "base"},
			"network is required":                                     {"contractKind": "ONCHAIN", "isListed": true, "address": apptest.Alice},
			"network must be a known network":                         {"network": "moon"},
			"perUserMintLimit must be between 0 and 9007199254740991": {"perUserMintLimit": -1},
			"royaltyFee must be between 0 and 100":                    {"royaltyFee": 101},
			"imageUrl must be a valid url":                            {"imageUrl": "x"},
			"isListed must be a boolean":                              {"isListed": nil},
			"mustOwnCollections.0.network is required":                {"mustOwnCollections": []object{{"address": "a"}}},
			"Badge not found":                                         {"loyaltyBadgeIds": []string{apptest.UnknownID}},
			"Collection not found":                                    {"websiteCollectionId": apptest.UnknownID},
		} {
			s.Post(contractsPath, apptest.Over(base, change)).Refused(400, want)
		}
		asset := object{"mintingContractId": s.contract, "name": "P", "price": 1, "quantity": 1,
			"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
		for want, change := range map[string]object{
			"mintingContractId is required":                {"mintingContractId": nil},
			"name is required":                             {"name": " "},
			"price must be at least 0":                     {"price": -1},
			"quantity must be between 0 and 1000000000000": {"quantity": -1},
			"loyaltyCurrencyId is required":                {"loyaltyCurrencyId": nil},
			"Loyalty currency not found":                   {"loyaltyCurrencyId": apptest.UnknownID},
			"metadata must be an object":                   {"metadata": []any{}},
			"collectInfoType must be one of: customInput, freeText, shippingDetails": {"collectInfoType": "fax"},
			"listingEndsAt must be after listingStartsAt":                            {"listingStartsAt": "2026-01-02", "listingEndsAt": "2026-01-01"},
			"currencyDecimals must be between 0 and 36":                              {"currencyDecimals": 37},
		} {
			s.Post(assetsPath, apptest.Over(asset, change)).Refused(400, want)
		}
		s.Post(assetsPath, apptest.Over(asset, object{"mintingContractId": apptest.UnknownID})).
			Refused(404, "Minting contract not found")
		if n := len(s.Get(assetsPath).Data()); n != 0 || len(s.Get(contractsPath).Data()) != 1 {
			t.Errorf("%d assets were made", n)
		}
	})
}

func TestAssetsAreFoundByWhatTheyAre(t *testing.T) {
	t.Parallel()
	each(t, object{"address": apptest.Bob, "network": "base"}, func(t *testing.T, s *shop) {
		now := s.Clock.Now()
		ids := map[string]string{}
		add := func(name string, properties object) {
			ids[s.asset(apptest.Over(object{"name": name}, properties))] = name
		}
		add("a", object{"price": 30, "metadata": object{"colour": "red"}, "tokenId": 7})
		add("b", object{"price": 10, "listingStartsAt": now.AddDate(0, 0, 1)})
		add("c", object{"price": 20, "listingEndsAt": now.AddDate(0, 0, -1), "tokenId": 8})
		add("d", object{"price": 40, "isListed": false})
		add("h", object{"isHidden": true})
		other := open(s.Server, object{"contractKind": "ONCHAIN", "isListed": false})
		ids[other.asset(object{"name": "n", "loyaltyCurrencyId": nil, "currencyDecimals": 18})] = "n"
		listed := func(query string) (names string) {
			for _, a := range s.Call(s.ClientAPIKey, "GET", assetsPath+"?"+query, nil).Data() {
				names += ids[a["id"].(string)]
			}
			return names
		}
		s.mint(findID(ids, "a"), apptest.Alice, object{"quantity": 1}).Refused(400, "Insufficient balance")
		s.rich(apptest.Alice, 100)
		s.mint(findID(ids, "a"), apptest.Alice, nil).OK()
		for query, want := range map[string]string{
			"": "ndcba", "isHidden=true": "nhdcba", "sortBy=price": "bncad", "sortBy=price&sortDir=desc": "dacnb",
			"sortBy=assetNr&mintingContractIds=" + s.contract: "abcd", "sortBy=startsAt&sortDir=desc": "bndca",
			"isListed=false": "d", "status=active": "a", "status=past": "c", "currencyType=native": "n",
			"currencyType=loyalty": "dcba", "tokenId=7&tokenId=9": "a", "tokenId=7,8": "ca", "network=base": "dcba",
			"network=polygon": "", "contractAddress=" + apptest.Bob: "dcba", "walletAddress=" + apptest.Alice: "a",
			"walletAddress=" + apptest.Bob: "", "mintingContractAssetId=" + findID(ids, "b"): "b", "limit=2": "nd",
			"limit=2&startingAfter=" + findID(ids, "d"): "cb", "sortBy=price&limit=2&startingAfter=" + findID(ids, "b"): "nc",
		} {
			got := listed(query)
			if got != want {
				t.Errorf("%q lists %s, want %s", query, got, want)
			}
		}
		if a := s.Get(assetsPath + "?includeMetadata=true&tokenId=7").Data()[0]; a["metadata"].(object)["colour"] != "red" {
			t.Errorf("metadata %v", a["metadata"])
		}
		if a := s.Get(assetsPath + "?tokenId=7").Data()[0]; a["metadata"] != nil {
			t.Errorf("metadata unasked: %v", a["metadata"])
		}
		s.Get(assetsPath+"?sortBy=name").Refused(400, "sortBy must be one of: price, startsAt, assetNr")
		s.Get(assetsPath+"?tokenId=x").Refused(400, "tokenId must be a number")
		s.Get(assetsPath+"?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		id := findID(ids, "a")
		s.Post(assetsPath+"/"+id, object{"quantity": 0}).Refused(400, "quantity must be at least 1, which are minted or reserved")
		changed := s.Post(assetsPath+"/"+id, object{"quantity": 1, "price": 3, "tokenId": nil}).OK()
		same(t, "changed", changed, object{"quantity": number("1"), "price": number("3"), "tokenId": nil, "name": "a",
			"assetNr": number("1"), "quantityMinted": number("1")})
		if s.Call(s.WebsiteAPIKey, "DELETE", assetsPath+"/"+id, nil).OK()["deletedAt"] == nil {
			t.Error("it is not deleted")
		}
		s.Call(s.WebsiteAPIKey, "DELETE", assetsPath+"/"+id, nil).Refused(404, "Asset not found")
		s.Get(assetsPath+"/"+id).Refused(404, "Asset not found")
		s.mint(id, apptest.Alice, nil).Refused(404, "Asset not found")
	})
}

func findID(ids map[string]string, name string) string {
	for id, n := range ids {
		if n == name {
			return id
		}
	}
	return ""
}

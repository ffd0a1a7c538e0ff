package dashboard_test

import (
	"context"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// lastPathPart is the id at the end of the address that a form led to.
func lastPathPart(p apptest.Page) string { return p.Location[strings.LastIndex(p.Location, "/")+1:] }

// createContract makes a contract and returns its id.
func createContract(s *apptest.Server, fields object) string {
	s.T.Helper()
	return s.Post("/api/minting/contracts", apptest.Over(object{
		"name": "Shelf <b>", "contractKind": "OFFCHAIN", "isListed": true,
	}, fields)).OK()["id"].(string)
}

// createItem makes an item that is listed and costs 10 points.
func createItem(s *apptest.Server, contract string, fields object) string {
	s.T.Helper()
	return s.Post("/api/minting/assets", apptest.Over(object{
		"mintingContractId": contract, "name": "Mug <i>", "price": 10, "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"quantity": 5, "isListed": true,
	}, fields)).OK()["id"].(string)
}

func mint(s *apptest.Server, contract, asset, wallet string, quantity int) apptest.Response {
	s.T.Helper()
	return s.Post("/api/minting/contracts/mint", object{
		"contractId": contract, "assetId": asset, "walletAddress": wallet, "quantity": quantity,
	})
}

func TestAContractIsMadeAndChangedByItsForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		badge := s.CreateBadgeWith(object{"name": "Guest <u>"})
		b.Get(b.Site("/store")).Shows(200, "No minting contracts yet", "Create minting contract")
		b.Get(b.Site("/auctions")).Shows(200, "No auctions yet", "Create the items first")
		b.Get(b.Site("/auctions/new")).Shows(200, "The catalogue is empty")
		page := b.Get(b.Site("/store/new")).Shows(200, "On a blockchain", "Guest <u>")
		b.Post(b.Site("/store"), with(formOn(page), "name", "", "contractKind", "ONCHAIN", "perUserMintLimit", "few",
			"description", "Typed <s>")...).Shows(400, `href="#f-perUserMintLimit"`, "Must be a whole number", "Typed <s>")
		b.Post(b.Site("/store"), with(formOn(page), "name", "", "contractKind", "ONCHAIN", "mustOwnCollections", "mars 0x1")...).
			Shows(400, `href="#f-name"`, `href="#f-network"`, `href="#f-address"`, `href="#f-mustOwnCollections"`, "mars 0x1")
		ready := with(formOn(page), "name", "Shelf <b>", "perUserMintLimit", "3", "isPerAssetMintLimit", "on",
			"loyaltyBadgeIds", badge, "isFreeClaimForBadgeHolders", "on",
			"mustOwnCollections", "base 0x0000000000000000000000000000000000000001\npolygon 0x0000000000000000000000000000000000000002")
		first := b.Post(b.Site("/store?form"), ready...)
		first.FollowsTo(b.Site("/store/")).Shows(200, "Minting contract created.", "Shelf <b>", "3 per member for each item", "the “Guest <u>” badge",
			"on polygon", "Members who have a badge. Others pay the price.", "No items yet", "Listed")
		b.Post(b.Site("/store?form"), ready...).FollowsTo(first.Location).Shows(200, "applied only once")
		id := lastPathPart(first)
		got := s.Get("/api/minting/contracts").Data()
		if len(got) != 1 || apptest.Number(got[0]["perUserMintLimit"]) != 3 || len(got[0]["mustOwnCollections"].([]any)) != 2 {
			t.Errorf("made: %v", got)
		}

		s.Remove(apptest.BadgesPath + "/" + badge)
		address := b.Site("/store/" + id + "/settings")
		page = b.Get(address).Shows(200, "A deleted badge").Hides("On the blockchain")
		b.Post(address, with(formOn(page), "description", "What points are good for")...).
			FollowsTo(b.Site("/store/"+id)).Shows(200, "Changes saved.", "What points are good for", "the “Guest <u>” badge")
		conflict := b.Post(address, with(formOn(page), "name", "Mine")...).
			Shows(400, "Someone else changed this while you were editing", "What points are good for", "Overwrite their changes")
		b.Post(address, with(formOn(conflict), "isListed", "", "loyaltyBadgeIds", "")...).
			FollowsTo(b.Site("/store/"+id)).Shows(200, "Mine", "Not listed").Hides("What points are good for", "Guest <u>")
		if rows := csvRows(b.Get(b.Site("/store/contracts.csv"))); len(rows) != 2 || rows[1][1] != "Mine" {
			t.Errorf("the file of contracts: %q", rows)
		}

		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(b.Site("/store")).Shows(200, "Mine").Hides("Create minting contract")
		v.Get(b.Site("/store/"+id)).Shows(200, "Mine").Hides(id+"/settings", "/delete", "/new")
		v.Get(address).Shows(403)
		v.Post(b.Site("/store"), "name", "Theirs", "contractKind", "OFFCHAIN").Shows(403)
		del := b.Site("/store/" + id + "/delete")
		v.Post(del).Shows(403)
		b.Get(del).Shows(200, "Delete Mine?", "It has no items")
		b.Post(del).FollowsTo(b.Site("/store")).Shows(200, "Mine and its items were deleted", "No minting contracts yet")
		b.Get(address).Shows(404, "Minting contract not found")
		o := s.SignInAdmin(tenancy.RoleSuperAdmin)
		o.Get(o.Site("/activity")).Shows(200, "Created a minting contract", "Changed a minting contract", "Deleted a minting contract")
	})
}

func TestItemsAreMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, nil)
		at := b.Site("/store/" + contract)
		page := b.Get(at+"/items/new").Shows(200, "New item", "Choose").Hides("Token ID", "Paid on the blockchain")
		b.Post(at+"/items", with(formOn(page), "name", "Mug <i>", "price", "dear", "listingEndsAt", "soon")...).
			Shows(400, `href="#f-price"`, `href="#f-listingEndsAt"`, "Must be a date with a time", "Mug <i>", "dear")
		b.Post(at+"/items", with(formOn(page), "name", "Mug <i>", "price", "10", "loyaltyCurrencyId", "")...).
			Shows(400, `href="#f-quantity"`, "Is required")
		b.Post(at+"/items", with(formOn(page), "name", "Mug", "price", "1", "quantity", "1", "loyaltyCurrencyId", "",
			"listingStartsAt", "2026-05-01T10:00", "listingEndsAt", "2026-04-01T10:00")...).
			Shows(400, `href="#f-listingEndsAt"`, "Must be after")
		first := b.Post(at+"/items", with(formOn(page), "name", "Mug <i>", "price", "1,000.5", "unlimitedQty", "on", "isHidden", "on",
			"isAllowlisted", "on")...)
		first.FollowsTo(at+"/items/").Shows(200, "Item created.", "Mug <i>", "1,000.5", "No limit", "Wallets on the allowlist", "No purchases yet")
		item := lastPathPart(first)
		got := s.Get("/api/minting/assets/" + item).OK()
		if got["unlimitedQty"] != true || got["isHidden"] != true || got["isAllowlisted"] != true || got["isListed"] != true {
			t.Errorf("made: %v", got)
		}
		address := at + "/items/" + item + "/settings"
		page = b.Get(address).Shows(200, "Settings for “Mug <i>”")
		b.Post(address, with(formOn(page), "price", "2", "unlimitedQty", "", "quantity", "5", "isHidden", "",
			"listingStartsAt", "2099-01-01T10:00")...).
			FollowsTo(at+"/items/"+item).Shows(200, "Changes saved.", "Scheduled", "1 Jan 2099", "of 5")
		b.Post(address, with(formOn(page), "name", "Late")...).Shows(400, "Someone else changed this while you were editing", "Late")
		b.Get(at).Shows(200, "Mug <i>", "2 ", "0 minted, 5 left", "Allowlist", "Scheduled")
		b.Get(at+"?tab=over").Shows(200, "No matching items")
		b.Get(at+"?tab=sale").Shows(200, "No matching items")

		list := at + "/items/" + item + "/allowlist"
		b.Get(list).Shows(200, "No wallets yet", "No one can get this item until you add wallets")
		b.Post(list, "walletAddress", "", "quantity", "two").Shows(400, `href="#f-quantity"`, "Must be a whole number")
		b.Post(list, "walletAddress", "", "quantity", "2").Shows(400, `href="#f-walletAddress"`)
		b.Post(list, "walletAddress", apptest.Alice, "quantity", "2").FollowsTo(list).Shows(200, "Wallet added to the allowlist.", apptest.Alice)
		b.Post(list, "walletAddress", apptest.Alice, "quantity", "7").FollowsTo(list).Shows(200, "limit was updated", ">7<")

		if rows := csvRows(b.Get(list + ".csv")); len(rows) != 2 || !slices.Equal(rows[1][1:], []string{apptest.Alice, "7", "0"}) {
			t.Errorf("the file of the allowlist: %q", rows)
		}
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(list).Shows(200, apptest.Alice).Hides("Add to allowlist</button>")
		v.Post(list, "walletAddress", apptest.Bob, "quantity", "2").Shows(403)
		v.Get(at+"/items/"+item).Shows(200, "Mug <i>").Hides(item+"/settings", "/delete", "Auction it")
		for _, path := range []string{"/settings", "/delete"} {
			v.Post(at+"/items/"+item+path, "name", "Theirs").Shows(403)
		}
		other := createContract(s, object{"name": "Other"})
		b.Get(b.Site("/store/"+other+"/items/"+item)).Shows(404, "Asset not found")
		b.Post(b.Site("/store/"+other+"/items/"+item+"/delete")).Shows(404, "Asset not found")
		b.Get(at+"/items/"+item+"/delete").Shows(200, "Delete Mug <i>?")
		b.Post(at+"/items/"+item+"/delete").FollowsTo(at).Shows(200, "was deleted. Members keep the ones they have.", "No items yet")
		b.Get(at+"/items/"+item).Shows(404, "Asset not found")
	})
}

func TestAnItemShowsItsStockAndItsMints(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, object{"perUserMintLimit": 50})
		item := createItem(s, contract, object{"quantity": 60})
		maren := s.User("maren-1", object{"displayName": "Maren <i>"})
		s.Credit("maren-1", 1000)
		at := b.Site("/store/" + contract + "/items/" + item)
		for range 51 {
			s.Clock.Advance(time.Second)
			wallet, n := "maren-1", 1
			if s.Clock.Now().Second()%2 == 0 {
				wallet = "someone"
				s.Credit(wallet, 10)
			}
			mint(s, contract, item, wallet, n).OK()
		}
		page := b.Get(at).Shows(200, "51 minted, 9 left", "Maren <i>", b.Site("/members/"+maren), "10 ", "Minted", "Older", "On sale")
		older := regexp.MustCompile(`href="([^"]+startingAfter[^"]+)" rel="next"`).FindStringSubmatch(page.Body)
		if next := b.Get(strings.ReplaceAll(older[1], "&amp;", "&")).Shows(200); strings.Count(next.Body, "</time>") == 0 ||
			strings.Count(next.Body, `class="name clip"`) != 1 {
			t.Errorf("the second page has %d mints, want 1", strings.Count(next.Body, `class="name clip"`))
		}
		if rows := csvRows(b.Get(at + "/mints.csv")); len(rows) != 52 || !slices.Contains(rows[1], "minted") {
			t.Errorf("%d lines of mints", len(rows))
		}
		mint(s, contract, item, "maren-1", 9).OK()
		b.Get(at).Shows(200, "Sold out", "90 ", "60 minted, 0 left")
		b.Get(at+"/settings").Shows(200, "How many of this item will ever be available, including 60 minted.")
		b.Post(at+"/settings", with(formOn(b.Get(at+"/settings")), "quantity", "59")...).
			Shows(400, `href="#f-quantity"`, "Must be at least 60, which are minted or reserved")
		if rows := csvRows(b.Get(b.Site("/store/" + contract + "/items.csv"))); len(rows) != 2 || rows[1][3] != "sold out" || rows[1][6] != "60" {
			t.Errorf("the file of items: %q", rows)
		}
		b.Get(b.Site("/store/"+contract+"/delete")).Shows(200, "The item in this contract will be deleted too", "Members will keep the 60")
		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		for _, path := range []string{"", "/items.csv", "/settings", "/delete", "/items/new", "/items/" + item, "/items/" + item + "/mints.csv",
			"/items/" + item + "/allowlist", "/items/" + item + "/settings"} {
			c.Get("/admin/"+other.WebsiteID.String()+"/store/"+contract+path).Shows(404, "Minting contract not found")
		}
		c.Get("/admin/"+other.WebsiteID.String()+"/store").Shows(200, "No minting contracts yet")
	})
}

func TestMintsUnderWayAreTold(t *testing.T) {
	t.Parallel()
	driver := apptest.WriteConfig(t, `{"url":"http://127.0.0.1:1/mints"}`)
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true, Minting: driver}, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, object{"contractKind": "ONCHAIN", "network": "base",
			"address": "0x0000000000000000000000000000000000000009", "symbol": "SH"})
		item := createItem(s, contract, nil)
		native := createItem(s, contract, object{"name": "Native", "loyaltyCurrencyId": nil, "price": "0.05"})
		s.Credit(apptest.Alice, 100)
		mint(s, contract, item, apptest.Alice, 2).OK()
		at := b.Site("/store/" + contract)
		b.Get(at).Shows(200, "0 minted, 2 reserved, 3 left", "base", "On a blockchain", "0.05 on base")
		b.Get(at+"/items/"+item).Shows(200, "Waiting for signature", "20 ")
		b.Get(at+"/items/"+native+"/settings").Shows(200, "Paid on the blockchain", "Token ID")
		page := b.Get(at+"/settings").Shows(200, "On the blockchain")
		b.Post(at+"/settings", with(formOn(page), "network", "")...).Shows(400, `href="#f-network"`, "Is required")
		b.Post(at+"/settings", with(formOn(page), "symbol", "SHELF", "isSoulbound", "on")...).FollowsTo(at).Shows(200, "Changes saved.")
		s.Clock.Advance(2 * time.Hour)
		if err := s.App.Minting.RunDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.Get(at+"/items/"+item).Shows(200, "Failed", "Mint timed out", "0 minted, 5 left").Hides("unpaid")
		failed := s.Get("/api/minting/status").Data()[0]["id"].(string)
		s.Transact(apptest.Points(apptest.Alice, 85, apptest.Debit)).OK()
		s.Post("/api/minting/assets/"+item, object{"quantity": 1}).OK()
		mint(s, contract, native, apptest.Alice, 1).OK()
		s.Post("/api/minting/status/"+failed, object{"status": "minted"}).OK()
		b.Get(at+"/items/"+item).Shows(200, "Some mints aren’t fully paid", "Show unpaid mints", "Minted", "20 ", "5 Acme points unpaid",
			"1 more than in stock").Hides("Mint timed out")
		b.Get(at+"/items/"+item+"?unpaid").Shows(200, "5 Acme points unpaid", "Show all mints")
		b.Get(at+"/items/"+native).Shows(200, "Waiting for signature").Hides("unpaid", "Show all")
		if rows := csvRows(b.Get(at + "/items/" + item + "/mints.csv")); len(rows) != 2 ||
			!slices.Equal(rows[1][14:], []string{"5", "1"}) || rows[1][7] != "15" {
			t.Errorf("the file of mints: %q", rows)
		}
	})
}

func TestPicturesOfTheStoreAreUploadedFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		picture, err := base64.StdEncoding.DecodeString(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
		if err != nil {
			t.Fatal(err)
		}
		contract := createContract(s, nil)
		item := createItem(s, contract, nil)
		at := b.Site("/store/" + contract)
		v := s.SignInAdmin(tenancy.RoleViewer)
		for upload, form := range map[string]string{
			b.Site("/store/upload"): b.Site("/store/new"), at + "/upload": at + "/settings",
			at + "/items/upload": at + "/items/new", at + "/items/" + item + "/upload": at + "/items/" + item + "/settings",
		} {
			v.PostFile(upload, "picture", "mug.png", string(picture)).Shows(403)
			b.PostFile(upload, "picture", "mug.png", "no picture").
				Shows(400, `href="#f-picture"`, "Must be a picture (PNG, JPEG, GIF or WebP)").Hides("or a CSV file")
			typed := with(formOn(b.Get(form)), "name", "Mug of tea", "description", strings.Repeat("Hot. ", 1000))
			b.PostFile(upload, "picture", "mug.png", "no picture", typed...).Shows(400, `value="Mug of tea"`, "Hot. Hot.")
			page := b.PostFile(upload, "picture", "mug.png", string(picture), typed...).
				Shows(200, "Picture uploaded.", `value="Mug of tea"`, "Hot. Hot.")
			address := regexp.MustCompile(`name="imageUrl"[^>]* value="(/files/images/[^"]+)"`).FindStringSubmatch(page.Body)
			if address == nil {
				t.Fatalf("the form does not name the picture: %s", page.Body)
			}
			if got := formOn(page).Get("imageUrl"); got != address[1] || s.Fetch(got).Status != 200 {
				t.Errorf("%s: %s", upload, got)
			}
			if strings.HasSuffix(form, "/settings") {
				b.Post(form, with(formOn(page))...).FollowsTo(strings.TrimSuffix(form, "/settings")).Shows(200, address[1])
			}
		}
	})
}

package dashboard_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// createAuction makes an auction that is open for an hour.
func createAuction(s *apptest.Server, contract, kind string, fields object) string {
	s.T.Helper()
	now := s.Clock.Now()
	return s.Post("/api/auctions", apptest.Over(object{
		"name": "Sketch <b>", "type": kind, "startsAt": now, "endsAt": now.Add(time.Hour),
		"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "10", "mintingContractId": contract,
	}, fields)).OK()["id"].(string)
}

func placeBid(s *apptest.Server, auction, wallet string, amount int) {
	s.T.Helper()
	s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": wallet, "amount": amount}).OK()
}

// dateTimeText writes a time as the form does.
func dateTimeText(at time.Time) string { return at.UTC().Format("2006-01-02T15:04") }

func TestAnAuctionIsMadeByItsForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, nil)
		mug, poster := createItem(s, contract, nil), createItem(s, contract, object{"name": "Print", "isHidden": true})
		page := b.Get(b.Site("/auctions/new")).Shows(200, "The auction sells items from “Shelf <b>”", "Mug <i>", "Print", "Sealed bid, second price")
		other := createContract(s, object{"name": "Other"})
		b.Get(b.Site("/auctions/new")).Shows(200, "Choose the minting contract", "Other", "Shelf <b>")
		b.Get(b.Site("/auctions/new?contract="+other)).Shows(200, "The auction sells items from “Other”", "no items yet")
		b.Get(b.Site("/auctions/new?item="+poster)).Shows(200, "The auction sells items from “Shelf <b>”", `value="`+poster+`" selected`)
		b.Get(b.Site("/auctions/new?contract="+unknownID)).Shows(404, "Minting contract not found")

		form := with(formOn(page), "name", "Sketch <b>", "type", "second_price", "minBidAmount", "lots",
			"auctionItems.0.mintingContractAssetId", mug, "auctionItems.0.quantity", "2", "extendedDurationInSeconds", "60")
		page = b.Post(b.Site("/auctions"), append(form, "add", "item")...).Shows(200, "Item 2", "Sketch <b>")
		page = b.Post(b.Site("/auctions"), with(formOn(page), "add", "item")...).Shows(200, "Item 3")
		page = b.Post(b.Site("/auctions"), with(formOn(page), "drop", "2")...).Shows(200, "Item 2").Hides("Item 3")
		s.SignInAdmin(tenancy.RoleSuperAdmin).Get(b.Site("/activity")).Shows(200).Hides("Created an auction")
		b.Post(b.Site("/auctions"), with(formOn(page))...).Shows(400, `href="#f-minBidAmount"`, "Must be a number such as 12.5", "lots")
		b.Post(b.Site("/auctions"), with(formOn(page), "minBidAmount", "0", "name", "", "endsAt", "2020-01-01T10:00")...).
			Shows(400, `href="#f-name"`, `href="#f-minBidAmount"`, `href="#f-endsAt"`, "Item, 2, item: Is required", "Must be after")
		page = b.Post(b.Site("/auctions"), with(formOn(page), "minBidAmount", "10", "auctionItems.1.mintingContractAssetId", poster,
			"auctionItems.1.quantity", "6")...).Shows(400, "Nothing was saved.", "Not enough quantity left")
		ready := with(formOn(page), "auctionItems.1.quantity", "", "reservePrice", "20", "hideBids", "on")
		first := b.Post(b.Site("/auctions?form"), ready...)
		first.FollowsTo(b.Site("/auctions/")).Shows(200, "Auction created. Members can bid now.", "Sealed bid, second price", "Always hidden",
			"Mug <i>", "× 2", "Print", "No bids yet", "At least 10", "Live").Hides("extends the auction")
		b.Post(b.Site("/auctions?form"), ready...).FollowsTo(first.Location).Shows(200, "applied only once")
		if list := s.Get("/api/auctions?includeItems=true").Data(); len(list) != 1 || len(list[0]["auctionItems"].([]any)) != 2 ||
			list[0]["reservePrice"] != "20" || list[0]["extendedDurationInSeconds"] != nil {
			t.Errorf("made: %v", list)
		}
		b.Get(b.Site("/store/"+contract)).Shows(200, "0 minted, 2 reserved, 3 left")
		b.Post(first.Location+"/items", "item", poster, "quantity", "9").Shows(400, "Not enough quantity left")
		b.Post(first.Location+"/items", "item", "", "quantity", "some").Shows(400, `href="#f-quantity"`, "Must be a whole number")
		b.Post(first.Location+"/items", "item", poster, "quantity", "1").FollowsTo(first.Location).Shows(200, "Item added.")
	})
}

func TestALiveAuctionRenewsItsCardAndShowsItsBids(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b, v := s.SignInAdmin(tenancy.RoleAdmin), s.SignInAdmin(tenancy.RoleViewer)
		contract := createContract(s, nil)
		item := createItem(s, contract, object{"quantity": 1})
		maren := s.User("maren-1", object{"displayName": "Maren <i>"})
		s.Credit("maren-1", 500)
		s.Credit(apptest.Bob, 500)
		later := s.Clock.Now().Add(30 * time.Minute)
		a := createAuction(s, contract, "english", object{"minBidIncrement": "5", "extendedDurationInSeconds": 600, "startsAt": later,
			"auctionItems": []object{{"mintingContractAssetId": item}}})
		at := b.Site("/auctions/" + a)
		b.Get(at).Shows(200, "Upcoming", "starts in 30 min").Hides("hx-trigger")
		b.Get(b.Site("/auctions?tab=upcoming")).Shows(200, "Sketch <b>", "Starts in 30 min")
		b.Get(b.Site("/auctions?tab=live")).Shows(200, "No matching auctions")
		s.Clock.Advance(30 * time.Minute)
		b.Get(b.Site("/auctions?tab=live")).Shows(200, "Sketch <b>", "30 min left")
		b.Get(b.Site("/auctions?tab=upcoming")).Shows(200, "No matching auctions")
		placeBid(s, a, "maren-1", 20)
		s.Clock.Advance(10 * time.Minute)
		placeBid(s, a, apptest.Bob, 50)
		s.Clock.Advance(10 * time.Minute)
		placeBid(s, a, "maren-1", 100)
		page := b.Get(at).Shows(200, `hx-trigger="every 2s"`, "10 min left", "by ", "Maren <i>", b.Site("/members/"+maren),
			"3 bids", "of 1 member", "best bid 50, change +30", "best bid 100, change +50", "Points held", "Points returned",
			"A bid within 10 min of the end extends the auction", "Show as table")
		if strings.Index(page.Body, "<b>100</b>") > strings.Index(page.Body, "<b>50</b>") {
			t.Error("the highest bid does not come first")
		}
		b.GetElement(at, "live").Shows(200, "10 min left", "Maren <i>", "3 bids").
			Hides("Points held", "best bid 50", "since this page")
		b.GetElement(at+"?seen=1", "live").Shows(200, "2 bids since this page loaded", `hx-get="`+at+`?seen=1"`)
		v.Get(at).Shows(200, "Live", "Points held").Hides(a+"/settings", "/cancel")
		v.Post(at + "/cancel").Shows(403)
		v.Get(at + "/settings").Shows(403)
		v.Post(at+"/items", "item", item).Shows(403)
		if rows := csvRows(v.Get(at + "/bids.csv")); len(rows) != 4 || !slices.Contains(rows[1], "100") || !slices.Contains(rows[1], "accepted") {
			t.Errorf("the file of bids: %q", rows)
		}
		if rows := csvRows(b.Get(b.Site("/auctions/auctions.csv?tab=live"))); len(rows) != 2 || rows[1][6] != "100" || rows[1][8] != "2" {
			t.Errorf("the file of auctions: %q", rows)
		}
		settings := b.Get(at+"/settings").Shows(200, "Minimum increase").Hides("The winners are determined")
		b.Post(at+"/settings", with(formOn(settings), "name", "Drawing <u>", "minBidIncrement", "7")...).
			FollowsTo(at).Shows(200, "Changes saved.", "Drawing <u>", "at least 7")

		s.Clock.Advance(time.Hour)
		if err := s.App.Auctions.CloseDueBatch(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.Get(at).Shows(200, "Ended", "Who won", "bid 100 and paid 100", "Minted").Hides("hx-trigger", "/cancel", "of nobody")
		b.Get(b.Site("/store/"+contract+"/items/"+item)).Shows(200, "Sold out", "won in an auction", at)
		b.Get(b.Site("/auctions?tab=ended")).Shows(200, "Drawing <u>")
		b.Get(at+"/settings").Shows(400, "The auction has ended.")
		b.Get(at+"/cancel").Shows(200, "This auction has already ended").Hides("Cancel auction</button>")
		b.Post(at+"/cancel").Shows(400, "Auction has ended")
		b.Post(at+"/items", "item", item).Shows(400, "Auction has ended")
	})
}

func TestAnAuctionIsCancelledAndEverybodyPaidBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, nil)
		item := createItem(s, contract, nil)
		s.Credit(apptest.Alice, 100)
		s.Credit(apptest.Bob, 100)
		a := createAuction(s, contract, "first_price", object{"auctionItems": []object{{"mintingContractAssetId": item}}})
		at := b.Site("/auctions/" + a)
		page := b.Get(at+"/settings").Shows(200, "Start and end").Hides("Minimum increase")
		ends := s.Clock.Now().Add(3 * time.Hour)
		b.Post(at+"/settings", with(formOn(page), "endsAt", dateTimeText(ends))...).FollowsTo(at).Shows(200, "Changes saved.", "3 h left")
		b.Post(at+"/settings", with(formOn(page), "description", "Late")...).Shows(400, "Someone else changed this while you were editing", "Ends")
		page = b.Get(at + "/settings")
		placeBid(s, a, apptest.Alice, 40)
		placeBid(s, a, apptest.Bob, 30)
		b.Post(at+"/settings", with(formOn(page), "endsAt", dateTimeText(ends.Add(time.Hour)))...).Shows(400, "Auction has bids")
		b.Get(at).Shows(200, "Members see only their own bids until the end", "<b>40</b>", "of 2 members")
		b.Get(at+"/cancel").Shows(200, "Cancel Sketch <b>?", "70 ", "will go back to 2 members, and no one will win", "The reserved stock of 1 item will be released")
		if s.Balance(apptest.Alice) != "60" {
			t.Errorf("asking changes a balance: %s", s.Balance(apptest.Alice))
		}
		support := s.SignInAdmin(tenancy.RoleModerator)
		support.Post(at+"/cancel").Shows(403, "The Support role can’t change rules")
		b.Post(at+"/cancel").FollowsTo(at).Shows(200, "Auction cancelled. 70 ", "were returned to 2 members.", "Cancelled", "Points returned").
			Hides("hx-trigger", a+"/settings")
		if s.Balance(apptest.Alice) != "100" || s.Balance(apptest.Bob) != "100" {
			t.Errorf("paid back: %s, %s", s.Balance(apptest.Alice), s.Balance(apptest.Bob))
		}
		b.Post(at+"/cancel").Shows(400, "Auction is cancelled")
		b.Get(b.Site("/store/"+contract)).Shows(200, "0 minted, 5 left")
		b.Get(b.Site("/auctions?tab=cancelled")).Shows(200, "Sketch <b>")
		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		elsewhere := "/admin/" + other.WebsiteID.String() + "/auctions/" + a
		for _, path := range []string{"", "/bids.csv", "/settings", "/cancel"} {
			c.Get(elsewhere+path).Shows(404, "Auction not found")
		}
		c.Post(elsewhere+"/cancel").Shows(404, "Auction not found")
		c.Post(elsewhere+"/items", "item", item).Shows(404, "Auction not found")
		c.Get("/admin/"+other.WebsiteID.String()+"/auctions/new?item="+item).Shows(404, "Asset not found")
		o := s.SignInAdmin(tenancy.RoleSuperAdmin)
		o.Get(o.Site("/activity")).Shows(200, "Cancelled an auction", "Changed an auction")
	})
}

// A winner was paid back as the mint failed, and spent the points before it was reported as minted all the same.
func TestAnAuctionTellsWhatOfALateMintIsUnpaid(t *testing.T) {
	t.Parallel()
	driver := apptest.WriteConfig(t, `{"url":"http://127.0.0.1:1/mints"}`)
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true, Minting: driver}, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		contract := createContract(s, object{"contractKind": "ONCHAIN", "network": "base", "address": apptest.Carol})
		item := createItem(s, contract, nil)
		s.Credit(apptest.Alice, 100)
		auction := createAuction(s, contract, "english", object{"auctionItems": []object{{"mintingContractAssetId": item}}})
		placeBid(s, auction, apptest.Alice, 20)
		s.Clock.Advance(2 * time.Hour)
		if err := s.App.Auctions.CloseDueBatch(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.Get(b.Site("/auctions/"+auction)).Shows(200, "and paid 20 Acme points").Hides("unpaid")
		won := "/api/minting/status/" + s.Get("/api/minting/status").Data()[0]["id"].(string)
		s.Post(won, object{"status": "failed"}).OK()
		s.Transact(apptest.Points(apptest.Alice, 92, apptest.Debit)).OK()
		s.Post(won, object{"status": "minted"}).OK()
		b.Get(b.Site("/auctions/"+auction)).Shows(200, "and paid 8 Acme points; 12 Acme points are unpaid")
	})
}

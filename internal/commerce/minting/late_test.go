package minting_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/report/figures"
)

// A secret key or the driver may report a failed mint as minted later, since the blockchain decides. The report takes
// stock and price again (contract 5.19).

const final = "Mint is already final"

// report says what became of a mint, with a secret key.
func (s *shop) report(mint object, body object) apptest.Response {
	s.T.Helper()
	return s.Post(statusPath+"/"+mint["id"].(string), body)
}

func (s *shop) fail(mint object) { s.T.Helper(); s.report(mint, object{"status": "failed"}).OK() }

// late reports a failed mint as minted, and returns it.
func (s *shop) late(mint object) object {
	s.T.Helper()
	s.report(mint, object{"status": "minted", "txHash": "0xabc"}).OK()
	return s.status(mint)
}

// spend takes points of alice for something else.
func (s *shop) spend(amount any) {
	s.T.Helper()
	s.Transact(apptest.Points(apptest.Alice, amount, apptest.Debit)).OK()
}

// owes demands what of a mint is unpaid.
func (s *shop) owes(what string, mint object, amount, quantity string) {
	s.T.Helper()
	got, _ := mint["unpaid"].(object)
	if mint["status"] != "minted" || got["amount"] != number(amount) || got["quantity"] != number(quantity) {
		s.T.Errorf("%s: %v, unpaid %v, want %s points and %s items", what, mint["status"], mint["unpaid"], amount, quantity)
	}
}

func TestALateMintedOfASecretKeyTakesStockAndPriceAgain(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		s.Post(contractsPath+"/"+s.contract, object{"perUserMintLimit": 2}).OK()
		for key, secret := range map[string]string{"website": s.WebsiteAPIKey, "organization": s.OrganizationAPIKey} {
			for end, fail := range map[string]func(m object){
				"reported": s.fail,
				"refused": func(object) {
					c.says(422, `{"message":"No gas"}`)
					carryOn(s.Server)
					c.says(200, `{"status":"pending"}`)
				},
				"timed out": func(object) {
					carryOn(s.Server)
					s.Clock.Advance(time.Hour)
					carryOn(s.Server)
				},
			} {
				asset := s.asset(object{"quantity": 2, "isAllowlisted": true})
				member := "member-" + key + "-" + strings.ReplaceAll(end, " ", "-")
				s.Post(allowPath, object{
					"mintingContractAssetId": asset, "entries": []object{{"walletAddress": member, "quantity": 2}},
				}).OK()
				s.rich(member, 25)
				m := s.minted(s.mint(asset, member, object{"quantity": 2}))
				same(t, "under way", m, object{"unpaid": nil})
				fail(m)
				same(t, "failed", s.status(m), object{"status": "failed", "unpaid": nil})
				report := func(status string) apptest.Response {
					return s.Call(secret, "POST", statusPath+"/"+m["id"].(string), object{"status": status, "txHash": "0xabc"})
				}
				report("failed").Refused(400, final)
				report("minted").OK()
				same(t, member, s.status(m), object{
					"status": "minted", "txHash": "0xabc", "errorCode": nil, "errorMessage": nil, "unpaid": nil, "price": number("20"),
				})
				for _, again := range []string{"minted", "failed"} {
					report(again).Refused(400, final)
				}
				if got, n := s.Balance(member), s.read(asset)["quantityMinted"]; got != "5" || n != number("2") {
					t.Errorf("%s: a balance of %s and %v minted", member, got, n)
				}
				entry := s.Get("/api/loyalty/transaction_entries?limit=1&walletAddress=" + member).Data()[0]
				same(t, "the entry", entry, object{"type": "direct_mint", "direction": "debit", "amount": number("20")})
				same(t, "the allowlist", s.Get(allowPath + "?mintingContractAssetId=" + asset).Data()[0],
					object{"quantityMinted": number("2")})
				s.Post(assetsPath+"/"+asset, object{"isAllowlisted": false, "quantity": 9}).OK()
				s.mint(asset, member, nil).Refused(400, "Mint limit per user reached")
			}
		}
		s.Sound()
	})
}

func TestWhatBalanceAndStockDoNotCoverOfALateMintIsUnpaid(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newChain(t)
		logged := &lines{}
		config := c.config(t)
		config.Logger = slog.New(slog.NewTextHandler(logged, nil))
		s := open(apptest.OpenAtNoon(t, address, config), onchain)
		s.Post(contractsPath+"/"+s.contract, object{"perUserMintLimit": 3}).OK()
		asset := s.asset(object{"quantity": 4})
		s.rich(apptest.Alice, 40)
		s.rich(apptest.Bob, 100)
		m := s.minted(s.mint(asset, apptest.Alice, object{"quantity": 3}))
		s.fail(m)
		s.minted(s.mint(asset, apptest.Bob, object{"quantity": 3}))
		s.spend("17.5")
		if logged.count("not paid in full") != 0 {
			t.Error("something was logged before")
		}
		s.owes("in part", s.late(m), "7.5", "2")
		s.stands("in part", asset, "0", "1")
		if n := logged.count("level=WARN msg=\"a mint that had failed was reported as minted, and is not paid in full\" mint=" +
			m["id"].(string)); n != 1 || logged.count("unpaid=7.5 items_without_stock=2") != 1 {
			t.Errorf("logged %d times:\n%s", n, logged.text())
		}
		if entries := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data(); entries[0]["amount"] != number("22.5") {
			t.Errorf("taken %v", entries[0])
		}
		s.UpdateFigures()
		days, err := s.App.Figures.Flows(context.Background(), s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, figures.Until(s.Clock.Now(), 1))
		if err != nil || len(days) != 1 || days[0].Spent.String() != "70" || days[0].Returned.String() != "30" ||
			days[0].Issued.String() != "140" {
			t.Errorf("figures %+v, %v, want 140 issued, 70 spent, 30 returned", days, err)
		}
		s.rich(apptest.Alice, 5) // what comes later is not taken
		s.stands("later", asset, "5", "1")
		s.mint(asset, apptest.Alice, nil).Refused(400, "Mint limit per user reached")

		s.Post(assetsPath+"/"+asset, object{"unlimitedQty": true}).OK()
		s.Post(contractsPath+"/"+s.contract, object{"perUserMintLimit": 0}).OK()
		second := s.asset(object{"quantity": 1, "price": 5})
		m = s.minted(s.mint(second, apptest.Alice, nil))
		s.fail(m)
		s.spend(5)
		s.rich(apptest.Bob, 5)
		s.fail(s.minted(s.mint(second, apptest.Bob, nil)))
		s.owes("nothing of the price", s.late(m), "5", "0")
		s.Sound()

		free := s.asset(object{"quantity": 1, "price": 0})
		m = s.minted(s.mint(free, apptest.Alice, nil))
		s.fail(m)
		s.minted(s.mint(free, apptest.Bob, nil))
		s.owes("free", s.late(m), "0", "1")
		native := s.asset(object{"quantity": 1, "price": 3, "loyaltyCurrencyId": nil})
		m = s.minted(s.mint(native, apptest.Alice, nil))
		s.fail(m)
		s.Remove(assetsPath + "/" + native)
		same(t, "paid on a blockchain", s.late(m), object{"status": "minted", "unpaid": nil})
		s.Sound()
	})
}

// lines is a log that is read while it is written.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lines) count(text string) int { return strings.Count(l.text(), text) }

func TestALateMintIsPaidLikeAPurchase(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.In(apptest.Carol, "family")
		asset := s.asset(object{"quantity": 9})
		s.rich(apptest.Alice, 4)
		s.rich(apptest.Bob, 6)
		m := s.minted(s.mint(asset, apptest.Alice, nil))
		s.fail(m)
		s.In(apptest.Bob, nil)
		s.rich(apptest.Carol, 5)
		s.User(apptest.Alice, object{"isBlocked": true})
		s.owes("by the group of now", s.late(m), "1", "0")
		if got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob) + " " + s.Balance(apptest.Carol); got != "0 6 0" {
			t.Errorf("balances %s, want 0 6 0", got)
		}
		s.User(apptest.Alice, object{"isBlocked": false})
		s.In(apptest.Carol, nil)

		// the points of a failed mint have expired before it is minted
		s.SetPointLifetime(30, 0)
		s.rich(apptest.Alice, 10)
		s.Clock.Advance(30*apptest.Day - 2*time.Hour)
		s.rich(apptest.Alice, 10)
		for _, way := range []string{"the lots of a purchase", "expired"} {
			m = s.minted(s.mint(asset, apptest.Alice, nil))
			s.fail(m)
			if way == "expired" {
				s.AdvanceAndExpire(31 * apptest.Day)
				s.owes(way, s.late(m), "10", "0")
				continue
			}
			s.late(m)
			s.AdvanceAndExpire(3 * time.Hour) // the older lot has paid, so nothing expires
			s.stands(way, asset, "10", "2")
		}
		s.Sound()
	})
}

// A bid whose amount is hidden holds points, which a late mint cannot take, and it takes all others.
func TestALateMintTakesWhatASealedBidLeaves(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		now := s.Clock.Now()
		for what, who := range map[string][2]string{
			"alone": {apptest.Alice, apptest.Alice}, "in a group": {apptest.Bob, apptest.Carol},
		} {
			bidder, minter := who[0], who[1]
			s.rich(bidder, 40)
			if bidder != minter {
				s.In(bidder, "family")
				s.In(minter, "family")
			}
			m := s.minted(s.mint(s.asset(object{"quantity": 1, "price": 30}), minter, nil))
			s.fail(m)
			auction := s.Post("/api/auctions", object{
				"name": "Poster", "type": "first_price", "startsAt": now.Add(-time.Minute), "endsAt": now.Add(time.Hour),
				"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "1", "mintingContractId": s.contract,
				"auctionItems": []object{{"mintingContractAssetId": s.asset(object{"quantity": 1})}},
			}).OK()["id"].(string)
			s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": bidder, "amount": 25}).OK()
			s.owes(what, s.late(m), "15", "0")
			if got := s.Balance(bidder); got != "0" {
				t.Errorf("%s: a balance of %s is left", what, got)
			}
		}
		s.Sound()
	})
}

// nothing can be taken of a currency that is gone, or that another ledger keeps.
func TestALateMintInACurrencyThatIsGoneIsUnpaid(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		bank := apptest.NewBank(t)
		asset := s.asset(object{"quantity": 9})
		currency := "/api/loyalty/currencies/" + s.LoyaltyCurrencyID.String()
		var mints []object
		s.rich(apptest.Alice, 20)
		for range 2 {
			m := s.minted(s.mint(asset, apptest.Alice, nil))
			s.fail(m)
			mints = append(mints, m)
		}
		s.Post(currency, bank.CurrencyBody()).OK()
		s.owes("kept outside", s.late(mints[0]), "10", "0")
		s.Remove(currency)
		s.owes("deleted", s.late(mints[1]), "10", "0")
		if n := s.read(asset)["quantityMinted"]; n != number("2") {
			t.Errorf("%v minted", n)
		}
	})
}

func TestMembersAndStrangersCorrectNoMint(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		asset := s.asset(object{"quantity": 3})
		s.rich(apptest.Alice, 10)
		m := s.minted(s.mint(asset, apptest.Alice, nil))
		s.fail(m)
		at := statusPath + "/" + m["id"].(string)
		minted := object{"status": "minted", "txHash": "0xabc"}
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"trustClientUsers": true}).OK()
		token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
		s.Call(s.ClientAPIKey, "POST", at, minted, token...).Refused(400, final)
		s.Call(s.ClientAPIKey, "POST", at, minted).Refused(403, apptest.TokenMissing)
		s.Call(s.ClientAPIKey, "POST", at, minted, "Authorization", "Bearer "+s.Token(apptest.Bob)).Refused(404, "Mint not found")
		s.Call(s.ReadOnlyAPIKey, "POST", at, minted, token...).Refused(403, "API key is read-only")
		other := s.NewProgram("Other")
		s.Call(other.OrganizationAPIKey, "POST", at, minted, token...).Refused(404, "Mint not found")
		s.Call(other.WebsiteAPIKey, "POST", at, minted).Refused(404, "Mint not found")
		same(t, "after all", s.status(m), object{"status": "failed", "txHash": nil})
		s.stands("after all", asset, "10", "0")
		s.Call(s.WebsiteAPIKey, "POST", at, minted, token...).OK() // a member's token beside a secret key says nothing
		s.stands("corrected", asset, "0", "1")
	})
}

// The driver has the call of a mint in hand while a secret key gives up on the mint.
func TestTheDriversLateMintedTakesStockAndPriceAgain(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		called, answer := make(chan bool), make(chan string)
		driver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			called <- true
			_, _ = w.Write([]byte(<-answer))
		}))
		t.Cleanup(driver.Close)
		config := app.Config{NoRateLimits: true, Dev: true, Minting: apptest.WriteConfig(t, `{"url":"`+driver.URL+`"}`)}
		s := open(apptest.OpenAtNoon(t, address, config), onchain)
		asset := s.asset(object{"quantity": 3})
		s.rich(apptest.Alice, 15)
		for _, end := range []struct {
			says string
			want object
		}{
			{`{"signature":"0x01"}`, object{"status": "failed", "signature": nil}},
			{`{"status":"refused","message":"No gas"}`, object{"status": "failed", "errorCode": nil}},
			{`{"status":"minted","txHash":"0x1","relayerTxId":"r1"}`, object{
				"status": "minted", "txHash": "0x1", "relayerTxId": "r1", "unpaid": nil,
			}},
		} {
			m := s.minted(s.mint(asset, apptest.Alice, nil))
			done := make(chan error)
			go func() { done <- s.App.Minting.RunDue(context.Background()) }()
			<-called
			s.fail(m)
			s.stands("failed meanwhile", asset, "15", "0")
			answer <- end.says
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			same(t, end.says, s.status(m), end.want)
		}
		s.stands("corrected", asset, "5", "1")
		s.Sound()
	})
}

// What an auction's winner paid comes back where the driver refuses the mint, and is paid again where it was minted.
func TestALateMintOfAnAuctionIsPaidAgain(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		s.SetPointLifetime(30, 0)
		asset := s.asset(object{"quantity": 1})
		s.rich(apptest.Alice, 30)
		now := s.Clock.Now()
		auction := s.Post("/api/auctions", object{
			"name": "Poster", "type": "english", "startsAt": now.Add(-time.Minute), "endsAt": now.Add(time.Minute),
			"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "1", "mintingContractId": s.contract,
			"auctionItems": []object{{"mintingContractAssetId": asset}},
		}).OK()["id"].(string)
		s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": apptest.Alice, "amount": 20}).OK()
		s.Clock.Advance(2 * time.Minute)
		if err := s.App.Auctions.CloseDueBatch(context.Background()); err != nil {
			t.Fatal(err)
		}
		c.says(422, `{"message":"No gas"}`)
		carryOn(s.Server)
		m := s.Get(statusPath).Data()[0]
		same(t, "refused", m, object{"status": "failed", "price": nil})
		s.stands("refused", asset, "30", "0")
		s.spend(18)
		s.owes("won", s.late(m), "8", "0")
		s.stands("won", asset, "0", "1")
		s.Sound()
	})
}

// On two nodes at once a mint times out, and is reported as minted twice by secret keys and once by its member: it is
// minted in the end, and one report of a secret key at most counts beside that of the member.
func TestLateMintsAreTakenOnceOnTwoNodes(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	both, _ := apptest.NodesWith(t, c.config(t))
	s := open(both[0], onchain)
	asset := s.asset(object{"price": 1, "quantity": 24})
	s.rich(apptest.Alice, 24)
	var mints []object
	for range 24 {
		mints = append(mints, s.minted(s.mint(asset, apptest.Alice, nil)))
	}
	for range 4 {
		carryOn(s.Server)
	}
	for _, node := range both {
		node.Clock.Advance(time.Hour)
	}
	token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() {
			for range 6 {
				_ = both[n].App.Minting.RunDue(context.Background())
			}
		})
	}
	answers := make([][3]apptest.Response, len(mints))
	for i, m := range mints {
		at := statusPath + "/" + m["id"].(string)
		for n, key := range []string{s.WebsiteAPIKey, s.WebsiteAPIKey, s.ClientAPIKey} {
			wg.Go(func() { answers[i][n] = both[(i+n)%2].Call(key, "POST", at, object{"status": "minted"}, token...) })
		}
	}
	wg.Wait()
	for i, m := range mints {
		apptest.CheckOutcomes(t, answers[i][:], 1, final)
		same(t, "in the end", s.status(m), object{"status": "minted", "unpaid": nil})
	}
	s.stands("in the end", asset, "0", strconv.Itoa(len(mints)))
	s.Sound()
}

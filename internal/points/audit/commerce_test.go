package audit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/points/audit"
)

type object = apptest.Object

// fair is a program in which points are held, items sold, auctioned off and minted, and tokens claimed.
type fair struct {
	*apptest.Server
	address         string
	contract, chain string // minting contracts: OFFCHAIN, ONCHAIN
}

// commerce are the tables that its tests change.
var commerce = []string{
	"loyalty_holds", "minting_assets", "minting_allowlist", "minting_counts", "minting_mints", "auctions", "auction_items",
	"auction_bidders", "auction_bids", "token_claims", "token_claim_allocations", "token_claim_blocks", "loyalty_transactions",
	"loyalty_transaction_entries", "loyalty_accounts", "bid_entries"}

func eachFair(t *testing.T, f func(t *testing.T, s *fair)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		driver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"status":"pending"}`))
		}))
		t.Cleanup(driver.Close)
		s := &fair{Server: apptest.OpenAtNoon(t, address, app.Config{
			NoRateLimits: true, Dev: true, Minting: apptest.WriteConfig(t, `{"url":"`+driver.URL+`"}`),
		}), address: address}
		for _, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
			s.Credit(wallet, 1000)
		}
		s.contract = s.made("/api/minting/contracts", object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true})
		s.chain = s.made("/api/minting/contracts", object{
			"name": "Passes", "contractKind": "ONCHAIN", "address": apptest.Carol, "network": "base", "isListed": true,
		})
		s.holds()
		s.mints()
		s.auctions()
		s.claims()
		s.Sound()
		f(t, s)
	})
}

// made makes something and returns its id.
func (s *fair) made(path string, body object) string {
	s.T.Helper()
	return s.Post(path, body).OK()["id"].(string)
}

// holds makes one in each status. One of them is paid by a group.
func (s *fair) holds() {
	s.T.Helper()
	hold := func(wallet string, amount, seconds int) string {
		return s.made("/api/loyalty/holds", object{
			"walletAddress": wallet, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": amount, "expiresInSeconds": seconds,
		})
	}
	hold(apptest.Alice, 5, 60)
	s.pass(2 * time.Minute)
	end := func(id, how string, body object) { s.Post("/api/loyalty/holds/"+id+"/"+how, body).OK() }
	end(hold(apptest.Alice, 6, 3600), "release", object{})
	end(hold(apptest.Alice, 7, 3600), "capture", object{"amount": "2.5"})
	for _, wallet := range []string{apptest.Wallet(1), apptest.Wallet(2)} {
		s.Credit(wallet, 10)
		s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "pair"}).OK()
	}
	end(hold(apptest.Wallet(1), 15, 3600), "release", object{})
	hold(apptest.Bob, 8, 3600)
	// what a shop gives back later is its own, also where it names the hold in the words of the service
	s.Post("/api/loyalty/transactions", object{
		"description": "Hold", "type": "order", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{{
			"walletAddress": apptest.Alice, "amount": 1, "direction": "credit",
			"metadata": object{"loyaltyHoldId": s.id("loyalty_holds", "status = 'captured'")},
		}},
	}).OK()
}

// pass lets time pass and does what is due.
func (s *fair) pass(d time.Duration) {
	s.T.Helper()
	s.Clock.Advance(d)
	for _, run := range []error{s.App.Holds.RunDue(ctx), s.App.Auctions.CloseDueBatch(ctx), s.App.Minting.RunDue(ctx)} {
		if run != nil {
			s.T.Fatal(run)
		}
	}
}

func (s *fair) asset(contract string, properties object) string {
	s.T.Helper()
	return s.made("/api/minting/assets", apptest.Over(object{
		"mintingContractId": contract, "name": "Poster", "price": 10, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "quantity": 20,
		"isListed": true,
	}, properties))
}

// mints buys items, one of which is still to be minted on a blockchain, and one of which failed there.
func (s *fair) mints() {
	s.T.Helper()
	listed := s.asset(s.contract, object{"isAllowlisted": true, "name": "Listed"})
	passes := s.asset(s.chain, object{"name": "Pass"})
	s.Post("/api/minting/assets/allowlist", object{
		"mintingContractAssetId": listed, "entries": []object{{"walletAddress": apptest.Alice, "quantity": 5}},
	}).OK()
	mint := func(contract, asset, wallet string, n int) string {
		return s.Post("/api/minting/contracts/mint", object{
			"assetId": asset, "contractId": contract, "walletAddress": wallet, "quantity": n,
		}).OK()["mintingContractAssetMintStatusId"].(string)
	}
	mint(s.contract, listed, apptest.Alice, 2)
	s.Post("/api/minting/status/"+mint(s.chain, passes, apptest.Bob, 3), object{"status": "failed"}).OK()
	mint(s.chain, passes, apptest.Bob, 1)
	// minted after it had failed: Carol has 4 points less than it costs, and the stock 1 item less
	late := mint(s.chain, passes, apptest.Carol, 19)
	s.Post("/api/minting/status/"+late, object{"status": "failed"}).OK()
	mint(s.chain, passes, apptest.Bob, 1)
	spend := func(direction string) {
		s.Post("/api/loyalty/transactions", object{
			"description": "Elsewhere", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
			"entries": []object{{"walletAddress": apptest.Carol, "amount": 814, "direction": direction}},
		}).OK()
	}
	spend("debit")
	s.Post("/api/minting/status/"+late, object{"status": "minted"}).OK()
	spend("credit")
}

// auctions makes one of each type that has ended, one that was cancelled, and one of each form that is open.
func (s *fair) auctions() {
	s.T.Helper()
	prize := s.asset(s.contract, object{"name": "Prize"})
	auction := func(name, kind string, items int, d time.Duration) string {
		var list []object
		for range items {
			list = append(list, object{"mintingContractAssetId": prize})
		}
		return s.made("/api/auctions", object{
			"name": name, "type": kind, "startsAt": s.Clock.Now().Add(-time.Minute), "endsAt": s.Clock.Now().Add(d),
			"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": 10, "mintingContractId": s.contract, "auctionItems": list,
		})
	}
	bids := func(auction string) {
		for i, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
			s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": wallet, "amount": 20 + 10*i}).OK()
		}
	}
	for _, kind := range []string{"english", "first_price", "second_price"} {
		bids(auction("Ended "+kind, kind, map[bool]int{true: 1, false: 2}[kind == "english"], time.Minute))
	}
	cancelled := auction("Cancelled", "english", 1, time.Hour)
	bids(cancelled)
	s.Post("/api/auctions/"+cancelled+"/cancel", object{}).OK()
	s.pass(2 * time.Minute)
	bids(auction("Open english", "english", 1, time.Hour))
	bids(auction("Open sealed", "first_price", 1, time.Hour))
}

// claims has a list read, of more wallets than one block of the tree holds, and one of them claimed.
func (s *fair) claims() {
	s.T.Helper()
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "%s,%d.5\n", apptest.Wallet(i+1), i+1)
	}
	token := s.Post("/api/contracts", object{"name": "Token", "address": apptest.Carol, "chainId": 1, "type": "erc20"}).Created()["id"]
	claim := s.made("/api/token_claims", object{
		"name": "Season", "contractId": token, "isDraft": false, "csvUrl": s.Upload("list.csv", list.String()),
	})
	if _, err := s.App.Claims.RunDue(ctx); err != nil {
		s.T.Fatal(err)
	}
	s.Post("/api/token_claims/"+claim+"/claim", object{
		"walletAddress": apptest.Wallet(7), "txHash": "0x" + strings.Repeat("ab", 32),
	}).OK()
}

// id returns the id of the one row of a table.
func (s *fair) id(table, where string) (id string) {
	s.T.Helper()
	query := "SELECT CAST(id AS TEXT) FROM " + table + " WHERE " + where
	if err := apptest.OpenSQL(s.T.(*testing.T), s.address).QueryRowContext(ctx, query).Scan(&id); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
	return id
}

// exec changes rows past the keys and conditions of the database.
func (s *fair) exec(statements ...string) {
	s.T.Helper()
	keys := "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON"
	if !strings.HasPrefix(s.address, "sqlite:") {
		keys = "SET session_replication_role = replica"
	}
	db := apptest.OpenSQL(s.T.(*testing.T), s.address)
	db.SetMaxOpenConns(1)
	defer func() { _ = db.Close() }()
	for _, statement := range append([]string{keys}, statements...) {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			s.T.Fatalf("%s: %v", statement, err)
		}
	}
}

func (s *fair) keep() {
	s.T.Helper()
	if !strings.HasPrefix(s.address, "sqlite:") { // SQLite passes conditions by, and PostgreSQL does not
		s.exec("DO $$ DECLARE c record; BEGIN FOR c IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE contype = 'c'" +
			" AND conrelid IN ('minting_assets'::regclass, 'minting_counts'::regclass) LOOP" +
			" EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname); END LOOP; END $$")
	}
	for _, table := range commerce {
		s.exec("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table)
	}
}

// restore undoes a change of the table that a statement changes.
func (s *fair) restore(statement string) {
	s.T.Helper()
	for _, table := range commerce {
		if strings.Contains(statement+" ", " "+table+" ") {
			s.exec("DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
		}
	}
}

func (s *fair) says() string {
	s.T.Helper()
	report, err := s.App.Audit.Verify(ctx, audit.Trust{})
	if err != nil {
		s.T.Fatal(err)
	}
	var findings strings.Builder
	for _, d := range report.Discrepancies {
		fmt.Fprintln(&findings, d)
	}
	return findings.String()
}

// broken is a change by hand, the table and row that verification must name, and what it must say: … stands for an id.
type broken struct{ change, what, table, where, says string }

// Each statement breaks what is held, sold or claimed in one place; verification must name it.
func TestVerifyNamesWhatIsHeldSoldOrClaimedOtherwiseThanItsRowsSay(t *testing.T) {
	t.Parallel()
	eachFair(t, func(t *testing.T, s *fair) {
		s.keep()
		for _, c := range brokenCommerce {
			id, want := "", c.says
			if c.table != "" {
				id = s.id(c.table, c.where)
				want = c.what + " " + id + c.says
			}
			statement := strings.ReplaceAll(c.change, "$id", "'"+id+"'")
			s.exec(statement)
			findings := s.says()
			for _, part := range strings.Split(want, " … ") {
				if !strings.Contains(findings, part) {
					t.Errorf("%s: %q is not in\n%s", statement, part, findings)
				}
			}
			s.restore(statement)
			if findings := s.says(); findings != "" {
				t.Fatalf("restored after %s:\n%s", statement, findings)
			}
		}
	})
}

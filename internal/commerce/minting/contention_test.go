package minting_test

import (
	"fmt"
	"strconv"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// A thousand members want to buy at the same moment, through two nodes; there is enough for a hundred.
func TestTheSupplyIsNeverExceededAndNobodyPaysTwice(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	s := open(both[0], object{"perUserMintLimit": 1})
	asset := s.asset(object{"quantity": 100})
	const buyers = 1000
	for from := 0; from < buyers; from += 100 {
		var entries []object
		for i := from; i < from+100; i++ {
			entries = append(entries, apptest.Points(apptest.Wallet(i+1), 15))
		}
		s.Transact(entries...).OK()
	}
	answers := apptest.CallConcurrently(buyers, func(i int) apptest.Response {
		return both[i%2].Post(mintPath, s.order(asset, apptest.Wallet(i+1), nil))
	})
	apptest.CheckOutcomes(t, answers, 100, soldOut)
	same(t, "the asset", s.read(asset), object{"quantityMinted": number("100")})
	paid := 0
	for i, a := range answers {
		want := "15"
		if a.Status == 200 {
			want = "5"
			paid++
		}
		if i%25 == 0 || a.Status == 200 {
			if got := s.Balance(apptest.Wallet(i + 1)); got != want {
				t.Errorf("buyer %d, who was answered %d, has %s", i, a.Status, got)
			}
		}
	}
	if got := len(s.Get(statusPath + "?limit=1000").Data()); got != paid {
		t.Errorf("%d mints of %d buyers", got, paid)
	}
	s.Sound()
}

// One member orders many times at once: neither the points nor the limit nor the allowlist are exceeded.
func TestOneMemberAtOnceExceedsNothing(t *testing.T) { //nolint:tparallel // the servers are shared by its parts
	t.Parallel()
	both := apptest.Nodes(t)
	s := open(both[0], nil)
	for name, c := range map[string]struct {
		contract, asset object
		points, good    int
		refusal         string
	}{
		"points": {nil, object{"price": 10}, 75, 7, "Insufficient balance"},
		"limit":  {object{"perUserMintLimit": 4}, object{"price": 0}, 0, 4, "Mint limit per user reached"},
		"list":   {nil, object{"price": 0, "isAllowlisted": true}, 0, 3, "Allowlist quantity exceeded"},
		"stock":  {nil, object{"price": 0, "quantity": 9}, 0, 9, soldOut},
	} {
		s := open(s.Server, c.contract)
		asset := s.asset(c.asset)
		wallet := "member-" + name
		if c.points > 0 {
			s.rich(wallet, c.points)
		}
		s.Post(allowPath, object{"mintingContractAssetId": asset, "entries": []object{{"walletAddress": wallet, "quantity": 3}}}).OK()
		answers := apptest.CallConcurrently(60, func(i int) apptest.Response {
			return both[i%2].Post(mintPath, s.order(asset, wallet, nil))
		})
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // the servers are shared
			apptest.CheckOutcomes(t, answers, c.good, c.refusal)
			same(t, "the asset", s.read(asset), object{"quantityMinted": number(strconv.Itoa(c.good))})
			if c.points > 0 {
				if got := s.Balance(wallet); got != fmt.Sprint(c.points-10*c.good) {
					t.Errorf("a balance of %s", got)
				}
			}
		})
	}
	s.Sound()
}

package minting_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// chain is an operator's minting driver.
type chain struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []object
	header http.Header
	status int
	answer string
}

func newChain(t *testing.T) *chain {
	t.Helper()
	c := &chain{status: 200, answer: `{"signature":{"v":27,"r":"0x01"}}`}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		var in object
		_ = json.NewDecoder(r.Body).Decode(&in)
		c.calls, c.header = append(c.calls, in), r.Header.Clone()
		w.WriteHeader(c.status)
		_, _ = io.WriteString(w, c.answer)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *chain) says(status int, answer string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status, c.answer = status, answer
}

func (c *chain) called() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls)
}

func (c *chain) config(t *testing.T) app.Config {
	t.Helper()
	return app.Config{NoRateLimits: true, Dev: true,
		Minting: apptest.WriteConfig(t, `{"url":"`+c.URL+`/mints","headers":{"Authorization":"Bearer s3cret"}}`)}
}

var onchain = object{"contractKind": "ONCHAIN", "address": apptest.Carol, "network": "base"}

func eachChain(t *testing.T, f func(t *testing.T, s *shop, c *chain)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newChain(t)
		f(t, open(apptest.OpenAtNoon(t, address, c.config(t)), onchain), c)
	})
}

// carryOn carries mints on that are due.
func carryOn(s *apptest.Server) {
	s.T.Helper()
	if err := s.App.Minting.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

func (s *shop) status(mint object) object {
	s.T.Helper()
	return s.Get(statusPath + "/" + mint["id"].(string)).OK()
}

// stands demands what a balance and an asset have.
func (s *shop) stands(what, asset, balance, minted string) {
	s.T.Helper()
	if got, n := s.Balance(apptest.Alice), s.read(asset)["quantityMinted"]; got != balance || n != number(minted) {
		s.T.Errorf("%s: a balance of %s and %v minted, want %s and %s", what, got, n, balance, minted)
	}
}

func TestTheDriverSignsAndTheCallerReports(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		asset := s.asset(object{"quantity": 3, "tokenId": 9})
		s.rich(apptest.Alice, 30)
		m := s.minted(s.mint(asset, apptest.Alice, object{"quantity": 2}))
		same(t, "ordered", m, object{"status": "generatingSignature", "price": number("20"), "txHash": nil})
		s.stands("reserved", asset, "10", "0")
		s.mint(asset, apptest.Alice, object{"quantity": 2}).Refused(400, soldOut)
		carryOn(s.Server)
		m = s.status(m)
		same(t, "signed", m, object{"status": "minting"})
		if m["signature"].(object)["r"] != "0x01" {
			t.Errorf("signature %v", m["signature"])
		}
		same(t, "the request to the driver", c.calls[0], object{
			"idempotencyKey": m["id"], "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(),
			"mintingContractId": s.contract, "mintingContractAssetId": asset, "address": apptest.Carol, "network": "base",
			"chainId": 8453.0, "tokenType": "erc721", "tokenId": 9.0, "walletAddress": apptest.Alice, "quantity": 2.0,
			"price": "20", "paidInPoints": true, "userId": m["userId"],
			"expiresAt": strings.Replace(m["createdAt"].(string), "T12:", "T13:", 1),
		})
		if c.header.Get("Authorization") != "Bearer s3cret" || c.header.Get("Idempotency-Key") != m["id"] {
			t.Errorf("headers %v", c.header)
		}
		carryOn(s.Server)
		if c.called() != 1 {
			t.Errorf("%d calls", c.called())
		}
		one := statusPath + "/" + m["id"].(string)
		s.Post(one, object{"status": "minting"}).Refused(400, "status must be one of: failed, minted")
		s.Post(one, object{}).Refused(400, "status is required")
		if got := s.Post(one, object{"status": "minted", "txHash": "0xabc"}).OK(); got["message"] != "Success" {
			t.Errorf("reported: %v", got)
		}
		same(t, "minted", s.status(m), object{"status": "minted", "txHash": "0xabc"})
		s.stands("minted", asset, "10", "2")
		for _, again := range []string{"minted", "failed"} {
			s.Post(one, object{"status": again}).Refused(400, "Mint is already final")
		}
		s.Clock.Advance(2 * time.Hour)
		carryOn(s.Server)
		same(t, "later", s.status(m), object{"status": "minted"})
		s.Sound()
	})
}

func TestAFailedMintGivesEverythingBack(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.rich(apptest.Bob, 15)
		s.Post(contractsPath+"/"+s.contract, object{"perUserMintLimit": 1}).OK()
		asset := s.asset(object{"quantity": 1, "isAllowlisted": true})
		s.Post(allowPath, object{
			"mintingContractAssetId": asset, "entries": []object{{"walletAddress": apptest.Alice, "quantity": 1}},
		}).OK()
		s.rich(apptest.Alice, 5)
		for _, end := range []struct {
			name string
			fail func(m object)
			want object
		}{
			{"reported", func(m object) {
				s.Post(statusPath+"/"+m["id"].(string), object{"status": "failed"}).OK()
			}, object{"errorCode": nil}},
			{"refused", func(object) {
				c.says(422, `{"message":"No gas"}`)
				carryOn(s.Server)
				c.says(200, `{"status":"pending"}`)
			}, object{"errorCode": number("422"), "errorMessage": "No gas"}},
			{"timed out", func(object) {
				for range 70 {
					s.Clock.Advance(time.Minute)
					carryOn(s.Server)
				}
			}, object{"errorCode": number("408"), "errorMessage": "Mint timed out"}},
		} {
			m := s.minted(s.mint(asset, apptest.Alice, nil))
			if got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob); got != "0 10" {
				t.Fatalf("%s: paid, the balances are %s", end.name, got)
			}
			end.fail(m)
			same(t, end.name, s.status(m), apptest.Over(object{"status": "failed"}, end.want))
			if got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob); got != "5 15" {
				t.Errorf("%s: the balances are %s", end.name, got)
			}
			s.Post(statusPath+"/"+m["id"].(string), object{"status": "failed"}).Refused(400, "Mint is already final")
		}
		c.says(200, `{"status":"minted","txHash":"0x1","relayerTxId":"r1"}`)
		m := s.minted(s.mint(asset, apptest.Alice, nil)) // neither limit nor stock nor allowlist was used up
		carryOn(s.Server)
		same(t, "minted by the driver", s.status(m), object{"status": "minted", "txHash": "0x1", "relayerTxId": "r1"})
		s.mint(asset, apptest.Alice, nil).Refused(400, "Allowlist quantity exceeded")
		s.Sound()
	})
}

// What a failed mint gives back expires on the day on which it would have expired unspent.
func TestAFailedMintGivesBackPointsWithTheirExpiry(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		s.SetPointLifetime(30, 0)
		s.rich(apptest.Alice, 30)
		s.Clock.Advance(30*apptest.Day - 2*time.Hour)
		m := s.minted(s.mint(s.asset(nil), apptest.Alice, nil))
		s.Post(statusPath+"/"+m["id"].(string), object{"status": "failed"}).OK()
		s.AdvanceAndExpire(3 * time.Hour)
		if got := s.Balance(apptest.Alice); got != "0" {
			t.Errorf("the balance is %s, want 0", got)
		}
		s.Sound()
	})
}

// failed gives points and stock back, so members only say that they have minted.
func TestMembersReportMintedOnly(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		asset := s.asset(object{"quantity": 3})
		s.rich(apptest.Alice, 30)
		token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
		m := s.minted(s.mint(asset, apptest.Alice, nil))
		carryOn(s.Server)
		report := func(status string) apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", statusPath+"/"+m["id"].(string), object{"status": status}, token...)
		}
		report("failed").Refused(400, "Only a secret key can report failed")
		same(t, "refused", s.status(m), object{"status": "minting"})
		s.stands("refused", asset, "20", "0")
		report("minted").OK()
		report("failed").Refused(400, "Only a secret key can report failed")
		s.stands("minted", asset, "20", "1")
		s.Sound()
	})
}

func TestADriverThatIsDownIsAskedAgain(t *testing.T) {
	t.Parallel()
	eachChain(t, func(t *testing.T, s *shop, c *chain) {
		asset := s.asset(object{"price": 0})
		for _, bad := range []struct {
			status int
			body   string
		}{{500, ""}, {200, "x"}, {200, `{"status":"signed"}`}, {200, `{"status":"done"}`}} {
			c.says(bad.status, bad.body)
			m := s.minted(s.mint(asset, apptest.Alice, nil))
			carryOn(s.Server)
			same(t, bad.body, s.status(m), object{"status": "generatingSignature", "errorMessage": nil})
			c.says(200, `{"status":"signed","signature":"0x02"}`)
			s.Clock.Advance(time.Minute)
			carryOn(s.Server)
			same(t, "then", s.status(m), object{"status": "minting", "signature": "0x02"})
		}
	})
}

func TestWithoutADriverNothingIsMintedOnBlockchains(t *testing.T) {
	t.Parallel()
	each(t, onchain, func(t *testing.T, s *shop) {
		asset := s.asset(nil)
		s.mint(asset, apptest.Alice, nil).Refused(400, "Minting is not configured") // before Insufficient balance
		s.Post(contractsPath+"/"+s.contract, object{"shouldCollectEmail": true}).OK()
		s.mint(asset, apptest.Alice, nil).Refused(400, "Email is required")
	})
}

// The mints of an hour time out on two nodes at once, while their member reports them.
func TestEveryMintEndsOnceOnTwoNodes(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	both, _ := apptest.NodesWith(t, c.config(t))
	s := open(both[0], onchain)
	asset := s.asset(object{"price": 1, "quantity": 40})
	s.rich(apptest.Alice, 40)
	var mints []object
	for range 40 {
		mints = append(mints, s.minted(s.mint(asset, apptest.Alice, nil)))
	}
	s.stands("ordered", asset, "0", "0")
	for range 6 {
		carryOn(s.Server)
	}
	for _, node := range both {
		node.Clock.Advance(time.Hour)
	}
	token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
	var wg sync.WaitGroup
	reported := make([]apptest.Response, len(mints))
	for n := range 2 {
		wg.Go(func() {
			for range 6 {
				_ = both[n].App.Minting.RunDue(context.Background())
			}
		})
	}
	for i, m := range mints {
		wg.Go(func() {
			at := statusPath + "/" + m["id"].(string)
			reported[i] = both[i%2].Call(s.ClientAPIKey, "POST", at, object{"status": "minted"}, token...)
		})
	}
	wg.Wait()
	minted := 0
	for i, a := range reported {
		want := "failed"
		if a.Status == 200 {
			minted++
			want = "minted"
		} else {
			a.Refused(400, "Mint is already final")
		}
		same(t, "in the end", s.status(mints[i]), object{"status": want})
	}
	want := 40 - minted
	if got := apptest.Number(s.read(asset)["quantityMinted"]); got != minted || s.Balance(apptest.Alice) != strconv.Itoa(want) {
		t.Errorf("%d of %d minted, a balance of %s", got, minted, s.Balance(apptest.Alice))
	}
	s.Sound()
}

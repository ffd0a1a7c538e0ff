package claims_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestATokenClaimIsMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := token(s)
		made := s.Post(path, object{"name": "Season one", "contractId": contract}).OK()
		id := made["id"].(string)
		for name, want := range (object{
			"name": "Season one", "erc20Decimals": json.Number("18"), "csvUrl": nil, "dataJobId": nil, "isDraft": true,
			"claimContractAddress": nil, "stakingContractAddress": nil, "relayerId": nil, "startTime": nil, "endTime": nil,
			"geoBlock": []any{}, "claimAndStake": false, "isStakingOptional": false, "multiplier": json.Number("1"),
			"maxBonus": json.Number("0"), "stakingContractType": nil, "totalAllocatedAmount": json.Number("0"),
			"totalClaimedAmount": json.Number("0"), "totalWalletsAllocated": json.Number("0"), "merkleRoot": nil,
			"contract": object{
				"id": contract, "address": "0x00000000000000000000000000000000000c0113", "chainId": json.Number("8453"),
				"name": "Shop token",
			},
		}) {
			if !reflect.DeepEqual(made[name], want) {
				t.Errorf("%s is %v, want %v", name, made[name], want)
			}
		}
		for _, key := range []string{s.ReadOnlyAPIKey, s.ClientAPIKey} { // a draft is not there
			s.Call(key, "GET", path+"/"+id, nil).Refused(404, "Token claim not found")
			s.Call(key, "GET", path+"/"+id+"/eligibility?walletAddress="+alice, nil).Refused(404, "Token claim not found")
			if got := s.Call(key, "GET", path, nil).Data(); len(got) != 0 {
				t.Errorf("drafts are listed: %v", got)
			}
		}
		changed := s.Post(path+"/"+id, object{
			"name": "Season 1", "isDraft": false, "geoBlock": []any{"de", "FR", "DE"}, "claimContractAddress": bob,
			"startTime": "2026-01-15T12:00:00Z", "endTime": "2026-02-15T12:00:00Z", "minPercentageToStake": 12.5,
			"stakingContractType": "linear", "contractId": apptest.UnknownID,
		}).OK()
		if changed["name"] != "Season 1" || !reflect.DeepEqual(changed["geoBlock"], []any{"DE", "FR"}) ||
			changed["minPercentageToStake"] != json.Number("12.5") || changed["contract"].(object)["id"] != contract {
			t.Errorf("changed to %v", changed)
		}
		if got := s.Call(s.ClientAPIKey, "GET", path+"?contractId="+contract, nil).Data(); len(got) != 1 {
			t.Errorf("lists %v", got)
		}
		if got := s.Get(path + "?contractId=" + apptest.UnknownID).Data(); len(got) != 0 {
			t.Errorf("lists %v", got)
		}
		remove := func(what string) apptest.Response { return s.Call(s.WebsiteAPIKey, "DELETE", what, nil) }
		remove("/api/contracts/"+contract).Refused(400, "Contract is used by a rule")
		if gone := remove(path + "/" + id).OK(); gone["deletedAt"] == nil {
			t.Error(gone)
		}
		remove(path+"/"+id).Refused(404, "Token claim not found")
		remove("/api/contracts/" + contract).OK()
	})
}

func TestBadTokenClaimsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := token(s)
		art := s.Post("/api/contracts", object{
			"name": "Art", "address": alice, "chainId": 1, "type": "erc721",
		}).Created()["id"]
		for _, c := range []struct {
			change        object
			path, message string
		}{
			{object{"name": nil}, "name", "name is required"},
			{object{"contractId": nil}, "contractId", "contractId is required"},
			{object{"contractId": art}, "contractId", "contractId must name a contract of type erc20"},
			{object{"erc20Decimals": 37}, "erc20Decimals", "erc20Decimals must be between 0 and 36"},
			{object{"csvUrl": "nonsense"}, "csvUrl", "csvUrl must be a valid url"},
			{object{"csvUrl": "https://127.0.0.1/a.csv"}, "csvUrl", "csvUrl must not point to a private address"},
			{object{"geoBlock": []any{"UK"}}, "geoBlock.0", "geoBlock.0 must be a country code of ISO 3166 alpha-2"},
			{object{"startTime": "2026-02-01", "endTime": "2026-01-01"}, "endTime", "endTime must be after startTime"},
			{object{"minPercentageToStake": 101}, "minPercentageToStake", "minPercentageToStake must be between 0 and 100"},
			{object{"multiplier": -1}, "multiplier", "multiplier must be at least 0"},
			{object{"stakingContractType": "loop"}, "stakingContractType", "stakingContractType must be one of: linear, timelock"},
		} {
			body := object{"name": "Season", "contractId": contract}
			for name, value := range c.change {
				body[name] = value
			}
			a := s.Post(path, body)
			faults, hasErrors := a.Refused(400, c.message)["errors"].([]any)
			if !hasErrors || faults[0].(object)["path"] != c.path {
				t.Errorf("%v: %s", c.change, a.Body)
			}
		}
		s.Post(path, object{"name": "Season", "contractId": apptest.UnknownID}).Refused(404, "Contract not found")
		if got := s.Get(path).Data(); len(got) != 0 {
			t.Errorf("refused claims were kept: %v", got)
		}
	})
}

const rows = "walletAddress,amount\n" +
	alice + ",1\n" + // replaced by a later row
	bob + ",0.000000000000000001\n" +
	"cust_1001,5\n" + // no address
	carol + ",0\n" +
	carol + ",1.0000000000000000001\n" + // too many places
	carol + ",many\n" +
	"0x00000000000000000000000000000000000A11CE,1000000000000000000000.5\n"

func TestAListIsReadIntoATreeThatProvesEachWallet(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, rows, nil)
		status, message := job(s, id)
		if want := "4 of 7 rows were skipped: row 4: walletAddress must be 0x and 40 hexadecimal digits; " +
			"row 5: amount must be above 0; row 6: amount must have at most 18 decimal places; row 7: amount must be a number. " +
			"1 rows were replaced by a later row of the same wallet"; status != "complete" || message != want {
			t.Errorf("%s: %s", status, message)
		}
		whole := s.Get(path + "/" + id).OK()
		if apptest.Spaced(whole["totalAllocatedAmount"], whole["totalAllocation"], whole["totalWalletsAllocated"], whole["walletAddress"],
			whole["proof"]) != "1000000000000000000000.500000000000000001 1000000000000000000000.500000000000000001 2 <nil> <nil>" {
			t.Errorf("%v", whole)
		}
		proves(t, s, id, alice, "1000000000000000000000500000000000000000")
		proves(t, s, id, bob, "1")
		of := s.Call(s.ClientAPIKey, "GET", path+"/"+id+"?walletAddress="+alice, nil).OK()
		if of["totalAllocation"] != "1000000000000000000000.5" || of["walletAddress"] != alice || len(of["proof"].([]any)) != 1 ||
			of["tokenClaimId"] != id || of["csvUrl"] != nil {
			t.Errorf("%v", of)
		}
		s.Get(path+"/"+id+"/proof?walletAddress="+carol).Refused(404, "Wallet has no allocation")
		none := s.Get(path + "/" + id + "?walletAddress=" + carol).OK()
		if none["totalAllocation"] != "0" || none["walletAddress"] != carol || none["proof"] != nil {
			t.Errorf("%v", none)
		}
		// one leaf: the root is the leaf, and its proof is empty
		single := claimOf(s, bob+",7\n", object{"erc20Decimals": 0, "contractId": whole["contract"].(object)["id"]})
		proves(t, s, single, bob, "7")
		if got := s.Get(path + "/" + single + "/proof?walletAddress=" + bob).OK()["proof"].([]any); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
}

func TestAClaimIsReportedOnceAndInItsWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		day := 24 * time.Hour
		id := claimOf(s, alice+",2.5\n"+bob+",1\n", object{
			"startTime": apptest.Noon.Add(day), "endTime": apptest.Noon.Add(2 * day), "claimContractAddress": carol,
		})
		eligible := func(wallet string) object {
			return s.Call(s.ClientAPIKey, "GET", path+"/"+id+"/eligibility?walletAddress="+wallet, nil).OK()
		}
		report(s, id, alice).Refused(400, "Token claim has not started yet")
		if eligible(alice)["eligible"] != false {
			t.Error("eligible before the start")
		}
		s.Clock.Advance(day)
		if got := eligible(alice); got["eligible"] != true || got["amount"] != "2.5" || got["alreadyClaimed"] != false ||
			got["claimContractAddress"] != carol || got["tokenClaimId"] != id || len(got["stakes"].([]any)) != 0 {
			t.Errorf("%v", got)
		}
		report(s, id, carol).Refused(400, "Wallet has no allocation")
		for _, body := range []object{{"txHash": hash}, {"walletAddress": alice}, {"walletAddress": alice, "txHash": "0x12"}} {
			if a := s.Post(path+"/"+id+"/claim", body); a.Status != 400 {
				t.Errorf("%v: %d", body, a.Status)
			}
		}
		var all sync.WaitGroup
		answers := make([]apptest.Response, 6)
		for i := range answers {
			all.Go(func() { answers[i] = report(s, id, "0x"+strings.ToUpper(alice[2:])) })
		}
		all.Wait()
		taken := 0
		for _, a := range answers {
			if a.Status != 200 {
				a.Refused(400, "Already claimed")
				continue
			}
			taken++
			if data := a.OK()["data"].(object); data["totalAllocation"] != "2.5" || data["walletAddress"] != alice || data["claimedAt"] == nil {
				t.Errorf("%v", data)
			}
		}
		whole := s.Get(path + "/" + id).OK()
		if taken != 1 || whole["totalClaimedAmount"] != json.Number("2.5") {
			t.Errorf("%d claims, %v", taken, whole)
		}
		if got := eligible(alice); got["eligible"] != false || got["alreadyClaimed"] != true || got["claimedAt"] == nil {
			t.Errorf("%v", got)
		}
		// bob's page shows his token, and he is known by then
		s.Call(s.ClientAPIKey, "POST", path+"/"+id+"/claim", object{"walletAddress": bob, "txHash": hash}).
			Refused(403, "Member token is required")
		bearer := "Bearer " + s.Token(bob)
		s.Call(s.ClientAPIKey, "POST", path+"/"+id+"/claim", object{"walletAddress": alice, "txHash": hash}, "Authorization", bearer).
			Refused(403, "Member token does not belong to this user")
		s.Clock.Advance(day)
		report(s, id, bob).Refused(400, "Token claim has ended")
		s.Post(path+"/"+id, object{"endTime": nil}).OK()
		s.Call(s.ClientAPIKey, "POST", path+"/"+id+"/claim", object{"walletAddress": bob, "txHash": hash}, "Authorization", "Bearer "+s.Token(bob)).OK()
	})
}

func TestAListIsFrozenOnceSomebodyHasClaimed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, alice+",1\n", object{"erc20Decimals": 6})
		list := s.Get(path + "/" + id).OK()["csvUrl"]
		root := func() any { return s.Get(path + "/" + id).OK()["merkleRoot"] }
		first := root()
		s.Post(path+"/"+id, object{"csvUrl": s.Upload("two.csv", alice+",2\n"+bob+",1\n")}).OK()
		if root() != nil { // the former list is of another address
			t.Error("a list that was replaced counts")
		}
		report(s, id, alice).Refused(400, "Wallet has no allocation")
		readAll(s)
		second := root()
		if second == nil || second == first {
			t.Errorf("%v after %v", second, first)
		}
		// named again, the same list is read again, and counts on meanwhile
		same := s.Post(path+"/"+id, object{"csvUrl": s.Get(path + "/" + id).OK()["csvUrl"]}).OK()
		if same["merkleRoot"] != second {
			t.Errorf("%v", same)
		}
		report(s, id, bob).OK()
		readAll(s) // of before the claim
		if status, message := job(s, id); status != "failed" || message != "Token claim has claims already" || root() != second {
			t.Errorf("%s: %s", status, message)
		}
		for _, change := range []object{{"csvUrl": list}, {"csvUrl": nil}, {"erc20Decimals": 7}} {
			s.Post(path+"/"+id, change).Refused(400, "Token claim has claims already")
		}
		s.Post(path+"/"+id, object{"csvUrl": same["csvUrl"], "erc20Decimals": 6, "name": "Season 2"}).OK()
		if root() != second {
			t.Error("the list has changed")
		}
	})
}

func TestListsThatAreNoneFail(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := token(s)
		for lines, want := range map[string]string{
			"":                           "File has no good row",
			"walletAddress\n" + alice:    "File has no column amount",
			"<html>":                     "File is a page, not a list",
			"cust_1,1\n" + alice + ",-1": "File has no good row. 2 of 2 rows were skipped: row 1: walletAddress must be 0x and 40 hexadecimal digits; row 2: amount must be above 0",
		} {
			if lines == "" {
				lines = "walletAddress,amount\n"
			}
			id := claimOf(s, lines, object{"contractId": contract})
			if status, message := job(s, id); status != "failed" || message != want {
				t.Errorf("%q: %s: %s", lines, status, message)
			}
			report(s, id, alice).Refused(400, "Wallet has no allocation")
		}
	})
}

func TestWalletsAreListedByAmountAndByTheirClaims(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, alice+",2\n"+bob+",10\n"+carol+",3\n"+apptest.Wallet(7)+",3\n", nil)
		report(s, id, carol).OK()
		s.Clock.Advance(time.Minute)
		report(s, id, alice).OK()
		a, b, c, d := alice, bob, carol, apptest.Wallet(7)
		for query, want := range map[string][]string{
			"?":                                {b, d, c, a},
			"?sortOrder=asc&":                  {a, c, d, b},
			"?sortBy=claimedAt&":               {a, c, b, d},
			"?sortBy=claimedAt&sortOrder=asc&": {c, a, b, d},
			"?walletAddress=" + c + "&":        {c},
		} {
			var got []string
			after := ""
			for range 5 { // page by page
				page := s.Get(path + "/" + id + "/users" + query + "limit=1" + after).OK()
				for _, one := range page["data"].([]any) {
					user := one.(object)["user"].(object)
					got = append(got, user["walletAddress"].(string))
					after = "&startingAfter=" + one.(object)["id"].(string)
					known := user["walletAddress"] == a || user["walletAddress"] == c
					if (user["id"] != nil) != known || (one.(object)["claimedAt"] != nil) != known {
						t.Errorf("%v", one)
					}
				}
				if page["hasNextPage"] == false {
					break
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s lists %v, want %v", query, got, want)
			}
		}
		if all := s.Get(path + "/" + id + "/users").Data(); all[0]["amount"] != "10" || len(all) != 4 {
			t.Errorf("%v", all)
		}
		s.Get(path+"/"+id+"/users?startingAfter="+id).Refused(400, "startingAfter not found")
	})
}

func TestACountryIsBelievedFromATrustedProxyAlone(t *testing.T) {
	t.Parallel()
	for proxy, blocked := range map[string]bool{"127.0.0.1/32": true, "192.0.2.0/24": false} {
		config := app.Config{NoRateLimits: true, CountryHeader: "X-Country", TrustedProxies: []string{proxy}}
		apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
			id := claimOf(s, alice+",1\n", object{"geoBlock": []any{"DE"}})
			for country, eligible := range map[string]bool{"": true, "FR": true, "de": !blocked, "FR, DE": !blocked} {
				got := s.Call(s.ClientAPIKey, "GET", path+"/"+id+"/eligibility?walletAddress="+alice, nil, "X-Country", country).OK()
				if got["eligible"] != eligible {
					t.Errorf("from %q by %s: %v", country, proxy, got)
				}
			}
		})
	}
}

func TestSubscriptionsAreToldOfTokenClaims(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		r := apptest.NewReceiver(t)
		s.Subscribe(r.URL, nil, "TokenClaim")
		id := claimOf(s, alice+",2.5\n", nil)
		s.Post(path+"/"+id, object{"name": "Season 2"}).OK() // tells nobody
		report(s, id, alice).OK()
		s.DeliverEvents()
		received := map[string]object{}
		for _, call := range r.TakeCalls() {
			var body object
			if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
				t.Fatal(err)
			}
			received[body["type"].(string)] = body["data"].(object)
		}
		claim, _ := received["TokenClaim.updated"]["claim"].(object)
		if len(received) != 2 || received["TokenClaim.created"]["claim"] != nil || received["TokenClaim.created"]["id"] != id ||
			claim["walletAddress"] != alice || claim["amount"] != "2.5" || claim["txHash"] != hash || claim["claimedAt"] == nil {
			t.Errorf("%v", received)
		}
	})
}

func TestAListIsReadOnWhereItsReaderStopped(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		var lines strings.Builder
		for i := range 9000 {
			fmt.Fprintf(&lines, "0x%040x,%d\n", 0xabc000+i, i+1)
		}
		made := s.Post(path, object{
			"name": "Season", "contractId": token(s), "isDraft": false, "csvUrl": s.Upload("long.csv", lines.String()),
		}).OK()
		id := made["id"].(string)
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		s.Clock.OnRead(func() bool {
			if db.Count("token_claim_allocations") < 4000 {
				return true
			}
			stop() // the node is stopping in the middle of it
			return false
		})
		_, _ = s.App.Claims.RunDue(ctx)
		if at := db.Count("token_claim_allocations"); at < 4000 || at >= 9000 {
			t.Fatalf("it was stopped at %d", at)
		}
		report(s, id, apptest.Wallet(0xabc000)).Refused(400, "Wallet has no allocation") // half a list is none
		readAll(s)
		if status, message := job(s, id); status != claims.Complete || message != "" || db.Count("token_claim_allocations") != 9000 {
			t.Errorf("%s: %s", status, message)
		}
		for _, i := range []int{0, 1, 4000, 8999} {
			proves(t, s, id, apptest.Wallet(0xabc000+i), fmt.Sprint(i+1)+strings.Repeat("0", 18))
		}
		// a list that counts no more is removed
		s.Post(path+"/"+id, object{"csvUrl": nil}).OK()
		if err := s.App.Claims.Forget(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := db.Count("token_claim_allocations") + db.Count("token_claim_blocks"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func TestListsOfDeletedTokenClaimsAreRemovedUnlessSomebodyHasClaimed(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		contract := token(s)
		for claimed, want := range map[bool]int{false: 2, true: 0} {
			id := claimOf(s, alice+",1\n"+bob+",1\n", object{"contractId": contract})
			if claimed {
				report(s, id, alice).OK()
			}
			before := db.Count("token_claim_allocations")
			s.Call(s.WebsiteAPIKey, "DELETE", path+"/"+id, nil).OK()
			if err := s.App.Claims.Forget(context.Background()); err != nil {
				t.Fatal(err)
			}
			if gone := before - db.Count("token_claim_allocations"); gone != want {
				t.Errorf("claimed %v: %d rows were removed, want %d", claimed, gone, want)
			}
		}
	})
}

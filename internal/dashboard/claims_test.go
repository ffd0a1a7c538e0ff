package dashboard_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

const claimsPath = "/api/token_claims"

// readClaimLists reads the lists of token claims that are due.
func readClaimLists(s *apptest.Server) {
	s.T.Helper()
	for range 100 {
		n, err := s.App.Claims.RunDue(s.T.Context())
		if err != nil {
			s.T.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	s.T.Fatal("lists never end")
}

// registerToken registers a token and returns the id of its minting contract.
func registerToken(s *apptest.Server) string {
	s.T.Helper()
	return s.Post("/api/contracts", object{
		"name": "Shop <b>", "address": apptest.Wallet(77), "chainId": 8453, "type": "erc20",
	}).Created()["id"].(string)
}

// createClaim makes a token claim that everybody sees.
func createClaim(s *apptest.Server, changes object) string {
	s.T.Helper()
	body := apptest.Over(object{"name": "Season <i>", "isDraft": false}, changes)
	if body["contractId"] == nil {
		body["contractId"] = registerToken(s)
	}
	return s.Post(claimsPath, body).OK()["id"].(string)
}

func reportClaim(s *apptest.Server, id, wallet string) {
	s.T.Helper()
	s.Post(claimsPath+"/"+id+"/claim", object{"walletAddress": wallet, "txHash": "0x" + strings.Repeat("ab", 32)}).OK()
}

func TestATokenClaimIsMadeByItsForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/claims")).Shows(200, "No token claims yet", "Create token claim")
		page := b.Get(b.Site("/claims/new")).Shows(200, "Register a token")
		form := formOn(page)
		register := with(form, "name", "Season typed", "geoBlock", "de", "contractName", "Shop <b>", "contractAddress", "0x1")
		b.Post(b.Site("/claims/contracts"), register...).Shows(400, `href="#f-contractAddress"`, `href="#f-contractNetwork"`,
			"Must be 0x and 40 hexadecimal digits", "Network: Is required", "Shop <b>", "Season typed")
		register = with(form, "name", "Season typed", "geoBlock", "de", "contractName", "Shop <b>",
			"contractAddress", apptest.Wallet(77), "contractNetwork", "base")
		page = b.Post(b.Site("/claims/contracts"), register...).
			Shows(200, "Token registered", "Shop <b>, base, 0x00000…0004d")
		b.Post(b.Site("/claims/contracts"), register...).Shows(400, "Contract already exists")
		contract := regexp.MustCompile(`<option value="([0-9a-f-]{36})" selected`).FindStringSubmatch(page.Body)[1]

		typed := formOn(page)
		if typed.Get("name") != "Season typed" || typed.Get("geoBlock") != "DE" || typed.Get("contractId") != contract ||
			typed.Get("erc20Decimals") != "18" || typed.Get("isDraft") != "on" || typed.Get("contractName") != "" {
			t.Errorf("after the token is registered, the form holds %v", typed)
		}
		form.Set("contractId", contract)
		b.Post(b.Site("/claims?form"), with(form, "contractId", "", "geoBlock", "de, UK", "endTime", "2020-01-01T00:00",
			"startTime", "2026-01-01T00:00", "multiplier", "much", "relayerId", "x")...).
			Shows(400, `href="#f-relayerId"`, `href="#f-multiplier"`, "Must be a number such as 12.5", "DE UK")
		b.Post(b.Site("/claims?form"), with(form, "contractId", "", "geoBlock", "de, UK", "endTime", "2020-01-01T00:00",
			"startTime", "2026-01-01T00:00")...).
			Shows(400, `href="#f-name"`, `href="#f-contractId"`, `href="#f-geoBlock"`, `href="#f-endTime"`,
				"UK must be a two-letter country code", "Must be after startTime")
		if n := len(s.Get(claimsPath).Data()); n != 0 {
			t.Fatalf("%d token claims by forms that were refused", n)
		}
		ready := with(form, "name", "Season <i>", "erc20Decimals", "6", "geoBlock", "de, fr de",
			"startTime", "2026-01-01T00:00", "endTime", "2027-01-01T00:00", "claimContractAddress", apptest.Wallet(9),
			"claimAndStake", "on", "minPercentageToStake", "12.5", "stakingContractType", "linear")
		made := b.Post(b.Site("/claims?form"), ready...)
		made.FollowsTo(b.Site("/claims/")).
			Shows(200, "Token claim created", "Season <i>", "Draft", "Shop <b> on base", "DE, FR", "Upload the list", "No wallets yet")
		b.Post(b.Site("/claims?form"), ready...).FollowsTo(made.Location).Shows(200, "applied only once")
		got := s.Get(claimsPath).Data()
		if len(got) != 1 || got[0]["erc20Decimals"] != apptest.JSONNumber("6") || got[0]["isDraft"] != true ||
			got[0]["claimAndStake"] != true || got[0]["minPercentageToStake"] != apptest.JSONNumber("12.5") ||
			got[0]["startTime"] != "2026-01-01T00:00:00.000Z" || got[0]["stakingContractType"] != "linear" {
			t.Errorf("made %v", got)
		}
		b.Get(b.Site("/claims")).Shows(200, "Season <i>", "Draft", "No list yet")
	})
}

func TestSettingsOfATokenClaimChangeWhatWasChanged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		list := s.Upload("list.csv", apptest.Alice+",1.5\n")
		id := createClaim(s, object{"csvUrl": list, "startTime": "2026-01-01T00:00:30Z"})
		readClaimLists(s)
		address := b.Site("/claims/" + id + "/settings")
		page := b.Get(address).Shows(200, "Settings for “Season <i>”", "You can’t change the token.").Hides("Register a token")
		late := with(formOn(page), "geoBlock", "FR")
		b.Post(address, with(formOn(page), "name", "<b>New</b>", "isDraft", "on", "multiplier", "2")...).
			FollowsTo(b.Site("/claims/"+id)).Shows(200, "Changes saved.", "<b>New</b>", "Draft").Hides("read again.")
		now := s.Get(claimsPath + "/" + id).OK()
		if now["startTime"] != "2026-01-01T00:00:30.000Z" || now["merkleRoot"] == nil || now["csvUrl"] != list {
			t.Errorf("a change of the name changed more: %v", now)
		}
		conflict := b.Post(address, late...).
			Shows(400, "Someone else changed this while you were editing", "<b>New</b>", "Overwrite their changes")
		b.Post(address, with(formOn(conflict))...).FollowsTo(b.Site("/claims/"+id)).Shows(200, "FR", "Open").Hides("<b>New</b>")
		page = b.Get(address)
		b.Post(address, with(formOn(page), "erc20Decimals", "99")...).
			Shows(400, `href="#f-erc20Decimals"`, "Must be between 0 and 36")
		b.Post(address, with(formOn(page), "startTime", "", "erc20Decimals", "6")...).
			FollowsTo(b.Site("/claims/"+id)).Shows(200, "The list is being imported again.", "Pending")
		readClaimLists(s)
		if now := s.Get(claimsPath + "/" + id).OK(); now["startTime"] != nil || now["totalAllocatedAmount"] != apptest.JSONNumber("1.5") {
			t.Errorf("saved %v", now)
		}
		reportClaim(s, id, apptest.Alice)
		page = b.Get(address)
		b.Post(address, with(formOn(page), "erc20Decimals", "8")...).Shows(400, "Token claim has claims already")

		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(403, "change rules, groups, chains, badges, questions, the store, token claims")
		v.Post(address, late...).Shows(403)
		v.Get(b.Site("/claims/"+id)).Shows(200, "Season <i>", "Merkle root", "Claimed").
			Hides(id+"/settings", id+"/delete", id+"/list", list)
		del := b.Site("/claims/" + id + "/delete")
		v.Post(del).Shows(403)
		b.Get(del).Shows(200, "1 wallet has claimed 1.5")
		b.Post(del).FollowsTo(b.Site("/claims")).Shows(200, "Season <i> deleted", "No token claims yet")
		b.Post(del).Shows(404)
		b.Get(address).Shows(404, "Token claim not found")
	})
}

func TestTheListOfATokenClaimIsUploadedAndRead(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		maren := s.User(apptest.Alice, object{"displayName": "Maren <u>"})
		id := createClaim(s, nil)
		address := b.Site("/claims/" + id)
		b.PostFile(address+"/list", "file", "page.csv", "<html>").Shows(400, `href="#f-file"`, "File: Is a page, not a list")
		if s.Get(claimsPath + "/" + id).OK()["csvUrl"] != nil {
			t.Error("a page became the list")
		}
		page := b.PostFile(address+"/list", "file", "list.csv", "walletAddress,amount\n"+apptest.Alice+",1000.25\nnobody,1\n"+
			apptest.Bob+",0\n"+apptest.Wallet(3)+",1\n"+apptest.Wallet(3)+",2\n"+apptest.Wallet(4)+",997.75\n").
			FollowsTo(address).Shows(200, "The list is being imported", `hx-trigger="every 2s"`, "Pending", "Refresh")
		page.Hides("skipped rows")
		readClaimLists(s)
		page = b.Get(address).Shows(200, "Open", "2,000</span> Shop <b>", "0 of 3 wallets", "Merkle root", "Complete",
			"6 rows read: 2 skipped, 1 replaced", "The first 2 skipped rows", "Row 3: walletAddress must be 0x",
			"No claims yet", "Replace the list").Hides("every 2s")
		root := s.Get(claimsPath + "/" + id).OK()["merkleRoot"].(string)
		page.Shows(200, root)
		reportClaim(s, id, apptest.Alice)
		b.Get(address).Shows(200, "1,000.25</b> of", `<progress value="50" max="100"`, "1 of 3 wallets",
			"Maren <u>", b.Site("/members/"+maren), "You can no longer replace the list", "0xababa…babab").Hides("No claims yet")
		b.Get(address+"?tab=all").Shows(200, "997.75", "Not yet", "Largest first")
		b.PostFile(address+"/list", "file", "list.csv", apptest.Bob+",1\n").Shows(400, "Token claim has claims already")
		b.Get(b.Site("/claims")).Shows(200, `<progress value="50" max="100"`, "1,000.25 of 2,000")

		one := b.Get(address+"?wallet="+apptest.Wallet(4)).Shows(200, "Can claim 997.75", "Proof, 2 hashes", `"0x`)
		proof := s.Get(claimsPath + "/" + id + "/proof?walletAddress=" + apptest.Wallet(4)).OK()["proof"].([]any)
		one.Shows(200, proof[0].(string), proof[1].(string))
		b.Get(address+"?wallet="+apptest.Alice).Shows(200, "Can’t claim now", "This wallet has already claimed.", "Maren <u>")
		b.Get(address+"?wallet=nobody").Shows(200, "Can’t claim now", "This wallet isn’t on the list.")
		if rows := csvRows(b.Get(address + "/wallets.csv")); len(rows) != 2 ||
			!slices.Equal(rows[1][:4], []string{apptest.Alice, maren, "Maren <u>", "1000.25"}) {
			t.Errorf("the file of claims: %q", rows)
		}
		if rows := csvRows(b.Get(address + "/wallets.csv?tab=all")); len(rows) != 4 || rows[2][0] != apptest.Wallet(4) {
			t.Errorf("the file of wallets: %q", rows)
		}
		if rows := csvRows(b.Get(b.Site("/claims/claims.csv"))); len(rows) != 2 || rows[1][4] != "base" || rows[1][9] != "1000.25" {
			t.Errorf("the file of token claims: %q", rows)
		}
		b.Get(b.Site("/activity")).Shows(403)
		s.SignInAdmin(tenancy.RoleSuperAdmin).Get(b.Site("/activity")).Shows(200, "Uploaded the list of a token claim")

		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		for _, path := range []string{"", "/wallets.csv", "/settings", "/delete"} {
			c.Get("/admin/"+other.WebsiteID.String()+"/claims/"+id+path).Shows(404, "Token claim not found")
		}
		for _, path := range []string{"/settings", "/list", "/list/read", "/delete"} {
			c.Post("/admin/"+other.WebsiteID.String()+"/claims/"+id+path).Shows(404, "Token claim not found")
		}
		c.Get("/admin/"+other.WebsiteID.String()+"/claims").Shows(200, "No token claims yet")
	})
}

func TestClaimsAreListedPageByPageAndAFailedListIsReadAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		var lines strings.Builder
		for n := range 45 {
			lines.WriteString(apptest.Wallet(n+1) + "," + strconv.Itoa(n+1) + "\n")
		}
		id := createClaim(s, object{"csvUrl": s.Upload("list.csv", lines.String())})
		readClaimLists(s)
		for n := range 30 {
			reportClaim(s, id, apptest.Wallet(n+1))
		}
		address := b.Site("/claims/" + id)
		older := regexp.MustCompile(`href="([^"]+startingAfter[^"]+)" rel="next"`)
		for _, step := range []struct {
			path   string
			counts []int
		}{{address, []int{20, 10}}, {address + "?tab=all", []int{20, 20, 5}}} {
			next := step.path
			for i, want := range step.counts {
				page := b.Get(next).Shows(200)
				if got := strings.Count(page.Body, `<td class="t">`); got != want {
					t.Errorf("page %d of %s has %d wallets, want %d", i+1, step.path, got, want)
				}
				link := older.FindStringSubmatch(page.Body)
				if (link != nil) != (i < len(step.counts)-1) {
					t.Fatalf("page %d of %s leads to %q", i+1, step.path, link)
				}
				if link != nil {
					next = strings.ReplaceAll(link[1], "&amp;", "&")
				}
			}
		}

		contract := s.Get(claimsPath).Data()[0]["contract"].(object)["id"]
		b.Post(b.Site("/claims/" + createClaim(s, object{"contractId": contract}) + "/list/read")).Shows(404)
		file := s.Upload("none.csv", apptest.Alice+",none\n")
		address = b.Site("/claims/" + createClaim(s, object{"contractId": contract, "csvUrl": file}))
		readClaimLists(s)
		b.Get(address).Shows(200, "Failed", "The list has no valid rows.", "Row 1: amount must be a number", "No list").
			Hides("Merkle root")
		b.Post(address+"/list/read").FollowsTo(address).Shows(200, "The list is being imported again.", "Pending")
	})
}

package dashboard_test

import (
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestCodesAreMadeSeenAndSentAsAFile(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("code_entry", object{"name": "Codes <i>", "interval": "unlimited",
			"metadata": object{"promoCodeType": "generate", "promoCodeLength": 2}})
		path := b.Site("/rules/" + rule + "/codes")
		first := s.Codes(rule, "")[0]["code"].(string)
		s.EnterCode(rule, apptest.Alice, first).OK()
		page := b.Get(path).Shows(200, "Codes <i>", first, "Unused", "2 codes created", "Create codes")
		b.Get(path+"?only=used").Shows(200, first).Hides("Unused")
		b.Get(path+"?only=free").Shows(200, "Unused").Hides(first)
		for _, bad := range []string{"", "0", "x", "100000"} {
			b.Post(path, "count", bad).Shows(400, "Nothing was saved", `value="`+bad+`"`)
		}
		once := match(t, page, `name="once" value="([^"]+)"`)
		b.Post(path, "count", "3", "once", once).FollowsTo(path).Shows(200, "3 codes being created", "5 codes created")
		b.Post(path, "count", "3", "once", once).FollowsTo(path).Shows(200, "applied only once")
		if n := len(s.Codes(rule, "")); n != 5 {
			t.Errorf("%d codes", n)
		}
		file := b.Get(b.Site("/rules/"+rule+"/codes.csv")).Shows(200, `"code","redeemedByUserId"`, first)
		if n := strings.Count(file.Body, "\n"); n != 6 || file.Header.Get("Content-Disposition") == "" {
			t.Errorf("%d lines: %s", n, file.Body)
		}
		shared := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "code", "promoCode": "SUN"}})
		b.Get(b.Site("/rules/"+shared+"/codes")).Shows(200, "All members enter the same code").Hides("SUN")
		b.Post(b.Site("/rules/"+shared+"/codes"), "count", "1").Shows(400, "doesn’t use codes created by Laurel")
		b.Get(b.Site("/rules/" + s.Rule("bonus", nil) + "/codes")).Shows(404)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(path).Shows(403).Hides(first)
		v.Get(b.Site("/rules/" + rule + "/codes.csv")).Shows(403).Hides(first)
		v.Get(b.Site("/rules/" + rule)).Shows(200).Hides(">Codes</a>")
	})
}

func TestAListIsUploadedReadAndRemoved(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("points_airdrop", object{"name": "Airdrop"})
		path := b.Site("/rules/" + rule + "/lists")
		b.Get(path).Shows(200, "Members", "No list.", "walletAddress, amount", "Upload").Hides("hx-trigger")
		b.PostFile(path+"/upload", "file", "x.csv", "", "kind", "allotment").Shows(400, "Must not be empty", `href="#f-file-allotment"`)
		b.Post(path+"/upload", "kind", "allotment").Shows(400, "choose one")
		b.PostFile(path+"/upload", "file", "x.csv", "a", "kind", "rewards").Shows(404)
		text := apptest.Alice + ",7\n" + apptest.Bob + ",<b>8</b>\n"
		asks := b.PostFile(path+"/upload", "file", `C:\Lists\our <list>.txt`, text, "kind", "allotment").
			Shows(200, "Use this file?", "none of the expected column names", "<b>8</b>", apptest.Alice)
		if list := getRule(s, rule)[apptest.OnList]; list != nil {
			t.Errorf("the list is %v before anybody has confirmed it", list)
		}
		b.Post(path+"/confirm", "kind", "allotment", "address", match(t, asks, `name="address" value="([^"]+)"`)).FollowsTo(path).
			Shows(200, "File uploaded", "Pending", "every 2s", "Refresh")
		s.ReadLists()
		page := b.Get(path).Shows(200, "2 of 2 lines", "1 new, 1 skipped", "The skipped line", "Line 2", "Import again").
			Hides("every 2s")
		if containsRaw(page, "<b>8</b>") {
			t.Error("a line is not escaped")
		}
		if list, _ := getRule(s, rule)[apptest.OnList].(string); !strings.HasSuffix(list, ".csv") {
			t.Errorf("the list is %q", list)
		}
		b.Post(path+"/read").FollowsTo(path).Shows(200, "Pending")
		s.ReadLists()
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(path).Shows(200, "2 of 2 lines").Hides("Upload", "Remove", ".csv")
		v.PostFile(path+"/upload", "file", "x.csv", text, "kind", "allotment").Shows(403)
		v.Post(path+"/remove", "kind", "allotment").Shows(403)
		b.Post(path+"/remove", "kind", "codes").Shows(404)
		b.Get(path+"/allotment/remove").Shows(200, "Remove this list?", "Cancel")
		b.Get(path + "/codes/remove").Shows(404)
		b.Post(path+"/remove", "kind", "allotment").FollowsTo(path).Shows(200, "List removed: Members.", "No list.")
		if list := getRule(s, rule)[apptest.OnList]; list != nil {
			t.Errorf("the list is %v", list)
		}
		other := s.NewProgram("Other")
		foreign := s.Call(other.WebsiteAPIKey, "POST", "/api/loyalty/rules", object{"name": "Foreign", "type": "bonus",
			"amount": 1}).OK()["id"].(string)
		b.Get(b.Site("/rules/" + foreign + "/lists")).Shows(404)
		b.PostFile(b.Site("/rules/"+foreign+"/lists/upload"), "file", "x.csv", text, "kind", "allotment").Shows(404)
		s.NewBrowser().PostFile(path+"/upload", "file", "x.csv", text, "kind", "allotment").FollowsTo("/admin/sign-in")
	})
}

func TestALongListOfCodesIsUploaded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "code", "promoCode": "SUN"}})
		var text strings.Builder
		for i := range 120_000 { // more than other forms may have
			text.WriteString("CODE-" + strconv.Itoa(i) + "\n")
		}
		path := b.Site("/rules/" + rule + "/lists")
		b.PostFile(path+"/upload", "file", "codes.csv", "code\n"+text.String(), "kind", "codes").FollowsTo(path)
		s.ReadLists()
		b.Get(path).Shows(200, "120,000 of 120,000 lines")
		b.Get(b.Site("/rules/"+rule+"/codes")).Shows(200, "CODE-", "This rule’s codes come from your own list")
		if m := getRule(s, rule)["metadata"].(object); m["promoCodeType"] != "csv" || m["promoCode"] != "SUN" {
			t.Errorf("the metadata is %v", m)
		}
	})
}

func TestAFileThatCannotBeAListChangesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "code", "promoCode": "SUN"}})
		path := b.Site("/rules/" + rule + "/lists")
		upload := func(kind, text string) apptest.Page {
			return b.PostFile(path+"/upload", "file", "x.csv", text, "kind", kind)
		}
		upload("allotment", "walletAddress\n"+apptest.Alice+"\n").FollowsTo(path)
		good := getRule(s, rule)[apptest.OnList]
		unchanged := func() {
			t.Helper()
			if now := getRule(s, rule)[apptest.OnList]; now != good {
				t.Errorf("the list was %v and is %v", good, now)
			}
		}
		for _, bad := range []struct{ kind, text, why string }{
			{"allotment", "<!doctype html><p>Sign in", "Is a page"},
			{"allotment", "\x89PNG\r\n\x1a\n\x00\x00", "Is no text"},
			{"allotment", "code\nSUN\n", "of another list"},
			{"codes", "walletAddress\n" + apptest.Alice + "\n", "of another list"},
			{"allotment", "walletAddress,amount\n" + apptest.Alice + ",many\n", "no good row"},
		} {
			upload(bad.kind, bad.text).Shows(400, bad.why, "The list was not changed", "CSV file")
		}
		upload("allotment", "walletAddress\nDear all, here you are\n").Shows(400, "Has no good row")
		upload("allotment", "walletAddress\nDear all\n").
			Shows(400, `File: Has no good row: line 2: "Dear all" looks like a text`).Hides("File: File")
		upload("allotment", "Wallet\n").Shows(400, "no good row", "looks like a header")
		unchanged()
		mixed := "walletAddress\n" + apptest.Alice + "\nTotal\n"
		upload("allotment", mixed).Shows(200, "look invalid, such as line 3", `"Total" looks like a header`, apptest.Alice)
		s.User("Total", nil)
		upload("allotment", mixed).FollowsTo(path)
		good = getRule(s, rule)[apptest.OnList]
		upload("codes", "Voucher code\nAAAA-1\n").Shows(200, "such as line 1", "Voucher code")
		unchanged()
	})
}

package content_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

const (
	mib        = 1 << 20
	memberFull = "The files of this user may have at most 104857600 bytes in all"
)

// member makes a user and returns its id and the header that shows its token.
func member(s *apptest.Server, wallet string) (id string, token []string) {
	s.T.Helper()
	id = s.Post("/api/users/metadatas", object{"walletAddress": wallet}).OK()["userId"].(string)
	issued := s.Post("/api/users/tokens", object{"userId": id, "expiresInSeconds": 86400}).OK()
	return id, []string{"Authorization", "Bearer " + issued["token"].(string)}
}

// file is the body that announces one of a size.
func file(size int) object { return object{"fileName": "a.png", "fileSize": size, "filePath": "posts"} }

func TestTheFilesOfAMemberStayWithinTheirQuota(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		user, token := member(s, apptest.Alice)
		_, other := member(s, apptest.Bob)
		announce := func(token []string, size int) apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", "/api/assets", file(size), token...)
		}
		kept := announce(token, 40*mib).OK()
		announce(token, 60*mib).OK()
		announce(token, 1).Refused(400, memberFull)
		announce(other, 100*mib).OK()
		s.Post("/api/assets", file(mib)).OK() // nobody's in particular
		of := file(1)
		of["userId"] = user
		s.Post("/api/assets", of).Refused(400, memberFull) // for each member
		s.Put(kept["signedUrl"].(string), strings.NewReader(strings.Repeat("x", 40*mib))).OK()
		announce(token, 1).Refused(400, memberFull)
		s.Clock.Advance(15 * time.Minute)
		second := announce(token, 60*mib).OK() // what was not sent in time counts no more, without any upkeep
		announce(token, 1).Refused(400, memberFull)
		s.Call(s.ClientAPIKey, "DELETE", "/api/assets/"+second["id"].(string), nil, token...).OK()
		announce(token, 60*mib).OK()
		s.Call(s.ClientAPIKey, "DELETE", "/api/assets/"+kept["id"].(string), nil, token...).OK()
		announce(token, 40*mib).OK()
		announce(token, 1).Refused(400, memberFull)
	})
}

// Ids of members are public, and space is not: a token is needed also where the website waives it elsewhere.
func TestATrustingWebsiteTakesFilesByATokenAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		website := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Trusting",
			"trustClientUsers": true}).OK()["id"].(string)
		key := s.ClientKey(website)
		user := s.Call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"websiteId": website,
			"walletAddress": apptest.Alice}).OK()["userId"].(string)
		token := s.Call(s.OrganizationAPIKey, "POST", "/api/users/tokens", object{"websiteId": website,
			"userId": user}).OK()["token"].(string)
		for _, body := range []object{file(1), apptest.Over(file(1), object{"userId": user})} {
			s.Call(key, "POST", "/api/assets", body).Refused(403, apptest.TokenMissing)
			s.Call(key, "POST", "/api/assets", body, "Authorization", "Bearer "+token).OK()
		}
	})
}

func TestASmallFileCountsABlockOfTheDisk(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, FileQuotas: &content.Quotas{Member: 3 * 4096, Website: mib, Instance: mib}}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		_, token := member(s, apptest.Alice)
		for range 3 {
			s.Call(s.ClientAPIKey, "POST", "/api/assets", file(1), token...).OK()
		}
		s.Call(s.ClientAPIKey, "POST", "/api/assets", file(1), token...).
			Refused(400, "The files of this user may have at most 12288 bytes in all")
	})
}

func TestWebsitesAndTheInstanceHaveQuotas(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, FileQuotas: &content.Quotas{Member: mib, Website: 2 * mib, Instance: 3 * mib}}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		second := s.NewProgram("Second")
		announce := func(key string, size int) apptest.Response { return s.Call(key, "POST", "/api/assets", file(size)) }
		announce(s.WebsiteAPIKey, 2*mib).OK()
		announce(s.WebsiteAPIKey, 1).Refused(400, "The files of this website may have at most 2097152 bytes in all")
		announce(second.WebsiteAPIKey, mib).OK()
		announce(second.WebsiteAPIKey, 1).Refused(400, "The files of this service may have at most 3145728 bytes in all")
		s.Clock.Advance(15 * time.Minute)
		announce(second.WebsiteAPIKey, 2*mib).OK()
		announce(s.WebsiteAPIKey, mib).OK()
	})
}

func TestManyAnnouncementsAtOnceNeverExceedAQuota(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		first := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		nodes := []*apptest.Server{first}
		if strings.HasPrefix(address, "postgres") { // a second node on the same data
			second := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
			second.Program = first.Program
			nodes = append(nodes, second)
		}
		_, token := member(first, apptest.Alice)
		for round := range 3 {
			answers := make([]apptest.Response, 50)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() {
					node := nodes[i%len(nodes)]
					answers[i] = node.Call(node.ClientAPIKey, "POST", "/api/assets", file(10*mib-i), token...)
				})
			}
			all.Wait()
			taken := 0
			for _, a := range answers {
				if a.Status == 200 {
					taken++
				} else {
					a.Refused(400, memberFull)
				}
			}
			if taken != 10 {
				t.Errorf("round %d: %d announcements of 10 MiB were taken, want 10", round, taken)
			}
			for _, node := range nodes {
				node.Clock.Advance(15 * time.Minute)
			}
		}
	})
}

func TestFilesAreListedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		user, token := member(s, apptest.Alice)
		_, other := member(s, apptest.Bob)
		body := file(5)
		body["userId"] = user
		made := s.Post("/api/assets", body).OK()
		id, public := made["id"].(string), made["url"].(string)
		waiting := s.Get("/api/assets").Data()
		if len(waiting) != 1 || waiting[0]["uploadedAt"] != nil || waiting[0]["expiresAt"] == nil {
			t.Fatalf("%v", waiting)
		}
		s.Put(made["signedUrl"].(string), strings.NewReader("hello")).OK()
		s.Post("/api/assets", file(7)).OK()
		first := s.Get("/api/assets?limit=1").OK()
		if first["hasNextPage"] != true || first["data"].([]any)[0].(object)["fileSize"] != json.Number("7") {
			t.Errorf("%v", first)
		}
		newest := first["data"].([]any)[0].(object)["id"].(string)
		for _, list := range []string{"/api/assets?startingAfter=" + newest, "/api/assets?userId=" + user} {
			page := s.Get(list).Data()
			if len(page) != 1 || page[0]["uploadedAt"] == nil || page[0]["expiresAt"] != nil {
				t.Fatalf("%s: %v", list, page)
			}
			for name, want := range map[string]any{"id": id, "url": public, "fileSize": json.Number("5"), "userId": user,
				"filePath": "posts", "fileName": "a.png"} {
				if page[0][name] != want {
					t.Errorf("%s: %s is %v, want %v", list, name, page[0][name], want)
				}
			}
		}
		s.Clock.Advance(15 * time.Minute)
		if left := s.Get("/api/assets").Data(); len(left) != 1 {
			t.Errorf("what was not sent in time is listed: %v", left)
		}
		path := "/api/assets/" + id
		s.Call(s.ClientAPIKey, "DELETE", path, nil).Refused(403, "Member token is required")
		s.Call(s.ClientAPIKey, "DELETE", path, nil, other...).Refused(404, "File not found")
		s.Call(s.ReadOnlyAPIKey, "DELETE", path, nil).Refused(403, "API key is read-only")
		s.Call(s.NewProgram("Second").WebsiteAPIKey, "DELETE", path, nil).Refused(404, "File not found")
		if got := s.Fetch(public); got.Body != "hello" {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		if gone := s.Call(s.ClientAPIKey, "DELETE", path, nil, token...).OK(); gone["id"] != id {
			t.Errorf("%v", gone)
		}
		s.Fetch(public).Refused(404, "File not found")
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).Refused(404, "File not found")
		if left := onDisk(s); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
	})
}

func TestAnAnnouncementThatIsDeletedTakesNoBytes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/assets", file(5)).OK()
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/assets/"+made["id"].(string), nil).OK()
		s.Put(made["signedUrl"].(string), strings.NewReader("hello")).Refused(404, "Upload not found")
		s.Fetch(made["url"].(string)).Refused(404, "File not found")
	})
}

// onDisk lists the files in the data folder.
func onDisk(s *apptest.Server) []string {
	s.T.Helper()
	var out []string
	err := filepath.WalkDir(s.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return out
}

func TestADeletionThatWasCutOffIsCarriedToItsEnd(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/assets", file(5)).OK()
		s.Put(made["signedUrl"].(string), strings.NewReader("hello")).OK()
		place := onDisk(s)[0]
		if err := os.Rename(place, place+".aside"); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(place, "in the way"), 0o700); err != nil { // what cannot be removed like a file
			t.Fatal(err)
		}
		path := "/api/assets/" + made["id"].(string)
		// It is decided, and its bytes are not gone.
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).Refused(503, "Service unavailable")
		if list := s.Get("/api/assets").Data(); len(list) != 0 {
			t.Errorf("%v", list)
		}
		if err := s.App.Content.DeleteExpired(context.Background()); err == nil {
			t.Error("upkeep passes over what it cannot remove")
		}
		if err := os.RemoveAll(place); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(place+".aside", place); err != nil {
			t.Fatal(err)
		}
		if err := s.App.Content.DeleteExpired(context.Background()); err != nil {
			t.Fatal(err)
		}
		if left := onDisk(s); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).Refused(404, "File not found")
	})
}

func TestUpkeepLeavesNoUnusedFile(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		const many = 1200 // more than one batch
		signed := ""
		for range many {
			signed = s.Post("/api/assets", file(1)).OK()["signedUrl"].(string)
		}
		s.Clock.Advance(15 * time.Minute)
		s.Put(signed, strings.NewReader("x")).Refused(400, "Upload address has expired")
		if err := s.App.Content.DeleteExpired(context.Background()); err != nil {
			t.Fatal(err)
		}
		if left := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM assets"); left != 0 {
			t.Errorf("%d of %d are left", left, many)
		}
		if bytes := apptest.QueryCount(t, address, "SELECT COALESCE(SUM(bytes), 0) FROM asset_usage"); bytes != 0 {
			t.Errorf("%d bytes are counted", bytes)
		}
		s.Put(signed, strings.NewReader("x")).Refused(404, "Upload not found")
	})
}

// slow is a body of which the server has to wait for the first byte until a function has run.
type slow struct {
	from  *strings.Reader
	first func()
}

func (b *slow) Read(p []byte) (int, error) {
	if b.first != nil {
		b.first()
		b.first = nil
	}
	return b.from.Read(p)
}

// uploadSet waits until the server is receiving a file. It may run in the goroutine that sends it, so it may not end
// the test, as wait.Until does.
func uploadSet(s *apptest.Server) {
	s.T.Helper()
	for range 1000 {
		if len(onDisk(s)) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.T.Error("the upload does not begin")
}

func TestAnUploadMustBeWholeInTime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/assets", file(5)).OK()
		late := &slow{from: strings.NewReader("hello"), first: func() { uploadSet(s); s.Clock.Advance(15 * time.Minute) }}
		s.Put(made["signedUrl"].(string), late).Refused(400, "Upload address has expired")
		s.Fetch(made["url"].(string)).Refused(404, "File not found")
		if left := onDisk(s); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
	})
}

func TestOneUploadToAnAddressIsUnderWay(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/assets", file(5)).OK()
		signed := made["signedUrl"].(string)
		second := func() {
			uploadSet(s)
			got := s.Put(signed, strings.NewReader("other"))
			got.Refused(429, "Another upload to this address is under way")
			if got.Header.Get("Retry-After") == "" {
				t.Error("it does not tell when to come back")
			}
		}
		s.Put(signed, &slow{from: strings.NewReader("hello"), first: second}).OK()
		if got := s.Fetch(made["url"].(string)); got.Body != "hello" {
			t.Error(got.Body)
		}
	})
}

func TestListsOfPathsAreReadFromOwnFiles(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		wallets, codes, rewards := s.Upload(
			"a.csv",
			apptest.Alice+",7\n",
		), s.Upload("b.csv", "CODE1\n"), s.Upload("c.csv", "1,5\n")
		listed := s.Rule("external_rule", object{apptest.OnList: wallets, "mediaUrl": wallets, "backgroundAssetUrl": wallets})
		coded := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": codes}})
		held := s.Rule("token_hold", object{"customRewardsCsvUrl": rewards})
		locked := s.Rule("check_in", nil)
		onFile := []any{object{"type": "csv", "csvUrl": wallets}}
		s.Post("/api/loyalty/rule_chains", object{"name": "c", "loyaltyRuleId": locked, "loyaltyConditions": onFile}).OK()
		s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 2, "imageUrl": wallets}).OK()
		s.ReadLists()
		for _, rule := range []string{listed, coded, held, locked} {
			if got := s.Imports(rule); got[0]["status"] != "complete" || got[0]["rowsKept"] != json.Number("1") {
				t.Errorf("%v", got)
			}
		}
		named := func(property, address string) object {
			return object{"name": "R", "type": "external_rule", "amount": 1, property: address}
		}
		for _, other := range []string{strings.Replace(wallets, "/files/", "//files/", 1), strings.TrimPrefix(wallets, "/"),
			"/files/loyalty/x/a.csv", wallets + "?x", "/a.csv", "/../files" + strings.TrimPrefix(wallets, "/files"),
			strings.Replace(wallets, "a.csv", "b.csv", 1)} {
			s.Post("/api/loyalty/rules", named(apptest.OnList, other)).Refused(400, apptest.OnList+" must be a valid url")
		}
		s.Post("/api/loyalty/rules", named("shopStoreUrl", wallets)).Refused(400, "shopStoreUrl must be a valid url")
		second := s.NewProgram("Second").WebsiteAPIKey
		s.Call(
			second,
			"POST",
			"/api/loyalty/rules",
			named(apptest.OnList, wallets),
		).Refused(400, apptest.OnList+" must be a valid url")
	})
}

func TestAFileOfAnEarlierVersionIsKnownByTheHostItWasGivenOutUnder(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		public := s.Upload("a.csv", apptest.Alice+"\n")
		if n := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM assets WHERE host <> ''"); n != 0 {
			t.Error("a host is stored")
		}
		apptest.Tamper(t, address, "UPDATE assets SET host = 'old.example:8080'")
		elsewhere := object{
			"name":         "R",
			"type":         "external_rule",
			"amount":       1,
			apptest.OnList: "http://other.example" + public,
		}
		s.Post("/api/loyalty/rules", elsewhere).Refused(400, apptest.OnList+" must use https")
		for _, list := range []string{"http://old.example:8080" + public, public} {
			rule := s.Rule("external_rule", object{apptest.OnList: list})
			s.ReadLists()
			if got := s.Imports(rule)[0]; got["status"] != "complete" {
				t.Errorf("%s: %v", list, got)
			}
		}
	})
}

func TestAFileIsKnownByThePublicAddressOfTheService(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		before := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		public := before.Upload("a.csv", apptest.Alice+"\n")
		_ = before.App.Close()
		config := app.Config{NoRateLimits: true, PublicURL: "http://points.example", DataDir: before.Folder}
		s := apptest.OpenAtNoon(t, address, config)
		s.Program = before.Program
		own := s.Post("/api/assets", file(1)).OK()["url"].(string)
		if !strings.HasPrefix(own, "http://points.example/files/") {
			t.Error(own)
		}
		for _, list := range []string{"http://points.example" + public, public} {
			rule := s.Rule("external_rule", object{apptest.OnList: list})
			s.ReadLists()
			if got := s.Imports(rule)[0]; got["status"] != "complete" {
				t.Errorf("%s: %v", list, got)
			}
		}
	})
}

func TestAWebsiteKnowsWhatItsFilesTake(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, FileQuotas: &content.Quotas{Member: mib, Website: 2 * mib, Instance: 3 * mib}}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		is := func(bytes int64) {
			t.Helper()
			u, err := s.App.Content.Usage(t.Context(), s.WebsiteScope())
			if want := (content.Usage{Bytes: bytes, Quota: 2 * mib}); err != nil || u != want {
				t.Errorf("%+v, want %+v; %v", u, want, err)
			}
		}
		is(0)
		s.Upload("list.csv", "walletAddress\n")
		is(4096)
		s.RequestUpload("a.png", 5000, "images")
		is(9096)
	})
}

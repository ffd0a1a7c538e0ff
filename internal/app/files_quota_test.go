package app_test

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

	"laurel/internal/app"
	"laurel/internal/content"
	"laurel/internal/dev/storetest"
)

const (
	mib        = 1 << 20
	memberFull = "The files of this user may have at most 104857600 bytes in all"
)

// member makes a user and returns its id and the header that shows its token.
func (s *server) member(wallet string) (id string, token []string) {
	s.t.Helper()
	id = s.post("/api/users/metadatas", object{"walletAddress": wallet}).ok()["userId"].(string)
	issued := s.post("/api/users/tokens", object{"userId": id, "expiresInSeconds": 86400}).ok()
	return id, []string{"Authorization", "Bearer " + issued["token"].(string)}
}

// file is the body that announces one of a size.
func file(size int) object { return object{"fileName": "a.png", "fileSize": size, "filePath": "posts"} }

func TestTheFilesOfAMemberStayWithinTheirQuota(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		user, token := s.member(alice)
		_, other := s.member(bob)
		announce := func(token []string, size int) answer {
			return s.call(s.ClientAPIKey, "POST", "/api/assets", file(size), token...)
		}
		kept := announce(token, 40*mib).ok()
		announce(token, 60*mib).ok()
		announce(token, 1).refused(400, memberFull)
		announce(other, 100*mib).ok()
		s.post("/api/assets", file(mib)).ok() // nobody's in particular
		of := file(1)
		of["userId"] = user
		s.post("/api/assets", of).refused(400, memberFull) // whoever announces it
		s.put(kept["signedUrl"].(string), strings.NewReader(strings.Repeat("x", 40*mib))).ok()
		announce(token, 1).refused(400, memberFull)
		s.clock.advance(15 * time.Minute)
		second := announce(token, 60*mib).ok() // what was not sent in time counts no more, without any upkeep
		announce(token, 1).refused(400, memberFull)
		s.call(s.ClientAPIKey, "DELETE", "/api/assets/"+second["id"].(string), nil, token...).ok()
		announce(token, 60*mib).ok()
		s.call(s.ClientAPIKey, "DELETE", "/api/assets/"+kept["id"].(string), nil, token...).ok()
		announce(token, 40*mib).ok()
		announce(token, 1).refused(400, memberFull)
	})
}

// Ids of members are public, and space is not: a token is needed also where the website waives it elsewhere.
func TestATrustingWebsiteTakesFilesByATokenAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		website := s.call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Trusting",
			"trustClientUsers": true}).ok()["id"].(string)
		key := s.clientKey(website)
		user := s.call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"websiteId": website,
			"walletAddress": alice}).ok()["userId"].(string)
		token := s.call(s.OrganizationAPIKey, "POST", "/api/users/tokens", object{"websiteId": website,
			"userId": user}).ok()["token"].(string)
		for _, body := range []object{file(1), over(file(1), object{"userId": user})} {
			s.call(key, "POST", "/api/assets", body).refused(403, tokenMissing)
			s.call(key, "POST", "/api/assets", body, "Authorization", "Bearer "+token).ok()
		}
	})
}

func TestASmallFileCountsABlockOfTheDisk(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, FileQuotas: &content.Quotas{Member: 3 * 4096, Website: mib, Instance: mib}}
	eachWith(t, config, func(t *testing.T, s *server) {
		_, token := s.member(alice)
		for range 3 {
			s.call(s.ClientAPIKey, "POST", "/api/assets", file(1), token...).ok()
		}
		s.call(s.ClientAPIKey, "POST", "/api/assets", file(1), token...).
			refused(400, "The files of this user may have at most 12288 bytes in all")
	})
}

func TestWebsitesAndTheInstanceHaveQuotas(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, FileQuotas: &content.Quotas{Member: mib, Website: 2 * mib, Instance: 3 * mib}}
	eachWith(t, config, func(t *testing.T, s *server) {
		second := s.program("Second")
		announce := func(key string, size int) answer { return s.call(key, "POST", "/api/assets", file(size)) }
		announce(s.WebsiteAPIKey, 2*mib).ok()
		announce(s.WebsiteAPIKey, 1).refused(400, "The files of this website may have at most 2097152 bytes in all")
		announce(second.WebsiteAPIKey, mib).ok()
		announce(second.WebsiteAPIKey, 1).refused(400, "The files of this service may have at most 3145728 bytes in all")
		s.clock.advance(15 * time.Minute)
		announce(second.WebsiteAPIKey, 2*mib).ok()
		announce(s.WebsiteAPIKey, mib).ok()
	})
}

func TestManyAnnouncementsAtOnceNeverExceedAQuota(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		first := openAtNoon(t, address, app.Config{NoRateLimits: true})
		nodes := []*server{first}
		if strings.HasPrefix(address, "postgres") { // a second node on the same data
			second := openAtNoon(t, address, app.Config{NoRateLimits: true})
			second.Program = first.Program
			nodes = append(nodes, second)
		}
		_, token := first.member(alice)
		for round := range 3 {
			answers := make([]answer, 50)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() {
					node := nodes[i%len(nodes)]
					answers[i] = node.call(node.ClientAPIKey, "POST", "/api/assets", file(10*mib-i), token...)
				})
			}
			all.Wait()
			taken := 0
			for _, a := range answers {
				if a.status == 200 {
					taken++
				} else {
					a.refused(400, memberFull)
				}
			}
			if taken != 10 {
				t.Errorf("round %d: %d announcements of 10 MiB were taken, want 10", round, taken)
			}
			for _, node := range nodes {
				node.clock.advance(15 * time.Minute)
			}
		}
	})
}

func TestFilesAreListedAndDeleted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		user, token := s.member(alice)
		_, other := s.member(bob)
		body := file(5)
		body["userId"] = user
		made := s.post("/api/assets", body).ok()
		id, public := made["id"].(string), made["url"].(string)
		waiting := s.get("/api/assets").data()
		if len(waiting) != 1 || waiting[0]["uploadedAt"] != nil || waiting[0]["expiresAt"] == nil {
			t.Fatalf("%v", waiting)
		}
		s.put(made["signedUrl"].(string), strings.NewReader("hello")).ok()
		s.post("/api/assets", file(7)).ok()
		first := s.get("/api/assets?limit=1").ok()
		if first["hasNextPage"] != true || first["data"].([]any)[0].(object)["fileSize"] != json.Number("7") {
			t.Errorf("%v", first)
		}
		newest := first["data"].([]any)[0].(object)["id"].(string)
		for _, list := range []string{"/api/assets?startingAfter=" + newest, "/api/assets?userId=" + user} {
			page := s.get(list).data()
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
		s.clock.advance(15 * time.Minute)
		if left := s.get("/api/assets").data(); len(left) != 1 {
			t.Errorf("what was not sent in time is listed: %v", left)
		}
		path := "/api/assets/" + id
		s.call(s.ClientAPIKey, "DELETE", path, nil).refused(403, "Member token is required")
		s.call(s.ClientAPIKey, "DELETE", path, nil, other...).refused(404, "File not found")
		s.call(s.ReadOnlyAPIKey, "DELETE", path, nil).refused(403, "API key is read-only")
		s.call(s.program("Second").WebsiteAPIKey, "DELETE", path, nil).refused(404, "File not found")
		if got := s.fetch(public); got.body != "hello" {
			t.Fatalf("%d %s", got.status, got.body)
		}
		if gone := s.call(s.ClientAPIKey, "DELETE", path, nil, token...).ok(); gone["id"] != id {
			t.Errorf("%v", gone)
		}
		s.fetch(public).refused(404, "File not found")
		s.call(s.WebsiteAPIKey, "DELETE", path, nil).refused(404, "File not found")
		if left := s.onDisk(); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
	})
}

func TestAnAnnouncementThatIsDeletedTakesNoBytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.post("/api/assets", file(5)).ok()
		s.call(s.WebsiteAPIKey, "DELETE", "/api/assets/"+made["id"].(string), nil).ok()
		s.put(made["signedUrl"].(string), strings.NewReader("hello")).refused(404, "Upload not found")
		s.fetch(made["url"].(string)).refused(404, "File not found")
	})
}

// onDisk lists the files in the data folder.
func (s *server) onDisk() []string {
	s.t.Helper()
	var out []string
	err := filepath.WalkDir(s.folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func TestADeletionThatWasCutOffIsCarriedToItsEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.post("/api/assets", file(5)).ok()
		s.put(made["signedUrl"].(string), strings.NewReader("hello")).ok()
		place := s.onDisk()[0]
		if err := os.Rename(place, place+".aside"); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(place, "in the way"), 0o700); err != nil { // what cannot be removed like a file
			t.Fatal(err)
		}
		path := "/api/assets/" + made["id"].(string)
		// It is decided, and its bytes are not gone.
		s.call(s.WebsiteAPIKey, "DELETE", path, nil).refused(503, "Service unavailable")
		if list := s.get("/api/assets").data(); len(list) != 0 {
			t.Errorf("%v", list)
		}
		if err := s.app.Content.Forget(context.Background()); err == nil {
			t.Error("upkeep passes over what it cannot remove")
		}
		if err := os.RemoveAll(place); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(place+".aside", place); err != nil {
			t.Fatal(err)
		}
		if err := s.app.Content.Forget(context.Background()); err != nil {
			t.Fatal(err)
		}
		if left := s.onDisk(); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
		s.call(s.WebsiteAPIKey, "DELETE", path, nil).refused(404, "File not found")
	})
}

func TestUpkeepLeavesNoUnusedFile(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		const many = 1200 // more than one batch
		signed := ""
		for range many {
			signed = s.post("/api/assets", file(1)).ok()["signedUrl"].(string)
		}
		s.clock.advance(15 * time.Minute)
		s.put(signed, strings.NewReader("x")).refused(400, "Upload address has expired")
		if err := s.app.Content.Forget(context.Background()); err != nil {
			t.Fatal(err)
		}
		if left := counted(t, address, "SELECT COUNT(*) FROM assets"); left != 0 {
			t.Errorf("%d of %d are left", left, many)
		}
		if bytes := counted(t, address, "SELECT COALESCE(SUM(bytes), 0) FROM asset_usage"); bytes != 0 {
			t.Errorf("%d bytes are counted", bytes)
		}
		s.put(signed, strings.NewReader("x")).refused(404, "Upload not found")
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

// receiving waits until the server is receiving a file.
func (s *server) receiving() {
	s.t.Helper()
	for range 1000 {
		if len(s.onDisk()) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Error("the upload does not begin")
}

func TestAnUploadMustBeWholeInTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.post("/api/assets", file(5)).ok()
		late := &slow{from: strings.NewReader("hello"), first: func() { s.receiving(); s.clock.advance(15 * time.Minute) }}
		s.put(made["signedUrl"].(string), late).refused(400, "Upload address has expired")
		s.fetch(made["url"].(string)).refused(404, "File not found")
		if left := s.onDisk(); len(left) != 0 {
			t.Errorf("on the disk: %v", left)
		}
	})
}

func TestOneUploadToAnAddressIsUnderWay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.post("/api/assets", file(5)).ok()
		signed := made["signedUrl"].(string)
		second := func() {
			s.receiving()
			got := s.put(signed, strings.NewReader("other"))
			got.refused(429, "Another upload to this address is under way")
			if got.header.Get("Retry-After") == "" {
				t.Error("it does not tell when to come back")
			}
		}
		s.put(signed, &slow{from: strings.NewReader("hello"), first: second}).ok()
		if got := s.fetch(made["url"].(string)); got.body != "hello" {
			t.Error(got.body)
		}
	})
}

func TestListsOfPathsAreReadFromOwnFiles(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		wallets, codes, rewards := s.upload("a.csv", alice+",7\n"), s.upload("b.csv", "CODE1\n"), s.upload("c.csv", "1,5\n")
		listed := s.rule("external_rule", object{onList: wallets, "mediaUrl": wallets, "backgroundAssetUrl": wallets})
		coded := s.rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": codes}})
		held := s.rule("token_hold", object{"customRewardsCsvUrl": rewards})
		locked := s.rule("check_in", nil)
		onFile := []any{object{"type": "csv", "csvUrl": wallets}}
		s.post("/api/loyalty/rule_chains", object{"name": "c", "loyaltyRuleId": locked, "loyaltyConditions": onFile}).ok()
		s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 2, "imageUrl": wallets}).ok()
		s.readLists()
		for _, rule := range []string{listed, coded, held, locked} {
			if got := s.imports(rule); got[0]["status"] != "complete" || got[0]["rowsKept"] != json.Number("1") {
				t.Errorf("%v", got)
			}
		}
		named := func(property, address string) object {
			return object{"name": "R", "type": "external_rule", "amount": 1, property: address}
		}
		for _, other := range []string{strings.Replace(wallets, "/files/", "//files/", 1), strings.TrimPrefix(wallets, "/"),
			"/files/loyalty/x/a.csv", wallets + "?x", "/a.csv", "/../files" + strings.TrimPrefix(wallets, "/files"),
			strings.Replace(wallets, "a.csv", "b.csv", 1)} {
			s.post("/api/loyalty/rules", named(onList, other)).refused(400, onList+" must be a valid url")
		}
		s.post("/api/loyalty/rules", named("shopStoreUrl", wallets)).refused(400, "shopStoreUrl must be a valid url")
		second := s.program("Second").WebsiteAPIKey
		s.call(second, "POST", "/api/loyalty/rules", named(onList, wallets)).refused(400, onList+" must be a valid url")
	})
}

func TestAFileOfAnEarlierVersionIsKnownByTheHostItWasGivenOutUnder(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		public := s.upload("a.csv", alice+"\n")
		if n := counted(t, address, "SELECT COUNT(*) FROM assets WHERE host <> ''"); n != 0 {
			t.Error("a host is stored")
		}
		tamper(t, address, "UPDATE assets SET host = 'old.example:8080'")
		elsewhere := object{"name": "R", "type": "external_rule", "amount": 1, onList: "http://other.example" + public}
		s.post("/api/loyalty/rules", elsewhere).refused(400, onList+" must use https")
		for _, list := range []string{"http://old.example:8080" + public, public} {
			rule := s.rule("external_rule", object{onList: list})
			s.readLists()
			if got := s.imports(rule)[0]; got["status"] != "complete" {
				t.Errorf("%s: %v", list, got)
			}
		}
	})
}

func TestAFileIsKnownByThePublicAddressOfTheService(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		before := openAtNoon(t, address, app.Config{NoRateLimits: true})
		public := before.upload("a.csv", alice+"\n")
		_ = before.app.Close()
		config := app.Config{NoRateLimits: true, PublicURL: "http://points.example", DataDir: before.folder}
		s := openAtNoon(t, address, config)
		s.Program = before.Program
		own := s.post("/api/assets", file(1)).ok()["url"].(string)
		if !strings.HasPrefix(own, "http://points.example/files/") {
			t.Error(own)
		}
		for _, list := range []string{"http://points.example" + public, public} {
			rule := s.rule("external_rule", object{onList: list})
			s.readLists()
			if got := s.imports(rule)[0]; got["status"] != "complete" {
				t.Errorf("%s: %v", list, got)
			}
		}
	})
}

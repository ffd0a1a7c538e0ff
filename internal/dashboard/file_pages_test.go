package dashboard_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestFilesAreListedUploadedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		picture, err := base64.StdEncoding.DecodeString(dot)
		if err != nil {
			t.Fatal(err)
		}
		address := b.Site("/files")
		b.Get(address).Shows(200, "No files yet", "0 bytes</b> of 10.0 GiB", "Upload a file")
		b.PostFile(address, "file", "notes.svg", "<svg/>", "filePath", "images").
			Shows(400, `href="#f-file"`, "Must end with one of: png, jpg")
		b.PostFile(address, "file", "a.png", string(picture), "filePath", "attic").Shows(400, "Use for: Must be one of")
		b.Post(address).Shows(400, "Must be a file: choose one")
		b.PostFile(address, "file", "dot.png", string(picture), "filePath", "banners").
			FollowsTo(address).Shows(200, "File uploaded.", "dot.png", "4.0 KiB</b> of", "Banners", "Uploaded", "<img")
		maren := s.User("maren-1", object{"displayName": "Maren <i>"})
		announced := s.Post("/api/assets", object{
			"fileName": "me.png", "fileSize": 5000, "filePath": "profiles", "userId": maren,
		}).OK()
		list := s.Upload("list.csv", "walletAddress\n")
		page := b.Get(address).Shows(200, "me.png", "Maren <i>", "Pending", "Member profiles", "list.csv", "4.9 KiB", list)
		if strings.Contains(page.Body, announced["url"].(string)) {
			t.Error("a file that has not arrived is linked")
		}
		if n := strings.Count(page.Body, `<img class="pic"`); n != 1 {
			t.Errorf("%d pictures, want 1", n)
		}
		rows := csvRows(b.Get(address + "/files.csv"))
		if len(rows) != 4 || rows[1][1] != "list.csv" || rows[1][4] != list || rows[2][6] != "Maren <i>" {
			t.Errorf("the file of files: %q", rows)
		}

		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(200, "dot.png", "list.csv").Hides("Upload a file", "/delete", list)
		if rows := csvRows(v.Get(address + "/files.csv")); slices.Contains(rows[1], list) {
			t.Errorf("a viewer reads the address of a list: %q", rows)
		}
		v.PostFile(address, "file", "a.png", string(picture)).Shows(403)
		ids := regexp.MustCompile(`/files/([0-9a-f-]{36})/delete`).FindAllStringSubmatch(page.Body, -1)
		if len(ids) != 3 {
			t.Fatalf("%d files can be deleted, want 3", len(ids))
		}
		del := address + "/" + ids[2][1] + "/delete"
		v.Get(del).Shows(403)
		v.Post(del).Shows(403)
		b.Get(del).Shows(200, "Delete dot.png?", "will stop working everywhere").Hides("Lists that have already been imported")
		b.Post(del).FollowsTo(address).Shows(200, "dot.png deleted.").Hides(">dot.png<")
		b.Get(del).Shows(404, "File not found")

		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		elsewhere := "/admin/" + other.WebsiteID.String() + "/files/" + ids[0][1] + "/delete"
		c.Get(elsewhere).Shows(404, "File not found")
		c.Post(elsewhere).Shows(404, "File not found")
		c.Get("/admin/"+other.WebsiteID.String()+"/files").Shows(200, "No files yet")
	})
}

func TestFilesPageByPageAndAFullWebsite(t *testing.T) {
	t.Parallel()
	quota := int64(60 * 4096)
	config := app.Config{
		NoRateLimits: true, FileQuotas: &content.Quotas{Member: quota, Website: quota, Instance: 2 * quota},
	}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		for n := range 60 {
			s.RequestUpload(fmt.Sprintf("n%d.png", n), 10, "images")
		}
		address := b.Site("/files")
		page := b.Get(address).Shows(200, "240.0 KiB</b> of 240.0 KiB", `value="100"`, "n59.png").Hides("n9.png")
		older := regexp.MustCompile(`href="([^"]+startingAfter[^"]+)" rel="next"`).FindStringSubmatch(page.Body)
		b.Get(strings.ReplaceAll(older[1], "&amp;", "&")).Shows(200, "n9.png", "n0.png").Hides("n59.png")
		b.PostFile(address, "file", "more.csv", "x\n", "filePath", "loyalty").
			Shows(400, "The files of this website may have at most 245760 bytes in all", `value="loyalty" selected`)
	})
}

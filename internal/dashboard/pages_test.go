package dashboard_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

const (
	blocksPath   = "/api/loyalty/website_page_sections"
	sectionsPath = "/api/page_sections"
)

// listBlocks are the types of the blocks of the loyalty page, in order.
func listBlocks(s *apptest.Server) (types string, ids []string) {
	s.T.Helper()
	for _, b := range s.Get(blocksPath).Data() {
		types, ids = types+" "+b["type"].(string), append(ids, b["id"].(string))
	}
	return strings.TrimSpace(types), ids
}

// listSections are the titles of the sections of a page, in order.
func listSections(s *apptest.Server, page string) (titles string, ids []string) {
	s.T.Helper()
	for _, one := range s.Get(sectionsPath + "?all=1&placement=page&pageId=" + page).Data() {
		titles, ids = titles+" "+one["title"].(string), append(ids, one["id"].(string))
	}
	return strings.TrimSpace(titles), ids
}

func TestTheLoyaltyPageIsComposedOfBlocks(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		group := s.CreateGroup(object{"name": "Start <s>"})
		s.Free(object{"name": "Visit <u>", "loyaltyRuleGroupId": group})
		b.Get(b.Site("/pages")).Shows(200, "No blocks yet", "Members don’t see anything here now.")
		address := b.Site("/pages/blocks")
		form := formOn(b.Get(address+"/new").Shows(200, "New block", "Start <s>"))
		b.Post(address+"?form", with(form, "metadata", "[1]", "title", "Kept <i>")...).
			Shows(400, `href="#f-type"`, `href="#f-metadata"`, "Must be an object", "Kept <i>")
		b.Post(address+"?form", with(form, "metadata", "{", "type", "hero")...).Shows(400, `href="#f-metadata"`)
		if types, _ := listBlocks(s); types != "" {
			t.Fatalf("blocks by forms that were refused: %s", types)
		}
		ready := with(form, "type", "hero", "title", "Welcome <b>", "metadata", `{"tone":"warm"}`)
		b.Post(address+"?form", ready...).FollowsTo(b.Site("/pages")).Shows(200, "Block Welcome <b> added", "hero")
		b.Post(address+"?form", ready...).FollowsTo(b.Site("/pages")).Shows(200, "applied only once")
		for _, kind := range []string{"rules", "board"} {
			form = formOn(b.Get(address + "/new"))
			b.Post(address+"?form", with(form, "type", kind, "loyaltyRuleGroupId", group)...).FollowsTo(b.Site("/pages"))
		}
		types, ids := listBlocks(s)
		if types != "hero rules board" {
			t.Fatalf("the blocks are %s", types)
		}
		b.Get(b.Site("/pages")).Shows(200, "What members see now", "Rules in Start <s>", "Visit <u>", "To reorder blocks")

		move := address + "/" + ids[2] + "/move"
		b.Post(move, "to", "up").FollowsTo(b.Site("/pages?moved=")).Shows(200, "Order saved.", "autofocus")
		b.Post(move, "was", ids[0]+" "+ids[2]+" "+ids[1], "order", ids[2]+" "+ids[1]+" "+ids[0]).FollowsTo(b.Site("/pages"))
		if types, _ := listBlocks(s); types != "board rules hero" {
			t.Errorf("the order is %s", types)
		}
		b.Post(move, "was", ids[0], "order", ids[0]).
			Shows(400, "Somebody else has changed the order meanwhile. The current order is shown below.")

		one := address + "/" + ids[0]
		page := b.Get(one).Shows(200, "Welcome <b>", `{"tone":"warm"}`)
		late := with(formOn(page), "title", "Mine")
		b.Post(one, with(formOn(page), "title", "Theirs", "isHidden", "on")...).FollowsTo(b.Site("/pages")).
			Shows(200, "Block saved.", "Theirs", "Hidden")
		conflict := b.Post(one, late...).Shows(400, "Someone else changed this while you were editing", "Theirs")
		b.Post(one, with(formOn(conflict))...).FollowsTo(b.Site("/pages")).Shows(200, "Mine").Hides("Theirs", "Hidden</span>")
		b.Post(one, with(formOn(b.Get(one)), "type", "")...).Shows(400, `href="#f-type"`, "Is required")

		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(b.Site("/pages")).Shows(200, "Mine", "Visit <u>").Hides("/pages/blocks", "To reorder blocks", "sortable")
		for _, path := range []string{one, move, one + "/delete", address} {
			v.Post(path, "to", "up").Shows(403)
		}
		b.Get(one+"/delete").Shows(200, "Delete Mine?")
		b.Post(one+"/delete").FollowsTo(b.Site("/pages")).Shows(200, "Block Mine deleted.")
		b.Get(one).Shows(404, "Website page section not found")

		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		elsewhere := strings.Replace(address+"/"+ids[1], s.WebsiteID.String(), other.WebsiteID.String(), 1)
		c.Get(elsewhere).Shows(404, "Website page section not found")
		for _, path := range []string{"", "/move", "/delete"} {
			c.Post(elsewhere+path, "to", "up").Shows(404, "Website page section not found")
		}
	})
}

func TestAPageSectionIsComposedOfParts(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		var shown []string
		for i, name := range []string{"Founders <b>", "Guests"} {
			shown = append(shown, s.Post("/api/website_collections", object{
				"name": name, "collectionAddress": apptest.Wallet(i + 1), "network": "base", "sortId": i,
			}).OK()["id"].(string))
		}
		group := s.CreateGroup(object{"name": "Start <s>"})
		b.Get(b.Site("/pages?tab=sections")).Shows(200, "No sections yet")
		address := b.Site("/pages/sections")
		page := b.Get(address+"/new").Shows(200, "New section", "Preview")
		ask := func(name, value string, changes ...string) {
			t.Helper()
			page = b.Post(address+"?form", with(formOn(page), append(changes, name, value)...)...).Shows(200, "New section")
		}
		ask("add", "banner.websiteCollectionBanners", "title", "Spring <i>", "placement", "page", "pageId", "home")
		ask("add", "banner.websiteCollectionBanners", "banner.websiteCollectionBanners.0.websiteCollectionId", shown[0])
		ask("add", "itemsGrids", "banner.websiteCollectionBanners.1.websiteCollectionId", shown[1])
		ask("add", "itemsGrids")
		ask("drop", "itemsGrids#0")
		ask("up", "banner.websiteCollectionBanners#1")
		for _, title := range []string{"One <u>", "Two", "Three"} {
			ask("add", "discoveryItems")
			at := strings.Count(page.Body, `name="order.discoveryItems"`) - 1
			name := "discoveryItems." + string(rune('0'+at)) + ".title"
			ask("add", "preview", name, title)
		}
		page.Shows(200, "Spring <i>", "Founders <b>", "One <u>", "Three")
		ask("down", "discoveryItems#0")
		ask("drop", "discoveryItems#2")
		b.Post(address+"?form", with(formOn(page), "discoveryItems.1.externalLink", "nowhere", "carousel", "x",
			"durationEnd", "2020-01-01T00:00")...).Shows(400, `href="#f-carousel"`, "Must be a whole number", "One <u>")
		b.Post(address+"?form", with(formOn(page), "discoveryItems.1.externalLink", "nowhere",
			"durationEnd", "2020-01-01T00:00")...).
			Shows(400, `href="#f-durationEnd"`, `href="#f-discoveryItems.1.externalLink"`,
				"Card, 2, link: Must be a valid url", "Spring <i>", "nowhere")
		if titles, _ := listSections(s, "home"); titles != "" {
			t.Fatalf("sections by forms that were refused: %s", titles)
		}
		// dragging sends the parts in another order
		form := formOn(page)
		form["order.discoveryItems"] = []string{"1", "0"}
		ready := with(form, "carousel", "3", "discoveryItems.1.loyaltyRuleGroupId", group, "discoveryItems.0.buttonText", "Go")
		b.Post(address+"?form", ready...).FollowsTo(b.Site("/pages?place=page%3Ahome&tab=sections")).
			Shows(200, "Section Spring <i> created",
				"Banner with 2 collections, carousel with 3 items, grid with 1 collection, 2 cards",
				"Visible</span>", "Rotates through 3 items", "Rules in Start <s>")
		made := s.Get(sectionsPath + "?all=1&placement=page&pageId=home").Data()[0]
		places := made["banner"].(object)["websiteCollectionBanners"].([]any)
		items := made["discoveryItems"].([]any)
		if places[0].(object)["websiteCollectionId"] != shown[1] || items[0].(object)["title"] != "One <u>" ||
			items[1].(object)["title"] != "Two" || items[1].(object)["buttonText"] != "Go" ||
			items[0].(object)["loyaltyRuleGroupId"] != group {
			t.Errorf("made %v", made)
		}

		one := address + "/" + made["id"].(string)
		page = b.Get(one).Shows(200, "Spring <i>", "Founders <b>")
		late := with(formOn(page), "title", "Mine")
		b.Post(one, with(formOn(page), "carousel", "2", "drop", "discoveryItems#1")...).Shows(200, "One <u>").Hides("Two")
		b.Post(one, with(formOn(page), "carousel", "2")...).FollowsTo(b.Site("/pages?place=page%3Ahome")).Shows(200, "Section saved.")
		now := s.Get(sectionsPath + "/" + made["id"].(string)).OK()
		turns := func(o object) []any { return o["banner"].(object)["carousel"].(object)["carouselItems"].([]any) }
		if len(turns(now)) != 2 || turns(now)[1].(object)["id"] != turns(made)[1].(object)["id"] ||
			now["durationStart"] != made["durationStart"] {
			t.Errorf("saved %v, was %v", now, made)
		}
		b.Post(one, late...).Shows(400, "Someone else changed this while you were editing", "Carousel", "Mine")
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/website_collections/"+shown[1], nil).OK()
		page = b.Get(one).Shows(200, "A deleted collection")
		b.Post(one, with(formOn(page), "title", "Kept")...).FollowsTo(b.Site("/pages")).Shows(200, "Section saved.")
	})
}

func TestSectionsOfAPageAreOrderedAndSayWhenTheyAreShown(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		at := func(d time.Duration) string { return s.Clock.Now().Add(d).UTC().Format(time.RFC3339) }
		compose := func(title, from, until string) {
			body := object{"placement": "page", "pageId": "home", "title": title, "durationStart": from}
			if until != "" {
				body["durationEnd"] = until
			}
			s.Post(sectionsPath, body).OK()
		}
		compose("now", at(-time.Hour), "")
		compose("soon", at(48*time.Hour), "")
		compose("gone", at(-2*time.Hour), at(-time.Hour))
		s.Post(sectionsPath, object{"placement": "global", "title": "everywhere", "durationStart": at(0)}).OK()
		b.Get(b.Site("/pages?tab=sections")).Shows(200, "Every page", "Page “home”", "soon").Hides("everywhere")
		b.Get(b.Site("/pages?tab=sections&place=global")).Shows(200, "everywhere").Hides("soon")
		b.Get(b.Site("/pages?tab=sections&place=page%3Aattic")).Shows(200, "No sections here")
		address := b.Site("/pages?tab=sections&place=page%3Ahome")
		page := b.Get(address).Shows(200, "Shown from", "1 section has ended and isn’t shown", "Ended")
		_, preview, _ := strings.Cut(page.Body, "mimic")
		if strings.Contains(preview, "gone") || !strings.Contains(preview, "soon") || !strings.Contains(preview, "now") {
			t.Errorf("the preview is %s", preview)
		}
		_, ids := listSections(s, "home")
		move := b.Site("/pages/sections/" + ids[0] + "/move")
		b.Post(move, "to", "down").FollowsTo(b.Site("/pages?moved=")).Shows(200, "Order saved.", "autofocus")
		if titles, _ := listSections(s, "home"); titles != "soon now gone" {
			t.Errorf("the order is %s", titles)
		}
		was := url.Values{"was": {ids[1] + " " + ids[0] + " " + ids[2]}}
		b.Post(move, with(was, "order", ids[2]+" "+ids[1]+" "+ids[0])...).FollowsTo(b.Site("/pages")).Shows(200, "Order saved.")
		if titles, _ := listSections(s, "home"); titles != "gone soon now" {
			t.Errorf("the order is %s", titles)
		}
		b.Post(move, with(was, "order", ids[2]+" "+ids[1]+" "+ids[0])...).
			Shows(400, "The current order is shown below", "Page “home”")
		form := formOn(b.Get(b.Site("/pages/sections/new?place=page%3Ahome")).Shows(200, `value="home"`))
		b.Post(b.Site("/pages/sections?form"), with(form, "title", "last")...).FollowsTo(b.Site("/pages"))
		if titles, _ := listSections(s, "home"); titles != "gone soon now last" {
			t.Errorf("the order is %s", titles)
		}

		one := b.Site("/pages/sections/" + ids[1])
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(200, "soon", "Shown from").Hides("/pages/sections/", "sortable")
		for _, path := range []string{one, move, one + "/delete", b.Site("/pages/sections")} {
			v.Post(path, "to", "up").Shows(403)
		}
		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		elsewhere := strings.Replace(one, s.WebsiteID.String(), other.WebsiteID.String(), 1)
		c.Get(elsewhere).Shows(404, "Page section not found")
		for _, path := range []string{"", "/move", "/delete"} {
			c.Post(elsewhere+path, "to", "up").Shows(404, "Page section not found")
		}
		b.Get(one+"/delete").Shows(200, "Delete soon?", "The section is scheduled to be shown from")
		b.Post(one+"/delete").FollowsTo(b.Site("/pages?place=")).Shows(200, "Section soon deleted.")
		b.Post(one + "/delete").Shows(404)
	})
}

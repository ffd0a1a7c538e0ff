package pages_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

const opened = "2025-01-01T00:00:00Z"

// collection makes one and returns its id.
func collection(s *apptest.Server, n int) string {
	return s.Post("/api/website_collections", object{
		"name": "Founders", "collectionAddress": apptest.Wallet(n), "network": "base", "sortId": n,
	}).OK()["id"].(string)
}

func group(s *apptest.Server) string {
	return s.Post("/api/loyalty/rule_groups/create", object{"name": "Start here"}).OK()["id"].(string)
}

func TestAPageSectionIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shown, group := collection(s, 1), group(s)
		made := s.Post("/api/page_sections", object{
			"placement": "page", "pageId": "home", "pageSectionType": "discovery_items_grid", "title": "Hello", "sortId": 3,
			"durationStart": opened, "durationEnd": "2027-01-01T00:00:00Z",
			"banner": object{
				"websiteCollectionBanners": []any{object{"websiteCollectionId": shown}, object{}},
				"carousel":                 object{"carouselItems": []any{object{"sortId": 5}, object{"sortId": 2}}},
			},
			"itemsGrids": []any{object{"websiteCollectionId": shown}},
			"discoveryItems": []any{
				object{"title": "Second", "sortId": 9},
				object{"title": "First", "buttonText": "Go", "externalLink": "https://shop.example", "hideQuestInfo": true,
					"layout": "full_width_hero", "loyaltyRuleGroupId": group, "sortId": 1},
			},
		}).OK()
		one := s.Get("/api/page_sections/" + made["id"].(string)).OK()
		if !reflect.DeepEqual(one, made) {
			t.Errorf("made %v, read %v", made, one)
		}
		banner := made["banner"].(object)
		place := banner["websiteCollectionBanners"].([]any)[0].(object)
		want := object{"id": shown, "name": "Founders", "imageUrl": nil, "mintingContractId": nil}
		if !reflect.DeepEqual(place["websiteCollection"], want) {
			t.Errorf("the banner shows %v", place)
		}
		empty := banner["websiteCollectionBanners"].([]any)[1].(object)
		if named, has := empty["websiteCollectionId"]; has || empty["websiteCollection"] != nil {
			t.Errorf("a place without a collection names %v", named)
		}
		turns := banner["carousel"].(object)["carouselItems"].([]any)
		items := made["discoveryItems"].([]any)
		first := items[0].(object)
		if turns[0].(object)["sortId"] != apptest.JSONNumber("2") || first["title"] != "First" ||
			!reflect.DeepEqual(first["loyaltySection"], object{"id": group, "name": "Start here"}) ||
			first["hideQuestInfo"] != true || first["website"] != nil {
			t.Errorf("parts: %v and %v", turns, items)
		}
		// An update keeps what it leaves out; a part that is named by its id stays the same part.
		changed := s.Post("/api/page_sections/"+made["id"].(string), object{
			"title": nil, "discoveryItems": []any{object{"id": first["id"], "title": "Only"}, object{"title": "New"}},
		}).OK()
		kept := changed["discoveryItems"].([]any)
		if changed["title"] != nil || !reflect.DeepEqual(changed["banner"], made["banner"]) || len(kept) != 2 ||
			kept[0].(object)["id"] != first["id"] || kept[0].(object)["buttonText"] != nil {
			t.Errorf("changed to %v", changed)
		}
		// What is deleted is shown no more, and its place can be kept.
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/website_collections/"+shown, nil).OK()
		after := s.Post("/api/page_sections/"+made["id"].(string), object{"itemsGrids": []any{object{"websiteCollectionId": shown}}}).OK()
		grid := after["itemsGrids"].([]any)[0].(object)
		if grid["websiteCollection"] != nil || grid["websiteCollectionId"] != shown {
			t.Errorf("the grid shows %v", grid)
		}
		gone := s.Call(s.WebsiteAPIKey, "DELETE", "/api/page_sections/"+made["id"].(string), nil).OK()
		if gone["deletedAt"] == nil {
			t.Error(gone)
		}
		for _, method := range []string{"DELETE", "GET"} {
			s.Call(s.WebsiteAPIKey, method, "/api/page_sections/"+made["id"].(string), nil).
				Refused(404, "Page section not found")
		}
		s.Post("/api/page_sections/"+made["id"].(string), object{}).Refused(404, "Page section not found")
	})
}

func TestPageSectionsAreShownInTheirWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		section := func(title string, properties object) {
			body := object{"placement": "global", "title": title, "durationStart": opened}
			for name, value := range properties {
				body[name] = value
			}
			s.Post("/api/page_sections", body).OK()
		}
		section("later", object{"durationStart": apptest.Noon.Add(time.Hour)})
		section("second", object{"sortId": 2, "durationEnd": apptest.Noon.Add(2 * time.Hour)})
		section("first", object{"sortId": -1, "pageSectionType": "all_items"})
		section("elsewhere", object{"placement": "page", "pageId": "home"})
		titles := func(query string) string {
			answer := s.Call(s.ClientAPIKey, "GET", "/api/page_sections?"+query, nil)
			var names []string
			for _, one := range answer.Data() {
				names = append(names, one["title"].(string))
			}
			top := answer.JSON()
			if len(names) > 0 && (top["title"] != names[0] || top["id"] == nil) || len(names) == 0 && len(top) != 2 ||
				top["hasNextPage"] != false {
				t.Errorf("%s: %v", query, top)
			}
			return strings.Join(names, " ")
		}
		for query, want := range map[string]string{
			"placement=global":                           "first second",
			"placement=global&all=1":                     "first later second",
			"placement=global&pageSectionType=all_items": "first",
			"placement=page":                             "elsewhere",
			"placement=page&pageId=home":                 "elsewhere",
			"placement=page&pageId=shop":                 "",
		} {
			if got := titles(query); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		s.Clock.Advance(time.Hour)
		if got := titles("placement=global"); got != "first later second" {
			t.Errorf("an hour later: %s", got)
		}
		s.Clock.Advance(time.Hour)
		if got := titles("placement=global"); got != "first later" {
			t.Errorf("two hours later: %s", got)
		}
		s.Get("/api/page_sections").Refused(400, "placement is required")
		s.Get("/api/page_sections?placement=moon").Refused(400, "placement must be one of: global, page")
	})
}

func TestBadPageSectionsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gone := collection(s, 7)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/website_collections/"+gone, nil).OK()
		stranger := *s
		stranger.Program = s.NewProgram("Rival")
		foreign := collection(&stranger, 8)
		good := s.Post("/api/page_sections", object{"placement": "global", "durationStart": opened}).OK()["id"].(string)
		item := func(properties object) object { return object{"discoveryItems": []any{object{}, properties}} }
		for _, c := range []struct {
			change        object
			path, message string
		}{
			{object{"placement": nil}, "placement", "placement is required"},
			{object{"placement": "moon"}, "placement", "placement must be one of: global, page"},
			{object{"durationStart": nil}, "durationStart", "durationStart is required"},
			{object{"durationStart": "soon"}, "durationStart", "durationStart must be an ISO 8601 date-time"},
			{object{"durationEnd": opened}, "durationEnd", "durationEnd must be after durationStart"},
			{object{"sortId": nil}, "sortId", "sortId must be an integer"},
			{object{"sortId": 1.5}, "sortId", "sortId must be an integer"},
			{object{"pageSectionType": "x"}, "pageSectionType",
				"pageSectionType must be one of: all_items, discovery_item, discovery_items_grid"},
			{object{"title": strings.Repeat("x", 1001)}, "title", "title must be at most 1000 characters"},
			{object{"banner": "x"}, "banner", "banner must be an object"},
			{object{"banner": object{"websiteCollectionBanners": []any{object{"websiteCollectionId": gone}}}},
				"banner.websiteCollectionBanners.0.websiteCollectionId", "Collection not found"},
			{object{"itemsGrids": []any{object{"websiteCollectionId": foreign}}}, "itemsGrids.0.websiteCollectionId",
				"Collection not found"},
			{object{"itemsGrids": []any{object{"id": apptest.UnknownID}}}, "itemsGrids.0.id",
				"Part of the page section not found"},
			{object{"itemsGrids": nil}, "itemsGrids", "itemsGrids must be an array"},
			{item(object{"externalLink": "javascript:alert(1)"}), "discoveryItems.1.externalLink",
				"discoveryItems.1.externalLink must be a valid url"},
			{item(object{"mediaLink": "/files/../../etc/passwd"}), "discoveryItems.1.mediaLink",
				"discoveryItems.1.mediaLink must be a valid url"},
			{item(object{"layout": "x"}), "discoveryItems.1.layout",
				"discoveryItems.1.layout must be one of: container_style, full_width_hero"},
			{item(object{"hideQuestInfo": nil}), "discoveryItems.1.hideQuestInfo",
				"discoveryItems.1.hideQuestInfo must be a boolean"},
			{item(object{"loyaltyRuleGroupId": apptest.UnknownID}), "discoveryItems.1.loyaltyRuleGroupId",
				"Loyalty rule group not found"},
			{object{"discoveryItems": slices.Repeat([]any{object{}}, 101)}, "discoveryItems",
				"discoveryItems must have at most 100 items"},
			{item(object{"description": strings.Repeat("x", 10001)}), "discoveryItems.1.description",
				"discoveryItems.1.description must be at most 10000 characters"},
			{object{"discoveryItems": slices.Repeat([]any{object{"description": strings.Repeat("x", 9000)}}, 4)},
				"discoveryItems", "banner, itemsGrids and discoveryItems must be at most 32768 bytes together"},
		} {
			body := object{"placement": "global", "durationStart": opened}
			for name, value := range c.change {
				body[name] = value
			}
			if c.message != "Part of the page section not found" { // ids are ignored on creation
				refused(t, s.Post("/api/page_sections", body), c.path, c.message)
			}
			before := s.Get("/api/page_sections/" + good).Body
			refused(t, s.Post("/api/page_sections/"+good, c.change), c.path, c.message)
			if after := s.Get("/api/page_sections/" + good).Body; after != before {
				t.Errorf("%v changed %s to %s", c.change, before, after)
			}
		}
		if all := s.Get("/api/page_sections?placement=global&all=1").Data(); len(all) != 1 {
			t.Errorf("refused sections were kept: %v", all)
		}
	})
}

// refused demands a refusal that names the path.
func refused(t *testing.T, a apptest.Response, path, message string) {
	t.Helper()
	faults, _ := a.JSON()["errors"].([]any)
	if a.Status != 400 || a.JSON()["message"] != message || len(faults) == 0 ||
		faults[0].(object)["path"] != path {
		t.Errorf("want %q at %s, got %d %s", message, path, a.Status, a.Body)
	}
}

// layout sets the blocks and returns their types, ids by type.
func layout(s *apptest.Server, blocks ...object) (types string, ids map[string]string) {
	s.T.Helper()
	ids = map[string]string{}
	for _, b := range s.Post("/api/loyalty/website_page_sections", object{"websitePageSections": append([]object{}, blocks...)}).Data() {
		types += b["type"].(string) + " "
		ids[b["type"].(string)] = b["id"].(string)
	}
	return types, ids
}

func TestTheLayoutIsReplacedWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rules := group(s)
		types, ids := layout(s, object{"type": "hero", "title": "Hi", "metadata": object{"colour": "green", "n": 1.0}},
			object{"type": "rules", "loyaltyRuleGroupId": rules}, object{"type": "draft", "isHidden": true},
			object{"type": "top", "sortId": -4})
		if types != "top hero rules draft " {
			t.Errorf("laid out as %s", types)
		}
		kept := s.Get("/api/loyalty/website_page_sections/" + ids["hero"]).OK()
		if !reflect.DeepEqual(kept["metadata"], object{"colour": "green", "n": apptest.JSONNumber("1")}) {
			t.Error(kept)
		}
		client := s.Call(s.ClientAPIKey, "GET", "/api/loyalty/website_page_sections?limit=2", nil)
		if got := client.Data(); len(got) != 2 || client.JSON()["hasNextPage"] != true {
			t.Error(client.Body)
		}
		rest := s.Call(s.ClientAPIKey, "GET", "/api/loyalty/website_page_sections?startingAfter="+ids["hero"], nil)
		if got := rest.Data(); len(got) != 1 || got[0]["type"] != "rules" {
			t.Error(rest.Body)
		}
		s.Call(s.ClientAPIKey, "GET", "/api/loyalty/website_page_sections/"+ids["draft"], nil).
			Refused(404, "Website page section not found")
		types, now := layout(s, object{"type": "rules", "id": ids["rules"]}, object{"type": "hero", "id": ids["hero"]},
			object{"type": "footer"})
		hero := s.Get("/api/loyalty/website_page_sections/" + ids["hero"]).OK()
		if types != "rules hero footer " || now["hero"] != ids["hero"] || hero["title"] != "Hi" ||
			hero["createdAt"] != kept["createdAt"] {
			t.Errorf("laid out as %s: %v", types, hero)
		}
		for _, gone := range []string{"draft", "top"} {
			s.Get("/api/loyalty/website_page_sections/"+ids[gone]).Refused(404, "Website page section not found")
		}
		for _, c := range []struct {
			block         object
			path, message string
		}{
			{object{}, "type", "websitePageSections.1.type is required"},
			{object{"type": " "}, "type", "websitePageSections.1.type is required"},
			{object{"type": strings.Repeat("x", 101)}, "type", "websitePageSections.1.type must be at most 100 characters"},
			{object{"type": "x", "id": ids["draft"]}, "id", "Website page section not found"},
			{object{"type": "x", "id": ids["hero"]}, "id", "Website page section not found"}, // named twice
			{object{"type": "x", "metadata": nil}, "metadata", "websitePageSections.1.metadata must be an object"},
			{object{"type": "x", "metadata": []any{}}, "metadata", "websitePageSections.1.metadata must be an object"},
			{object{"type": "x", "metadata": object{"x": strings.Repeat("x", 16<<10)}}, "metadata",
				"websitePageSections.1.metadata must be at most 16384 bytes"},
			{object{"type": "x", "loyaltyRuleGroupId": apptest.UnknownID}, "loyaltyRuleGroupId",
				"Loyalty rule group not found"},
		} {
			body := object{"websitePageSections": []any{object{"type": "hero", "id": ids["hero"]}, c.block}}
			refused(t, s.Post("/api/loyalty/website_page_sections", body), "websitePageSections.1."+c.path, c.message)
		}
		many := make([]any, 101)
		for i := range many {
			many[i] = object{"type": "x"}
		}
		refused(t, s.Post("/api/loyalty/website_page_sections", object{"websitePageSections": many}),
			"websitePageSections", "websitePageSections must have at most 100 items")
		if got := s.Get("/api/loyalty/website_page_sections").Data(); len(got) != 3 {
			t.Errorf("a refused layout changed the page: %v", got)
		}
		if types, _ := layout(s); types != "" {
			t.Errorf("left over: %s", types)
		}
	})
}

func TestOfTwoLayoutsAtOnceOneIsThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				name := strconv.Itoa(i)
				s.Post("/api/loyalty/website_page_sections", object{"websitePageSections": []any{
					object{"type": name}, object{"type": name}, object{"type": name}}}).OK()
			})
		}
		all.Wait()
		got := s.Get("/api/loyalty/website_page_sections").Data()
		if len(got) != 3 || got[0]["type"] != got[2]["type"] {
			t.Errorf("mixed: %v", got)
		}
	})
}

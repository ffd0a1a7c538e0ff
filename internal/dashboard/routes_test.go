package dashboard

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

// routes returns the routes of all rooms.
func routes() []web.Route {
	var out []web.Route
	for _, room := range rooms(Config{}) {
		out = append(out, room.Routes...)
	}
	return out
}

// unrecordedActions are the actions that change nothing which is kept.
var unrecordedActions = []string{"/rules/{rule}/try", "/rules/{rule}/replay", "/health/check"}

func TestEveryPageOfAWebsiteNamesItsRightAndEveryActionItsWords(t *testing.T) {
	t.Parallel()
	for _, r := range routes() {
		if r.Access != web.OnWebsite {
			continue
		}
		if r.Right == "" || r.Right.Words() == "" {
			t.Errorf("%s %s needs no right", r.Method, r.Path)
		}
		if isAction := r.Method == http.MethodPost; isAction && r.Activity == "" && !slices.Contains(unrecordedActions, r.Path) {
			t.Errorf("%s has no words for the activity log", r.Path)
		}
	}
}

func TestTheMenuLeadsToPages(t *testing.T) {
	t.Parallel()
	items := 0
	for _, room := range rooms(Config{}) {
		for _, item := range room.Menu {
			items++
			address := strings.TrimSuffix("/"+item.Address, "/")
			at := slices.IndexFunc(room.Routes, func(r web.Route) bool {
				return r.Access == web.OnWebsite && r.Method == http.MethodGet && r.Path == address
			})
			if at < 0 {
				t.Errorf("%s leads to no page of its room", item.Name)
				continue
			}
			if r := room.Routes[at]; r.Right != item.Right || r.MenuItem != item.Name {
				t.Errorf("%s is of item %s with %s, the menu has %s with %s", address, r.MenuItem, r.Right, item.Name, item.Right)
			}
			if !slices.ContainsFunc(menuGroups, func(g web.MenuGroup) bool { return g.ID == item.Group }) {
				t.Errorf("%s is in %q, which is no part of the menu", item.Name, item.Group)
			}
		}
	}
	if items < 20 {
		t.Errorf("the menu has %d items", items)
	}
}

// eachTemplate calls check with the text of every template, under its room's number and its name.
func eachTemplate(t *testing.T, check func(name, text string)) {
	t.Helper()
	checked := 0
	files := []fs.FS{parts.Templates, os.DirFS("web")}
	for _, room := range rooms(Config{}) {
		files = append(files, room.Templates)
	}
	for _, of := range files {
		err := fs.WalkDir(of, "templates", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			checked++
			text, err := fs.ReadFile(of, name)
			check(name, string(text))
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if checked < 100 {
		t.Errorf("%d templates", checked)
	}
}

// forbiddenMarkup is what the policy blocks, and what would let values of members become code.
var forbiddenMarkup = regexp.MustCompile(
	`(?i)hx-on|hx-vals=.js:|hx-vars|hx-trigger="[^"]*\[|hx-confirm|\sstyle=|\son[a-z]+=|<script[^>]*>[^<]|<style|javascript:`,
)

func TestTemplatesHoldNothingThatThePolicyForbids(t *testing.T) {
	t.Parallel()
	eachTemplate(t, func(name, text string) {
		if found := forbiddenMarkup.FindString(text); found != "" {
			t.Errorf("%s: %s", name, found)
		}
	})
	for _, text := range []string{`<p style="x">`, `<a onclick="x">`, `<script>x</script>`, `hx-on:click=""`} {
		if !forbiddenMarkup.MatchString(text) {
			t.Errorf("%s is not found", text)
		}
	}
}

// Pages are read when they are first shown, so that one which cannot be read would fail there alone.
func TestEveryPageCanBeRead(t *testing.T) {
	t.Parallel()
	pages := 0
	names := map[string]bool{}
	for _, room := range rooms(Config{}) {
		files, err := fs.Glob(room.Templates, "templates/*.html")
		if err != nil {
			t.Fatal(err)
		}
		pages += len(files)
		for _, name := range files {
			if names[path.Base(name)] {
				t.Errorf("two rooms have a template %s", path.Base(name))
			}
			names[path.Base(name)] = true
		}
	}
	if parsed, err := web.ParseTemplates(parts.Templates, rooms(Config{})); err != nil || parsed != pages+1 { // and that of errors
		t.Errorf("%d of %d pages, %v", parsed, pages, err)
	}
}

// TestTheTourHasAPlaceForEveryPage holds the list of scripts/browser to the table: what it names page is looked at in
// Chromium.
func TestTheTourHasAPlaceForEveryPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../scripts/browser/pages.json")
	if err != nil {
		t.Fatal(err)
	}
	var places map[string]string
	if err := json.Unmarshal(text, &places); err != nil {
		t.Fatal(err)
	}
	for _, r := range append(routes(), web.PictureRoutes...) {
		if r.Method != http.MethodGet {
			continue
		}
		if !slices.Contains([]string{"page", "door", "file", "redirect"}, places[r.Pattern()]) {
			t.Errorf("scripts/browser/pages.json has no place for %s", r.Pattern())
		}
		delete(places, r.Pattern())
	}
	for left := range places {
		if left == "/" || left == "/docs" || strings.HasPrefix(left, "/docs/") {
			continue // the documentation, which package manual renders
		}
		t.Errorf("scripts/browser/pages.json has %s, which is no route", left)
	}
}

package manual_test

import (
	"html"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/docs"
	"laurel.example/laurel/internal/manual"
)

var (
	hrefOf    = regexp.MustCompile(`<a [^>]*href="([^"]*)"`)
	loadOf    = regexp.MustCompile(`<(?:img|link|script|use|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"`)
	idOf      = regexp.MustCompile(` id="([^"]*)"`)
	forbidden = regexp.MustCompile(`<script|<iframe|<[a-z][^>]* (?:style|on[a-z]+)=`)
	itemOf    = regexp.MustCompile(`<a class="item" href="([^"]*)"`)
)

func newSite() *manual.Site {
	return manual.New(manual.Config{
		Prefix: "/loyalty", Asset: func(name string) string { return "/loyalty/admin/assets/" + name },
	})
}

// render returns the HTML of every page by its address.
func render(t *testing.T, site *manual.Site) map[string]string {
	t.Helper()
	paths, err := manual.Paths()
	if err != nil || len(paths) < 30 {
		t.Fatal(paths, err)
	}
	out := map[string]string{}
	for _, at := range paths {
		text, err := site.Page(at)
		if err != nil || len(text) == 0 {
			t.Fatalf("%s: %v", at, err)
		}
		out[strings.TrimSuffix("/loyalty/docs/"+at, "/")] = string(text)
	}
	return out
}

func TestEveryPageIsRenderedAndLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	for at, text := range render(t, newSite()) {
		for _, want := range []string{"<h1", `id="main"`, `role="search"`, "</html>"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %s", at, want)
			}
		}
		if found := forbidden.FindString(text); found != "" {
			t.Errorf("%s has %s", at, found)
		}
		if strings.Contains(text, "<!--") && strings.Count(text, "<!--") > 4 {
			t.Errorf("%s has comments", at)
		}
		for _, load := range loadOf.FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(load[1], "/loyalty/") {
				t.Errorf("%s loads %s", at, load[1])
			}
		}
	}
}

func TestLinksOfThePagesLeadToPagesAndAnchors(t *testing.T) {
	t.Parallel()
	site := newSite()
	all := render(t, site)
	ids := map[string]map[string]bool{}
	for at, text := range all {
		ids[at] = map[string]bool{"": true}
		for _, id := range idOf.FindAllStringSubmatch(text, -1) {
			if ids[at][html.UnescapeString(id[1])] {
				t.Errorf("%s has the id %s twice", at, id[1])
			}
			ids[at][html.UnescapeString(id[1])] = true
		}
	}
	outside := []string{"/loyalty/docs/api", "/loyalty/docs/search", "/loyalty/admin", "/loyalty/"}
	for at, text := range all {
		for _, link := range hrefOf.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(html.UnescapeString(link[1]), "#")
			if to == "" {
				to = at
			}
			if strings.HasPrefix(to, "https://") || slices.Contains(outside, to) {
				continue
			}
			if !ids[to][anchor] {
				t.Errorf("%s: nothing is at %s", at, link[1])
			}
		}
		for _, load := range loadOf.FindAllStringSubmatch(text, -1) {
			name, isOurs := strings.CutPrefix(load[1], "/loyalty/docs/")
			if isOurs && len(site.Picture(name)) == 0 {
				t.Errorf("%s: no picture is at %s", at, load[1])
			}
		}
	}
}

// The menu is made from docs/README.md and docs/contract/README.md: a page that neither lists has no place in it.
func TestTheIndexesListEveryPageOnce(t *testing.T) {
	t.Parallel()
	all := render(t, newSite())
	places := map[string]int{}
	for _, item := range itemOf.FindAllStringSubmatch(all["/loyalty/docs"], -1) {
		places[item[1]]++
	}
	for at := range all {
		if places[at] != 1 {
			t.Errorf("%s is in the menu %d times: docs/README.md should link to it", at, places[at])
		}
	}
}

// Links and anchors also work in the repository, in pages that are not served, too.
func TestLinksBetweenFilesOfTheRepositoryLeadToFilesAndAnchors(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	links, anchors := map[string][]string{}, map[string]map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || name == "bin"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		source, err := fs.ReadFile(root, name)
		links[name], anchors[name] = manual.ReadPage(name, source)
		return err
	})
	if err != nil || len(links) < 50 {
		t.Fatal(len(links), err)
	}
	for name, list := range links {
		for _, link := range list {
			target, anchor, isOurs := manual.TargetOf(name, link)
			if target == "" {
				target = name
			}
			if !isOurs {
				continue
			}
			if _, err := fs.Stat(root, target); err != nil {
				t.Errorf("%s: no file is at %s", name, link)
			} else if path.Ext(target) == ".md" && !anchors[target][anchor] {
				t.Errorf("%s: no heading is at %s", name, link)
			}
		}
	}
}

// HTML in pages is rendered as it stands, so that only what does no harm may stand in them.
func TestPagesHaveNoHTMLBesideBreaksAndComments(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(docs.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		source, err := fs.ReadFile(docs.Files, name)
		for _, raw := range manual.RawHTML(source) {
			if raw = strings.TrimSpace(raw); raw != "<br>" && !strings.HasPrefix(raw, "<!--") {
				t.Errorf("%s has %q", name, raw)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFileHasThePathOfItsPage(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"README.md": "", "contract/README.md": "contract", "guides/online-shop.md": "guides/online-shop",
	} {
		if got := manual.PathOf(file); got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	text, err := newSite().Page("decisions/0001")
	if text != nil || err != nil {
		t.Error("a page that is not there", text, err)
	}
}

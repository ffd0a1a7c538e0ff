package manual_test

import (
	"regexp"
	"strings"
	"testing"
)

var hitOf = regexp.MustCompile(`<h2><a href="([^"]*)">`)

// find returns the addresses that a search finds, and its page.
func find(t *testing.T, query string) (addresses []string, page string) {
	t.Helper()
	text, err := newSite().Search(query)
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range hitOf.FindAllStringSubmatch(string(text), -1) {
		addresses = append(addresses, hit[1])
	}
	return addresses, string(text)
}

func TestASearchFindsTitlesThenHeadingsThenTexts(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"online shop":       "/loyalty/docs/guides/online-shop",
		"Reversals":         "/loyalty/docs/contract/reversals",
		"clock for tests":   "/loyalty/docs/operations#a-clock-for-tests",
		"GLOSSARY":          "/loyalty/docs/glossary",
		"reorganizations":   "/loyalty/docs/networks#reorganizations",
		"rule types":        "/loyalty/docs/contract/rule-types",
		"refunds":           "/loyalty/docs/contract/reversals",
		"insufficient have": "/loyalty/docs/",
		"typescript":        "/loyalty/docs/clients",
		"cashback":          "/loyalty/docs/glossary#points",
		"discount":          "/loyalty/docs/glossary#points",
		"expire soon":       "/loyalty/docs/",
		"GDPR":              "/loyalty/docs/glossary#people",
		"birthday":          "/loyalty/docs/glossary#people",
	} {
		got, page := find(t, query)
		if len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %s first", query, got, want)
		}
		if len(got) > 0 && !strings.Contains(page, "<mark>") && query == "insufficient have" {
			t.Errorf("%s: nothing is marked", query)
		}
	}
}

func TestASearchEscapesWhatItShows(t *testing.T) {
	t.Parallel()
	for _, query := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "<br>", "\"<b>"} {
		if _, page := find(t, query); strings.Contains(page, query) || strings.Contains(page, "<img") {
			t.Errorf("%q is not escaped", query)
		}
	}
	if _, page := find(t, "<uuid>"); strings.Contains(page, "<uuid>") {
		t.Error("a text of a page is not escaped")
	}
}

func TestASearchWithoutAHitSaysSo(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"": "Enter words", "   ": "Enter words", "xylophonist": "No page has all of these words",
		"refund xylophonist": "No page has all of these words",
	} {
		if got, page := find(t, query); len(got) > 0 || !strings.Contains(page, want) {
			t.Errorf("%q finds %q", query, got)
		}
	}
}

func TestALongSearchIsCut(t *testing.T) {
	t.Parallel()
	if _, page := find(t, strings.Repeat("a ö ", 5000)); len(page) > 200_000 {
		t.Errorf("%d bytes", len(page))
	}
}

package dashboard

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dashboard/web"
)

// A list is a template with a pager, or one whose page is read at once and is a list all the same.
var listsAtOnce = []string{"templates/team.html", "templates/groups.html"}

var fileLink = regexp.MustCompile(`template "export"|\.csv"`)

func TestEveryListHasAFile(t *testing.T) {
	t.Parallel()
	lists := 0
	eachTemplate(t, func(name, text string) {
		if strings.Contains(name, "/shared/") {
			return
		}
		paged := strings.Contains(text, `template "pager"`) || strings.Contains(text, `template "jobs-foot"`)
		if paged = paged || slices.Contains(listsAtOnce, name); paged && withoutExport[name] == "" {
			lists++
			if !fileLink.MatchString(text) {
				t.Errorf("%s is a list without a file", name)
			}
		}
	})
	if lists < 10 {
		t.Errorf("%d lists", lists)
	}
	for _, r := range routes() {
		if strings.HasSuffix(r.Path, ".csv") && (r.Access != web.OnWebsite || r.Method != http.MethodGet) {
			t.Errorf("%s is no file of a website", r.Path)
		}
	}
}

// withoutExport are lists without a file, with the reason.
var withoutExport = map[string]string{
	"templates/rule-history.html": "an edit is a comparison and no line of values",
	"templates/outbox.html":       "codes and links of development are good for minutes, and nobody's records",
}

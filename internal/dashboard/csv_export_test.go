package dashboard

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// A list is a template with a pager, or one whose page is read at once and is a list all the same.
var listsAtOnce = []string{"templates/team.html", "templates/groups.html"}

var fileLink = regexp.MustCompile(`template "export"|\.csv"`)

func TestEveryListHasAFile(t *testing.T) {
	t.Parallel()
	lists := 0
	err := fs.WalkDir(templateFiles, "templates", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(name, "/shared/") {
			return err
		}
		text, err := templateFiles.ReadFile(name)
		paged := strings.Contains(string(text), `template "pager"`) || strings.Contains(string(text), `template "jobs-foot"`)
		for _, at := range listsAtOnce {
			paged = paged || name == at
		}
		if paged && withoutExport[name] == "" {
			lists++
			if !fileLink.Match(text) {
				t.Errorf("%s is a list without a file", name)
			}
		}
		return err
	})
	if err != nil || lists < 10 {
		t.Errorf("%d lists, %v", lists, err)
	}
	for _, r := range routes() {
		if strings.HasSuffix(r.path, ".csv") && (r.access != onWebsite || r.method != http.MethodGet) {
			t.Errorf("%s is no file of a website", r.path)
		}
	}
}

// withoutExport are lists without a file, with the reason.
var withoutExport = map[string]string{
	"templates/rule-history.html": "an edit is a comparison and no line of values",
}

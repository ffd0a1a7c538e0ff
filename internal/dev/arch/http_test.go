package arch_test

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// The edge serves HTTP, by folder: of the families of handlers only that of files, of the rooms none. outbound is a client and names
// no type of a server. apptest serves to tests.
var (
	httpServers = []string{
		"internal/api",
		"internal/api/rest",
		"internal/api/websites",
		"internal/dashboard",
		"internal/dashboard/web",
		"internal/app",
		"internal/dev/anvil", // a proxy in front of a node
		"internal/dev/apptest",
		"internal/dev/bench", // a receiver of callbacks
		"internal/dev/demo",  // platforms on which its members have accounts, and a node
	}
	httpClients = []string{"outbound", "scripts/torture"}
	serverNames = []string{
		"Server",
		"Handler",
		"HandlerFunc",
		"Handle",
		"HandleFunc",
		"ResponseWriter",
		"ResponseController",
		"ServeMux",
		"NewServeMux",
		"ListenAndServe",
		"ListenAndServeTLS",
		"Serve",
		"ServeTLS",
		"FileServer",
		"FileServerFS",
		"Error",
		"Redirect",
		"SetCookie",
		"NotFound",
	}
)

func httpStaysAtTheEdge(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if slices.Contains(httpServers, path.Dir(f.path)) {
			continue
		}
		client := slices.Contains(httpClients, f.pkg)
		for _, spec := range f.ast.Imports {
			target := unquote(spec.Path)
			if (target == "net/http" || strings.HasPrefix(target, "net/http/")) && !client {
				out = append(out, t.at(f, spec.Pos(), "%s may not import %s", f.pkg, target))
			}
		}
		for pos, name := range uses(f, "net/http") {
			if client && slices.Contains(serverNames, name) {
				out = append(out, t.at(f, pos, "%s is a client: http.%s is a server's", f.pkg, name))
			}
		}
	}
	return out
}

func TestHTTPRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, httpStaysAtTheEdge, []planted{
		{
			"a domain",
			map[string]string{
				"internal/rules/catalog/a.go": "package catalog\nimport (\n\t_ \"net/http\"\n\t_ \"net/http/httptest\"\n)",
			},
			[]string{"a.go:3: catalog may not import net/http", "a.go:4"},
		},
		{
			"a client that serves",
			map[string]string{
				"internal/outbound/a.go": "package outbound\nimport \"net/http\"\nvar c http.Client\nvar s http.Server\n",
			},
			[]string{"a.go:4: outbound is a client: http.Server"},
		},
		{
			"a family of handlers",
			map[string]string{"internal/api/points/a.go": "package points\nimport _ \"net/http\""},
			[]string{"a.go:2: points may not import net/http"},
		},
		{"clean", map[string]string{
			"internal/outbound/a.go":      "package outbound\nimport \"net/http\"\nvar c http.Client\n",
			"internal/api/a.go":           "package api\nimport \"net/http\"\nvar h http.Handler\n",
			"internal/api/rest/a.go":      "package rest\nimport \"net/http\"\nvar h http.Handler\n",
			"internal/rules/catalog/a.go": "package catalog\nimport \"net/url\"\nvar u url.URL\n",
		}, nil},
	})
}

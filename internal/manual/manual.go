// Package manual shows the pages of the documentation as HTML: it renders their Markdown, makes the links between them
// lead from page to page, builds the menu from the index by task, and searches. Its pages have no scripts and load from
// this server alone. It owns no HTTP: package rest serves what it renders.
package manual

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"laurel.example/laurel/docs"
)

// Config says where the pages are served.
type Config struct {
	Prefix string // the path prefix of every route; pages are at Prefix + /docs
	// Asset returns the path of a file of the dashboard, such as its stylesheet; nil: pages have no looks.
	Asset func(name string) string
}

// Site renders the pages for one prefix.
type Site struct {
	cfg      Config
	base     string // Prefix + /docs
	template func() (*template.Template, error)
	mu       sync.Mutex
	rendered map[string][]byte // the HTML of pages, by their paths
}

// pages are those of every server of a process, of which tests start many.
var pages = sync.OnceValues(func() (*library, error) { return readLibrary(docs.Files) })

//go:embed templates
var templateFiles embed.FS

// New returns the site. It reads no page before one is requested.
func New(cfg Config) *Site {
	s := &Site{cfg: cfg, base: cfg.Prefix + "/docs", rendered: map[string][]byte{}}
	s.template = sync.OnceValues(func() (*template.Template, error) {
		return template.New("").Funcs(template.FuncMap{
			"asset": s.asset, "icon": s.icon, "base": func() string { return s.base },
			"home": func() string { return cfg.Prefix + "/" }, "admin": func() string { return cfg.Prefix + "/admin" },
		}).ParseFS(templateFiles, "templates/*.html")
	})
	return s
}

func (s *Site) asset(name string) string {
	if s.cfg.Asset == nil {
		return ""
	}
	return s.cfg.Asset(name)
}

// icon returns an icon of the dashboard.
func (s *Site) icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` + //nolint:gosec // of our own templates
		template.HTMLEscapeString(s.asset("icons.svg")+"#"+name) + `"/></svg>`)
}

// titleEnd follows the titles of pages in those of windows.
const titleEnd = " · Laurel documentation"

// screen is what the templates show.
type screen struct {
	Title string
	Menu  []menuGroup
	Body  template.HTML
	Toc   []tocEntry
	Query string
	Hits  []Hit
}

// Page returns the HTML of a page by its path below /docs, such as guides/online-shop, "" for the index. It returns nil
// if there is no such page.
func (s *Site) Page(at string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := s.rendered[at]; text != nil {
		return text, nil
	}
	all, err := pages()
	if err != nil {
		return nil, err
	}
	p := all.byPath[at]
	if p == nil {
		return nil, nil
	}
	body, err := all.render(p, s.base)
	if err != nil {
		return nil, err
	}
	text, err := s.execute("page.html", screen{
		Title: p.title + titleEnd, Menu: all.menuFor(at, s.base), Body: body, Toc: p.toc(),
	})
	if err == nil {
		s.rendered[at] = text
	}
	return text, err
}

// Has reports whether there is a page at a path below /docs.
func (s *Site) Has(at string) bool {
	all, err := pages()
	return err == nil && all.byPath[at] != nil
}

// Search returns the page with what a query finds.
func (s *Site) Search(query string) ([]byte, error) {
	all, err := pages()
	if err != nil {
		return nil, err
	}
	query = tidyQuery(query)
	return s.execute("search.html", screen{
		Title: "Search" + titleEnd, Menu: all.menuFor("search", s.base), Query: query, Hits: all.search(query, s.base),
	})
}

// Missing returns the page for a path that has none.
func (s *Site) Missing() ([]byte, error) {
	all, err := pages()
	if err != nil {
		return nil, err
	}
	return s.execute("missing.html", screen{Title: "No such page" + titleEnd, Menu: all.menuFor("missing", s.base)})
}

// Start returns the page at the root of the server, which leads to the documentation and the dashboard.
func (s *Site) Start() ([]byte, error) { return s.execute("start.html", screen{Title: "Laurel"}) }

// Picture returns a picture of a page by its path below /docs; nil if there is none.
func (s *Site) Picture(at string) []byte {
	if path.Ext(at) != ".svg" {
		return nil
	}
	text, err := fs.ReadFile(docs.Files, at)
	if err != nil {
		return nil // no such picture: the file system is in the binary
	}
	return text
}

// Paths returns the paths of all pages below /docs, in order.
func Paths() ([]string, error) {
	all, err := pages()
	if err != nil {
		return nil, err
	}
	var out []string
	for at := range all.byPath {
		out = append(out, at)
	}
	slices.Sort(out)
	return out, nil
}

// PathOf returns the path below /docs of the page that a file shows, such as contract for contract/README.md.
func PathOf(file string) string {
	at := strings.TrimSuffix(file, ".md")
	if path.Base(at) == "README" {
		at = strings.TrimSuffix(path.Dir(at), ".")
	}
	return at
}

func (s *Site) execute(name string, data screen) ([]byte, error) {
	all, err := s.template()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := all.ExecuteTemplate(&out, name, data); err != nil {
		return nil, fmt.Errorf("page of the documentation: %w", err)
	}
	return out.Bytes(), nil
}

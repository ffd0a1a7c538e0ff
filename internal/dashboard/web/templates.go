package web

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"

	"laurel.example/laurel"
)

// templateFiles are the templates of all rooms: frames and parts that pages share, and the page of errors.
//
//go:embed templates
var templateFiles embed.FS

// templateSet holds the templates by name, each with the frames and parts. A template is parsed when it is first shown:
// parsing all takes longer than the rest of a server's start.
type templateSet map[string]func() (*template.Template, error)

// loadTemplates returns the set of the rooms' templates, each with the frames, the parts and what its room shares.
func (s *Server) loadTemplates(parts fs.FS, rooms []Room) (templateSet, error) {
	base := sync.OnceValues(func() (*template.Template, error) {
		frames, err := template.New("").Funcs(s.templateFuncs()).ParseFS(templateFiles, sharedTemplates)
		if err != nil || parts == nil {
			return frames, err
		}
		return frames.ParseFS(parts, "templates/*.html")
	})
	all := templateSet{}
	for _, room := range rooms {
		names, err := fs.Glob(room.Templates, "templates/*.html")
		if err != nil {
			return nil, err
		}
		shared := sync.OnceValues(func() (*template.Template, error) { return room.shared(base) })
		for _, name := range names {
			all[strings.TrimSuffix(path.Base(name), ".html")] = sync.OnceValues(func() (*template.Template, error) {
				return extend(shared, room.Templates, name)
			})
		}
	}
	return all, nil
}

// sharedTemplates are the files of templates that several pages show.
const sharedTemplates = "templates/shared/*.html"

// shared returns the templates that every page of the room may show.
func (r Room) shared(base func() (*template.Template, error)) (*template.Template, error) {
	withFuncs := func() (*template.Template, error) {
		parts, err := base()
		if err != nil {
			return nil, err
		}
		if parts, err = parts.Clone(); err != nil {
			return nil, err
		}
		return parts.Funcs(template.FuncMap{"faultLabel": r.Labels.Of}).Funcs(r.Funcs), nil
	}
	if names, err := fs.Glob(r.Templates, sharedTemplates); err != nil || len(names) == 0 {
		return withFuncs()
	}
	return extend(withFuncs, r.Templates, sharedTemplates)
}

// extend returns a copy of some templates with those of further files.
func extend(of func() (*template.Template, error), files fs.FS, pattern string) (*template.Template, error) {
	parts, err := of()
	if err != nil {
		return nil, err
	}
	page, err := parts.Clone()
	if err != nil {
		return nil, err
	}
	return page.ParseFS(files, pattern)
}

// ParseTemplates parses the templates of all pages. It returns their number, and the first error.
func ParseTemplates(parts fs.FS, rooms []Room) (int, error) {
	s := &Server{Base: RootPath}
	all, err := s.loadTemplates(parts, append(rooms, Room{Templates: templateFiles}))
	if err != nil {
		return 0, err
	}
	for name, parse := range all {
		if page, err := parse(); err != nil || page.Lookup(name+".html") == nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return len(all), nil
}

// get returns the template of a page. It panics if that is missing or malformed: templates are embedded, and a test
// parses all of them.
func (p templateSet) get(name string) *template.Template {
	parse, ok := p[name]
	if !ok {
		panic("no template " + name)
	}
	page, err := parse()
	if err != nil {
		panic(err)
	}
	return page
}

// templateFuncs returns the functions that all templates can call in addition to the methods of Screen. Rooms have
// further ones.
func (s *Server) templateFuncs() template.FuncMap {
	return template.FuncMap{
		"icon":       s.icon,
		"asset":      func(name string) string { return s.Base + "/assets/" + s.assets.names[name] },
		"num":        Number,
		"short":      Shorten,
		"roleName":   func(r laurel.Role) string { return RoleNames[r] },
		"initials":   initials,
		"sentence":   Sentence,
		"dict":       dict,
		"plural":     Plural,
		"base":       func() string { return s.Base },
		"htmx":       func() string { return htmxSettings },
		"faultLabel": commonLabels.Of,
		"faultField": faultField,
		"lasts":      FormatDuration,
		"signed":     signed,
		"add1":       func(i int) int { return i + 1 },
	}
}

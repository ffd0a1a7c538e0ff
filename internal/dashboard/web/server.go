// Package web serves the pages of the dashboard: it finds the session, the admin and the website of a call, checks its
// right, runs its handler and renders the view. It has the means of all pages: templates, forms that count once, drafts
// of forms, lists and their files, filters, charts, uploads. It knows no room.
package web

import (
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/admins/sso"
	"laurel.example/laurel/internal/pictures"
	"laurel.example/laurel/internal/tenancy"
)

// Config has the services that every page uses, and the settings.
type Config struct {
	Admins        *admins.Service
	SSO           *sso.Service // signs admins in at the identity provider; nil: there is none
	Tenancy       *tenancy.Service
	Pictures      *pictures.Service
	Version       string                       // of the service
	Prefix        string                       // path prefix of every route; pages are at Prefix + /admin
	HasNetworks   bool                         // blockchains are read
	Secure        bool                         // browsers use HTTPS: cookies are sent only there
	ClientAddress func(r *http.Request) string // IP address of the client, as trusted proxies report it
	ClientNetwork func(r *http.Request) string // network of that address, which rate limits count
	// PublicURL is the external URL of the service, with the prefix: links begin with it. The Host header of a request
	// is not used, as the client chooses it. Empty: links are paths.
	PublicURL string
	RequestID func(r *http.Request) string // under which the log knows a request
	// NameRoute says which route serves a request, for metrics and the log; nil: nobody wants to know.
	NameRoute func(r *http.Request, pattern string)
	Now       func() time.Time // the service's clock
	// Deadline returns the moment after a span by the system's clock, which connections go by.
	Deadline func(time.Duration) time.Time
	NewID    func() laurel.ID // ids of forms, which count once
	Logger   *slog.Logger
}

// Room is a part of the dashboard: pages that belong together.
type Room struct {
	Routes []Route
	Menu   []MenuItem
	// Templates has a file for each page, and in its folder shared what several pages of the room show.
	Templates fs.FS
	Funcs     template.FuncMap // functions that these templates call
	Labels    Labels           // of the fields that its forms have
}

// Server serves the pages of all rooms.
type Server struct {
	Config
	Base     string // Prefix + /admin
	Sessions *scs.SessionManager
	Licences []Licence

	assets      *assets
	templates   templateSet
	routes      []Route
	menu        []MenuGroup
	mux         *chi.Mux
	crossOrigin *http.CrossOriginProtection
}

// RootPath is the path of all pages. Requests come without the path prefix and without a slash at the end.
const RootPath = "/admin"

// How long a session lasts.
const sessionLifetime = 12 * time.Hour

// New returns the server of the rooms' pages. groups are the parts of the menu, in order; parts are the templates that
// several rooms show. It fails if an embedded asset or licence cannot be read.
func New(c Config, groups []MenuGroup, parts fs.FS, rooms []Room) (*Server, error) {
	s := &Server{
		Config: c, Base: c.Prefix + RootPath, menu: groupMenu(groups, rooms, c.HasNetworks), mux: chi.NewMux(),
		crossOrigin: http.NewCrossOriginProtection(),
	}
	var err error
	if s.assets, err = embeddedAssets(); err != nil {
		return nil, err
	}
	if s.Licences, err = readLicences(); err != nil {
		return nil, err
	}
	if s.templates, err = s.loadTemplates(parts, append(rooms, Room{Templates: templateFiles})); err != nil {
		return nil, err
	}
	s.Sessions = scs.New()
	s.Sessions.Store, s.Sessions.Codec = c.Admins.Sessions(), c.Admins.Sessions()
	s.Sessions.HashTokenInStore, s.Sessions.Lifetime = true, sessionLifetime
	s.registerRoutes(rooms)
	return s, nil
}

// The policy of every page: nothing from elsewhere, no script or style in the page itself.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP serves assets and pages. Pages get the security headers and are protected against cross-origin requests.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, RootPath+"/assets/") {
		s.nameRoute(r, RootPath+"/assets/*")
		s.assets.ServeHTTP(w, r)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", contentSecurityPolicy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Cache-Control", "no-store")
	s.crossOrigin.Handler(s.mux).ServeHTTP(w, r)
}

// registerRoutes adds the routes of all rooms to the router, with a page for all other paths.
func (s *Server) registerRoutes(rooms []Room) {
	s.routes = slices.Clone(PictureRoutes)
	for _, room := range rooms {
		s.routes = append(s.routes, room.Routes...)
	}
	for _, r := range s.routes {
		serve, pattern := s.serve(r), r.Pattern()
		s.mux.MethodFunc(r.Method, pattern, func(w http.ResponseWriter, request *http.Request) {
			s.nameRoute(request, pattern)
			serve(w, request)
		})
	}
	s.mux.NotFound(
		s.serve(Route{Access: Anyone, Page: func(*Call) (View, error) { return View{}, laurel.Missing("Page") }}),
	)
}

// nameRoute says which route serves a request.
func (s *Server) nameRoute(r *http.Request, pattern string) {
	if s.NameRoute != nil {
		s.NameRoute(r, pattern)
	}
}

// Routes returns all routes.
func (s *Server) Routes() []Route { return s.routes }

// Path returns the path of a page of the dashboard from its parts, which are escaped. A part that begins with "?" is a
// query, which is added as it is.
func (s *Server) Path(parts ...any) string {
	var joined strings.Builder
	joined.WriteString(s.Base)
	for _, part := range parts {
		text := fmt.Sprint(part)
		if strings.HasPrefix(text, "?") {
			joined.WriteString(text)
			continue
		}
		joined.WriteString("/" + url.PathEscape(text))
	}
	return joined.String()
}

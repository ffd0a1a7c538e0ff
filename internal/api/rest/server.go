package rest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"laurel.example/laurel/internal/manual"
)

// New returns the handler of the operations, of the keyless routes and of those that every server has, such as
// /healthz. Its rate limits end with ctx. It fails if a limit cannot be set up.
func New(ctx context.Context, cfg Config, operations []Operation, keyless []Keyless) (http.Handler, error) {
	a, err := newAPI(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return a.handler(operations, keyless), nil
}

// newAPI returns an API with its defaults and rate limits, which end with ctx.
func newAPI(ctx context.Context, cfg Config) (*API, error) {
	configureHuma()
	cfg.Prefix = strings.TrimSuffix(cfg.Prefix, "/")
	a := &API{cfg: cfg, log: cfg.Logger, bodies: NewTally(bodyMemory, bodyMemoryAddress)}
	a.manual = manual.New(manual.Config{Prefix: cfg.Prefix, Asset: cfg.Asset})
	if a.log == nil {
		a.log = slog.Default()
	}
	var err error
	a.limits, err = newLimiters(ctx, cfg.Limits, cfg.Now)
	return a, err
}

// handler returns the handler of all routes.
func (a *API) handler(routes []Operation, keyless []Keyless) http.Handler {
	mux := chi.NewMux()
	mux.NotFound(func(w http.ResponseWriter, r *http.Request) { a.fail(w, r, errNoRoute) })
	mux.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", strings.Join(methodsOf(mux, r.URL.Path), ", "))
		a.fail(w, r, errMethod)
	})
	for i := range routes {
		a.addOperation(mux, &routes[i])
	}
	a.addBuiltinRoutes(mux, routes)
	a.addKeylessRoutes(mux, keyless)
	return a.wrapRoutes(mux)
}

// addBuiltinRoutes serves the routes of every server, which need no key (contract 1.1). The OpenAPI document is made on
// the first request for it: at the start of the server it would take a third of the time.
func (a *API) addBuiltinRoutes(mux *chi.Mux, routes []Operation) {
	document := sync.OnceValues(func() ([]byte, error) { return document(a.cfg.Prefix, routes, a.cfg.Texts) })
	get := func(path string, serve http.HandlerFunc) { addRoute(mux, http.MethodGet, path, path, serve) }
	get("/healthz", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, health{Status: "ok"}) })
	get("/readyz", a.limitKeyless(a.ready))
	get("/openapi.json", a.limitKeyless(func(w http.ResponseWriter, r *http.Request) {
		text, err := document()
		if err != nil {
			a.fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", jsonType)
		_, _ = w.Write(text)
	}))
	a.addManual(mux)
	a.addExplorer(mux)
	if a.cfg.DemoPage != nil {
		get("/demo", a.limitKeyless(a.demoPage))
	}
	if a.cfg.SetClock != nil {
		addRoute(mux, http.MethodPost, "/dev/clock", "/dev/clock", a.limitKeyless(a.setClock))
	}
	if a.cfg.Metrics != nil {
		get("/metrics", a.limitKeyless(a.cfg.Metrics.ServeHTTP))
	}
}

// addRoute serves a path of the router, under a pattern by which the observer knows it.
func addRoute(mux *chi.Mux, method, path, pattern string, serve http.HandlerFunc) {
	mux.MethodFunc(method, path, func(w http.ResponseWriter, r *http.Request) {
		requestOf(r.Context()).pattern = pattern
		serve(w, r)
	})
}

// methods are the HTTP methods of routes, in the order of an Allow header.
var methods = []string{
	http.MethodGet,
	http.MethodHead,
	http.MethodPost,
	http.MethodPut,
	http.MethodPatch,
	http.MethodDelete,
}

// methodsOf returns the methods that a path accepts.
func methodsOf(mux *chi.Mux, path string) []string {
	var found []string
	for _, method := range methods {
		route := method
		if method == http.MethodHead {
			route = http.MethodGet // HEAD is served like GET, without the body
		}
		if mux.Match(chi.NewRouteContext(), route, path) {
			found = append(found, method)
		}
	}
	return found
}

// wrapRoutes returns the handler of the server. Before a route it handles what all have in common: request id and
// headers, panics, deadlines, requests under way per address, the Host header, the path prefix, trailing slashes, the
// dashboard, HEAD and preflight requests.
func (a *API) wrapRoutes(mux *chi.Mux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &request{
			id: a.requestID(r), method: r.Method, remote: remoteAddress(r, a.cfg.TrustedProxies), identity: a.cfg.Identity,
		}
		req.country = countryOf(r, a.cfg.TrustedProxies, a.cfg.CountryHeader)
		ctx := context.WithValue(context.WithValue(r.Context(), requestKey{}, req), apiContextKey{}, a)
		r = r.WithContext(ctx)
		out := a.newWriter(w, r.Method)
		req.header = out.Header()
		out.Header().Set("X-Request-Id", req.id)
		out.Header().Set("Cache-Control", "no-store")
		out.Header().Set("X-Content-Type-Options", "nosniff")
		if a.cfg.Observer != nil {
			begun := a.cfg.Observer.Begin()
			defer a.observe(ctx, begun, r.Method, out)
		}
		defer a.recoverPanic(out, r)
		leave, err := a.enter(req)
		if err != nil {
			a.fail(out, r, err)
			return
		}
		defer leave()
		if !isValidHost(r) {
			a.fail(out, r, errHost)
			return
		}
		if !a.stripPrefix(r) {
			a.fail(out, r, errNoRoute)
			return
		}
		if a.cfg.Pages != nil && (r.URL.Path == PagesAt || strings.HasPrefix(r.URL.Path, PagesAt+"/")) {
			req.pattern = PagesAt + "/*"
			a.limitByAddress(a.limits.pages, a.cfg.Pages.ServeHTTP)(out, r)
			return
		}
		if a.cfg.Pages != nil && strings.Trim(r.URL.Path, "/") == "" &&
			(r.Method == http.MethodGet || r.Method == http.MethodHead) {
			req.pattern = "/"
			a.limitKeyless(a.serveRoot)(out, r)
			return
		}
		if r.Method == http.MethodOptions {
			a.preflight(mux, out, r)
			return
		}
		if r.Method == http.MethodHead {
			head := chi.NewRouteContext()
			head.RouteMethod, head.Routes = http.MethodGet, mux
			r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, head))
		}
		mux.ServeHTTP(out, r)
	})
}

// requestID returns the caller's request id if it is valid (1 to 128 printable characters), else a new one.
func (a *API) requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	printable := func(c rune) bool { return c >= ' ' && c <= '~' }
	if id != "" && len(id) <= 128 && strings.IndexFunc(id, func(c rune) bool { return !printable(c) }) < 0 {
		return id
	}
	return a.cfg.NewID().String()
}

// stripPrefix removes the path prefix and one trailing slash from the URL of the request. It returns false for a path
// outside the prefix.
func (a *API) stripPrefix(r *http.Request) bool {
	cut := func(path string) (string, bool) {
		rest, ok := strings.CutPrefix(path, a.cfg.Prefix)
		if len(rest) > 1 {
			rest = strings.TrimSuffix(rest, "/")
		}
		return rest, ok && (rest == "" || rest[0] == '/')
	}
	u := *r.URL
	r.URL = &u
	var ok bool
	if u.Path, ok = cut(u.Path); !ok {
		return false
	}
	if u.RawPath != "" {
		u.RawPath, ok = cut(u.RawPath)
	}
	return ok
}

// preflight responds to a CORS preflight request. The key is not known yet, so every origin is allowed (contract 1.1).
func (a *API) preflight(mux *chi.Mux, w http.ResponseWriter, r *http.Request) {
	found := methodsOf(mux, r.URL.Path)
	if len(found) == 0 {
		a.fail(w, r, errNoRoute)
		return
	}
	requestOf(r.Context()).pattern = PreflightRoute
	h := w.Header()
	h.Add("Vary", "Origin")
	h.Set("Allow", strings.Join(append(found, http.MethodOptions), ", "))
	if origin := r.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", strings.Join(found, ", "))
		h.Set("Access-Control-Allow-Headers", "X-API-KEY, Authorization, Idempotency-Key, If-Match, Content-Type, Prefer")
		h.Set("Access-Control-Max-Age", "600")
	}
	w.WriteHeader(http.StatusNoContent)
}

// recoverPanic is deferred: it logs a panic and responds with a 500. If the response has begun, it breaks the
// connection instead.
func (a *API) recoverPanic(w *responseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	a.log.ErrorContext(r.Context(), "panic", "requestId", requestOf(r.Context()).id, "route", requestOf(r.Context()).routeName(),
		"cause", cause, "stack", string(debug.Stack()))
	if w.hasBegun {
		w.status = http.StatusInternalServerError // what the observer learns: the caller has got a part of a response
		panic(http.ErrAbortHandler)               // so that the caller does not take a partial response for a complete one
	}
	a.fail(w, r, a.serverFault(r.Context(), http.StatusInternalServerError, nil))
}

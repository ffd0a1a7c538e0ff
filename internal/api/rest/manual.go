package rest

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"laurel.example/laurel/internal/manual"
)

// manualAt is the path of the documentation, below the prefix.
const manualAt = "/docs"

const htmlType = "text/html; charset=utf-8"

// manualPolicy lets pages of the documentation load styles, fonts and pictures of this server, and send their search to
// it. They have no scripts.
const manualPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// setPagePolicy sets the headers that keep a page for people to what it needs.
func setPagePolicy(w http.ResponseWriter, policy string) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
}

// addManual serves the pages of the documentation, their search and their pictures.
func (a *API) addManual(mux *chi.Mux) {
	get := func(path string, serve http.HandlerFunc) { addRoute(mux, http.MethodGet, path, path, serve) }
	get(manualAt, a.limitKeyless(a.serveManualPage))
	get(manualAt+"/search", a.limitKeyless(func(w http.ResponseWriter, r *http.Request) {
		text, err := a.manual.Search(r.URL.Query().Get("q"))
		a.writePage(w, r, http.StatusOK, text, err)
	}))
	get(manualAt+"/*", a.limitKeyless(a.serveManualPage))
}

// serveManualPage writes a page of the documentation, or one of its pictures. The path of a file in Markdown leads to
// its page.
func (a *API) serveManualPage(w http.ResponseWriter, r *http.Request) {
	at := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, manualAt), "/")
	if picture := a.manual.Picture(at); picture != nil {
		setPagePolicy(w, "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(picture)
		return
	}
	status := http.StatusOK
	text, err := a.manual.Page(at)
	if err == nil && text == nil {
		if to := manual.PathOf(at); strings.HasSuffix(at, ".md") && a.manual.Has(to) {
			http.Redirect(w, r, strings.TrimSuffix(a.cfg.Prefix+manualAt+"/"+to, "/"), http.StatusFound)
			return
		}
		status = http.StatusNotFound
		text, err = a.manual.Missing()
	}
	a.writePage(w, r, status, text, err)
}

// serveRoot leads people to the documentation and the dashboard. Programs are redirected to the dashboard.
func (a *API) serveRoot(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept")
	if !wantsHTML(r) {
		http.Redirect(w, r, a.cfg.Prefix+PagesAt, http.StatusFound)
		return
	}
	text, err := a.manual.Start()
	a.writePage(w, r, http.StatusOK, text, err)
}

func (a *API) writePage(w http.ResponseWriter, r *http.Request, status int, text []byte, err error) {
	if err != nil {
		a.fail(w, r, err)
		return
	}
	setPagePolicy(w, manualPolicy)
	w.Header().Set("Content-Type", htmlType)
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// wantsHTML reports whether a request is one of a browser for a page.
func wantsHTML(r *http.Request) bool {
	for _, accept := range r.Header.Values("Accept") {
		if strings.Contains(strings.ToLower(accept), "text/html") {
			return true
		}
	}
	return false
}

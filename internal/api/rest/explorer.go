package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
)

// explorerAt is the path of the API explorer, below the prefix.
const explorerAt = manualAt + "/api"

// addExplorer serves the page that shows the OpenAPI document, and the files that the page loads. The page is the same
// for all callers, so it is rendered once.
func (a *API) addExplorer(mux *chi.Mux) {
	files := v5emb.NewHandlerWithConfig(swgui.Config{
		Title: "Laurel API", SwaggerJSON: a.cfg.Prefix + "/openapi.json",
		BasePath: a.cfg.Prefix + explorerAt, InternalBasePath: explorerAt,
	})
	page := &renderedPage{header: http.Header{}}
	files.ServeHTTP(page, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: explorerAt}})
	policy := pagePolicy(page.body.String())
	withPolicy := func(serve http.HandlerFunc) http.HandlerFunc {
		return a.limitKeyless(func(w http.ResponseWriter, r *http.Request) {
			setPagePolicy(w, policy)
			serve(w, r)
		})
	}
	addRoute(mux, http.MethodGet, explorerAt, explorerAt, withPolicy(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", htmlType)
		_, _ = w.Write(page.body.Bytes())
	}))
	addRoute(mux, http.MethodGet, explorerAt+"/*", explorerAt+"/*", withPolicy(files.ServeHTTP))
}

// inlineBlock matches an inline script or style of a page.
var inlineBlock = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)

// pagePolicy returns the Content-Security-Policy (W3C, level 3) for the HTML of a page. The page may load
// from and call this server only, may run the scripts and styles inside its HTML, by their hashes, and must not be
// framed. Icons of its style sheet are data: images.
func pagePolicy(page string) string {
	allowed := map[string]string{"script": "'self'", "style": "'self'"}
	for _, block := range inlineBlock.FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(block[2]))
		allowed[block[1]] += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + allowed["script"],
		"style-src " + allowed["style"],
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
}

// renderedPage is a response writer that stores the body.
type renderedPage struct {
	header http.Header
	body   bytes.Buffer
}

func (r *renderedPage) Header() http.Header         { return r.header }
func (r *renderedPage) Write(b []byte) (int, error) { return r.body.Write(b) }
func (r *renderedPage) WriteHeader(int)             {}

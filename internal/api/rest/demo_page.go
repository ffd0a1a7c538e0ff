package rest

import "net/http"

// demoPage serves the page of laurel demo on which a shop shows the widget. It may load from and call this server only.
func (a *API) demoPage(w http.ResponseWriter, r *http.Request) {
	page, err := a.cfg.DemoPage(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy(string(page)))
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, _ = w.Write(page)
}

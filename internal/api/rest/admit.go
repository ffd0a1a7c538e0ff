package rest

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"laurel.example/laurel"
)

// addOperation routes an operation to its handler, behind the checks of contract 1.3. The schemas of an operation are
// made when it is called for the first time: making those of all operations would take half of the time of a start, and
// four MiB.
func (a *API) addOperation(mux *chi.Mux, route *Operation) {
	first := sync.OnceValue(func() *servedOperation { return newServedOperation(route) })
	serve := func(w http.ResponseWriter, r *http.Request) {
		requestOf(r.Context()).pattern = route.path
		op := first()
		err := a.admit(w, r, route, op.parameters)
		switch {
		case route.method == http.MethodGet && a.cfg.Reading != nil:
			r = r.WithContext(a.cfg.Reading(r.Context()))
		case route.method != http.MethodGet && err == nil:
			defer requestOf(r.Context()).releaseBody(a.bodies)
			err = a.admitBody(w, r, route, op)
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		a.serveIdempotently(w, r, route, op.serveHTTP)
	}
	if route.parameter == "" {
		mux.MethodFunc(route.method, route.path, serve)
	}
	for _, value := range route.values {
		path := strings.ReplaceAll(route.path, "{"+route.parameter+"}", value)
		mux.MethodFunc(route.method, path, func(w http.ResponseWriter, r *http.Request) {
			r.SetPathValue(route.parameter, value)
			serve(w, r)
		})
	}
}

// admit makes the checks that come before the body, in the order of contract 1.3: key, rate limit, key kind, path ids,
// If-Match, query. It returns the first problem with any but the query, and the request ends. Problems with the query
// are collected in the faults of the request, which are reported together with those of the body. Route and method were
// checked before.
func (a *API) admit(w http.ResponseWriter, r *http.Request, route *Operation, parameters []parameter) error {
	req := requestOf(r.Context())
	req.route = route.method + " " + route.path
	if req.strict = handlesStrictly(r.Header); req.strict {
		w.Header().Set(appliedHeader, strictHandling)
	}
	if err := a.identify(w, r, route); err != nil {
		return err
	}
	if err := checkPathIDs(r, route); err != nil {
		return err
	}
	req.invalidMessage, req.readCurrent = route.invalidMessage, route.readCurrent
	if err := readIfMatch(r, route); err != nil {
		return err
	}
	r.Header.Del("Accept") // all responses are JSON
	if req.strict {
		addUnknownParameters(r.URL.RawQuery, parameters, &req.faults)
	}
	r.URL.RawQuery = normalizeQuery(
		r.URL.RawQuery,
		parameters,
		func(path, problem string) { req.faults.Add(path, "%s", problem) },
	)
	return nil
}

// admitBody reads the body and checks it, cheap checks first: size, numbers of items, member token, schema. Client keys
// are public, so a caller without a member token learns nothing of the schema and costs no further work. What is wrong
// with the body is collected in the request's faults, and reported by the handler.
func (a *API) admitBody(w http.ResponseWriter, r *http.Request, route *Operation, op *servedOperation) error {
	req := requestOf(r.Context())
	var err error
	if req.rawBody, err = a.readBody(w, r); err != nil {
		return err
	}
	t := tidyBody(op.body, req.rawBody)
	if req.body = t.out; req.scope.Role == laurel.RoleClient {
		if err := t.tooManyItems.Err(); err != nil {
			return err
		}
		if route.forMember && !req.trustsClientUsers {
			if _, err := MemberOf(r.Context()); err != nil {
				return err
			}
		}
	}
	var nul laurel.Faults
	nul, req.bodyFaults = checkBody(op.registry, op.body, t) // texts with NUL are listed before all other faults
	req.reportIgnored(t.ignored)
	for _, f := range slices.Concat(nul, t.unreadable) {
		req.faults.AddText(f.Path, f.Message)
	}
	if len(req.faults)+len(req.bodyFaults) > 0 {
		t.out = []byte("{}") // the faults are reported, so huma need not decode the body
	}
	r.Body = asBody(t.out)
	r.Header.Set("Content-Type", "application/json") // huma would check it again, even for an empty body
	return nil
}

// checkPathIDs returns the faults of malformed ids in the path as one error; nil if there are none.
func checkPathIDs(r *http.Request, route *Operation) error {
	var f laurel.Faults
	for _, name := range route.ids() {
		if _, err := parseID(r.PathValue(name)); err != nil {
			f.Add(route.label(name), "%s", err)
		}
	}
	return f.Err()
}

// tagOf returns the tag under which the OpenAPI document lists an operation, made of its path: "loyalty rules" for
// /api/loyalty/rules, "users" for /api/users/metadata.
func tagOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/api/"), "/")
	if len(parts) > 1 &&
		(parts[0] == "loyalty" || parts[0] == "stratus" || parts[0] == "minting" || parts[0] == "referral") {
		return parts[0] + " " + strings.ReplaceAll(parts[1], "_", " ")
	}
	return strings.ReplaceAll(parts[0], "_", " ")
}

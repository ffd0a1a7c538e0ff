package rest

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"laurel"
)

// add adds an operation to the routes, with all that stands in front of its handler. It is registered by the first call
// of it: the schemas of all operations took half of a start, and four MiB.
func (a *API) add(mux *chi.Mux, rt *Operation) {
	first := sync.OnceValue(func() *registered { return newRegistered(rt) })
	mux.MethodFunc(rt.method, rt.path, func(w http.ResponseWriter, r *http.Request) {
		op := first()
		err := a.admit(w, r, rt, op.parameters)
		switch {
		case rt.method == http.MethodGet && a.cfg.Reading != nil:
			r = r.WithContext(a.cfg.Reading(r.Context()))
		case rt.method != http.MethodGet && err == nil:
			defer requestOf(r.Context()).leaveBody(a.bodies)
			err = a.admitBody(w, r, rt, op)
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		a.once(w, r, rt, op.serve)
	})
}

// admit goes through the checks of contract 1.3 in their order, up to the form of the query, which huma completes:
// key, rate limit, key kind, path ids, query. (Route and method were found before.)
func (a *API) admit(w http.ResponseWriter, r *http.Request, rt *Operation, parameters []parameter) error {
	req := requestOf(r.Context())
	req.route = rt.method + " " + rt.path
	if req.strict = handlesStrictly(r.Header); req.strict {
		w.Header().Set(appliedHeader, strictHandling)
	}
	if err := a.identify(w, r, rt); err != nil {
		return err
	}
	if err := pathIDs(r, rt); err != nil {
		return err
	}
	req.invalid = rt.invalid
	r.Header.Del("Accept") // there is one form of answers
	if req.strict {
		unknownIn(r.URL.RawQuery, parameters, &req.faults)
	}
	r.URL.RawQuery = rewrite(
		r.URL.RawQuery,
		parameters,
		func(path, problem string) { req.faults.Add(path, "%s", problem) },
	)
	return nil
}

// admitBody reads the body and checks it, cheap checks first: size, numbers of items, member token, form. A client
// key stands in every page, so whoever shows no token learns nothing of the form, and has the service look at nothing.
func (a *API) admitBody(w http.ResponseWriter, r *http.Request, rt *Operation, op *registered) error {
	req := requestOf(r.Context())
	var err error
	if req.sent, err = a.readBody(w, r); err != nil {
		return err
	}
	t := tidied(op.body, req.sent)
	if req.body = t.out; req.scope.Role == laurel.RoleClient {
		if err := t.crowded.Err(); err != nil {
			return err
		}
		if rt.forMember && !req.trusting {
			if _, err := MemberOf(r.Context()); err != nil {
				return err
			}
		}
	}
	var nul laurel.Faults
	nul, req.form = judged(op.registry, op.body, t)
	req.tellIgnored(t.ignored)
	for _, f := range slices.Concat(nul, t.misread) {
		req.faults.AddText(f.Path, f.Message)
	}
	if len(req.faults)+len(req.form) > 0 {
		t.out = []byte("{}") // what was found is answered: nothing more is to be found in decoding it
	}
	r.Body = asBody(t.out)
	r.Header.Set("Content-Type", "application/json") // huma would judge it anew, and of an empty body too
	return nil
}

func pathIDs(r *http.Request, rt *Operation) error {
	var f laurel.Faults
	for _, name := range rt.ids() {
		if _, err := parseID(r.PathValue(name)); err != nil {
			f.Add(rt.label(name), "%s", err)
		}
	}
	return f.Err()
}

func tagOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/api/"), "/")
	if len(parts) > 1 &&
		(parts[0] == "loyalty" || parts[0] == "stratus" || parts[0] == "minting" || parts[0] == "referral") {
		return parts[0] + " " + strings.ReplaceAll(parts[1], "_", " ")
	}
	return strings.ReplaceAll(parts[0], "_", " ")
}

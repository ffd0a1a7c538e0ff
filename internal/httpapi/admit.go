package httpapi

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"laurel"
)

// add registers one operation with all that stands in front of its handler.
func (a *API) add(api huma.API, rt *route) {
	registry := a.registry()
	seen := seenTypes{}
	learn(registry, rt.input, seen)
	learn(registry, rt.output, seen)
	parameters := parametersOf(rt.input)
	op := operationOf(registry, rt)
	op.Middlewares = huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
		r, w := humachi.Unwrap(ctx)
		if err := a.admit(w, r, rt, parameters, bodySchema(ctx.Operation())); err != nil {
			a.fail(w, r, err)
			return
		}
		a.once(w, r, rt, func(w http.ResponseWriter, r *http.Request) {
			next(humachi.NewContext(ctx.Operation(), r, w))
		})
	}}
	rt.register(api, op)
}

// admit goes through the checks of contract 1.3 in their order, up to the form of query and body, which huma completes:
// key, rate limit, key kind, path ids, query, body. (Route and method were found before.)
func (a *API) admit(w http.ResponseWriter, r *http.Request, rt *route, parameters []parameter, schema *huma.Schema) error {
	req := requestOf(r.Context())
	req.route = rt.method + " " + rt.path
	if err := a.identify(w, r, rt); err != nil {
		return err
	}
	if err := pathIDs(r, rt); err != nil {
		return err
	}
	req.invalid = rt.invalid
	r.Header.Del("Accept") // there is one form of answers
	r.URL.RawQuery = rewrite(r.URL.RawQuery, parameters, func(path, problem string) { req.faults.Add(path, "%s", problem) })
	if rt.method == http.MethodGet {
		return nil
	}
	body, err := a.readBody(w, r)
	if err != nil {
		return err
	}
	req.sent = body
	req.body, req.misread = tidied(a.registry(), schema, body)
	refuseNUL(req.body, &req.faults)
	for _, f := range req.misread {
		req.faults.AddText(f.Path, f.Message)
	}
	r.Body = asBody(req.body)
	r.Header.Set("Content-Type", "application/json") // huma would judge it anew, and of an empty body too
	return nil
}

func pathIDs(r *http.Request, rt *route) error {
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
	if len(parts) > 1 && (parts[0] == "loyalty" || parts[0] == "stratus" || parts[0] == "minting" || parts[0] == "referral") {
		return parts[0] + " " + strings.ReplaceAll(parts[1], "_", " ")
	}
	return strings.ReplaceAll(parts[0], "_", " ")
}

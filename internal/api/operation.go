package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// route is one operation.
type route struct {
	method, path, summary string
	keys                  string   // the kinds of keys that may call it: O, W, R, C, S
	secrets               []string // paths of the answer that are never kept, and so never replayed
	idName                string   // the name of {id} in messages; empty: id
	forMember             bool     // it names users: a publishable key shows the token of the member
	invalid               string   // the message of every invalid body; empty: the first problem
	input, output         reflect.Type
	register              func(huma.API, huma.Operation)
}

// option changes a route.
type option func(*route)

// secret names what of the answer is left out of replays (contract 1.8.1): fields, or paths to inner ones, through
// every item of a list.
func secret(paths ...string) option { return func(rt *route) { rt.secrets = paths } }

// forMember marks an operation that acts for users whom the body names (contract 1.2).
func forMember(rt *route) { rt.forMember = true }

// ofRule names the path's {id} in the message of a malformed one as completions do.
func ofRule(rt *route) { rt.idName = "loyaltyRuleId" }

// invalidAs sets the message of every invalid body; the answer's errors tell the problems.
func invalidAs(message string) option { return func(rt *route) { rt.invalid = message } }

func get[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodGet, path, h, about(keys, summary, options))
}

func post[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodPost, path, h, about(keys, summary, options))
}

func del[I, O any](path, keys, summary string, h handler[I, O], options ...option) route {
	return operation(http.MethodDelete, path, h, about(keys, summary, options))
}

// handler shapes one call: the input is read and checked for form, the answer is what goes out.
type handler[I, O any] = func(context.Context, *I) (*O, error)

func about(keys, summary string, options []option) option {
	return func(rt *route) {
		rt.keys, rt.summary = keys, summary
		for _, o := range options {
			o(rt)
		}
	}
}

func operation[I, O any](method, path string, h handler[I, O], set option) route {
	rt := route{method: method, path: path, input: reflect.TypeFor[I](), output: reflect.TypeFor[O]()}
	rt.register = func(api huma.API, op huma.Operation) { huma.Register(api, op, watched(h)) }
	set(&rt)
	return rt
}

// watched runs the handler unless query or body showed problems, which huma does not see, and keeps its error for
// Idempotency-Key.
func watched[I, O any](h handler[I, O]) handler[I, O] {
	return func(ctx context.Context, in *I) (*O, error) {
		r := requestOf(ctx)
		if r.err = r.problems(slices.Clone(r.faults)); r.err != nil {
			return nil, r.err
		}
		var out *O
		out, r.err = h(ctx, in)
		return out, r.err
	}
}

// letters are the short names of key kinds (contract 1.2).
var letters = map[laurel.Role]string{
	laurel.RoleOrganization: "O",
	laurel.RoleWebsite:      "W",
	laurel.RoleReadOnly:     "R",
	laurel.RoleClient:       "C",
	laurel.RoleFunction:     "S",
}

// admits tells whether keys of the role may call the operation. Errors: Forbidden.
func (rt *route) admits(role laurel.Role) error {
	if letter := letters[role]; letter != "" && strings.Contains(rt.keys, letter) {
		return nil
	}
	if role == laurel.RoleReadOnly && rt.method != http.MethodGet {
		return errKeyReadOnly
	}
	return errKeyKind
}

// ids lists the path parameters that are ids.
func (rt *route) ids() []string {
	var names []string
	for part := range strings.SplitSeq(rt.path, "/") {
		name := strings.Trim(part, "{}")
		if name != part && (name == "id" || strings.HasSuffix(name, "Id")) {
			names = append(names, name)
		}
	}
	return names
}

// label is the name of a path parameter in messages.
func (rt *route) label(name string) string {
	if name == "id" && rt.idName != "" {
		return rt.idName
	}
	return name
}

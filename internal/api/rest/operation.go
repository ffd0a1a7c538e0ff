package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// Operation is one operation of the API: its route, the keys that may call it, and its handler.
type Operation struct {
	method, path, summary string
	keys                  string // the kinds of keys that may call it: O, W, R, C, S (contract 1.2)
	forMember             bool   // its body names users: a client key needs the member's token
	parameter             string // of the path, that has one of values; empty: none
	values                []string
	OperationHandler
}

// Get returns an operation that reads.
func Get(path, keys, summary string, h OperationHandler, options ...func(*Operation)) Operation {
	return newOperation(Operation{method: http.MethodGet, path: path, keys: keys, summary: summary}, h, options)
}

// Post returns an operation that writes, and takes the header Idempotency-Key.
func Post(path, keys, summary string, h OperationHandler, options ...func(*Operation)) Operation {
	return newOperation(Operation{method: http.MethodPost, path: path, keys: keys, summary: summary}, h, options)
}

// Delete returns an operation that deletes or ends something.
func Delete(path, keys, summary string, h OperationHandler, options ...func(*Operation)) Operation {
	return newOperation(Operation{method: http.MethodDelete, path: path, keys: keys, summary: summary}, h, options)
}

// ForMember marks an operation that acts for users whom the body names (contract 1.2).
func ForMember(op *Operation) { op.forMember = true }

// EachOf gives a parameter of the path its values. The operation is routed once for each, so that the path overlaps
// with no other (contract 1.1).
func EachOf(parameter string, values []string) func(*Operation) {
	return func(op *Operation) { op.parameter, op.values = parameter, values }
}

// newOperation returns the operation with its handler. It panics if the handler was not made by Handle, as a forgotten
// one is zero.
func newOperation(op Operation, h OperationHandler, options []func(*Operation)) Operation {
	if h.register == nil {
		panic("rest: " + op.method + " " + op.path + " has no handler")
	}
	op.OperationHandler = h
	for _, set := range options {
		set(&op)
	}
	return op
}

// OperationHandler is an operation without its route: the function that serves it, its types and its documentation.
type OperationHandler struct {
	note    string   // its description in the document, besides the summary
	example any      // an example body
	secrets []string // paths of the response that are never stored, and so never replayed
	idName  string   // the name of {id} in messages; empty: id
	created bool     // a success is 201
	leads   bool     // a success may be 302, to the address in Location
	// readCurrent returns the record that the request changes, as the caller may see it; nil: the operation takes no
	// If-Match.
	readCurrent    func(context.Context) (any, error)
	invalidMessage string // the message of every invalid body; empty: the first problem
	input, output  reflect.Type
	register       func(huma.API, huma.Operation)
}

// Option changes a handler.
type Option func(*OperationHandler)

// Handle returns the handler of an operation. run serves it: I is the type of its input, which is decoded and checked
// before run is called, and O the type of its response. The options set what else the operation has, such as its texts.
func Handle[I, O any](run func(context.Context, *I) (*O, error), options ...Option) OperationHandler {
	h := OperationHandler{input: reflect.TypeFor[I](), output: reflect.TypeFor[O]()}
	h.register = func(api huma.API, op huma.Operation) { huma.Register(api, op, checkedHandler(run)) }
	for _, set := range options {
		set(&h)
	}
	return h
}

// Note sets the description of an operation in the document, besides its summary.
func Note(text string) Option { return func(h *OperationHandler) { h.note = text } }

// Example sets an example body of the operation.
func Example(body string) Option {
	return func(h *OperationHandler) { h.example = json.RawMessage(body) }
}

// ExampleWallet and ExampleID are the user and the id in examples. Neither exists.
const (
	ExampleWallet = `"walletAddress":"0x00000000000000000000000000000000000a11ce"`
	ExampleID     = `"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"`
)

// Secret names the properties of the response that are left out of replays (contract 1.8.1), as paths that lead through
// every item of a list.
func Secret(paths ...string) Option { return func(h *OperationHandler) { h.secrets = paths } }

// IDName sets how messages call the {id} of the path.
func IDName(name string) Option { return func(h *OperationHandler) { h.idName = name } }

// Created makes the success status of an operation 201 (contract 1.1).
func Created(h *OperationHandler) { h.created = true }

// Redirects documents that a success may be a redirect, with the same body (contract 1.1).
func Redirects(h *OperationHandler) { h.leads = true }

// InvalidAs sets the message of every invalid body. The response lists the faults under errors.
func InvalidAs(message string) Option {
	return func(h *OperationHandler) { h.invalidMessage = message }
}

// checkedHandler returns a function that runs the handler of an operation, unless the query or body has faults: then it
// returns these. It stores the error in the request, for Idempotency-Key.
func checkedHandler[I, O any](run func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		r := requestOf(ctx)
		r.input = in
		if r.err = r.problems(slices.Clone(r.faults)); r.err != nil {
			return nil, r.err
		}
		var out *O
		out, r.err = run(ctx, in)
		return out, r.err
	}
}

// keyLetters are the short names of key kinds (contract 1.2).
var keyLetters = map[laurel.Role]string{
	laurel.RoleOrganization: "O",
	laurel.RoleWebsite:      "W",
	laurel.RoleReadOnly:     "R",
	laurel.RoleClient:       "C",
	laurel.RoleFunction:     "S",
}

// checkKeyKind returns Forbidden for a key whose role may not call the operation, else nil.
func (route *Operation) checkKeyKind(role laurel.Role) error {
	if letter := keyLetters[role]; letter != "" && strings.Contains(route.keys, letter) {
		return nil
	}
	if role == laurel.RoleReadOnly && route.method != http.MethodGet {
		return errKeyReadOnly
	}
	return ErrKeyKind
}

// ids returns the names of the path parameters that are ids: id, and those that end in Id.
func (route *Operation) ids() []string {
	var names []string
	for part := range strings.SplitSeq(route.path, "/") {
		name := strings.Trim(part, "{}")
		if name != part && (name == "id" || strings.HasSuffix(name, "Id")) {
			names = append(names, name)
		}
	}
	return names
}

// label returns the name by which messages call a path parameter.
func (route *Operation) label(name string) string {
	if name == "id" && route.idName != "" {
		return route.idName
	}
	return name
}

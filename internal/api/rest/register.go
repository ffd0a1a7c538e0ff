package rest

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
)

// registered is an operation as huma serves it, with a registry of its own: huma reads schemas during calls, and its
// registries must not be written meanwhile.
type registered struct {
	parameters []parameter
	registry   huma.Registry
	body       *shape // nil without a body
	operation  *huma.Operation
	run        func(huma.Context)
}

func newRegistered(rt *Operation) *registered {
	config := newHuma("")
	out := &registered{parameters: parametersOf(rt.input), registry: config.Components.Schemas}
	kept := adapter{keep: func(op *huma.Operation, run func(huma.Context)) { out.operation, out.run = op, run }}
	register(huma.NewAPI(config, kept), rt, operationOf(rt))
	if in, ok := rt.input.FieldByName("Body"); ok {
		out.body = shaper{registry: out.registry}.of(in.Type, bodySchema(out.operation))
	}
	return out
}

// register has huma learn an operation. The schemas of its types go to the registry of the API.
func register(api huma.API, rt *Operation, op huma.Operation) {
	registry, seen := api.OpenAPI().Components.Schemas, seenTypes{}
	learn(registry, rt.input, seen)
	learn(registry, rt.output, seen)
	rt.register(api, op)
}

func (o *registered) serve(w http.ResponseWriter, r *http.Request) {
	o.run(humachi.NewContext(o.operation, r, w))
}

// adapter hands what is registered to whoever made it, and serves nothing.
type adapter struct {
	huma.Adapter
	keep func(op *huma.Operation, run func(huma.Context))
}

func (a adapter) Handle(op *huma.Operation, run func(huma.Context)) { a.keep(op, run) }

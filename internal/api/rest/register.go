package rest

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
)

// servedOperation is an operation as huma serves it, with a registry of schemas of its own: huma reads schemas during
// calls, and a registry must not be written meanwhile.
type servedOperation struct {
	parameters []parameter
	registry   huma.Registry
	body       *shape // nil without a body
	operation  *huma.Operation
	run        func(huma.Context)
}

// newServedOperation makes what serves an operation: its query parameters, the shape of its body, and its handler,
// which it registers with an instance of huma of its own.
func newServedOperation(route *Operation) *servedOperation {
	config := newHuma("")
	out := &servedOperation{parameters: listParameters(route.input), registry: config.Components.Schemas}
	adapter := captureAdapter{capture: func(op *huma.Operation, run func(huma.Context)) {
		out.operation, out.run = op, run
	}}
	register(huma.NewAPI(config, adapter), route, newHumaOperation(route))
	if in, ok := route.input.FieldByName("Body"); ok {
		out.body = shaper{registry: out.registry}.shapeOf(in.Type, bodySchema(out.operation))
	}
	return out
}

// register registers an operation with huma. The schemas of its types go to the registry of the API.
func register(api huma.API, route *Operation, op huma.Operation) {
	registry, visited := api.OpenAPI().Components.Schemas, typeSet{}
	registerTypes(registry, route.input, visited)
	registerTypes(registry, route.output, visited)
	route.register(api, op)
}

func (o *servedOperation) serveHTTP(w http.ResponseWriter, r *http.Request) {
	o.run(humachi.NewContext(o.operation, r, w))
}

// captureAdapter passes each registered operation to a function, and serves nothing.
type captureAdapter struct {
	huma.Adapter
	capture func(op *huma.Operation, run func(huma.Context))
}

func (a captureAdapter) Handle(op *huma.Operation, run func(huma.Context)) { a.capture(op, run) }

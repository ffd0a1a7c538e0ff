package functions

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
)

// Operations are the operations on functions, for the table of routes in package api.
type Operations struct {
	ListFunctions, CreateFunction, GetFunction, UpdateFunction, DeleteFunction rest.OperationHandler
	ListRuns, InvokeFunction                                                   rest.OperationHandler
}

const exampleCode = `"module.exports.handler = async (input, output) => {\n` +
	`  output.setResult({ hello: input.input.name });\n  return output.buildOutput();\n};\n"`

// New returns the operations on functions and their runs. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListFunctions: rest.Handle(h.list, rest.Note("Newest first. Secrets are never returned.")),
		CreateFunction: rest.Handle(h.create,
			rest.Note("The code is checked: it parses, has exactly one handler with two parameters, calls setResult or fail, "+
				"and returns output.buildOutput(). cron is an expression of five fields in UTC."),
			rest.Example(`{"name":"hello","code":`+exampleCode+`,"cron":"0 * * * *","secrets":{"token":"t0ken"}}`),
		),
		GetFunction: rest.Handle(h.get, rest.Note("With version, the code of that version. Secrets are never returned.")),
		UpdateFunction: rest.Handle(h.update, rest.IfMatch(h.get),
			rest.Note("An absent property keeps its value; secrets and cron can be cleared with null. secrets replace all earlier ones. "+
				"A changed code raises version."),
			rest.Example(`{"disabled":true}`),
		),
		DeleteFunction: rest.Handle(caller.ByID(cfg.Caller, cfg.Functions.Delete, caller.Shaped(shape)), rest.IfMatch(h.get),
			rest.Note("It no longer runs. Rules that name it are then not set up.")),
		ListRuns: rest.Handle(h.runs, rest.Note("Newest first. Runs are stored for 30 days.")),
		InvokeFunction: rest.Handle(h.invoke,
			rest.Note("Waits for the end of the run, 60 seconds at most. A handler that fails is a run with status failed."),
			rest.Example(`{"input":{"name":"Alice"}}`),
		),
	}
}

package functions

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/functions"
)

// function is contract 3.34, without the secrets.
type function struct{ functions.Function }

// shape returns a function as responses show it, without its secrets.
func shape(f functions.Function) function { return function{f} }

// anything is any JSON value. It is returned unchanged, as a caller sent it or code passed it to setResult.
type anything json.RawMessage

// MarshalJSON returns the value, or null if there is none.
func (a anything) MarshalJSON() ([]byte, error) {
	if len(a) == 0 {
		return []byte("null"), nil
	}
	return a, nil
}

// UnmarshalJSON stores the value.
func (a *anything) UnmarshalJSON(b []byte) error {
	*a = append((*a)[:0], b...)
	return nil
}

// Schema documents any value.
func (anything) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

// functionRun is a run of contract 3.34.
type functionRun struct {
	ID         laurel.ID        `json:"id"`
	FunctionID laurel.ID        `json:"functionId"`
	Version    int64            `json:"version" doc:"The version of the code that ran"`
	RunID      laurel.ID        `json:"runId" doc:"The same as id"`
	Trigger    string           `json:"trigger" enum:"subscription,cron,invoke,rule"`
	Status     string           `json:"status" enum:"running,succeeded,failed"`
	Output     anything         `json:"output" doc:"The value that was passed to setResult; null without one"`
	Error      laurel.NullText  `json:"error" doc:"Why it failed"`
	Logs       []string         `json:"logs" doc:"The output of console.log, at most 64 KiB"`
	DurationMS int64            `json:"durationMs"`
	CreatedAt  laurel.Timestamp `json:"createdAt"`
}

// shapeRun returns a run of a function as responses show it.
func shapeRun(r functions.Run) functionRun {
	return functionRun{
		ID: r.ID, FunctionID: r.FunctionID, Version: r.Version, RunID: r.ID, Trigger: r.Trigger, Status: r.Status,
		Output: anything(r.Output), Error: r.Error, Logs: r.Logs, DurationMS: r.Milliseconds, CreatedAt: r.CreatedAt,
	}
}

type listInput struct {
	rest.Paging
	ID rest.IDs `query:"id"`
}

// list returns a page of functions.
func (h *handlers) list(ctx context.Context, in *listInput) (*rest.Page[function], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Functions.List(ctx, scope, in.ID.Values, in.Page())
	return rest.ListOf(page, err, shape)
}

type createFunctionBody struct {
	rest.TenantBody
	functions.Input
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createFunctionBody) Bounds() laurel.Bounds { return functions.Input{}.Bounds() }

type createInput struct {
	Body createFunctionBody
}

// create creates a function in a website.
func (h *handlers) create(ctx context.Context, in *createInput) (*rest.Response[function], error) {
	t := in.Body.Tenant()
	scope, err := h.Caller.NarrowToWebsite(ctx, t.OrganizationID.ID, t.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	f, err := h.Functions.Create(ctx, scope, in.Body.Input)
	return rest.ResponseOf(f, err, shape)
}

// version is the number of a version of the code.
type version struct{ n int64 }

// UnmarshalText accepts a whole number from 1.
func (v *version) UnmarshalText(b []byte) (err error) {
	if v.n, err = strconv.ParseInt(string(b), 10, 64); err != nil || v.n < 1 {
		return errors.New("must be a number from 1 on")
	}
	return nil
}

// Schema documents a whole number.
func (version) Schema(huma.Registry) *huma.Schema {
	least := 1.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

type getInput struct {
	rest.PathID
	rest.Tenant
	Version version `query:"version" doc:"An earlier version; default: the current one"`
}

// get returns a function, with the code of an earlier version if the call names one.
func (h *handlers) get(ctx context.Context, in *getInput) (*rest.Response[function], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	f, err := h.Functions.Get(ctx, scope, in.ID.ID, in.Version.n)
	return rest.ResponseOf(f, err, shape)
}

type updateFunctionBody struct {
	rest.TenantBody
	functions.Input
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (updateFunctionBody) Bounds() laurel.Bounds {
	b := functions.Input{}.Bounds()
	b.Required = nil
	return b
}

type updateInput struct {
	rest.PathID
	Body updateFunctionBody
}

// update changes the properties of a function that the body sets.
func (h *handlers) update(ctx context.Context, in *updateInput) (*rest.Response[function], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	f, err := h.Functions.Update(ctx, scope, in.ID.ID, in.Body.Input)
	return rest.ResponseOf(f, err, shape)
}

type runsInput struct {
	rest.PathID
	rest.Paging
	Status rest.Strings `query:"status" enum:"running,succeeded,failed"`
}

// runs returns a page of the runs of a function.
func (h *handlers) runs(ctx context.Context, in *runsInput) (*rest.Page[functionRun], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Functions.ListRuns(ctx, scope, in.ID.ID, in.Status.Values, in.Page())
	return rest.ListOf(page, err, shapeRun)
}

type invokeFunctionBody struct {
	rest.TenantBody
	Input *anything `json:"input,omitempty" doc:"Any value; the handler gets it as input.input"`
}

type invokeInput struct {
	rest.PathID
	Body invokeFunctionBody
}

type invokedFunction struct {
	Data functionRun `json:"data"`
}

// invoke runs a function with the input in the body and waits for its end.
func (h *handlers) invoke(ctx context.Context, in *invokeInput) (*rest.Response[invokedFunction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	var input json.RawMessage
	if in.Body.Input != nil {
		input = json.RawMessage(*in.Body.Input)
	}
	run, err := h.Functions.Invoke(ctx, scope, in.ID.ID, input)
	return rest.ResponseOf(run, err, func(r functions.Run) invokedFunction { return invokedFunction{shapeRun(r)} })
}

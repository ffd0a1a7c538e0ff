package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/worker"
)

// sandbox returns the sandbox in which functions run. client makes the calls of their code.
func (c Config) sandbox(client *outbound.Client) *sandbox.Sandbox {
	return sandbox.New(sandbox.Options{
		Children: c.ConcurrentFunctions, MaxWaiting: c.WaitingFunctions, Client: client, Logger: c.Logger,
	})
}

// functionDriver returns a driver of functions. It passes their transactions to send, which is part of the driver of
// payouts.
func functionDriver(send func(context.Context, payouts.Transaction) (string, error)) functions.Driver {
	return func(ctx context.Context, t functions.Transaction) (string, error) {
		hash, err := send(ctx, payouts.Transaction{
			Key: t.ID, OrganizationID: t.OrganizationID, WebsiteID: t.WebsiteID, FunctionID: t.FunctionID, RunID: t.RunID,
			Transaction: json.RawMessage(t.Call),
		})
		if errors.Is(err, payouts.ErrRefused) {
			err = fmt.Errorf("%w: %w", functions.ErrRefused, err)
		}
		return hash, err
	}
}

// IsFunctionsChild reports whether the arguments of the program, its name first, make it a child that runs functions.
func IsFunctionsChild(arguments []string) bool {
	return slices.Equal(arguments[min(1, len(arguments)):], []string{sandbox.ChildArgument})
}

// RunFunctions is the main function of a child process that runs functions. It returns the exit status.
func RunFunctions() int { return sandbox.Child() }

// DryRun is the result of a function that was run without a server.
type DryRun struct {
	Status     string          `json:"status"`
	Output     json.RawMessage `json:"output"`
	Error      string          `json:"error,omitempty"`
	Logs       []string        `json:"logs"`
	DurationMS int64           `json:"durationMs"`
}

// TryFunction runs the code of a function in a sandbox of its own, without a server or a database. input is the whole
// input of the handler. It returns an error for code that is not valid; code that fails is a DryRun with an error.
func TryFunction(ctx context.Context, code string, input json.RawMessage) (DryRun, error) {
	s := sandbox.New(sandbox.Options{Children: 1, Client: outbound.New(outbound.Options{})})
	defer s.Close()
	problem, err := s.Check(ctx, worker.Tenant{}, code)
	if err != nil {
		return DryRun{}, err
	}
	if problem != "" {
		return DryRun{}, fmt.Errorf("function code is invalid: %s", problem)
	}
	r, err := s.Run(ctx, sandbox.Call{Code: code, Input: input})
	out := DryRun{
		Status: functions.Succeeded, Output: r.Output, Error: r.Error, Logs: r.Logs, DurationMS: r.Took.Milliseconds(),
	}
	if r.Failed() {
		out.Status = functions.Failed
	}
	if out.Logs == nil {
		out.Logs = []string{}
	}
	return out, err
}

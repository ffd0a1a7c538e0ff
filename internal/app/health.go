package app

import (
	"context"

	"laurel/internal/api/rest"
)

// health reports the state of the App's parts to /readyz.
type health struct{ app *App }

var _ rest.Health = health{}

// Ping fails unless the database is reachable.
func (h health) Ping(ctx context.Context) error { return h.app.db.Ping(ctx) }

// Writable returns why the database and the folder of files cannot be written.
func (h health) Writable(ctx context.Context) (database, files error) {
	return h.app.folders.writable(ctx)
}

// FailingReaders returns the consumers of the change feed that have failed for a while.
func (h health) FailingReaders(ctx context.Context) ([]rest.FailingReader, error) {
	list, err := h.app.Feed.Failing(ctx)
	out := make([]rest.FailingReader, len(list))
	for i, r := range list {
		out[i] = rest.FailingReader(r)
	}
	return out, err
}

// SealState returns how far the ledger is sealed.
func (h health) SealState(ctx context.Context) (rest.SealState, error) {
	state, err := h.app.Sealer.State(ctx)
	return rest.SealState(state), err
}

// Networks returns what this node has seen of the networks that it reads.
func (h health) Networks() []rest.NetworkState {
	var out []rest.NetworkState
	for _, c := range h.app.Networks.Clients() {
		state := c.State()
		out = append(out, rest.NetworkState{
			Name: c.Network().Name, ChainID: c.Network().ChainID, Status: string(state.Status), Head: state.Head,
			Problem: state.Problem,
		})
	}
	return out
}

package app

import (
	"context"
	"log/slog"

	"laurel.example/laurel/internal/api/rest"
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

// Networks returns what this node has seen of the networks that it reads, and how far their events are read.
func (h health) Networks(ctx context.Context) []rest.NetworkState {
	clients := h.app.Networks.Clients()
	if len(clients) == 0 {
		return nil
	}
	read, err := h.app.Reader.States(ctx)
	if err != nil {
		h.app.log.WarnContext(ctx, "how far networks are read is unknown", slog.Any("error", err))
	}
	stopped, err := h.app.Usage.Stopped(ctx)
	if err != nil {
		h.app.log.WarnContext(ctx, "whether reading the use of contracts has stopped is unknown", slog.Any("error", err))
	}
	out := make([]rest.NetworkState, len(clients))
	for i, c := range clients {
		state := c.State()
		out[i] = rest.NetworkState{
			Name: c.Network().Name, ChainID: c.Network().ChainID, Status: string(state.Status), Head: state.Head,
			Problem: state.Problem,
		}
		if reason := stopped[c.Network().ChainID]; reason != "" {
			out[i].Status, out[i].Problem = "stopped", reason
		}
		if reading, ok := read[c.Network().ChainID]; ok {
			out[i].Cursor = &reading.Cursor
			if reading.Stopped != "" {
				out[i].Status, out[i].Problem = "stopped", reading.Stopped
			}
		}
	}
	return out
}

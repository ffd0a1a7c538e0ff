package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	drainTimeout  = 30 * time.Second // how long a stopping server waits for requests under way
	upkeepEvery   = 10 * time.Minute
	changesKept   = 7 * 24 * time.Hour
)

// Serve answers requests on the listener and runs the workers until ctx ends. Then it refuses new requests, finishes those it accepted
// and returns. The caller closes the App.
func (a *App) Serve(ctx context.Context, listener net.Listener) error {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: a.Handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, Protocols: &protocols,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn)}

	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	var workers sync.WaitGroup
	for _, work := range []func(context.Context){a.Ledger.Run, a.Rules.Run, a.Tenancy.Run, a.upkeep} {
		workers.Go(func() { work(working) })
	}
	defer workers.Wait()
	defer stopWorkers()

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	a.stopping.Store(true)
	a.log.Info("stopping: finishing accepted requests")
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

// upkeep removes what no longer has a purpose. Any number of nodes may run it.
func (a *App) upkeep(ctx context.Context) {
	tick := time.NewTicker(upkeepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_, err := a.Feed.Prune(ctx, a.db.Now().Add(-changesKept))
		err = errors.Join(err, a.Tenancy.ForgetCounters(ctx), a.Tenancy.ForgetRequests(ctx))
		if err != nil && ctx.Err() == nil {
			a.log.Warn("upkeep failed; it is tried again", slog.Any("error", err))
		}
	}
}

// Warn tells the operator loudly what is not fit for production.
func (a *App) Warn() {
	if a.config.Dev {
		a.log.Warn("DEVELOPMENT MODE: callback addresses may be http and loopback, and error answers tell their cause; never expose this server")
	}
	if a.config.NoRateLimits {
		a.log.Warn("rate limits are off")
	}
	if a.config.Secret == "" {
		a.log.Warn("LAUREL_SECRET is not set: secrets at rest are sealed with a key that lies in the same database")
	}
}

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/worker"
)

const (
	drainTimeout    = 30 * time.Second   // how long a stopping server waits for requests under way
	upkeepEvery     = 10 * time.Minute   // how often records past their retention are removed
	filesEvery      = time.Minute        // how often unused files are removed
	changeRetention = 7 * 24 * time.Hour // how long the change feed is stored
)

// Run serves requests on the listener and runs the workers until ctx ends or the server fails. After ctx has ended,
// /readyz reports for the drain time that the server is stopping. Then Run refuses new requests, finishes accepted
// ones, stops the workers and closes the App.
func (a *App) Run(ctx context.Context, listener net.Listener) error {
	failed := make(chan error, 3) // any error stops the server: those of the listeners, or that of watchKeys

	// A stop during the start is as orderly as a later one.
	lock, key, err := a.lockForServing(context.WithoutCancel(ctx))
	if err != nil {
		return errors.Join(err, listener.Close(), a.closeMetricsListener(), a.Close())
	}
	working, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, work := range []func(context.Context){
		a.Ledger.Run,
		a.Expiry.Run,
		a.Reset.Run,
		a.Engagement.Run,
		a.Badges.Run,
		a.Rules.Run,
		a.Lists.Run,
		a.Claims.Run,
		a.MemberImports.Run,
		a.PostResolver.Run,
		a.Completions.Run,
		a.Referrals.Run,
		a.Schedule.Run,
		a.Payouts.Run,
		a.DynamicRewards.Run,
		a.Replays.Run,
		a.Awards.Run,
		a.Functions.Run,
		a.Holds.Run,
		a.Minting.Run,
		a.Auctions.Run,
		a.consume(a.Referrals.Consumer()),
		a.consume(a.Awards.Consumer()),
		a.consume(a.Figures.Consumer()),
		a.consume(a.Webhooks.Consumer()),
		a.Webhooks.Run,
		a.Refusals.Run,
		a.Tenancy.Run,
		a.Networks.Run,
		a.ContractRules.Run,
		a.Reader.Run,
		a.Usage.Run,
		a.upkeep,
		a.followClock,
		a.sweepFiles,
		a.sealWorker(key),
		a.watchKeys(lock, failed),
	} {
		running.Go(func() { work(working) })
	}
	server := a.server()
	go func() { failed <- server.Serve(a.limitConnections(listener)) }()
	closeMetrics := a.serveMetrics(failed)
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = a.announceStop(failed)
	}
	begun := time.Now()
	if err == nil {
		err = a.drain(context.WithoutCancel(ctx), server)
	} else {
		_ = server.Close()
	}
	stopWorkers()
	running.Wait()
	err = errors.Join(err, closeMetrics(), lock.release(), a.Close())
	a.log.Info("stopped", slog.Duration("took", time.Since(begun).Round(time.Millisecond)))
	return err
}

// serveMetrics serves metrics on the listener that is theirs, if there is one, until the returned function is called.
// An error is sent to failed. They are served to the end: a stop that hangs can be watched from outside.
func (a *App) serveMetrics(failed chan<- error) (stop func() error) {
	if a.config.MetricsListener == nil {
		return func() error { return nil }
	}
	server := &http.Server{
		Handler: a.ownMetrics(), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout,
		WriteTimeout: responseTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	go func() {
		if err := server.Serve(a.config.MetricsListener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("metrics: %w", err)
		}
	}()
	return server.Close
}

// closeMetricsListener closes the listener of metrics, if there is one, of a server that does not run.
func (a *App) closeMetricsListener() error {
	if a.config.MetricsListener == nil {
		return nil
	}
	return a.config.MetricsListener.Close()
}

// consume returns a worker that runs a consumer of the change feed until its context ends.
func (a *App) consume(c feed.Consumer) func(context.Context) {
	return func(ctx context.Context) {
		if err := a.Feed.Run(ctx, c); err != nil {
			a.log.Error("a consumer of the change feed cannot run", slog.String("consumer", c.Name), slog.Any("error", err))
		}
	}
}

// announceStop makes /readyz return 503 for the drain time, so that load balancers send no more requests before the
// server refuses them. If the server fails meanwhile, it returns that error at once.
func (a *App) announceStop(failed <-chan error) error {
	a.stopping.Store(true)
	if a.config.Drain <= 0 {
		return nil
	}
	a.log.Info("stopping: /readyz says so, and requests are still taken", slog.Duration("drain", a.config.Drain))
	select {
	case err := <-failed:
		return err
	case <-time.After(a.config.Drain):
		return nil
	}
}

// drain stops the server once every request that was begun has its response, or after drainTimeout with an error. Once
// Shutdown is called, net/http begins no further request. SetKeepAlivesEnabled(false) must not be called before: it
// closes idle connections while requests still begin, so a request that was just being read would be executed without a
// response.
func (a *App) drain(ctx context.Context, server *http.Server) error {
	a.log.Info("stopping: finishing accepted requests")
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests under way were cut off: %w", err), server.Close())
	}
	return nil
}

// upkeep removes records that are past their retention, every ten minutes. Any number of nodes may run it.
func (a *App) upkeep(ctx context.Context) {
	loop := worker.Loop{Every: upkeepEvery, DelayFirst: true, Log: a.log, Fault: "upkeep failed; it is tried again"}
	loop.RunEach(ctx, func(ctx context.Context) error {
		_, err := a.Feed.Prune(ctx, a.db.Now().Add(-changeRetention))
		return errors.Join(
			err, a.Tenancy.DeleteOldCounters(ctx), a.Tenancy.DeleteOldRequestKeys(ctx), a.External.RemoveOld(ctx),
			a.Admins.DeleteExpired(ctx), a.Replays.Prune(ctx), a.Awards.Prune(ctx), a.Functions.RemoveOld(ctx),
			a.Figures.DeleteOldDays(ctx), a.Webhooks.RemoveOld(ctx), a.Messages.DeleteOld(ctx),
			connect.DeleteOldContacts(ctx, a.db), a.Flows.RemoveOld(ctx), a.Proofs.RemoveOld(ctx))
	})
}

// sweepFiles removes files that no record uses, every minute. The first round removes what a killed server left behind.
func (a *App) sweepFiles(ctx context.Context) {
	loop := worker.Loop{Every: filesEvery, Log: a.log, Fault: "unused files could not be removed; it is tried again"}
	loop.RunEach(ctx, a.Content.DeleteExpired)
}

// Warn logs settings that are not fit for production.
func (a *App) Warn() {
	if a.config.Dev {
		a.log.Warn(
			"DEVELOPMENT MODE: callback addresses may be http and loopback, and error responses show their cause; never expose this server",
		)
	}
	if a.config.NoRateLimits {
		a.log.Warn("rate limits are off")
	}
}

// WarnUnsealed warns the operator if anyone who has the database can open the secrets in it: because no LAUREL_SECRET
// is set, or because some are still sealed under the key in the database.
func (a *App) WarnUnsealed(ctx context.Context) {
	if a.config.Secret == "" {
		a.log.Warn("LAUREL_SECRET is not set: secrets at rest are sealed with a key that lies in the same database")
		return
	}
	if under, err := a.db.Setting(ctx, sealedUnderSetting); err == nil && len(strings.Fields(under)) > 1 {
		a.log.Warn(
			"LAUREL_SECRET seals secrets from now on; those of before may still be under the key that lies in the database: " +
				"stop every server and run laurel secrets rotate-instance with this secret as LAUREL_SECRET and as LAUREL_NEW_SECRET",
		)
	}
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/pprof"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/completions"
	"laurel/internal/identity"
)

const coreWorkers = 512

var coreLimit = limit{floor: 2.5, goal: 4}

// core measures completions through the service in this process: what remains of row 2 without HTTP, keys and decoding.
func (b *bench) core(ctx context.Context) ([]Result, error) {
	database, p, err := b.people(ctx, "row5")
	if err != nil {
		return nil, err
	}
	app.CollectLess() // as the servers of the other rows do
	name := fmt.Sprintf("posting core without HTTP, c%d, with counter-entry, claim and one feed row", coreWorkers)
	var out []Result
	err = b.inProcess(ctx, app.Config{Database: database}, func(a *app.App, host string) error {
		m, other, err := b.withPgbench(ctx, name, func() (measured, error) { return b.completingInProcess(ctx, a, host, p) })
		if err == nil {
			out = []Result{b.result(coreLimit.line(name, m.perSecond/other.mean(), m), b.against(other))}
		}
		return err
	})
	return out, err
}

// inProcess runs the service with all its workers in this process while f runs.
func (b *bench) inProcess(ctx context.Context, c app.Config, f func(a *app.App, host string) error) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.Logger, c.SealKey, c.NoRateLimits, c.NoMigrate = b.quiet(), b.sealKey(), true, true
	a, err := app.Open(ctx, c)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- a.Run(serving, listener) }()
	err = f(a, listener.Addr().String())
	stop()
	return errors.Join(err, <-ended)
}

func (b *bench) completingInProcess(ctx context.Context, a *app.App, host string, p site) (measured, error) {
	w, err := dial(ctx, host)
	if err != nil {
		return measured{}, err
	}
	defer w.close()
	plan := plan{site: p, workers: coreWorkers, currencies: []string{p.LoyaltyCurrencyID.String()}, wallets: b.Wallets}
	stock, err := plan.stock(&api{w, host, p.WebsiteAPIKey}, b.Time)
	if err != nil {
		return measured{}, err
	}
	scope, err := a.ScopeOf(ctx, p.WebsiteAPIKey)
	if err != nil {
		return measured{}, err
	}
	if path := b.profile(); path != "" {
		end, err := profileTo(path)
		if err != nil {
			return measured{}, err
		}
		defer end()
	}
	step := func() error {
		k, err := stock.take()
		if err != nil {
			return err
		}
		rule, member := stock.pick(k)
		ref := identity.Ref{Wallet: stock.name(member)}
		if !b.Wallets {
			id, err := laurel.ParseID(ref.Wallet)
			if err != nil {
				return err
			}
			ref = identity.Ref{UserID: id}
		}
		_, err = a.Completions.Complete(ctx, scope, completions.CompleteInput{RuleID: stock.templates[rule].rule, User: ref})
		return err
	}
	return load{workers: coreWorkers, seconds: b.Time,
		worker: func(context.Context) (func() error, func(), error) { return step, func() {}, nil }}.run(ctx)
}

// profileTo begins a CPU profile of this process and answers what ends it.
func profileTo(path string) (func(), error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { pprof.StopCPUProfile(); _ = file.Close() }, nil
}

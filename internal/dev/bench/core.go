package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/pprof"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/rules/completion"
)

const coreWorkers = 512

var coreLimit = limit{floor: 2.5, goal: 4}

// measureCore measures the services in this process, without HTTP: posted transactions, which are the work of the
// ledger alone, and whole completions, which are row 2 without HTTP, keys and decoding.
func (b *bench) measureCore(ctx context.Context) ([]Result, error) {
	database, p, err := b.createDatabase(ctx, "row5")
	if err != nil {
		return nil, err
	}
	app.CollectLess() // as the servers of the other rows do
	if path := b.profile(); path != "" {
		end, err := startProfile(path)
		if err != nil {
			return nil, err
		}
		defer end()
	}
	var out []Result
	err = b.runInProcess(ctx, app.Config{Database: database}, func(a *app.App, host string) error {
		for _, work := range []struct {
			name string
			call serviceCall
		}{{"posting core", postTransaction}, {"a whole completion", completeRule}} {
			name := fmt.Sprintf("%s without HTTP, c%d, with counter-entry, claim and one feed row", work.name, coreWorkers)
			m, pgbench, err := b.withPgbench(
				ctx,
				name,
				func() (measured, error) { return b.callInProcess(ctx, a, host, p, work.call) },
			)
			if err != nil {
				return err
			}
			out = append(out, b.result(coreLimit.newResult(name, m.perSecond/pgbench.mean(), m), b.compareWith(pgbench)))
		}
		return nil
	})
	return out, err
}

// serviceCall makes the k-th call of a stock on the services.
type serviceCall func(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error

// postTransaction credits the member of the k-th call with a point, by a transaction with a key of its own.
func postTransaction(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error {
	_, member := c.pick(k)
	ref, err := c.memberRef(member)
	if err != nil {
		return err
	}
	entry := transactions.Entry{
		Member: transactions.MemberRef{UserID: ref.UserID, Wallet: ref.Wallet},
		Amount: laurel.One,
		Key:    fmt.Sprintf("%016x", c.firstKey+int64(k)),
	}
	in := transactions.Input{CurrencyID: c.site.LoyaltyCurrencyID, Entries: []transactions.Entry{entry}}
	_, err = a.Transactions.Post(ctx, scope, in)
	return err
}

// completeRule completes the rule of the k-th call for its member.
func completeRule(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error {
	rule, member := c.pick(k)
	ref, err := c.memberRef(member)
	if err != nil {
		return err
	}
	_, err = a.Completions.Complete(ctx, scope, completion.CompleteInput{RuleID: c.templates[rule].rule, User: ref})
	return err
}

// memberRef returns the reference by which a service finds the n-th member: by id or wallet, as requests over HTTP do.
func (p completionPlan) memberRef(n int) (identity.Ref, error) {
	if p.wallets {
		return identity.Ref{Wallet: p.memberName(n)}, nil
	}
	id, err := laurel.ParseID(p.memberName(n))
	return identity.Ref{UserID: id}, err
}

// runInProcess runs the service with all its workers in this process, calls f with its address, and stops it.
func (b *bench) runInProcess(ctx context.Context, c app.Config, f func(a *app.App, host string) error) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.Logger, c.SealKey, c.NoRateLimits, c.NoMigrate = b.warningsOnly(), b.sealKey(), true, true
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

// callInProcess measures calls of the services in this process. Only the rules are created over HTTP, by the same
// service at the address host.
func (b *bench) callInProcess(
	ctx context.Context,
	a *app.App,
	host string,
	p site,
	call serviceCall,
) (measured, error) {
	w, err := dial(ctx, host)
	if err != nil {
		return measured{}, err
	}
	defer w.close()
	plan := completionPlan{
		site: p, workers: coreWorkers, currencies: []string{p.LoyaltyCurrencyID.String()}, wallets: b.Wallets,
	}
	stock, err := plan.createStock(&api{w, host, p.WebsiteAPIKey}, b.Time)
	if err != nil {
		return measured{}, err
	}
	scope, err := a.ScopeOf(ctx, p.WebsiteAPIKey)
	if err != nil {
		return measured{}, err
	}
	step := func() error {
		k, err := stock.nextCall()
		if err != nil {
			return err
		}
		return call(ctx, a, scope, stock, k)
	}
	return load{workers: coreWorkers, duration: b.Time,
		worker: func(context.Context) (func() error, func(), error) { return step, func() {}, nil }}.run(ctx)
}

// startProfile starts a CPU profile of this process and returns the function that ends it.
func startProfile(path string) (func(), error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { pprof.StopCPUProfile(); _ = file.Close() }, nil
}

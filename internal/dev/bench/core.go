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
	"laurel/internal/identity"
	"laurel/internal/points/transactions"
	"laurel/internal/rules/completion"
)

const coreWorkers = 512

var coreLimit = limit{floor: 2.5, goal: 4}

// measureCore measures the committer in this process, without HTTP: transactions of callers, which are the ledger's
// work alone, and whole completions, which are row 2 without HTTP, keys and decoding.
func (b *bench) measureCore(ctx context.Context) ([]Result, error) {
	database, p, err := b.createDatabase(ctx, "row5")
	if err != nil {
		return nil, err
	}
	app.CollectLess() // as the servers of the other rows do
	if path := b.profile(); path != "" {
		end, err := profileTo(path)
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
			m, other, err := b.withPgbench(
				ctx,
				name,
				func() (measured, error) { return b.callInProcess(ctx, a, host, p, work.call) },
			)
			if err != nil {
				return err
			}
			out = append(out, b.result(coreLimit.line(name, m.perSecond/other.mean(), m), b.compareWith(other)))
		}
		return nil
	})
	return out, err
}

// serviceCall carries out the k-th call of a stock.
type serviceCall func(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error

// postTransaction gives a member points by a transaction with a key of its own, as a caller's post does.
func postTransaction(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error {
	_, member := c.pick(k)
	ref, err := c.ref(member)
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

// completeRule completes a rule for a member, once in the rule's window.
func completeRule(ctx context.Context, a *app.App, scope laurel.Scope, c *requestStock, k int) error {
	rule, member := c.pick(k)
	ref, err := c.ref(member)
	if err != nil {
		return err
	}
	_, err = a.Completions.Complete(ctx, scope, completion.CompleteInput{RuleID: c.templates[rule].rule, User: ref})
	return err
}

// ref names the n-th member to a service as its requests do over HTTP.
func (p completionPlan) ref(n int) (identity.Ref, error) {
	if p.wallets {
		return identity.Ref{Wallet: p.memberName(n)}, nil
	}
	id, err := laurel.ParseID(p.memberName(n))
	return identity.Ref{UserID: id}, err
}

// runInProcess runs the service with all its workers in this process while f runs.
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
		k, err := stock.take()
		if err != nil {
			return err
		}
		return call(ctx, a, scope, stock, k)
	}
	return load{workers: coreWorkers, seconds: b.Time,
		worker: func(context.Context) (func() error, func(), error) { return step, func() {}, nil }}.run(ctx)
}

// profileTo begins a CPU profile of this process and returns what ends it.
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

// Package usage reads how contracts are used: the transactions that are sent to them, summed by block and sender, and
// who has deployed them. It owns which contracts of a network are read, and how far. It knows nothing of tenants, rules
// or rewards.
package usage

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Config holds what a Reader needs.
type Config struct {
	DB       *store.DB
	Networks *node.Networks
	Logger   *slog.Logger
}

// Reader reads the contracts that were asked for on the networks that the operator has configured. Any number of nodes
// of the service may run it: one at a time reads a network.
type Reader struct {
	Config
	followers []*follower
	metrics   *metrics
}

// New returns a Reader. It reads nothing before Run.
func New(c Config) *Reader {
	r := &Reader{Config: c, metrics: newMetrics()}
	for _, client := range c.Networks.Clients() {
		r.metrics.failures.WithLabelValues(client.Network().Name) // at zero, so that the first failure shows
		r.followers = append(r.followers, &follower{
			Reader: r, client: client, network: client.Network(), id: c.DB.NewID(), lookAt: map[string]time.Time{},
			faults: worker.FaultLog{
				Log:   c.Logger.With(slog.String("network", client.Network().Name)),
				Fault: "the use of contracts cannot be read on; it is tried again", Over: "the use of contracts is read on",
			},
		})
	}
	return r
}

const lookEvery = time.Second

// Run reads until ctx ends.
func (r *Reader) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, f := range r.followers {
		running.Go(func() {
			defer f.release(context.WithoutCancel(ctx))
			loop := worker.Loop{Every: lookEvery, Log: f.faults.Log, Fault: f.faults.Fault}
			loop.Run(ctx, func(ctx context.Context) (bool, error) {
				more, _ := f.try(ctx) // which has logged the error
				return more, nil
			})
		})
	}
	running.Wait()
}

// Read reads all that there is now, on every network whose head is known. It returns the first error.
func (r *Reader) Read(ctx context.Context) (first error) {
	for _, f := range r.followers {
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = f.try(ctx); err != nil && first == nil {
				first = err
			}
		}
	}
	return first
}

// follower reads one network. One goroutine uses it.
type follower struct {
	*Reader
	client  *node.Client
	network evm.Network
	id      laurel.ID // of this reader as the owner of a lease
	faults  worker.FaultLog
	turn    int                  // whose turn it is of the contracts that are behind
	lookAt  map[string]time.Time // by contract that was not found: when to look again
}

// try is step. It logs the first error of a row, and that it is over.
func (f *follower) try(ctx context.Context) (more bool, err error) {
	more, err = panics.Try(func() (bool, error) { return f.step(ctx) })
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	f.faults.Note(ctx, err)
	if err != nil {
		f.metrics.failures.WithLabelValues(f.network.Name).Inc()
		return false, err
	}
	return more, nil
}

func (f *follower) log() *slog.Logger { return f.faults.Log }

// chainID returns the chain id as rows have it.
func (f *follower) chainID() int64 { return int64(f.network.ChainID) } //nolint:gosec // chain ids have 53 bits

// Contract is what is known of a contract.
type Contract struct {
	Address       string
	Looked        int64     // at which block its code was looked for; -1: not yet
	Fault         string    // why nobody knows yet who has deployed it; "": it is known, or was not looked for
	IsDeployed    bool      // false: there was no contract at the block Looked, or nobody knows
	Deployer      string    // who has sent the transaction that made it; "": nobody, it is part of the first block
	DeployedBlock int64     // the next fields are zero unless IsDeployed
	DeployedAt    time.Time // the time of that block
	Next          int64     // all blocks before are read
	LastHash      string    // of the block before Next; "": none is read
}

const (
	wantEvery = time.Hour           // how often it is noted that a contract is wanted
	wantedFor = 40 * 24 * time.Hour // how long it is read on after it was wanted last: rules run at least monthly
)

// Contracts returns what is known of contracts of a network, and has those read that are not yet.
func (r *Reader) Contracts(ctx context.Context, network evm.Network, addresses []string) ([]Contract, error) {
	chainID := int64(network.ChainID) //nolint:gosec // chain ids have 53 bits
	rows, err := selectContracts(ctx, r.DB, chainID, addresses)
	if err != nil {
		return nil, err
	}
	known := make(map[string]contractRow, len(rows))
	for _, row := range rows {
		known[row.Address] = row
	}
	var unwanted []string
	now := r.DB.Now()
	out := make([]Contract, len(addresses))
	for i, address := range addresses {
		row, isKnown := known[address]
		if !isKnown {
			row = contractRow{Address: address, Looked: -1}
		}
		if out[i] = row.contract(); !isKnown || now.Sub(store.Time(row.WantedAt)) > wantEvery {
			unwanted = append(unwanted, address)
		}
	}
	if len(unwanted) == 0 {
		return out, nil
	}
	return out, r.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := insertNetwork(ctx, tx, chainID, network.Name); err != nil {
			return err
		}
		return upsertWanted(ctx, tx, chainID, unwanted)
	})
}

// Stopped returns why the reading of networks has stopped, by chain id, for those where it has.
func (r *Reader) Stopped(ctx context.Context) (map[uint64]string, error) {
	rows, err := selectNetworks(ctx, r.DB)
	out := map[uint64]string{}
	for _, n := range rows {
		if n.StoppedReason != "" {
			out[uint64(n.ChainID)] = n.StoppedReason //nolint:gosec // chain ids have 53 bits
		}
	}
	return out, err
}

// Resume lets the reading of a network go on after it has stopped, and reports whether it had: what was read is
// dropped, and read again.
func (r *Reader) Resume(ctx context.Context, network string) (resumed bool, err error) {
	err = r.DB.InTx(ctx, func(tx *store.Tx) error {
		resumed, err = markResumed(ctx, tx, network)
		return err
	})
	return resumed, err
}

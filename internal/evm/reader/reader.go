// Package reader follows the blocks of networks and tells of events and calls of contracts, and of those that a
// reorganization took back. It owns how far each network is read, which blocks were read last, and the events of these
// blocks. It does not own what is watched, how far the past of a watch is read, and who gets its events (Watches).
package reader

import (
	"context"
	"encoding/json"
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

// Watch is an event or a function of a contract that is watched.
type Watch struct {
	ID, OrganizationID, WebsiteID laurel.ID
	Contract                      string // in lower case
	IsFunction                    bool
	ABI                           string
	TriggerID                     *string
	IsInstant                     bool  // published at once, and again if it is taken back; else after the confirmations
	From                          int64 // the first block; NewestBlock: the newest one when the reader finds the watch
	// Since, if not zero, takes the place of From until the reader has found the watch: the first block is the first one
	// that is not older.
	Since time.Time
	// Past is nil until the reader has found the watch.
	Past *Past
}

// NewestBlock is the Watch.From of a watch that begins with the newest block.
const NewestBlock = -1

// Past is how far the blocks before those that the reader follows are read for a watch.
type Past struct {
	Next, Until int64 // the blocks that are still to be read; Next is above Until: none
}

// isReading reports whether there are blocks to be read.
func (w Watch) isReading() bool { return w.Past != nil && w.Past.Next <= w.Past.Until }

// Event is an event or a call of a watch (contract 7.1).
type Event struct {
	WatchID, OrganizationID, WebsiteID laurel.ID
	IsFunction                         bool
	Data                               json.RawMessage
}

// Watches knows what is watched, and tells of events. Its methods are called with its own watches and events alone.
type Watches interface {
	// Watched returns what is watched on a network.
	Watched(ctx context.Context, q store.Queryer, chainID uint64) ([]Watch, error)
	// Move stores the From and the Past of watches; head is the newest block of the network.
	Move(ctx context.Context, tx *store.Tx, head int64, watches ...Watch) error
	// Publish tells of events, in their order.
	Publish(ctx context.Context, tx *store.Tx, events ...Event) error
}

// Config holds what a Reader needs.
type Config struct {
	DB       *store.DB
	Networks *node.Networks
	Watches  []Watches
	Logger   *slog.Logger
}

// Reader follows the networks that the operator has configured. Any number of nodes of the service may run it: one at a
// time reads a network.
type Reader struct {
	Config
	followers []*follower
	metrics   *metrics
}

// New returns a Reader. It reads nothing before Run.
func New(c Config) *Reader {
	r := &Reader{Config: c, metrics: newMetrics()}
	for _, client := range c.Networks.Clients() {
		r.metrics.begin(client.Network().Name)
		r.followers = append(r.followers, &follower{
			Reader: r, client: client, network: client.Network(), id: c.DB.NewID(), span: firstSpan,
			matchers: map[laurel.ID]*matcher{},
			faults: worker.FaultLog{
				Log:   c.Logger.With(slog.String("network", client.Network().Name)),
				Fault: "a network cannot be read on; it is tried again", Over: "a network is read on",
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
	client   *node.Client
	network  evm.Network
	id       laurel.ID // of this reader as the owner of a lease
	span     int64     // blocks that are read at once of the past
	lastPast laurel.ID // the website whose past was read last

	faults   worker.FaultLog
	matchers map[laurel.ID]*matcher // by watch
	owners   map[laurel.ID]Watches  // by watch
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

// State is how far a network is read.
type State struct {
	Cursor  int64  // the last block whose events were read
	Stopped string // why the reader has stopped; "": it has not
}

// States returns how far each network is read, by chain id. It leaves out networks on which nobody watches a contract.
func (r *Reader) States(ctx context.Context) (map[uint64]State, error) {
	rows, err := selectCursors(ctx, r.DB)
	out := make(map[uint64]State, len(rows))
	for _, c := range rows {
		out[uint64(c.ChainID)] = State{Cursor: c.Number, Stopped: c.StoppedReason} //nolint:gosec // chain ids have 53 bits
	}
	return out, err
}

// Resume lets the reader of a network go on after it has stopped: it takes the chain of the nodes as it is. Errors:
// Refused if it has not stopped.
func (r *Reader) Resume(ctx context.Context, network string) error {
	resumed := false
	err := r.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		resumed, err = markResumed(ctx, tx, network)
		return err
	})
	if err == nil && !resumed {
		err = laurel.Errorf(laurel.Refused, "The reader of network %s has not stopped", network)
	}
	return err
}

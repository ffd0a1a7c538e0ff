package audit

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

const (
	sealConsumer = "sealer" // the sealer's name as a consumer of the change feed
	// backlogBatchSize is how many entries of the backlog one transaction seals: few enough to stay far below the time
	// limit of transactions on a slow database.
	backlogBatchSize = 1500
	// changesPerBatch is how many changes of the feed one transaction seals. About a third of them list entries, whose
	// leaves are part of the change, so that no entry is read.
	changesPerBatch = 6000
	// partialBatchWait is how long the sealer waits after a batch that was not full, so that a quiet ledger does not make
	// a block, and a line in the log, for each entry.
	partialBatchWait = time.Second
	// retryWait is how long Run waits after a failure before it tries again.
	retryWait = 5 * time.Second
	// maxUnsealedCount is the number up to which State counts entries that are not sealed yet.
	maxUnsealedCount = 10_000
)

// unsealedLeaves reads the part of the change feed that the sealer has not sealed yet.
var unsealedLeaves = feed.PendingLeaves{Consumer: sealConsumer}

// Sealer seals entries into blocks, one chain per organization (docs/decisions/0010-tamper-evidence.md). It reads the
// change feed, so posting does not wait for it. Each node has one, and the lease of the feed lets one of them work.
type Sealer struct {
	db        *store.DB
	feed      *feed.Feed
	log       *slog.Logger
	key       seal.Key
	newBlocks []seal.Block // that the present transaction appends, to be logged after its commit
}

// NewSealer makes the sealer of a node.
func NewSealer(db *store.DB, feed *feed.Feed, log *slog.Logger) *Sealer {
	return &Sealer{db: db, feed: feed, log: log}
}

// SealState says how far behind the sealer is, whichever node runs it.
type SealState struct {
	Entries   int64         // entries to be sealed, counted up to 10,000
	Lag       time.Duration // how long the oldest of them has waited
	Started   bool          // the entries from before sealing began are sealed
	LastBlock time.Time     // when the last block was made; zero: none yet
}

// State returns how far behind the sealer is, whichever node runs it: how many entries wait (counted up to
// maxUnsealedCount), how long the oldest has waited, whether the backlog is sealed, and when the last block was made.
// It takes no Scope: it is for probes and metrics.
func (s *Sealer) State(ctx context.Context) (SealState, error) {
	pending, err := unsealedLeaves.Count(ctx, s.db, maxUnsealedCount)
	if err != nil {
		return SealState{}, err
	}
	state := SealState{Entries: min(pending.Bytes/int64(seal.BlockEntrySize), maxUnsealedCount)}
	if !pending.Since.IsZero() {
		state.Lag = max(0, s.db.Now().Sub(pending.Since))
	}
	backlog, err := findBacklog(ctx, s.db)
	if err != nil {
		return SealState{}, err
	}
	state.Started = backlog.isDone()
	state.LastBlock, err = lastBlockTime(ctx, s.db)
	return state, err
}

// Run seals entries until ctx ends, and signs their blocks with the key. It first seals the backlog, then it reads the
// change feed and seals the entries that changes list. After an error it logs the error, waits and begins again. Any
// number of nodes may run it: the feed's lease lets one of them work at a time.
func (s *Sealer) Run(ctx context.Context, key seal.Key) {
	s.key = key
	for ctx.Err() == nil {
		err := panics.Safely(func() error { return s.prepare(ctx) })
		if err == nil {
			err = s.feed.Run(
				ctx,
				feed.Consumer{
					Name:             sealConsumer,
					Batch:            changesPerBatch,
					PartialBatchWait: partialBatchWait,
					OnlyLeaves:       true,
					Handle:           s.sealChanges,
					OnCommit:         s.logNewBlocks,
				},
			)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Error("sealing failed and is tried again", slog.Any("error", err))
			select {
			case <-time.After(retryWait):
			case <-ctx.Done():
			}
		}
	}
}

// prepare registers the sealer with the feed, warns if earlier blocks are signed with another key, and seals the
// backlog: entries that an older version or a bulk load wrote, which the feed does not list. The backlog is sealed once
// per database; after that, an entry that neither a block nor the feed lists is forged. While prepare runs, the feed
// keeps new changes for the sealer.
func (s *Sealer) prepare(ctx context.Context) error {
	if err := s.feed.Register(ctx, sealConsumer); err != nil {
		return err
	}
	otherKey, err := otherSigningKey(ctx, s.db, s.key.Public())
	if err != nil {
		return err
	}
	if otherKey != "" {
		s.log.WarnContext(
			ctx,
			"blocks so far are signed with another key; laurel verify needs the public keys of both. Where this key was not meant, start again with the former one",
			slog.String("publicKey", s.key.Public().String()),
			slog.String("former", otherKey),
		)
	}
	for done := false; !done; {
		started := s.db.Now()
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			done, err = s.sealBacklog(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
		s.logNewBlocks(ctx)
		if !done { // rest for as long as the transaction took, which leaves half of the time to requests
			select {
			case <-time.After(min(s.db.Now().Sub(started), maxRest)):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// maxRest bounds a rest: the clock may jump.
const maxRest = 10 * time.Second

// logNewBlocks logs the blocks of the transaction that was committed last. Their hashes in a log that is stored
// elsewhere show later whether the chain was replaced.
func (s *Sealer) logNewBlocks(ctx context.Context) {
	for _, b := range s.newBlocks {
		s.log.InfoContext(
			ctx,
			"sealed",
			slog.String("organization", b.OrganizationID.String()),
			slog.Int64("block", b.Number),
			slog.Int64("entries", b.Size),
			slog.String(
				"root",
				b.Root.String(),
			),
			slog.String("hash", b.Hash.String()),
			slog.String("signature", b.Signature.String()),
		)
	}
	s.newBlocks = nil
}

package audit

import (
	"context"
	"log/slog"
	"time"

	"laurel/internal/feed"
	"laurel/internal/panics"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

const (
	sealConsumer = "sealer"
	// sealBatch is how many entries of the backlog one transaction seals: few enough to stay far below the time limit of
	// transactions on a slow database. sealChanges is how many changes are sealed at a time. A third of them may list
	// entries, which are not read back.
	sealBatch   = 1500
	sealChanges = 6000
	// sealPace is how long entries gather while there are few. Each block also makes a line in the log.
	sealPace = time.Second
	// sealRetry is how long a failed catch-up waits.
	sealRetry = 5 * time.Second
	// maxPendingCount is how far entries that are not sealed yet are counted.
	maxPendingCount = 10_000
)

// pendingLeaves reads the part of the change feed that the sealer has not sealed yet.
var pendingLeaves = feed.PendingLeaves{Consumer: sealConsumer}

// Sealer seals entries into blocks, one chain per organization (docs/decisions/0010-tamper-evidence.md). It reads the
// change feed, so posting does not wait for it. Each node has one, and the lease of the feed lets one of them work.
type Sealer struct {
	db        *store.DB
	feed      *feed.Feed
	log       *slog.Logger
	key       seal.Key
	newBlocks []seal.Block // of the present transaction
}

// NewSealer makes the sealer of a node.
func NewSealer(db *store.DB, feed *feed.Feed, log *slog.Logger) *Sealer {
	return &Sealer{db: db, feed: feed, log: log}
}

// SealState says how far behind the sealer is, whichever node runs it.
type SealState struct {
	Entries   int64         // entries to be sealed, counted up to 10,000
	Lag       time.Duration // how long the oldest of them has waited
	Started   bool          // the backlog is sealed
	LastBlock time.Time     // when the last block was made; zero: none yet
}

// State reads how far behind the sealer is. It takes no Scope: it is for probes and metrics.
func (s *Sealer) State(ctx context.Context) (SealState, error) {
	pending, err := pendingLeaves.Count(ctx, s.db, maxPendingCount)
	if err != nil {
		return SealState{}, err
	}
	state := SealState{Entries: min(pending.Bytes/int64(seal.MemberSize), maxPendingCount)}
	if !pending.Since.IsZero() {
		state.Lag = max(0, s.db.Now().Sub(pending.Since))
	}
	backlog, err := readBacklog(ctx, s.db)
	if err != nil {
		return SealState{}, err
	}
	state.Started = backlog.isDone()
	state.LastBlock, err = lastBlockTime(ctx, s.db)
	return state, err
}

// Run seals with the key until ctx ends. Any number of nodes may run it.
func (s *Sealer) Run(ctx context.Context, key seal.Key) {
	s.key = key
	for ctx.Err() == nil {
		err := panics.Safely(func() error { return s.start(ctx) })
		if err == nil {
			err = s.feed.Run(
				ctx,
				feed.Consumer{
					Name:             sealConsumer,
					Batch:            sealChanges,
					PartialBatchWait: sealPace,
					OnlyLeaves:       true,
					Handle:           s.sealPosted,
					OnCommit:         s.logHeads,
				},
			)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Error("sealing failed and is tried again", slog.Any("error", err))
			select {
			case <-time.After(sealRetry):
			case <-ctx.Done():
			}
		}
	}
}

// start registers with the feed and seals the backlog: entries of an older version or from a bulk load, which the feed
// does not list. This happens once per database. From then on, an entry that neither a block nor the feed lists is
// forged. The feed stores the changes that come meanwhile.
func (s *Sealer) start(ctx context.Context) error {
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
		s.logHeads(ctx)
		if !done { // half of the time is left to requests
			select {
			case <-time.After(s.db.Now().Sub(started)):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// logHeads logs the hashes of committed blocks. Stored elsewhere, they reveal a chain that was replaced.
func (s *Sealer) logHeads(ctx context.Context) {
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

package claims

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The states of a reading (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
	Cancelled  = "cancelled"
)

// Job is a reading of a list as callers see it.
type Job struct {
	ID         laurel.ID
	Status     string
	Message    string
	Total      int64    // of the wallets and blocks of the tree; 0: the file is not read yet
	Written    int64    // of these
	Rows       int64    // of the file, without a header
	Skipped    int64    // bad rows
	Replaced   int64    // good rows of a wallet that a later row names again
	BadRows    []string // the first of them, each with its line
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero: it is not over
}

// IsOpen reports whether the reading is not over.
func (j Job) IsOpen() bool { return j.FinishedAt.IsZero() }

const (
	tick            = time.Second
	lease           = 15 * time.Second // a reading whose node died is carried on by another one afterwards
	websitesAtOnce  = 16               // websites whose lists a node opens at once; trees are made one at a time
	websitesScanned = 256
	turnLength      = 5 * time.Second
	tries           = 20
	chunk           = 2000 // rows of one transaction: a long one would hold back the change feed
	blockChunk      = 200
	upkeepEvery     = 10 * time.Minute
)

const (
	msgFault = "The import was interrupted too often"
	msgEmpty = "File has no good row"
)

// newQueue has lists of websites read side by side, one of each at a time.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[importRow]{
		Items: &worker.Items[importRow]{
			DB: s.DB, Table: leasedImports, LeaseTime: lease, Save: saveImport,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[importRow]) error {
				h.Row.Status = Processing
				return saveImport(ctx, tx, &h.Row)
			},
		},
		Name: "token_claim_imports",
		Loop: worker.Loop{
			Every: tick, Wake: s.wakeQueue, Log: s.Logger, Fault: "lists of token claims could not be read; they are tried again",
		},
		Fault:      "the list of a token claim met a fault",
		RenewEvery: lease / 3,
		Batch:      1,
		Fairness:   worker.Fairness{MaxOwners: websitesAtOnce, MaxLooks: websitesScanned, TimeSlice: turnLength},
		Backoff:    []time.Duration{time.Second, 5 * time.Second, lease, time.Minute},
		Tries:      tries,
		Do:         s.runImport,
		GiveUp: func(_ context.Context, tx *store.Tx, h *worker.Item[importRow]) error {
			h.Row.end(tx.Now(), Failed, msgFault)
			return nil
		},
	}
}

// end ends a reading.
func (r *importRow) end(at time.Time, status, message string) {
	now := store.Micros(at)
	r.Status, r.Message, r.FinishedAt = status, message, &now
}

// setCounts notes what is in the file.
func (r *importRow) setCounts(l *allocationList) {
	r.Total = int64(len(l.entries) + len(l.tree.Heads()))
	r.RowsRead, r.Skipped, r.Replaced, r.BadRows = l.rows, l.skipped, l.replaced, string(store.JSON(l.badRows))
}

func (r *importRow) job() (Job, error) {
	j := Job{
		ID: r.ID, Status: r.Status, Message: r.Message, Total: r.Total, Written: r.Position, Rows: r.RowsRead,
		Skipped: r.Skipped, Replaced: r.Replaced, CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
		FinishedAt: timeOf(r.FinishedAt),
	}
	return j, json.Unmarshal([]byte(r.BadRows), &j.BadRows)
}

// Run reads lists when that is due and removes what counts no more, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.queue.Run(ctx) })
	worker.Loop{
		Every: upkeepEvery, DelayFirst: true, Log: s.Logger, Fault: "upkeep of token claims failed; it is tried again",
	}.RunEach(ctx, s.Forget)
}

// RunDue reads one list that is due now and returns how many it took. A list that fails is no error of RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) { return s.queue.RunOnce(ctx) }

// Metrics are those of the queue of readings.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// wake has Run look at once. What is lost with the node is found by a later round.
func (s *Service) wake() {
	select {
	case s.wakeQueue <- struct{}{}:
	default: // a round is about to begin anyhow
	}
}

// Job returns the latest reading of a token claim's list; nil: there was none, or it failed long ago.
func (s *Service) Job(ctx context.Context, _ laurel.Scope, c TokenClaim) (*Job, error) {
	if c.DataJobID.IsZero() {
		return nil, nil //nolint:nilnil // none
	}
	r, ok, err := findImport(ctx, s.DB, c.DataJobID)
	if err != nil || !ok {
		return nil, err
	}
	job, err := r.job()
	return &job, err
}

// runImport carries a reading out. What is wrong with the list ends it.
func (s *Service) runImport(ctx context.Context, h *worker.Item[importRow]) error {
	err := s.importList(ctx, h)
	message, isListFault := lists.FaultMessage(err)
	if !isListFault || ctx.Err() != nil {
		return err
	}
	s.Logger.Info("the list of a token claim could not be imported", slog.String("import", h.Key.String()),
		slog.String("reason", message))
	return h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), Failed, message)
		return nil
	})
}

// importList reads a list from where it was left: it is read whole each time, which takes seconds, and written from the
// position on.
func (s *Service) importList(ctx context.Context, h *worker.Item[importRow]) error {
	table, err := s.Lists.Open(ctx, h.Row.scope(), lists.RowFileSpec{Import: h.Key, URL: h.Row.URL, Columns: listColumns()})
	if err != nil {
		return err
	}
	defer func() { _ = table.Close() }()
	select {
	case s.treeSlot <- struct{}{}:
		defer func() { <-s.treeSlot }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	l, err := readList(table, h.Row.Decimals)
	if err != nil {
		return err
	}
	if err := s.beginWriting(ctx, h, l, table.Digest); err != nil {
		return err
	}
	if err := writeShares(ctx, h, l); err != nil {
		return err
	}
	if err := writeBlocks(ctx, h, l); err != nil {
		return err
	}
	if err := s.complete(ctx, h, l); err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	table.RemoveCopy()
	return nil
}

// beginWriting notes which bytes are read. Where they are others than those that something was written of, it begins anew.
func (s *Service) beginWriting(ctx context.Context, h *worker.Item[importRow], l *allocationList, digest string) error {
	if h.Row.Digest == digest {
		return nil
	}
	if h.Row.HoldsRows {
		if err := s.clearImport(ctx, h.Key); err != nil {
			return err
		}
	}
	return h.Extend(ctx, func(*store.Tx) error {
		h.Row.Digest, h.Row.Position, h.Row.HoldsRows = digest, 0, true
		h.Row.setCounts(l)
		return nil
	})
}

// writeShares writes the wallets that are not written yet, a chunk per transaction in which the position moves.
func writeShares(ctx context.Context, h *worker.Item[importRow], l *allocationList) error {
	for h.Row.Position < int64(len(l.entries)) {
		part := l.entries[h.Row.Position:min(h.Row.Position+chunk, int64(len(l.entries)))]
		rows := make([][]any, len(part))
		for i, s := range part {
			node, _ := l.tree.Find(s.leaf())
			rows[i] = []any{h.Key, s.wallet.String(), s.units.big().String(), int64(node), int64(s.place)}
		}
		err := h.Extend(ctx, func(tx *store.Tx) error {
			h.Row.Position += int64(len(part))
			_, err := tx.InsertRows(ctx, insertAllocations, rows)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeBlocks writes the blocks of the tree that are not written yet.
func writeBlocks(ctx context.Context, h *worker.Item[importRow], l *allocationList) error {
	heads := l.tree.Heads()
	for {
		at := h.Row.Position - int64(len(l.entries))
		if at >= int64(len(heads)) {
			return nil
		}
		part := heads[at:min(at+blockChunk, int64(len(heads)))]
		rows := make([][]any, len(part))
		for i, head := range part {
			rows[i] = []any{h.Key, int64(head), l.tree.Block(head)}
		}
		err := h.Extend(ctx, func(tx *store.Tx) error {
			h.Row.Position += int64(len(part))
			_, err := tx.InsertRows(ctx, insertBlocks, rows)
			return err
		})
		if err != nil {
			return err
		}
	}
}

// complete ends a reading: its list counts from then on, unless somebody has claimed by the former one meanwhile. A list
// without a good row is some other file and counts for nothing.
func (s *Service) complete(ctx context.Context, h *worker.Item[importRow], l *allocationList) error {
	return h.Finish(ctx, func(tx *store.Tx) error {
		c, err := lockClaim(ctx, tx, h.Row.TokenClaimID)
		if err != nil {
			return err
		}
		switch {
		case len(l.entries) == 0:
			h.Row.end(tx.Now(), Failed, msgEmpty+nextSentence(l.warnings()))
			return nil
		case c.ClaimedWallets > 0:
			h.Row.end(tx.Now(), Failed, msgFrozen)
			return nil
		}
		h.Row.end(tx.Now(), Complete, l.warnings())
		root := l.tree.Root().String()
		c.currentImport, c.MerkleRoot, c.Wallets, c.Allocated = h.Key, &root, int64(len(l.entries)), l.total()
		c.UpdatedAt = tx.Now()
		return updateClaim(ctx, tx, c)
	})
}

func nextSentence(text string) string {
	if text == "" {
		return ""
	}
	return ". " + text
}

// Forget removes the rows of readings that count no more, and readings that ended long ago, a chunk per transaction.
func (s *Service) Forget(ctx context.Context) error {
	for {
		ids, err := importsToClear(ctx, s.DB)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return s.queue.Prune(ctx)
		}
		for _, id := range ids {
			if err := s.clearImport(ctx, id); err != nil {
				return err
			}
		}
	}
}

func (s *Service) clearImport(ctx context.Context, id laurel.ID) error {
	for last := false; !last; {
		if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			last, err = clearImportChunk(ctx, tx, id)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

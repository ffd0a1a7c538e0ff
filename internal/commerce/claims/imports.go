package claims

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The statuses of an import (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
	Cancelled  = "cancelled"
)

// Job is an import of a list as callers see it.
type Job struct {
	ID         laurel.ID
	Status     string
	Message    string
	Total      int64    // wallets and blocks of the tree; 0: the file is not read yet
	Written    int64    // how many of these are written
	Rows       int64    // of the file, without a header
	Skipped    int64    // bad rows
	Replaced   int64    // good rows that a later row of the same wallet replaces
	BadRows    []string // descriptions of the first bad rows
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero while open
}

// IsOpen reports whether the import has not ended.
func (j Job) IsOpen() bool { return j.FinishedAt.IsZero() }

const (
	pollInterval        = time.Second
	leaseTime           = 15 * time.Second // after it another node takes over an import whose node died
	websitesAtOnce      = 16               // websites whose lists a node imports at once; trees are built one at a time
	websitesScanned     = 256
	timeSlice           = 5 * time.Second
	maxTries            = 20
	allocationsPerChunk = 2000 // rows per transaction; a long transaction would hold back the change feed
	blocksPerChunk      = 200
	upkeepInterval      = 10 * time.Minute
)

const (
	msgFault = "The import was interrupted too often"
	msgEmpty = "File has no good row"
)

// newQueue makes the queue of imports. It serves websites side by side, with one import of each at a time.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[importRow]{
		Items: &worker.Items[importRow]{
			DB: s.DB, Table: leasedImports, LeaseTime: leaseTime, Save: saveImport,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[importRow]) error {
				h.Row.Status = Processing
				return saveImport(ctx, tx, &h.Row)
			},
		},
		Name: "token_claim_imports",
		Loop: worker.Loop{
			Every: pollInterval, Wake: s.wakeup, Log: s.Logger, Fault: "lists of token claims could not be read; they are tried again",
		},
		Fault:      "the list of a token claim met a fault",
		RenewEvery: leaseTime / 3,
		Batch:      1,
		Fairness:   worker.Fairness{MaxOwners: websitesAtOnce, MaxLooks: websitesScanned, TimeSlice: timeSlice},
		Backoff:    []time.Duration{time.Second, 5 * time.Second, leaseTime, time.Minute},
		Tries:      maxTries,
		Do:         s.runImport,
		Abandon: func(_ context.Context, tx *store.Tx, h *worker.Item[importRow]) error {
			h.Row.end(tx.Now(), Failed, msgFault)
			return nil
		},
	}
}

// end sets the final status of an import.
func (r *importRow) end(at time.Time, status, message string) {
	r.Status, r.Message, r.FinishedAt = status, message, laurel.NullableTime(at)
}

// setCounts sets how many rows the file has, how many were skipped and replaced, and how many wallets and blocks of the
// Merkle tree are to be written.
func (r *importRow) setCounts(l *allocationList) {
	r.Total = int64(len(l.entries) + len(l.tree.Heads()))
	r.RowsRead, r.Skipped, r.Replaced, r.BadRows = l.rows, l.skipped, l.replaced, l.badRows
}

// job returns the import as callers see it.
func (r *importRow) job() Job {
	return Job{
		ID: r.ID, Status: r.Status, Message: r.Message, Total: r.Total, Written: r.Position, Rows: r.RowsRead,
		Skipped: r.Skipped, Replaced: r.Replaced, BadRows: r.BadRows, CreatedAt: r.CreatedAt.Time,
		UpdatedAt: r.UpdatedAt.Time, FinishedAt: r.FinishedAt.Time,
	}
}

// Run imports due lists, and removes the rows of imports that are not valid any more, until ctx ends. Any number of
// nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.queue.Run(ctx) })
	worker.Loop{
		Every: upkeepInterval, DelayFirst: true, Log: s.Logger, Fault: "upkeep of token claims failed; it is tried again",
	}.RunEach(ctx, s.Forget)
}

// RunDue works on one import that is due now and returns how many it took. An import that fails is no error of RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) { return s.queue.RunOnce(ctx) }

// Metrics returns the metrics of the queue of imports.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// WithJob returns a token claim and the latest import of its list, or nil if there was none or its row was removed. If
// the import has completed since c was read, it reads the claim again: a complete import never comes with a claim that
// lacks its Merkle root. Errors: NotFound "Token claim", if it was deleted since.
func (s *Service) WithJob(ctx context.Context, scope laurel.Scope, c TokenClaim) (TokenClaim, *Job, error) {
	if c.DataJobID.IsZero() {
		return c, nil, nil
	}
	r, ok, err := findImport(ctx, s.DB, c.DataJobID.ID)
	if err != nil || !ok {
		return c, nil, err
	}
	if r.Status == Complete && c.CurrentImportID != c.DataJobID {
		if c, err = s.Get(ctx, scope, c.ID); err != nil {
			return c, nil, err
		}
		if c.DataJobID.ID != r.ID { // it has another list now
			return s.WithJob(ctx, scope, c)
		}
	}
	job := r.job()
	return c, &job, nil
}

// runImport works on a leased import. If the list itself is at fault, the import ends as failed; after other errors the
// queue tries again.
func (s *Service) runImport(ctx context.Context, h *worker.Item[importRow]) error {
	err := s.importList(ctx, h)
	message, isListFault := lists.FaultMessage(err)
	if !isListFault || ctx.Err() != nil { // once ctx has ended, the file may only have been cut off
		return err
	}
	s.Logger.Info("the list of a token claim could not be imported", slog.String("import", h.Key.String()),
		slog.String("reason", message))
	return h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), Failed, message)
		return nil
	})
}

// importList parses a list, builds its tree and writes both. Each attempt parses the whole file, which takes seconds,
// but writes only the rows after the position that an earlier attempt has reached.
func (s *Service) importList(ctx context.Context, h *worker.Item[importRow]) error {
	table, err := s.Lists.Open(
		ctx,
		h.Row.scope(),
		lists.RowFileSpec{Import: h.Key, URL: h.Row.URL, Columns: listColumns()},
	)
	if err != nil {
		return err
	}
	defer func() { _ = table.Close() }()
	select {
	case s.treeSlot <- struct{}{}: // this node builds one tree at a time, because a tree takes much memory
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
	if err := writeAllocations(ctx, h, l); err != nil {
		return err
	}
	if err := writeBlocks(ctx, h, l); err != nil {
		return err
	}
	// After ErrLost, another node has taken over the import and completes it.
	if err := s.complete(ctx, h, l); err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	table.RemoveCopy()
	return nil
}

// beginWriting stores the digest and the counts of the file. If an earlier attempt has written rows of a file with
// another digest, they are removed and writing starts again; with the same digest it continues.
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

// writeAllocations writes the allocations from the import's position on, allocationsPerChunk per transaction. Each
// transaction moves the position past what it has written.
func writeAllocations(ctx context.Context, h *worker.Item[importRow], l *allocationList) error {
	for h.Row.Position < int64(len(l.entries)) {
		part := l.entries[h.Row.Position:min(h.Row.Position+allocationsPerChunk, int64(len(l.entries)))]
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

// writeBlocks writes the remaining blocks of the Merkle tree, blocksPerChunk per transaction. The import's position
// counts all its allocations, which are written before, and then the written blocks.
func writeBlocks(ctx context.Context, h *worker.Item[importRow], l *allocationList) error {
	heads := l.tree.Heads()
	for {
		at := h.Row.Position - int64(len(l.entries))
		if at >= int64(len(heads)) {
			return nil
		}
		part := heads[at:min(at+blocksPerChunk, int64(len(heads)))]
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

// complete ends an import and makes its list the valid one. If the file has no good row, or a wallet has claimed from
// the former list meanwhile, the import ends as Failed, which is no error.
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
		c.CurrentImportID.ID, c.MerkleRoot, c.Wallets, c.Allocated.Int = h.Key, &root, int64(len(l.entries)), l.total()
		c.UpdatedAt.Time = tx.NowAfter(c.UpdatedAt.Time)
		return table.Update(ctx, tx, &c)
	})
}

// nextSentence returns a text with the full stop and space that join it to the sentence before; an empty one stays
// empty.
func nextSentence(text string) string {
	if text == "" {
		return ""
	}
	return ". " + text
}

// Forget removes the allocations and blocks of imports that are not valid any more, and the imports that ended long
// ago, in chunks.
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

// clearImport removes all allocations and blocks of an import, a chunk per transaction.
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

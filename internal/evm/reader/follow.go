package reader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
)

const (
	firstSpan = 100  // blocks of the past that are asked for at once, at first
	maxSpan   = 2000 // at most
	// keptBlocks is how many blocks beyond the confirmations are kept, to follow a deeper reorganization once the operator
	// resumes the reader.
	keptBlocks = 64
	// fewBehind is how many blocks are read one by one after a pause, beyond the confirmations.
	fewBehind = 16
	// maxBegun is how many new watches get their first block in one step: each may take some twenty requests.
	maxBegun = 20
	// maxBeginning is how long a step goes on with new watches: its lease must not end before it has stored them.
	maxBeginning = 3 * time.Second
)

// errLost means that another reader has taken over.
var errLost = errors.New("another reader has the network")

// step reads on by one block or range, of the newest blocks and of the past of watches each, and reports whether there
// may be more. What it finds is stored in the transaction that moves the cursor.
func (f *follower) step(ctx context.Context) (more bool, err error) {
	cursor, err := selectCursor(ctx, f.DB, f.network.ChainID)
	if err != nil {
		return false, err
	}
	if cursor != nil {
		f.metrics.cursor.WithLabelValues(f.network.Name).Set(float64(cursor.Number))
		isLeader, err := f.ensureLease(ctx, *cursor)
		f.client.Follow(isLeader)
		if err != nil || !isLeader {
			return false, err
		}
	}
	watches, err := f.watched(ctx) // many, so only the leader reads them
	if err != nil {
		return false, err
	}
	if len(watches) == 0 {
		f.client.Follow(false)
	}
	if cursor == nil {
		return f.begin(ctx, watches)
	}
	isStopped := cursor.StoppedReason != "" && !cursor.IsResumed
	f.noteStopped(isStopped)
	switch {
	case isStopped:
		return false, nil
	case len(watches) == 0:
		return false, f.DB.InTx(ctx, func(tx *store.Tx) error { return deleteCursor(ctx, tx, *cursor, f.id) })
	}
	if more, err = f.readOn(ctx, cursor, watches); errors.Is(err, errLost) {
		return false, nil // the next step looks for the lease
	}
	return more, err
}

func (f *follower) noteStopped(is bool) {
	value := 0.0
	if is {
		value = 1
	}
	f.metrics.stopped.WithLabelValues(f.network.Name).Set(value)
}

// readOn does the work of a step as the leader.
func (f *follower) readOn(ctx context.Context, cursor *cursorRow, watches []Watch) (bool, error) {
	head, isKnown := f.head()
	if !isKnown {
		return false, nil
	}
	begun, err := f.beginWatches(ctx, *cursor, head, watches)
	if err != nil {
		return false, err
	}
	list, isBeginning := f.matchersOf(begun), len(begun) < len(watches)
	isBehind := cursor.Number < head
	if cursor.IsResumed { // first the chain as it is
		if isBehind {
			err := f.advance(ctx, cursor, head, list)
			return true, err
		}
		return false, nil
	}
	hasPublished, err := f.publish(ctx, *cursor, list)
	if err != nil {
		return false, err
	}
	if isBehind {
		if err := f.advance(ctx, cursor, head, list); err != nil {
			return false, err
		}
	}
	hasPast, err := f.readPast(ctx, *cursor, list)
	return isBeginning || hasPublished || isBehind || hasPast, err
}

// head returns the newest block of the network that this process has seen, and false if it has seen none.
func (f *follower) head() (int64, bool) {
	state := f.client.State()
	return int64(state.Head), !state.HeadTime.IsZero() && state.Status == node.OK //nolint:gosec // heights have 63 bits
}

func (f *follower) confirmations() int64 { return int64(f.network.Confirmations) }

// begin stores the first cursor of a network of which something is watched: as many blocks below the head as can still
// leave the chain.
func (f *follower) begin(ctx context.Context, watches []Watch) (bool, error) {
	head, isKnown := f.head()
	if len(watches) == 0 || !isKnown {
		return false, nil
	}
	from := max(head-f.confirmations(), 0)
	b, err := f.client.BlockByNumber(ctx, uint64(from)) //nolint:gosec // not negative
	if err != nil {
		return false, err
	}
	return true, f.DB.InTx(ctx, func(tx *store.Tx) error {
		chainID := int64(f.network.ChainID) //nolint:gosec // chain ids have 53 bits
		return insertCursor(ctx, tx, cursorRow{ChainID: chainID, Name: f.network.Name, Number: from, Hash: b.Hash})
	})
}

// ensureLease takes the lease of the network if no other reader has it, and renews it once half of it is over. It
// reports whether this reader has it.
func (f *follower) ensureLease(ctx context.Context, c cursorRow) (bool, error) {
	remaining := store.Time(c.LeaseUntil).Sub(f.DB.Now())
	isOwner := c.LeaseOwner == f.id
	switch {
	case isOwner && remaining > leaseTime/2 && c.Name == f.network.Name:
		return true, nil
	case !isOwner && !c.LeaseOwner.IsZero() && remaining > 0:
		return false, nil
	}
	c.Name = f.network.Name
	acquired := false
	err := f.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		acquired, err = acquireLease(ctx, tx, c, f.id)
		return err
	})
	if err == nil && acquired && !isOwner {
		f.log().Info("reading a network", slog.Int64("block", c.Number))
	}
	return acquired, err
}

// release gives the lease of the network to the next reader.
func (f *follower) release(ctx context.Context) {
	err := f.DB.InTx(ctx, func(tx *store.Tx) error { return releaseLease(ctx, tx, f.network.ChainID, f.id) })
	if err != nil {
		f.log().Warn("the lease of a network could not be given back; it ends by itself", slog.Any("error", err))
	}
}

// write runs a transaction of the leader that moves the cursor from where it was found.
func (f *follower) write(ctx context.Context, from cursorRow, to blockRow, change func(tx *store.Tx) error) error {
	return f.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := moveCursor(ctx, tx, from, f.id, to); err != nil {
			return err
		}
		return change(tx)
	})
}

// writeHere runs a transaction of the leader that leaves the cursor where it was found.
func (f *follower) writeHere(ctx context.Context, at cursorRow, change func(tx *store.Tx) error) error {
	return f.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := holdCursor(ctx, tx, at, f.id); err != nil {
			return err
		}
		return change(tx)
	})
}

// beginWatches gives watches that are new their first block, and returns those that have one: a few of the new ones at
// a time, since the lease must not end meanwhile. What lies before the cursor is their past.
func (f *follower) beginWatches(ctx context.Context, c cursorRow, head int64, watches []Watch) ([]Watch, error) {
	begun, fresh, start := make([]Watch, 0, len(watches)), []Watch(nil), f.DB.Now()
	for _, w := range watches {
		if w.Past == nil {
			if len(fresh) == maxBegun || len(fresh) > 0 && f.DB.Now().Sub(start) > maxBeginning {
				continue
			}
			if err := f.setFirst(ctx, &w, head); err != nil {
				return nil, err
			}
			w.Past = &Past{Next: w.From, Until: c.Number}
			fresh = append(fresh, w)
		}
		begun = append(begun, w)
	}
	if len(fresh) == 0 {
		return begun, nil
	}
	return begun, f.writeHere(ctx, c, func(tx *store.Tx) error { return f.move(ctx, tx, head, fresh...) })
}

// publish publishes events that are due: those of instant watches, and others once they have their confirmations. It
// reports whether there were some. Events of watches that have ended are passed over.
func (f *follower) publish(ctx context.Context, c cursorRow, list []*matcher) (bool, error) {
	known := make(map[laurel.ID]bool, len(list))
	var instant []laurel.ID
	for _, m := range list {
		if known[m.ID] = true; m.IsInstant {
			instant = append(instant, m.ID)
		}
	}
	rows, err := selectUnpublished(ctx, f.DB, c.ChainID, c.Number-f.confirmations(), instant)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	events, err := eventsOf(rows, known, false)
	if err != nil {
		return false, err
	}
	err = f.writeHere(ctx, c, func(tx *store.Tx) error {
		if err := markPublished(ctx, tx, rows); err != nil {
			return err
		}
		return f.pass(ctx, tx, events...)
	})
	if err == nil {
		f.metrics.events.WithLabelValues(f.network.Name, kindApplied).Add(float64(len(events)))
	}
	return true, err
}

// eventsOf returns the events of rows whose watches go on.
func eventsOf(rows []eventRow, known map[laurel.ID]bool, isRemoved bool) ([]Event, error) {
	out := make([]Event, 0, len(rows))
	for _, r := range rows {
		if !known[r.WatchID] {
			continue
		}
		e, err := r.event(isRemoved)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// advance reads the block behind the cursor, or several if the cursor is far behind the head, and moves the cursor.
func (f *follower) advance(ctx context.Context, c *cursorRow, head int64, list []*matcher) error {
	b, err := f.client.BlockAfter(ctx, uint64(c.Number+1), c.Hash) //nolint:gosec // not negative
	if err != nil {
		return err
	}
	if b.ParentHash != c.Hash {
		return f.reorganize(ctx, c, b, list)
	}
	last := b.Header
	var rows []eventRow
	if final := head - f.confirmations(); final-c.Number > fewBehind && !hasFunctions(list) {
		rows, last, err = f.readRange(ctx, b, final, list)
	} else {
		rows, err = f.findInBlock(ctx, b, list)
	}
	if err != nil {
		return err
	}
	to := blockRow{int64(last.Number), last.Hash} //nolint:gosec // heights have 63 bits
	err = f.write(ctx, *c, to, func(tx *store.Tx) error {
		if err := insertBlocks(ctx, tx, c.ChainID, []blockRow{to}); err != nil {
			return err
		}
		if err := deleteBelow(ctx, tx, c.ChainID, to.Number-f.confirmations()-keptBlocks); err != nil {
			return err
		}
		return insertEvents(ctx, tx, rows)
	})
	if err == nil {
		c.Number, c.Hash, c.StoppedReason, c.IsResumed = to.Number, to.Hash, "", false
		f.metrics.cursor.WithLabelValues(f.network.Name).Set(float64(to.Number))
	}
	return err
}

func hasFunctions(list []*matcher) bool {
	return slices.ContainsFunc(list, func(m *matcher) bool { return m.function != nil })
}

// readRange returns the events of the watches in a range of final blocks, which begins with a block and ends at most at
// a height, and the last block of the range. The range is shorter where the answer would be too large.
func (f *follower) readRange(
	ctx context.Context, first node.Block, upTo int64, list []*matcher,
) ([]eventRow, node.Header, error) {
	from := int64(first.Number) //nolint:gosec // heights have 63 bits
	for {
		to := min(from+f.span-1, upTo)
		if to <= from {
			rows, err := f.findInBlock(ctx, first, list)
			return rows, first.Header, err
		}
		rows, last, err := f.tryRange(ctx, first, to, list)
		if errors.Is(err, node.ErrTooMuch) {
			f.span = max((to-from+1)/2, 1)
			continue
		}
		if err == nil {
			f.span = min(2*f.span, maxSpan)
		}
		return rows, last, err
	}
}

// tryRange reads the range up to a height.
func (f *follower) tryRange(
	ctx context.Context, first node.Block, to int64, list []*matcher,
) (rows []eventRow, last node.Header, err error) {
	end, err := f.client.BlockByNumber(ctx, uint64(to)) //nolint:gosec // not negative
	if err != nil {
		return nil, last, err
	}
	filter := filterOf(list)
	var logs []node.Log
	if filter != nil {
		if logs, err = f.client.LogsBetween(ctx, *filter, first.Header, end.Header); err != nil {
			return nil, last, err
		}
	}
	for len(logs) > 0 {
		n := slices.IndexFunc(logs, func(l node.Log) bool { return l.BlockHash != logs[0].BlockHash })
		if n < 0 {
			n = len(logs)
		}
		ofBlock := logs[:n]
		logs = logs[n:]
		if !slices.ContainsFunc(list, func(m *matcher) bool { return slices.ContainsFunc(ofBlock, m.isOf) }) {
			continue
		}
		b, err := f.client.BlockByHash(ctx, ofBlock[0].BlockHash)
		if err != nil {
			return nil, last, err
		}
		if b.Number == first.Number && b.Hash != first.Hash || b.Number == end.Number && b.Hash != end.Hash {
			return nil, last, node.ErrInvalid // the chain has changed meanwhile
		}
		rows = append(rows, f.findInLogs(b, ofBlock, list)...)
	}
	return rows, end.Header, nil
}

// readPast reads on in the past of a watch that has one, with all that are as far, and reports whether there was one.
func (f *follower) readPast(ctx context.Context, c cursorRow, list []*matcher) (bool, error) {
	next := f.nextPast(list)
	if next == nil {
		return false, nil
	}
	f.lastPast = next.WebsiteID
	first := *next.Past
	var group []*matcher
	for _, m := range list {
		if m.isReading() && *m.Past == first {
			group = append(group, m)
		}
	}
	kept, err := selectBlocks(ctx, f.DB, c.ChainID)
	if err != nil {
		return false, err
	}
	var b node.Block
	if hash := kept[first.Next]; hash != "" {
		b, err = f.client.BlockByHash(ctx, hash)
	} else {
		b, err = f.client.BlockByNumber(ctx, uint64(first.Next)) //nolint:gosec // not negative
	}
	if err != nil {
		return false, err
	}
	rows, last := []eventRow(nil), b.Header
	if final := min(first.Until, c.Number-f.confirmations()); final > first.Next && !hasFunctions(group) {
		rows, last, err = f.readRange(ctx, b, final, group)
	} else {
		rows, err = f.findInBlock(ctx, b, group)
	}
	if err != nil {
		return false, err
	}
	moved := make([]Watch, len(group))
	for i, m := range group {
		m.Past.Next = int64(last.Number) + 1 //nolint:gosec // heights have 63 bits
		moved[i] = m.Watch
	}
	return true, f.writeHere(ctx, c, func(tx *store.Tx) error {
		if err := insertEvents(ctx, tx, rows); err != nil {
			return err
		}
		return f.move(ctx, tx, c.Number, moved...)
	})
}

// reorganize follows the chain of a block whose parent is not the block of the cursor: it finds where both part, and
// takes back the events of the blocks that left. If more blocks left than there are confirmations, it stops, unless
// the operator has resumed the reader.
func (f *follower) reorganize(ctx context.Context, c *cursorRow, b node.Block, list []*matcher) error {
	kept, err := selectBlocks(ctx, f.DB, c.ChainID)
	if err != nil {
		return err
	}
	at := blockRow{c.Number, b.ParentHash}
	for kept[at.Number] != at.Hash {
		isUnknown := kept[at.Number] == "" && at.Number < c.Number
		if !c.IsResumed && (c.Number-at.Number >= f.confirmations() || isUnknown) {
			return f.stop(ctx, *c, at.Number)
		}
		if isUnknown {
			break // resumed: events of the blocks before stay
		}
		if at.Number == 0 {
			return errors.New("the node is of a chain with another first block")
		}
		parent, err := f.client.BlockByHash(ctx, at.Hash)
		if err != nil {
			return err
		}
		at = blockRow{at.Number - 1, parent.ParentHash}
	}
	return f.rollBack(ctx, c, at, list)
}

// stop ends the reading of a network until the operator resumes it.
func (f *follower) stop(ctx context.Context, c cursorRow, unknown int64) error {
	reason := fmt.Sprintf("the chain has another block %d than the one that was read: a reorganization of more than %d blocks",
		unknown, f.network.Confirmations)
	err := f.DB.InTx(ctx, func(tx *store.Tx) error { return markStopped(ctx, tx, c, f.id, reason) })
	if err != nil {
		return err
	}
	f.noteStopped(true)
	f.log().Error("the reader of a network has stopped: check its nodes, then run laurel networks resume",
		slog.String("reason", reason), slog.Int64("block", c.Number))
	return nil
}

// rollBack moves the cursor back to a block that both chains have, and publishes the events above it as removed.
func (f *follower) rollBack(ctx context.Context, c *cursorRow, to blockRow, list []*matcher) error {
	rows, err := selectPublishedAbove(ctx, f.DB, c.ChainID, to.Number)
	if err != nil {
		return err
	}
	known := make(map[laurel.ID]bool, len(list))
	var moved []Watch
	for _, m := range list {
		known[m.ID] = true
		if m.isReading() && m.Past.Until > to.Number {
			m.Past.Until = to.Number // the blocks above are read again, for all watches
			moved = append(moved, m.Watch)
		}
	}
	events, err := eventsOf(rows, known, true)
	if err != nil {
		return err
	}
	err = f.write(ctx, *c, to, func(tx *store.Tx) error {
		if err := deleteAbove(ctx, tx, c.ChainID, to.Number); err != nil {
			return err
		}
		if err := insertBlocks(ctx, tx, c.ChainID, []blockRow{to}); err != nil {
			return err
		}
		if err := f.move(ctx, tx, c.Number, moved...); err != nil {
			return err
		}
		return f.pass(ctx, tx, events...)
	})
	if err != nil {
		return err
	}
	f.metrics.reorg.WithLabelValues(f.network.Name).Inc()
	f.metrics.events.WithLabelValues(f.network.Name, kindRolledBack).Add(float64(len(events)))
	f.log().Warn("blocks of a network left the chain", slog.Int64("blocks", c.Number-to.Number),
		slog.Int64("since", to.Number), slog.Int("events", len(events)))
	c.Number, c.Hash, c.StoppedReason, c.IsResumed = to.Number, to.Hash, "", false
	return nil
}

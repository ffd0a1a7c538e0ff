package history

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm/node"
)

const (
	firstSpan = 100     // blocks that are asked for at once, at first
	maxSpan   = 2000    // at most
	maxKept   = 400_000 // events that are kept of all sources, beside those of the one that is in use
	maxSeries = 10_000  // series that are kept: a source without events has some, too
	// maxOfSeries is how many events of one source are kept at most, beside those of the range that is in use.
	maxOfSeries = 200_000
)

// series are the events of one source in one run of blocks. A source has several where ranges lie far apart.
type series struct {
	source string        // its key
	slot   chan struct{} // holds a value while somebody reads or uses the rest

	from, next uint64 // the blocks from one to before the other were read
	lastHash   string // of the block before next
	span       uint64
	events     []Event
	byWallet   map[string][]int // positions in events

	deposits   map[string]map[string]*big.Int // after depositsIn; nil: nobody has asked
	depositsIn Range
	offers     map[string][]Event // after offersIn; nil: nobody has asked
	offersIn   Range
	known      map[string]bool // the keys of the events, of a source of which each is kept once

	// As of the last use, guarded by the lock of the Reader.
	has  Range // the blocks that were read
	size int   // of events
}

func newSeries(source string, from uint64) *series {
	s := &series{source: source, slot: make(chan struct{}, 1), span: firstSpan, has: Range{From: from, Last: from}}
	s.reset(from)
	return s
}

func (s *series) reset(from uint64) {
	s.from, s.next, s.lastHash, s.events, s.deposits, s.offers = from, from, "", nil, nil, nil
	s.byWallet, s.known = map[string][]int{}, map[string]bool{}
}

// use reads what is missing of a range, and calls f while nobody else changes the series.
func (r *Reader) use(ctx context.Context, src Source, in Range, f func(*series)) error {
	if in.From > in.Last {
		f(newSeries(src.key(), in.From))
		return nil
	}
	s := r.find(src.key(), in.From)
	select {
	case s.slot <- struct{}{}:
		defer func() { <-s.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if in.From < s.from || in.From > s.next+maxSpan { // it was cut, or has begun again, while this waited
		s.reset(in.From)
	}
	err := r.networks[src.network].readOn(ctx, s, src, in)
	if err == nil {
		f(s)
	}
	r.trim(s)
	return err
}

// find returns the series of a source to which a range from a block on belongs, which is the one that was used last
// then: one that has the block, or ends shortly before it.
func (r *Reader) find(source string, from uint64) *series {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found *series
	for _, s := range r.kept {
		if s.source == source && s.has.From <= from && from <= s.has.Last+maxSpan &&
			(found == nil || s.has.Last > found.has.Last) {
			found = s
		}
	}
	if found == nil {
		found = newSeries(source, from)
	}
	r.kept = append(slices.DeleteFunc(r.kept, func(s *series) bool { return s == found }), found)
	return found
}

// trim drops the series that were not used for longest, if there are too many events. used is in use.
func (r *Reader) trim(used *series) {
	r.mu.Lock()
	defer r.mu.Unlock()
	used.has, used.size = Range{From: used.from, Last: used.next}, len(used.events)
	total := 0
	for _, s := range r.kept {
		total += s.size
	}
	for (total > maxKept || len(r.kept) > maxSeries) && r.kept[0] != used {
		total -= r.kept[0].size
		r.kept = r.kept[1:]
	}
}

// cut drops the events before a block.
func (s *series) cut(src Source, from uint64) {
	events := s.events
	s.from, s.events, s.byWallet, s.deposits, s.offers = from, nil, map[string][]int{}, nil, nil
	for _, e := range events {
		if e.Block >= from {
			s.add(e, src.indexed(e))
		}
	}
}

// readOn reads the blocks of a range that are missing.
func (n *network) readOn(ctx context.Context, s *series, src Source, in Range) error {
	began := s.next
	for s.next <= in.Last {
		err := n.readSpan(ctx, s, src, in)
		if err != nil && ctx.Err() != nil && s.next > began {
			return &UnfinishedError{src.network, s.next, in.Last}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readSpan reads the next blocks of a range: fewer where the answer would be too large.
func (n *network) readSpan(ctx context.Context, s *series, src Source, in Range) error {
	first, err := n.client.HeaderByNumber(ctx, s.next)
	if err != nil {
		return err
	}
	if s.next > s.from && first.ParentHash != s.lastHash {
		s.reset(s.from)
		return node.ErrInvalid // blocks that were final have left the chain
	}
	for {
		end := first
		if to := min(s.next+s.span-1, in.Last); to > s.next {
			if end, err = n.client.HeaderByNumber(ctx, to); err != nil {
				return err
			}
		}
		if end.Number == in.Last && end.Hash != in.LastHash {
			return node.ErrNotFound
		}
		logs, err := n.logs(ctx, src.filters, first, end)
		var events []Event
		if err == nil {
			events, err = src.eventsOf(ctx, n.client, logs)
		}
		if errors.Is(err, node.ErrTooMuch) && end.Number > first.Number {
			s.span = max((end.Number-first.Number+1)/2, 1)
			continue
		}
		if err != nil {
			if ctx.Err() != nil { // too slow, and it would be so again
				s.span = max((end.Number-first.Number+1)/2, 1)
			}
			return err
		}
		for _, e := range events {
			s.addOf(src, e)
		}
		s.next, s.lastHash, s.span = end.Number+1, end.Hash, min(2*s.span, maxSpan)
		return nil
	}
}

// logs returns the logs of filters in a range, each once and in the order of the chain.
func (n *network) logs(ctx context.Context, filters []node.Filter, first, last node.Header) ([]node.Log, error) {
	var out []node.Log
	for _, f := range filters {
		logs, err := n.client.LogsBetween(ctx, f, first, last)
		if err != nil {
			return nil, err
		}
		for _, l := range logs {
			isFirst, isLast := l.BlockNumber == first.Number, l.BlockNumber == last.Number
			if isFirst && l.BlockHash != first.Hash || isLast && l.BlockHash != last.Hash {
				return nil, node.ErrInvalid // the chain has changed meanwhile
			}
		}
		out = append(out, logs...)
	}
	slices.SortFunc(out, func(a, b node.Log) int {
		return cmp.Or(cmp.Compare(a.BlockNumber, b.BlockNumber), cmp.Compare(a.Index, b.Index))
	})
	return slices.CompactFunc(out, func(a, b node.Log) bool {
		return a.BlockNumber == b.BlockNumber && a.Index == b.Index
	}), nil
}

// addOf adds an event of a source, unless one with its key is kept already.
func (s *series) addOf(src Source, e Event) {
	if src.once != nil {
		key := src.once(e)
		if s.known[key] {
			return
		}
		s.known[key] = true
	}
	s.add(e, src.indexed(e))
}

func (s *series) add(e Event, wallets []string) {
	for _, wallet := range wallets {
		s.byWallet[wallet] = append(s.byWallet[wallet], len(s.events))
	}
	s.events = append(s.events, e)
}

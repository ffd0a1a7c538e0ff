package figures

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// flowQuery selects the flows of a currency over a span.
type flowQuery struct {
	scope    laurel.Scope
	currency laurel.ID
	span     Span
}

// read reads the flows of each day, including hidden bids.
func (query flowQuery) read(ctx context.Context, q store.Queryer) ([]Flow, error) {
	out := make([]Flow, query.span.Days())
	for name, field := range map[string]func(*Flow) *laurel.Amount{
		figureIssued:    func(f *Flow) *laurel.Amount { return &f.Issued },
		figureSpent:     func(f *Flow) *laurel.Amount { return &f.Spent },
		figureReturned:  func(f *Flow) *laurel.Amount { return &f.Returned },
		figureExpired:   func(f *Flow) *laurel.Amount { return &f.Expired },
		figureTakenBack: func(f *Flow) *laurel.Amount { return &f.TakenBack },
		figureMoved:     func(f *Flow) *laurel.Amount { return &f.Moved },
		figureOpening:   func(f *Flow) *laurel.Amount { return &f.Opening },
	} {
		values, err := dailyValues(ctx, q, query.scope, figureKey{name: name, subject: query.currency}, query.span)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			*field(&out[i]) = laurel.Amount(v)
		}
	}
	for i := range out {
		out[i].Spent -= out[i].Returned // figureSpent includes what was refunded later; both are at least 0: in range
	}
	return out, nil
}

// removeConcealed subtracts concealed bids from the flows: bids of a sealed auction that has not ended
// (docs/decisions/0081-sealed-bids.md). The figures do not include the newest bids yet, so it subtracts all and adds
// the uncounted ones again. Flows, bids and the position up to which the figures have read the feed must be of one
// snapshot.
func (query flowQuery) removeConcealed(ctx context.Context, q store.Queryer, flows []Flow) error {
	all, err := query.selectConcealed(ctx, q, nil)
	if err != nil || len(all) == 0 {
		return err
	}
	query.addBids(flows, all, -1)
	uncounted, err := query.uncounted(ctx, q)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(uncounted, maxRowsPerStatement) {
		days, err := query.selectConcealed(ctx, q, chunk)
		if err != nil {
			return err
		}
		query.addBids(flows, days, 1)
	}
	return nil
}

// addBids adds the points of bids to the flows, or subtracts them if sign is -1.
func (query flowQuery) addBids(flows []Flow, days []concealedDay, sign laurel.Amount) {
	for _, d := range days {
		f := &flows[d.Day-query.span.first]
		f.Returned += sign * d.Returned
		f.Spent += sign * (d.Spent - d.Returned)
	}
}

// uncounted returns the transactions of concealed bids that the figures do not count yet: those with an entry that the
// consumer has not read. A transaction is counted with its last entry.
func (query flowQuery) uncounted(ctx context.Context, q store.Queryer) ([]laurel.ID, error) {
	pending, after := feed.PendingChanges{Consumer: ConsumerName, Table: feed.TableTransactionEntry}, int64(0)
	found := map[laurel.ID]bool{}
	for {
		changes, err := pending.Read(ctx, q, after, maxRowsPerStatement)
		if err != nil || len(changes) == 0 {
			return slices.Collect(maps.Keys(found)), err
		}
		after = changes[len(changes)-1].Seq
		var entries []laurel.ID
		for _, c := range changes {
			if c.WebsiteID == query.scope.WebsiteID && c.Action == feed.Created {
				entries = append(entries, c.EntityID)
			}
		}
		for chunk := range slices.Chunk(entries, maxRowsPerStatement) {
			ids, err := selectBidTransactions(ctx, q, chunk)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				found[id] = true
			}
		}
	}
}

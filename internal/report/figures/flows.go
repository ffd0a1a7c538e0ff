package figures

import (
	"context"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// flowQuery selects the flows of a currency over a span.
type flowQuery struct {
	scope    laurel.Scope
	currency laurel.ID
	span     Span
}

// read returns the flows, including hidden bids.
func (of flowQuery) read(ctx context.Context, q store.Queryer) ([]Flow, error) {
	out := make([]Flow, of.span.Days())
	for name, field := range map[string]func(*Flow) *laurel.Amount{
		issued:    func(f *Flow) *laurel.Amount { return &f.Issued },
		spent:     func(f *Flow) *laurel.Amount { return &f.Spent },
		returned:  func(f *Flow) *laurel.Amount { return &f.Returned },
		expired:   func(f *Flow) *laurel.Amount { return &f.Expired },
		takenBack: func(f *Flow) *laurel.Amount { return &f.TakenBack },
		moved:     func(f *Flow) *laurel.Amount { return &f.Moved },
	} {
		values, err := series(ctx, q, of.scope, key{name: name, subject: of.currency}, of.span)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			*field(&out[i]) = laurel.Amount(v)
		}
	}
	for i := range out {
		out[i].Spent -= out[i].Returned // both are at least 0: in range
	}
	return out, nil
}

// removeConcealed subtracts concealed bids from the flows (docs/decisions/0081-sealed-bids.md), as far as the figures
// count them already. Flows, bids and the consumer's position must be read in one snapshot.
func (of flowQuery) removeConcealed(ctx context.Context, q store.Queryer, flows []Flow) error {
	all, err := of.selectConcealed(ctx, q, nil)
	if err != nil || len(all) == 0 {
		return err
	}
	of.addBids(flows, all, -1)
	uncounted, err := of.uncounted(ctx, q)
	for some := range slices.Chunk(uncounted, maxRows) {
		if err != nil {
			return err
		}
		var days []concealedDay
		days, err = of.selectConcealed(ctx, q, some)
		of.addBids(flows, days, 1)
	}
	return err
}

// addBids adds bids to the flows, or subtracts them if sign is -1.
func (of flowQuery) addBids(flows []Flow, days []concealedDay, sign laurel.Amount) {
	for _, d := range days {
		f := &flows[d.Day-of.span.first]
		f.Returned += sign * d.Returned
		f.Spent += sign * (d.Spent - d.Returned)
	}
}

// uncounted returns the transactions of concealed bids that the figures do not count yet. A transaction is counted
// with its last entry, so these are the ones with an entry that the consumer has not read.
func (of flowQuery) uncounted(ctx context.Context, q store.Queryer) ([]laurel.ID, error) {
	tail, after := feed.PendingChanges{Consumer: ConsumerName, Table: feed.TransactionEntry}, int64(0)
	found := map[laurel.ID]bool{}
	for {
		changes, err := tail.Read(ctx, q, after, maxRows)
		if err != nil || len(changes) == 0 {
			return slices.Collect(maps.Keys(found)), err
		}
		after = changes[len(changes)-1].Seq
		var entries []laurel.ID
		for _, c := range changes {
			if c.WebsiteID == of.scope.WebsiteID && c.Action == feed.Created {
				entries = append(entries, c.EntityID)
			}
		}
		for some := range slices.Chunk(entries, maxRows) {
			ids, err := selectBidTransactions(ctx, q, some)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				found[id] = true
			}
		}
	}
}

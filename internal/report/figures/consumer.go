package figures

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// ConsumerName is the name of the feed consumer.
const ConsumerName = "figures"

const (
	changesPerBatch     = 4000
	partialBatchWait    = time.Second // many changes together cost little more than a few
	restFactor          = 7           // uses at most an eighth of the time: completions come first
	maxRowsPerStatement = 1000        // rows that a statement names
)

// Consumer returns the consumer of the change feed that keeps the figures up to date. It adds up a batch in memory,
// outside of any transaction, and writes the sums in the transaction that moves its cursor, so each change counts once.
func (s *Service) Consumer() feed.Consumer {
	var batch *tally // that is being written
	return feed.Consumer{
		Name: ConsumerName, Batch: changesPerBatch, PartialBatchWait: partialBatchWait, RestFactor: restFactor,
		Prepare: func(ctx context.Context, q store.Queryer, changes []feed.Change) (feed.Write, error) {
			batch = newTally()
			return batch.prepare(ctx, q, changes)
		},
		OnCommit: func(context.Context) { s.metrics.add(batch) },
	}
}

// completionData is the data of a completion's change. A change with progress means that a target was reached and
// nothing was paid.
type completionData struct {
	RuleID   laurel.ID        `json:"loyaltyRuleId"`
	UserID   laurel.ID        `json:"userId"`
	Progress *json.RawMessage `json:"progress"`
}

// prepare adds up the figures of a batch of changes, and returns the function that writes them.
func (t *tally) prepare(ctx context.Context, q store.Queryer, changes []feed.Change) (feed.Write, error) {
	var entries []laurel.ID
	for _, c := range changes {
		switch {
		case c.Table == feed.TableTransactionEntry && c.Action == feed.Created:
			entries = append(entries, c.EntityID)
		case c.Table == feed.TableRuleStatus && c.Action == feed.Completed:
			var data completionData
			if err := json.Unmarshal(c.Data, &data); err != nil {
				return nil, err
			}
			if data.Progress != nil { // nothing was paid
				continue
			}
			at := tenant{c.OrganizationID, c.WebsiteID}
			t.add(figureKey{at, figureCompletions, data.RuleID, dayOf(c.At), ""}, 1)
			t.add(figureKey{at, figureCompletions, at.website, dayOf(c.At), ""}, 1)
			t.addActive(member{at, data.UserID}, dayOf(c.At))
		}
	}
	for chunk := range slices.Chunk(entries, maxRowsPerStatement) {
		rows, err := selectEntries(ctx, q, chunk)
		if err != nil {
			return nil, err
		}
		t.countEntries(rows, chunk)
	}
	lastDays, err := t.countMembers(ctx, q)
	return func(ctx context.Context, tx *store.Tx) error {
		if err := upsertDays(ctx, tx, lastDays); err != nil {
			return err
		}
		return t.writeSums(ctx, tx)
	}, err
}

// countEntries adds entries to the figures. handled are the entries of this batch, and rows all entries of their
// transactions. An entry of a main account has no change of its own in the feed: it is counted together with the last
// entry of a member in its transaction, in the batch that has that one.
func (t *tally) countEntries(rows []entryRow, handled []laurel.ID) {
	last := map[laurel.ID]laurel.ID{} // by transaction
	for _, r := range rows {
		if !r.UserID.IsZero() && r.ID.Compare(last[r.TransactionID]) > 0 {
			last[r.TransactionID] = r.ID
		}
	}
	transfers := transfers{}
	isHandled := make(map[laurel.ID]bool, len(handled))
	for _, id := range handled {
		isHandled[id] = true
	}
	for _, r := range rows {
		at, day := tenant{r.OrganizationID, r.WebsiteID}, dayOf(store.Time(r.CreatedAt))
		// an import is no activity of the members that it brings
		isActivity := r.IsRequested && ledger.Cause(r.Cause) != ledger.CauseOpening
		if !r.UserID.IsZero() && isHandled[r.ID] && isActivity {
			t.addActive(member{at, r.UserID}, day)
		}
		if !isHandled[last[r.TransactionID]] {
			continue // the transaction is counted with the batch that has its last entry
		}
		if !r.UserID.IsZero() {
			transfers.add(r, day)
			continue
		}
		name := flowOf(ledger.Cause(r.Cause), ledger.Direction(r.Direction))
		t.add(figureKey{at, name, r.CurrencyID, day, ""}, r.Amount)
		if name == figureIssued && !r.RuleID.IsZero() {
			t.add(figureKey{at, figurePaid, r.RuleID, day, r.CurrencyID.String()}, r.Amount)
		}
	}
	for _, m := range transfers { // the lesser amount went from members to members
		t.add(m.key, min(m.received, m.paidOut))
	}
}

// flowOf returns the figure in which an entry of a main account counts. A debit of the main account gives points to
// members, a credit takes them.
func flowOf(cause ledger.Cause, main ledger.Direction) string {
	switch cause {
	case ledger.CauseRefund:
		return figureReturned
	case ledger.CauseExpiry:
		return figureExpired
	case ledger.CauseReset, ledger.CauseRuleDeleted, ledger.CauseReorganized:
		return figureTakenBack
	case ledger.CauseReversed:
		if main == ledger.Debit {
			return figureReturned
		}
		return figureTakenBack
	case ledger.CauseOpening:
		return figureOpening
	case ledger.CauseReward, ledger.CausePosted, ledger.CausePayment: // the direction decides
	}
	if main == ledger.Credit {
		return figureSpent
	}
	return figureIssued
}

// transfers are the amounts that members received and paid in each currency of each transaction: the lesser of the two
// went from members to members.
type transfers map[transferKey]*transfer

type transferKey struct{ transaction, currency laurel.ID }

type transfer struct {
	key               figureKey
	received, paidOut int64
}

// add adds an entry of a member to what members received or paid in the entry's transaction and currency. Sums stop at
// maxFigure.
func (m transfers) add(r entryRow, day int64) {
	key := transferKey{r.TransactionID, r.CurrencyID}
	if m[key] == nil {
		m[key] = &transfer{key: figureKey{tenant{r.OrganizationID, r.WebsiteID}, figureMoved, r.CurrencyID, day, ""}}
	}
	sum := &m[key].received
	if ledger.Direction(r.Direction) == ledger.Debit {
		sum = &m[key].paidOut
	}
	*sum = min(*sum, maxFigure-r.Amount) + r.Amount
}

// activeWithinFigure returns the name of the figure that counts members who were active within this number of days.
func activeWithinFigure(days int) string { return figureActive + strconv.Itoa(days) }

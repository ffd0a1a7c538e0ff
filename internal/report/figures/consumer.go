package figures

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// ConsumerName is the name of the feed consumer.
const ConsumerName = "figures"

const (
	feedBatch = 4000
	feedPace  = time.Second // many changes together cost little more than a few
	feedRest  = 7           // uses at most an eighth of the time: completions come first
	maxRows   = 1000        // rows that a statement names
)

// Consumer returns the feed consumer. It adds up a batch in memory, outside of any transaction, and writes the sums in
// the transaction that moves its cursor, so each change counts once.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: feedBatch, PartialBatchWait: feedPace, RestFactor: feedRest, Prepare: prepare,
	}
}

// completionData is the data of a completion's change. A change with progress means that a target was reached and
// nothing was paid.
type completionData struct {
	RuleID   laurel.ID        `json:"loyaltyRuleId"`
	UserID   laurel.ID        `json:"userId"`
	Progress *json.RawMessage `json:"progress"`
}

// prepare adds up a batch of changes and returns the function that writes the sums.
func prepare(ctx context.Context, q store.Queryer, changes []feed.Change) (feed.Write, error) {
	t := newTally()
	var entries []laurel.ID
	for _, c := range changes {
		switch {
		case c.Table == feed.TransactionEntry && c.Action == feed.Created:
			entries = append(entries, c.EntityID)
		case c.Table == feed.RuleStatus && c.Action == feed.Completed:
			var of completionData
			if err := json.Unmarshal(c.Data, &of); err != nil {
				return nil, err
			}
			if of.Progress != nil {
				continue
			}
			at := owner{c.OrganizationID, c.WebsiteID}
			t.add(key{at, completions, of.RuleID, dayOf(c.At), ""}, 1)
			t.add(key{at, completions, at.website, dayOf(c.At), ""}, 1)
			t.addActive(member{at, of.UserID}, dayOf(c.At))
		}
	}
	for some := range slices.Chunk(entries, maxRows) {
		rows, err := selectEntries(ctx, q, some)
		if err != nil {
			return nil, err
		}
		t.countEntries(rows, some)
	}
	moved, err := t.countMembers(ctx, q)
	return func(ctx context.Context, tx *store.Tx) error {
		if err := upsertDays(ctx, tx, moved); err != nil {
			return err
		}
		return t.writeSums(ctx, tx)
	}, err
}

// countEntries adds entries to the figures. rows are all entries of the transactions that the handled entries belong
// to. An entry of a main account has no change of its own: it is counted with the last entry of a member in its
// transaction, in the batch that has that one.
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
		at, day := owner{r.OrganizationID, r.WebsiteID}, dayOf(store.Time(r.CreatedAt))
		if !r.UserID.IsZero() && isHandled[r.ID] && r.Asked {
			t.addActive(member{at, r.UserID}, day)
		}
		if !isHandled[last[r.TransactionID]] {
			continue // counted with the batch that holds it
		}
		if !r.UserID.IsZero() {
			transfers.add(r, day)
			continue
		}
		name := flowOf(ledger.Cause(r.Cause), ledger.Direction(r.Direction))
		t.add(key{at, name, r.CurrencyID, day, ""}, r.Amount)
		if name == issued && !r.RuleID.IsZero() {
			t.add(key{at, paid, r.RuleID, day, r.CurrencyID.String()}, r.Amount)
		}
	}
	for _, m := range transfers {
		t.add(m.key, min(m.received, m.paidOut))
	}
}

// flowOf returns the figure in which an entry of a main account counts. A debit of the main account gives points to
// members, a credit takes them.
func flowOf(cause ledger.Cause, main ledger.Direction) string {
	switch cause {
	case ledger.CauseRefund:
		return returned
	case ledger.CauseExpiry:
		return expired
	case ledger.CauseReset, ledger.CauseRuleDeleted:
		return takenBack
	case ledger.CauseReward, ledger.CausePosted, ledger.CausePayment:
	}
	if main == ledger.Credit {
		return spent
	}
	return issued
}

// transfers are the amounts that members received and paid in each currency of each transaction: the lesser of the two
// went from members to members.
type transfers map[transferKey]*transfer

type transferKey struct{ transaction, currency laurel.ID }

type transfer struct {
	key               key
	received, paidOut int64
}

func (m transfers) add(r entryRow, day int64) {
	k := transferKey{r.TransactionID, r.CurrencyID}
	if m[k] == nil {
		m[k] = &transfer{key: key{owner{r.OrganizationID, r.WebsiteID}, moved, r.CurrencyID, day, ""}}
	}
	sum := &m[k].received
	if ledger.Direction(r.Direction) == ledger.Debit {
		sum = &m[k].paidOut
	}
	*sum = min(*sum, maxFigure-r.Amount) + r.Amount
}

// withinDays names the figure of members who were active within so many days.
func withinDays(days int) string { return active + strconv.Itoa(days) }

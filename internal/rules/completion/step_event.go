package completion

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// eventStep returns the step of completions by events of contracts: each event pays a rule once, and what it has paid
// is remembered, so that it can be taken back.
func eventStep() *ruletypes.Step {
	return &ruletypes.Step{
		Prepare: noteContractEvent, Locks: lockEventPayment, Reservations: reserveEvent, LockedFacts: addEventPayment,
		EditPosting: addEventKey, Apply: stageEventPayment,
	}
}

func eventKey(c *ruletypes.Case) progress.EventKey {
	return progress.EventKey{Rule: c.Rule.ID, Key: c.Trigger.Event.Key}
}

// noteContractEvent notes that the event is one that the rule names. A function decides by itself.
func noteContractEvent(_ context.Context, c *ruletypes.Case) error {
	if c.Rule.Type == schema.TypeContractEvent {
		c.PreparedFacts.Verdict = decision.Verdict{HasProvider: true, Fulfilled: true, Units: c.Trigger.Event.Factor}
	}
	return nil
}

func lockEventPayment(c *ruletypes.Case) []store.Lock {
	return []store.Lock{progress.EventPayments.Lock(eventKey(c))}
}

func reserveEvent(c *ruletypes.Case) []string { return []string{"event " + c.Trigger.Event.Key} }

// addEventPayment lets an event that is paid, or that was taken back meanwhile, count as a window that is paid. If it
// is paid and its block has come back since, this is noted: what was published in between may come later, and takes
// nothing back.
func addEventPayment(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	row, publishedAt := progress.EventPayments.Row(b, eventKey(c)), c.Trigger.Event.PublishedAt
	f.WindowPaid = f.WindowPaid || row.IsClosed(publishedAt)
	if row.IsOpen() && row.PublishedAt < publishedAt {
		progress.EventPayments.Changed(b, eventKey(c)).PublishedAt = publishedAt
	}
}

// addEventKey names the event in the metadata of the entries.
func addEventKey(c *ruletypes.Case, p *ledger.Posting) {
	names := store.JSON(map[string]string{"eventKey": c.Trigger.Event.Key, "txHash": c.Trigger.Event.TxHash})
	for i := range p.Lines {
		p.Lines[i].Metadata = mergeObjects(p.Lines[i].Metadata, names)
	}
}

// stageEventPayment stages that the rule has paid for the event.
func stageEventPayment(b *store.Batch, c *ruletypes.Case, p *ruletypes.Payment) error {
	row := progress.EventPayments.Changed(b, eventKey(c))
	row.OrganizationID, row.WebsiteID = c.Scope.OrganizationID, c.Scope.WebsiteID
	row.SubjectID, row.UserID, row.Window = c.Person.Subject(), c.Person.UserID, c.Trigger.Window
	row.Amount, row.TransactionID = p.Reward.Amount, p.Transaction.ID
	row.HappenedAt, row.PaidAt = store.Micros(c.DecisionTime(b.Now())), store.Micros(b.Now())
	row.PublishedAt = c.Trigger.Event.PublishedAt
	row.RemovedAt, row.ReversalID = nil, laurel.ID{}
	return nil
}

package rules

import (
	"encoding/json"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
)

// eventRow is an event of a contract that a rule has given points for.
type eventRow struct {
	progress.EventPayment
	Paid  laurel.Amount // with what is held
	Held  laurel.Amount // what was not credited at once
	Taken laurel.Amount // what was taken back since, because its block left the chain
	Owed  laurel.Amount // what could not be taken back at once, and is taken from later rewards
}

// HasLeft reports whether the event's block has left the chain.
func (e eventRow) HasLeft() bool { return e.RemovedAt != nil }

// TxHash returns the hash of the event's transaction on the blockchain.
func (e eventRow) TxHash() string { return e.keyPart(2) }

// LogIndex returns the number of the event in its block; "call" for a call of a function.
func (e eventRow) LogIndex() string { return e.keyPart(3) }

// keyPart returns a part of the event's key, which has the form chainId:blockHash:txHash:logIndex.
func (e eventRow) keyPart(i int) string {
	if parts := strings.Split(e.Key, ":"); i < len(parts) {
		return parts[i]
	}
	return ""
}

type eventsData struct {
	ruleHead
	Events []eventRow
	Who    map[laurel.ID]parts.Person
	Pager  web.Pager
}

// readEventRule reads the rule of the path. A rule that watches no contract is not found.
func (c *call) readEventRule() (ruleHead, error) {
	head, err := c.readRuleHead()
	if err == nil && head.Rule.Type != schema.TypeContractEvent {
		err = laurel.Missing("Page")
	}
	return head, err
}

// ruleEventsPage shows a page of the events of a contract that a rule has given points for, the latest payment first,
// and what was taken back from whom because blocks left the chain.
func ruleEventsPage(c *call) (web.View, error) {
	head, err := c.readEventRule()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	page.Limit = web.SideListLimit
	list, err := c.Completions.ListEventPayments(c.Context(), c.Scope, head.Rule.ID, page)
	if err != nil {
		return web.View{}, err
	}
	data := eventsData{ruleHead: head, Pager: c.Pager(page, list.HasNextPage, web.LastID(list, paymentOf))}
	if data.Events, err = c.addAmounts(list.Data); err != nil {
		return web.View{}, err
	}
	data.Who, err = c.ReadPeople(web.UniqueIDs(list.Data, func(p progress.EventPayment) laurel.ID { return p.UserID }))
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-events", head.Rule.Name+", events", data)
}

// exportRuleEvents exports the events of a rule as CSV.
func exportRuleEvents(c *call) (web.View, error) {
	head, err := c.readEventRule()
	if err != nil {
		return web.View{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[progress.EventPayment], error) {
		return c.Completions.ListEventPayments(c.Context(), c.Scope, head.Rule.ID, page)
	}
	cells := func(list []progress.EventPayment) ([][]string, error) {
		rows, err := c.addAmounts(list)
		return web.CellRows(rows, func(e eventRow) []string {
			return []string{
				e.Key, web.IdCell(e.UserID), web.IdCell(e.TransactionID), e.Paid.String(), web.TimeCell(e.PaidTime()),
				web.TimeCell(e.RemovedTime()), web.IdCell(e.ReversalID), e.Taken.String(), e.Owed.String(),
			}
		}), err
	}
	columns := []string{
		"eventKey", "userId", "loyaltyTransactionId", "amount", "paidAt", "removedAt", "reversalId", "takenBack", "owed",
	}
	name := "events-" + c.Now().UTC().Format(time.DateOnly) + ".csv"
	return web.ExportCSV(name, columns, web.PagedRows(list, paymentOf, cells))
}

func paymentOf(p progress.EventPayment) laurel.ID { return p.TransactionID }

// addAmounts adds to each event what was paid, taken back and is owed, as the entries say.
func (c *call) addAmounts(list []progress.EventPayment) ([]eventRow, error) {
	reversals := web.UniqueIDs(list, func(p progress.EventPayment) laurel.ID { return p.ReversalID })
	entries, err := c.Ledger.EntriesOf(c.Context(), c.Scope, append(web.UniqueIDs(list, paymentOf), reversals...))
	if err != nil {
		return nil, err
	}
	out := make([]eventRow, len(list))
	for i, p := range list {
		out[i].EventPayment = p
		for _, e := range entries[p.TransactionID] {
			if e.Direction == ledger.Credit {
				var about struct {
					Waiting laurel.Amount `json:"waitingAmount"`
				}
				_ = json.Unmarshal(e.Metadata, &about) // entries without it hold nothing
				out[i].Paid += e.Amount + about.Waiting
				out[i].Held += about.Waiting
			}
		}
		if p.ReversalID.IsZero() {
			continue
		}
		for _, e := range entries[p.ReversalID] {
			var about struct {
				Receivable laurel.Amount `json:"receivable"`
			}
			_ = json.Unmarshal(e.Metadata, &about) // entries without it owe nothing
			out[i].Taken += e.Amount
			out[i].Owed += about.Receivable
		}
	}
	return out, nil
}

package dashboard

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/webhooks"
)

// eventStates are the states of events, and their words.
var eventStates = []choice{
	{"pending", "Pending"}, {"delivered", "Delivered"}, {"failed", "Failed"}, {"skipped", "Not sent"}, {"held", "Held"},
}

// subscriptionEvents is the data of the list of events.
type subscriptionEvents struct {
	subscriptionData
	Last    time.Time // that the callback was called
	Events  []webhooks.Delivery
	Status  string // that limits the list; empty: all
	States  []choice
	Pager   pager
	Trigger bool // some event has a trigger
	Chart   *dayChart
}

// chartHours is how many hours the chart of attempts shows.
const chartHours = 24

// attemptsChart draws the delivery attempts of the last chartHours hours: accepted ones above the line, failed ones
// below. It is nil if there were none.
func (c *request) attemptsChart(s webhooks.Subscription) (*dayChart, error) {
	hours, err := c.d.Webhooks.Hours(c.Context(), c.scope, s.ID, chartHours)
	if err != nil {
		return nil, err
	}
	values := make([]dayValue, len(hours))
	var taken, failed int64
	for i, h := range hours {
		taken, failed = taken+h.Taken, failed+h.Failed
		values[i] = dayValue{
			At: h.At, Up: float64(h.Taken), Down: float64(h.Failed), Hour: true, Today: i == len(hours)-1,
			Texts: []string{number(h.Taken), number(h.Failed)},
		}
	}
	if taken+failed == 0 {
		return nil, nil
	}
	chart := drawDays(values, axisCount, "taken", "failed")
	chart.Sums = []string{number(taken), number(failed)}
	return &chart, nil
}

// eventStatuses returns the status of events that the address filters by; none if it does not filter.
func (c *request) eventStatuses() ([]string, error) {
	status := c.URL.Query().Get("status")
	if status == "" {
		return nil, nil
	}
	if !slices.Contains(webhooks.Statuses(), status) {
		return nil, laurel.Errorf(laurel.Invalid, "The filter status is not a status of events.")
	}
	return []string{status}, nil
}

func eventID(d webhooks.Delivery) laurel.ID { return d.ID }

// subscriptionPage lists the events of a subscription with their deliveries.
func subscriptionPage(c *request) (view, error) {
	sub, err := c.findSubscription()
	if err != nil {
		return view{}, err
	}
	data := subscriptionEvents{
		subscriptionData: c.subscriptionData(sub, "events"), Status: c.URL.Query().Get("status"), States: eventStates,
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	statuses, err := c.eventStatuses()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Webhooks.ListEvents(c.Context(), c.scope, sub.ID, statuses, page)
	if err != nil {
		return view{}, err
	}
	data.Events, data.Pager = list.Data, c.pager(page, list.HasNextPage, lastID(list, eventID))
	data.Trigger = slices.ContainsFunc(list.Data, func(d webhooks.Delivery) bool { return d.TriggerID != nil })
	if data.Last, err = c.lastCall(sub); err != nil {
		return view{}, err
	}
	if data.Chart, err = c.attemptsChart(sub); err != nil {
		return view{}, err
	}
	return pageView("subscription", sub.Name, data)
}

// exportEvents exports the events of a subscription with their deliveries as CSV, without payloads.
func exportEvents(c *request) (view, error) {
	sub, err := c.findSubscription()
	if err != nil {
		return view{}, err
	}
	statuses, err := c.eventStatuses()
	if err != nil {
		return view{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[webhooks.Delivery], error) {
		return c.d.Webhooks.ListEvents(c.Context(), c.scope, sub.ID, statuses, page)
	}
	head := []string{
		"id", "type", "trigger", "happened", "status", "attempts", "nextAttempt", "lastAttempt", "answer", "milliseconds",
		"error",
	}
	return c.exportCSV(sheet{"events-" + sub.ID.String() + ".csv", head, pagedRows(list, eventID,
		cellsOfEach(func(d webhooks.Delivery) []string {
			row := []string{
				idCell(d.ID), d.Type, textCell(d.TriggerID), timeCell(d.TriggeredAt), d.Status,
				strconv.FormatInt(d.Attempts, 10), timeCell(d.NextAttemptAt), "", "", "", "",
			}
			if last := d.Last; last != nil {
				row[7], row[10] = timeCell(last.At), textCell(last.Error)
				row[9] = strconv.FormatInt(last.Duration.Milliseconds(), 10)
				if last.Status != nil {
					row[8] = strconv.FormatInt(*last.Status, 10)
				}
			}
			return row
		}))})
}

// subscriptionEvent is the data of the page of one event.
type subscriptionEvent struct {
	subscriptionData
	Event    webhooks.Delivery
	Attempts []webhooks.Attempt
	Payload  string // empty: the admin may not see it
}

// eventPage shows one event with its payload and delivery attempts. The payload is only for roles that see contacts.
func eventPage(c *request) (view, error) {
	sub, err := c.findSubscription()
	if err != nil {
		return view{}, err
	}
	id, err := c.pathID("event", "Event")
	if err != nil {
		return view{}, err
	}
	data := subscriptionEvent{subscriptionData: c.subscriptionData(sub, "")}
	if data.Event, data.Attempts, err = c.d.Webhooks.GetEvent(c.Context(), c.scope, sub.ID, id); err != nil {
		return view{}, err
	}
	if c.may(admins.SeeContacts) { // an event may say members' e-mail and phone, and a receiver may answer with them
		data.Payload = indentJSON(data.Event.BodyV2())
	}
	return pageView("subscription-event", data.Event.Type, data)
}

// indentJSON returns indented JSON.
func indentJSON(text json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return string(text)
	}
	return out.String()
}

// redeliverEvent delivers an event again.
func redeliverEvent(c *request) (view, error) {
	sub, err := c.liveSubscription()
	if err != nil {
		return view{}, err
	}
	id, err := c.pathID("event", "Event")
	if err != nil {
		return view{}, err
	}
	if _, err := c.d.Webhooks.Redeliver(c.Context(), c.scope, sub.ID, id); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("subscriptions", sub.ID, "events", id), "The event is being resent with the same ID.")
}

// redeliverData is the data of the page that asks which events are delivered again.
type redeliverData struct {
	subscriptionData
	Input  map[string]string
	Chosen []string // states
	States []choice
	Faults map[string]string
	Error  string
}

// Has reports whether a state is chosen.
func (d redeliverData) Has(status string) bool { return slices.Contains(d.Chosen, status) }

// redeliverableStates are the statuses of events that can be delivered again. Events of other statuses will be
// delivered anyway.
var redeliverableStates = []choice{{"failed", "Failed"}, {"skipped", "Not sent"}, {"delivered", "Delivered"}}

// confirmRedeliverRange asks which events of a subscription are delivered again.
func confirmRedeliverRange(c *request) (view, error) {
	sub, err := c.liveSubscription()
	if err != nil {
		return view{}, err
	}
	now := c.d.Now().UTC()
	return pageView("subscription-redeliver", "Resend events of "+sub.Name, redeliverData{
		subscriptionData: c.subscriptionData(sub, ""), States: redeliverableStates, Chosen: []string{"failed"},
		Input: map[string]string{
			"from": now.Add(-24 * time.Hour).Format(dateTimeLayout), "to": now.Add(time.Minute).Format(dateTimeLayout),
		},
	})
}

// redeliverRange delivers all events of a time range and of the chosen statuses again.
func redeliverRange(c *request) (view, error) {
	sub, err := c.liveSubscription()
	if err != nil {
		return view{}, err
	}
	var f laurel.Faults
	var in webhooks.Range
	if at := c.readTime(&f, "from"); at != nil {
		in.From = *at
	}
	if at := c.readTime(&f, "to"); at != nil {
		in.To = *at
	}
	in.Statuses = c.PostForm["status"]
	if len(in.Statuses) == 0 {
		f.Add("status", "choose at least one")
	}
	for _, s := range in.Statuses {
		if !slices.ContainsFunc(redeliverableStates, func(known choice) bool { return known.Value == s }) {
			f.Add("status", "is not a status of events that can be resent")
		}
	}
	var n int64
	if err = f.Err(); err == nil {
		n, err = c.d.Webhooks.RedeliverRange(c.Context(), c.scope, sub.ID, in)
	}
	title := "Resend events of " + sub.Name
	if err != nil {
		return c.showRefused(err, "subscription-redeliver", title, func(faults map[string]string, text string) any {
			return redeliverData{
				subscriptionData: c.subscriptionData(sub, ""), States: redeliverableStates, Chosen: in.Statuses,
				Input: c.typedFieldsOf("from", "to"), Faults: faults, Error: text,
			}
		})
	}
	notice := plural(n, "event is", "events are") + " being resent."
	if n == 0 {
		notice = "No event of that time has such a status, so nothing is sent."
	}
	return c.redirect(c.sitePath("subscriptions", sub.ID), notice)
}

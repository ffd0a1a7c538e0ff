package integrate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/webhooks"
)

// eventStates are the states of events, and their words.
var eventStates = web.Choices(
	"pending", "Pending", "delivered", "Delivered", "failed", "Failed", "skipped", "Not sent", "held", "Held",
)

// subscriptionEvents is the data of the list of events.
type subscriptionEvents struct {
	subscriptionData
	Last    time.Time // that the callback was called
	Events  []webhooks.Delivery
	Status  string // that limits the list; empty: all
	States  []web.Choice
	Pager   web.Pager
	Trigger bool // some event of the page has a trigger, so the table has a column of triggers
	Chart   *web.DayChart
}

// chartHours is how many hours the chart of attempts shows.
const chartHours = 24

// attemptsChart draws the delivery attempts of the last chartHours hours: attempts that the receiver accepted above the
// line, failed ones below it. It returns nil if there were none.
func (c *call) attemptsChart(s webhooks.Subscription) (*web.DayChart, error) {
	hours, err := c.Webhooks.Hours(c.Context(), c.Scope, s.ID, chartHours)
	if err != nil {
		return nil, err
	}
	values := make([]web.DayValue, len(hours))
	var accepted, failed int64
	for i, hour := range hours {
		accepted, failed = accepted+hour.Taken, failed+hour.Failed
		values[i] = web.DayValue{
			At: hour.At, Up: float64(hour.Taken), Down: float64(hour.Failed), Hour: true, Today: i == len(hours)-1,
			Texts: []string{web.Number(hour.Taken), web.Number(hour.Failed)},
		}
	}
	if accepted+failed == 0 {
		return nil, nil
	}
	chart := web.DrawDays(values, web.AxisCount, "delivered", "failed")
	chart.Sums = []string{web.Number(accepted), web.Number(failed)}
	return &chart, nil
}

// eventStatuses returns the status in the query that events are filtered by; none if the query has no status. An
// unknown status is refused.
func (c *call) eventStatuses() ([]string, error) {
	status := c.URL.Query().Get("status")
	if status == "" {
		return nil, nil
	}
	if !slices.Contains(webhooks.Statuses(), status) {
		return nil, laurel.Errorf(laurel.Invalid, "The filter status isn’t a valid event status.")
	}
	return []string{status}, nil
}

func eventID(d webhooks.Delivery) laurel.ID { return d.ID }

// subscriptionPage shows a page of the events of a subscription, with their deliveries and a chart of the attempts,
// filtered by status if the query has one.
func subscriptionPage(c *call) (web.View, error) {
	sub, err := c.getSubscription()
	if err != nil {
		return web.View{}, err
	}
	data := subscriptionEvents{
		subscriptionData: c.subscriptionData(sub, "events"), Status: c.URL.Query().Get("status"), States: eventStates,
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	statuses, err := c.eventStatuses()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Webhooks.ListEvents(c.Context(), c.Scope, sub.ID, statuses, page)
	if err != nil {
		return web.View{}, err
	}
	data.Events, data.Pager = list.Data, c.Pager(page, list.HasNextPage, web.LastID(list, eventID))
	data.Trigger = slices.ContainsFunc(list.Data, func(d webhooks.Delivery) bool { return d.TriggerID != nil })
	if data.Last, err = c.lastCall(sub); err != nil {
		return web.View{}, err
	}
	if data.Chart, err = c.attemptsChart(sub); err != nil {
		return web.View{}, err
	}
	return web.Show("subscription", sub.Name, data)
}

// exportEvents exports the events of a subscription with their newest delivery attempts as CSV, without payloads,
// filtered as on the page.
func exportEvents(c *call) (web.View, error) {
	sub, err := c.getSubscription()
	if err != nil {
		return web.View{}, err
	}
	statuses, err := c.eventStatuses()
	if err != nil {
		return web.View{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[webhooks.Delivery], error) {
		return c.Webhooks.ListEvents(c.Context(), c.Scope, sub.ID, statuses, page)
	}
	head := []string{
		"id", "type", "trigger", "happened", "status", "attempts", "nextAttempt", "lastAttempt", "answer", "milliseconds",
		"error",
	}
	return web.ExportCSV("events-"+sub.ID.String()+".csv", head, web.PagedRows(list, eventID,
		web.CellsOfEach(func(delivery webhooks.Delivery) []string {
			lastAt, status, duration, failure := "", "", "", "" // of the newest attempt
			if attempt := delivery.Last; attempt != nil {
				lastAt, failure = web.TimeCell(attempt.At), web.TextCell(attempt.Error)
				duration = strconv.FormatInt(attempt.Duration.Milliseconds(), 10)
				if attempt.Status != nil {
					status = strconv.FormatInt(*attempt.Status, 10)
				}
			}
			return []string{
				web.IdCell(delivery.ID), delivery.Type, web.TextCell(delivery.TriggerID), web.TimeCell(delivery.TriggeredAt),
				delivery.Status, strconv.FormatInt(delivery.Attempts, 10), web.TimeCell(delivery.NextAttemptAt), lastAt, status,
				duration, failure,
			}
		})))
}

// subscriptionEvent is the data of the page of one event.
type subscriptionEvent struct {
	subscriptionData
	Event    webhooks.Delivery
	Attempts []webhooks.Attempt
	Payload  string // empty: the admin may not see it
}

// eventPage shows one event of a subscription with its delivery attempts. Only roles that may see contact data get the
// payload.
func eventPage(c *call) (web.View, error) {
	sub, err := c.getSubscription()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("event", "Event")
	if err != nil {
		return web.View{}, err
	}
	data := subscriptionEvent{subscriptionData: c.subscriptionData(sub, "")}
	if data.Event, data.Attempts, err = c.Webhooks.GetEvent(c.Context(), c.Scope, sub.ID, id); err != nil {
		return web.View{}, err
	}
	if c.May(admins.SeeContacts) { // an event may say members' e-mail and phone, and a receiver may answer with them
		data.Payload = indentJSON(data.Event.BodyV2())
	}
	return web.Show("subscription-event", data.Event.Type, data)
}

// indentJSON returns JSON with line breaks and indentation. Text that is no JSON is returned as it is.
func indentJSON(text json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return string(text)
	}
	return out.String()
}

// redeliverEvent delivers an event of a subscription again, under the same id.
func redeliverEvent(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("event", "Event")
	if err != nil {
		return web.View{}, err
	}
	if _, err := c.Webhooks.Redeliver(c.Context(), c.Scope, sub.ID, id); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID, "events", id), "The event is being resent with the same ID.")
}

// redeliverData is the data of the page that asks which events are delivered again.
type redeliverData struct {
	web.Refusal
	subscriptionData
	Input  map[string]string
	Chosen []string // states
	States []web.Choice
}

// Has reports whether a state is chosen.
func (d redeliverData) Has(status string) bool { return slices.Contains(d.Chosen, status) }

// redeliverableStates are the statuses of events that can be delivered again. Events of other statuses will be
// delivered anyway.
var redeliverableStates = web.Choices("failed", "Failed", "skipped", "Not sent", "delivered", "Delivered")

// confirmRedeliverRange shows the page that asks which events of a subscription are delivered again. It suggests the
// failed ones of the last 24 hours.
func confirmRedeliverRange(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	now := c.Now().UTC()
	return web.Show("subscription-redeliver", "Resend events of "+sub.Name, redeliverData{
		subscriptionData: c.subscriptionData(sub, ""), States: redeliverableStates, Chosen: []string{"failed"},
		Input: map[string]string{
			"from": now.Add(-24 * time.Hour).Format(form.DateTimeLayout), "to": now.Add(time.Minute).Format(form.DateTimeLayout),
		},
	})
}

// redeliverRange delivers again all events of a subscription that are of a time range and have one of the chosen
// statuses. Its notice says how many there are.
func redeliverRange(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	var faults laurel.Faults
	var in webhooks.Range
	if at := form.ReadTime(c.PostForm, &faults, "from"); at != nil {
		in.From = *at
	}
	if at := form.ReadTime(c.PostForm, &faults, "to"); at != nil {
		in.To = *at
	}
	in.Statuses = c.PostForm["status"]
	if len(in.Statuses) == 0 {
		faults.Add("status", "choose at least one")
	}
	for _, status := range in.Statuses {
		if !web.IsOffered(redeliverableStates, status) {
			faults.Add("status", "is not a status of events that can be resent")
		}
	}
	var count int64
	if err = faults.Err(); err == nil {
		count, err = c.Webhooks.RedeliverRange(c.Context(), c.Scope, sub.ID, in)
	}
	title := "Resend events of " + sub.Name
	if err != nil {
		return c.ShowRefused(err, "subscription-redeliver", title, func(refusal web.Refusal) any {
			return redeliverData{
				subscriptionData: c.subscriptionData(sub, ""), States: redeliverableStates, Chosen: in.Statuses,
				Input: form.TypedOf(c.PostForm, "from", "to"), Refusal: refusal,
			}
		})
	}
	notice := web.Plural(count, "event is", "events are") + " being resent."
	if count == 0 {
		notice = "No event from that time has this status, so nothing was resent."
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID), notice)
}

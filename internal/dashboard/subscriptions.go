package dashboard

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/webhooks"
)

const (
	subscriptionPath      = "/subscriptions/{subscription}"
	subscriptionEventPath = subscriptionPath + "/events/{event}"
)

var subscriptionRoutes = []route{
	get("/subscriptions", admins.SeeSubscriptions, "subscriptions", subscriptionsPage),
	get("/subscriptions/subscriptions.csv", admins.SeeSubscriptions, "subscriptions", exportSubscriptions),
	get("/subscriptions/new", admins.ManageSubscriptions, "subscriptions", newSubscriptionPage),
	post("/subscriptions", admins.ManageSubscriptions, "subscriptions",
		"created a subscription", idempotent(createSubscription)),
	get(subscriptionPath, admins.SeeSubscriptions, "subscriptions", subscriptionPage),
	get(subscriptionPath+"/events.csv", admins.SeeSubscriptions, "subscriptions", exportEvents),
	get(subscriptionPath+"/settings", admins.SeeSubscriptions, "subscriptions", subscriptionSettingsPage),
	post(subscriptionPath+"/settings", admins.ManageSubscriptions, "subscriptions",
		"changed a subscription", saveSubscription),
	get(subscriptionPath+"/verify", admins.SeeSubscriptions, "subscriptions", verifyPage),
	get(subscriptionPath+"/key", admins.ChangeKeys, "subscriptions", confirmShowSigningKey),
	post(subscriptionPath+"/key", admins.ChangeKeys, "subscriptions",
		"viewed the signing key of a subscription", showSigningKey),
	get(subscriptionPath+"/rotate", admins.ChangeKeys, "subscriptions", confirmRotateSigningKey),
	post(subscriptionPath+"/rotate", admins.ChangeKeys, "subscriptions",
		"rotated the signing key of a subscription", rotateSigningKey),
	post(subscriptionPath+"/enable", admins.ManageSubscriptions, "subscriptions",
		"enabled a subscription", enableSubscription),
	get(subscriptionPath+"/test", admins.ManageSubscriptions, "subscriptions", confirmSendTest),
	post(subscriptionPath+"/test", admins.ManageSubscriptions, "subscriptions",
		"sent a test event", idempotent(sendTest)),
	get(subscriptionPath+"/delete", admins.ManageSubscriptions, "subscriptions", confirmDeleteSubscription),
	post(subscriptionPath+"/delete", admins.ManageSubscriptions, "subscriptions",
		"deleted a subscription", deleteSubscription),
	get(subscriptionPath+"/redeliver", admins.ManageSubscriptions, "subscriptions", confirmRedeliverRange),
	post(subscriptionPath+"/redeliver", admins.ManageSubscriptions, "subscriptions",
		"resent events of a subscription", idempotent(redeliverRange)),
	get(subscriptionEventPath, admins.SeeSubscriptions, "subscriptions", eventPage),
	post(subscriptionEventPath+"/redeliver", admins.ManageSubscriptions, "subscriptions",
		"resent an event", redeliverEvent),
}

// subscriptionStates are the states of subscriptions as the filter of the list names them.
var subscriptionStates = choicesOf(webhooks.StateOn, "Active", webhooks.StateFailing, "Failing", webhooks.StateDisabled, "Disabled")

type subscriptionsData struct {
	Rows       []subscriptionRow
	Filters    []filterMenu
	IsFiltered bool // a filter is chosen
	Pager      pager
}

// subscriptionRow is a subscription in a list.
type subscriptionRow struct {
	webhooks.Subscription
	Address string
	Sources string
	Last    time.Time // zero: never called
}

// subscriptionsPage shows a page of the website's subscriptions, filtered by state if the query has one.
func subscriptionsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	filter, err := c.subscriptionFilter()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Webhooks.List(c.Context(), c.scope, filter, page)
	if err != nil {
		return view{}, err
	}
	data := subscriptionsData{
		Filters: []filterMenu{c.filterMenu("State", "state", subscriptionStates)}, IsFiltered: filter != webhooks.Filter{},
		Pager: c.pager(page, list.HasNextPage, lastID(list, subscriptionID)),
	}
	if data.Rows, err = c.subscriptionRows(list.Data); err != nil {
		return view{}, err
	}
	return pageView("subscriptions", "Subscriptions", data)
}

func subscriptionID(s webhooks.Subscription) laurel.ID { return s.ID }

// subscriptionFilter reads the filter of subscriptions from the query. An unknown state is refused.
func (c *request) subscriptionFilter() (filter webhooks.Filter, err error) {
	filter.State = c.URL.Query().Get("state")
	if filter.State != "" && !isOffered(subscriptionStates, filter.State) {
		err = laurel.Errorf(laurel.Invalid, "The filter state must be on, failing or disabled.")
	}
	return filter, err
}

// subscriptionRows adds to each subscription its visible address, the names of its sources, and when it was called
// last.
func (c *request) subscriptionRows(list []webhooks.Subscription) ([]subscriptionRow, error) {
	lastCalls, err := c.d.Webhooks.LastAttempts(c.Context(), c.scope, mapSlice(list, subscriptionID))
	return mapSlice(list, func(s webhooks.Subscription) subscriptionRow {
		return subscriptionRow{s, c.visibleCallback(s.CallbackURL), sourceNames(s), lastCalls[s.ID]}
	}), err
}

// visibleCallback returns the address of a callback without the parts that may be secret: the query and, for roles that
// may not change the callback, the path.
func (c *request) visibleCallback(address string) string {
	if address == "" || !c.may(admins.ManageSubscriptions) {
		return originOf(address)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return originOf(address)
	}
	return originOf(address) + parsed.EscapedPath()
}

// sourceNames returns the names of the tables, and the shortened addresses of the contracts, whose events a
// subscription gets.
func sourceNames(s webhooks.Subscription) string {
	names := mapSlice(s.Sources, func(source webhooks.Source) string {
		if source.Table == "" {
			return shorten(source.Contract)
		}
		return string(source.Table)
	})
	return strings.Join(names, ", ")
}

// exportSubscriptions exports the subscriptions that the filter of the page matches as CSV.
func exportSubscriptions(c *request) (view, error) {
	filter, err := c.subscriptionFilter()
	if err != nil {
		return view{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[webhooks.Subscription], error) {
		return c.d.Webhooks.List(c.Context(), c.scope, filter, page)
	}
	rows := func(list []webhooks.Subscription) ([][]string, error) {
		rows, err := c.subscriptionRows(list)
		return cellRows(rows, func(s subscriptionRow) []string {
			return []string{
				idCell(s.ID), s.Name, s.Address, s.Sources, s.Version, s.State(), timeCell(s.FailingSince), timeCell(s.DisabledAt),
				string(s.DisabledReason), strconv.FormatInt(s.ConsecutiveFailures, 10), timeCell(s.Last), timeCell(s.CreatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "address", "tables", "version", "state", "failingSince", "disabled", "reason", "failures",
		"lastAttempt", "made",
	}
	return exportCSV("subscriptions.csv", head, pagedRows(list, subscriptionID, rows))
}

// getSubscription returns the subscription whose id is in the path, which may be deleted. A malformed or unknown id is
// not found.
func (c *request) getSubscription() (webhooks.Subscription, error) {
	id, err := c.pathID("subscription", "Subscription")
	if err != nil {
		return webhooks.Subscription{}, err
	}
	return c.d.Webhooks.Get(c.Context(), c.scope, id)
}

// getLiveSubscription returns the subscription whose id is in the path, for a change. A deleted subscription is not
// found.
func (c *request) getLiveSubscription() (webhooks.Subscription, error) {
	sub, err := c.getSubscription()
	if err == nil && !sub.DeletedAt.IsZero() {
		err = laurel.Missing("Subscription")
	}
	return sub, err
}

// brokenSubscriptions are the disabled and the failing subscriptions, which the overview warns of.
type brokenSubscriptions struct {
	Disabled, Failing laurel.Page[webhooks.Subscription]
}

// readBrokenSubscriptions reads the disabled and the failing subscriptions, at most pageSize of each. It reads none for
// roles that may not see subscriptions.
func (c *request) readBrokenSubscriptions() (out brokenSubscriptions, err error) {
	if !c.may(admins.SeeSubscriptions) {
		return out, nil
	}
	page := laurel.PageRequest{Limit: pageSize}
	out.Disabled, err = c.d.Webhooks.List(c.Context(), c.scope, webhooks.Filter{State: webhooks.StateDisabled}, page)
	if err != nil {
		return out, err
	}
	out.Failing, err = c.d.Webhooks.List(c.Context(), c.scope, webhooks.Filter{State: webhooks.StateFailing}, page)
	return out, err
}

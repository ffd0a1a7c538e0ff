package integrate

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/webhooks"
)

const (
	subscriptionPath      = "/subscriptions/{subscription}"
	subscriptionEventPath = subscriptionPath + "/events/{event}"
)

var subscriptionRoutes = []route{
	web.Get("/subscriptions", admins.SeeSubscriptions, "subscriptions", subscriptionsPage),
	web.Get("/subscriptions/subscriptions.csv", admins.SeeSubscriptions, "subscriptions", exportSubscriptions),
	web.Get("/subscriptions/new", admins.ManageSubscriptions, "subscriptions", newSubscriptionPage),
	web.Post("/subscriptions", admins.ManageSubscriptions, "subscriptions",
		"created a subscription", web.Idempotent(createSubscription)),
	web.Get(subscriptionPath, admins.SeeSubscriptions, "subscriptions", subscriptionPage),
	web.Get(subscriptionPath+"/events.csv", admins.SeeSubscriptions, "subscriptions", exportEvents),
	web.Get(subscriptionPath+"/settings", admins.SeeSubscriptions, "subscriptions", subscriptionSettingsPage),
	web.Post(subscriptionPath+"/settings", admins.ManageSubscriptions, "subscriptions",
		"changed a subscription", saveSubscription),
	web.Get(subscriptionPath+"/verify", admins.SeeSubscriptions, "subscriptions", verifyPage),
	web.Get(subscriptionPath+"/key", admins.ChangeKeys, "subscriptions", confirmShowSigningKey),
	web.Post(subscriptionPath+"/key", admins.ChangeKeys, "subscriptions",
		"viewed the signing key of a subscription", showSigningKey),
	web.Get(subscriptionPath+"/rotate", admins.ChangeKeys, "subscriptions", confirmRotateSigningKey),
	web.Post(subscriptionPath+"/rotate", admins.ChangeKeys, "subscriptions",
		"rotated the signing key of a subscription", rotateSigningKey),
	web.Post(subscriptionPath+"/enable", admins.ManageSubscriptions, "subscriptions",
		"enabled a subscription", enableSubscription),
	web.Get(subscriptionPath+"/test", admins.ManageSubscriptions, "subscriptions", confirmSendTest),
	web.Post(subscriptionPath+"/test", admins.ManageSubscriptions, "subscriptions",
		"sent a test event", web.Idempotent(sendTest)),
	web.Get(subscriptionPath+"/delete", admins.ManageSubscriptions, "subscriptions", confirmDeleteSubscription),
	web.Post(subscriptionPath+"/delete", admins.ManageSubscriptions, "subscriptions",
		"deleted a subscription", deleteSubscription),
	web.Get(subscriptionPath+"/redeliver", admins.ManageSubscriptions, "subscriptions", confirmRedeliverRange),
	web.Post(subscriptionPath+"/redeliver", admins.ManageSubscriptions, "subscriptions",
		"resent events of a subscription", web.Idempotent(redeliverRange)),
	web.Get(subscriptionEventPath, admins.SeeSubscriptions, "subscriptions", eventPage),
	web.Post(subscriptionEventPath+"/redeliver", admins.ManageSubscriptions, "subscriptions",
		"resent an event", redeliverEvent),
}

// subscriptionStates are the states of subscriptions as the filter of the list names them.
var subscriptionStates = web.Choices(webhooks.StateOn, "Active", webhooks.StateFailing, "Failing", webhooks.StateDisabled, "Disabled")

type subscriptionsData struct {
	Rows       []subscriptionRow
	Filters    []web.FilterMenu
	IsFiltered bool // a filter is chosen
	Pager      web.Pager
}

// subscriptionRow is a subscription in a list.
type subscriptionRow struct {
	webhooks.Subscription
	Address string
	Sources string
	Last    time.Time // zero: never called
}

// subscriptionsPage shows a page of the website's subscriptions, filtered by state if the query has one.
func subscriptionsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	filter, err := c.subscriptionFilter()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Webhooks.List(c.Context(), c.Scope, filter, page)
	if err != nil {
		return web.View{}, err
	}
	data := subscriptionsData{
		Filters: []web.FilterMenu{c.FilterMenu("State", "state", subscriptionStates)}, IsFiltered: filter != webhooks.Filter{},
		Pager: c.Pager(page, list.HasNextPage, web.LastID(list, subscriptionID)),
	}
	if data.Rows, err = c.subscriptionRows(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("subscriptions", "Subscriptions", data)
}

func subscriptionID(s webhooks.Subscription) laurel.ID { return s.ID }

// subscriptionFilter reads the filter of subscriptions from the query. An unknown state is refused.
func (c *call) subscriptionFilter() (filter webhooks.Filter, err error) {
	filter.State = c.URL.Query().Get("state")
	if filter.State != "" && !web.IsOffered(subscriptionStates, filter.State) {
		err = laurel.Errorf(laurel.Invalid, "The filter state must be on, failing or disabled.")
	}
	return filter, err
}

// subscriptionRows adds to each subscription its visible address, the names of its sources, and when it was called
// last.
func (c *call) subscriptionRows(list []webhooks.Subscription) ([]subscriptionRow, error) {
	lastCalls, err := c.Webhooks.LastAttempts(c.Context(), c.Scope, web.Map(list, subscriptionID))
	return web.Map(list, func(s webhooks.Subscription) subscriptionRow {
		return subscriptionRow{s, c.visibleCallback(s.CallbackURL), sourceNames(s), lastCalls[s.ID]}
	}), err
}

// visibleCallback returns the address of a callback without the parts that may be secret: the query and, for roles that
// may not change the callback, the path.
func (c *call) visibleCallback(address string) string {
	if address == "" || !c.May(admins.ManageSubscriptions) {
		return form.OriginOf(address)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return form.OriginOf(address)
	}
	return form.OriginOf(address) + parsed.EscapedPath()
}

// sourceNames returns the names of the tables, and the shortened addresses of the contracts, whose events a
// subscription gets.
func sourceNames(s webhooks.Subscription) string {
	names := web.Map(s.Sources, func(source webhooks.Source) string {
		if source.Table == "" {
			return web.Shorten(source.Contract)
		}
		return string(source.Table)
	})
	return strings.Join(names, ", ")
}

// exportSubscriptions exports the subscriptions that the filter of the page matches as CSV.
func exportSubscriptions(c *call) (web.View, error) {
	filter, err := c.subscriptionFilter()
	if err != nil {
		return web.View{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[webhooks.Subscription], error) {
		return c.Webhooks.List(c.Context(), c.Scope, filter, page)
	}
	rows := func(list []webhooks.Subscription) ([][]string, error) {
		rows, err := c.subscriptionRows(list)
		return web.CellRows(rows, func(s subscriptionRow) []string {
			return []string{
				web.IdCell(s.ID), s.Name, s.Address, s.Sources, s.Version, s.State(), web.TimeCell(s.FailingSince),
				web.TimeCell(s.DisabledAt),
				string(s.DisabledReason), strconv.FormatInt(s.ConsecutiveFailures, 10), web.TimeCell(s.Last),
				web.TimeCell(s.CreatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "address", "tables", "version", "state", "failingSince", "disabled", "reason", "failures",
		"lastAttempt", "made",
	}
	return web.ExportCSV("subscriptions.csv", head, web.PagedRows(list, subscriptionID, rows))
}

// getSubscription returns the subscription whose id is in the path, which may be deleted. A malformed or unknown id is
// not found.
func (c *call) getSubscription() (webhooks.Subscription, error) {
	id, err := c.PathID("subscription", "Subscription")
	if err != nil {
		return webhooks.Subscription{}, err
	}
	return c.Webhooks.Get(c.Context(), c.Scope, id)
}

// getLiveSubscription returns the subscription whose id is in the path, for a change. A deleted subscription is not
// found.
func (c *call) getLiveSubscription() (webhooks.Subscription, error) {
	sub, err := c.getSubscription()
	if err == nil && !sub.DeletedAt.IsZero() {
		err = laurel.Missing("Subscription")
	}
	return sub, err
}

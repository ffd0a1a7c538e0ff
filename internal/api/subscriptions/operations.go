package subscriptions

import "laurel.example/laurel/internal/api/rest"

// Operations are the operations on subscriptions, for the table of routes in package api.
type Operations struct {
	ListSubscriptions, CreateSubscription, GetSubscription, UpdateSubscription, DeleteSubscription, ListEvents, GetEvent,
	Redeliver, RedeliverRange, TestSubscription, RotateKey, EnableSubscription rest.OperationHandler
}

const exampleSubscription = `{"name":"CRM","callbackUrl":"https://crm.example/hooks/laurel","organizationId":` +
	rest.ExampleID + `,"websiteId":` + rest.ExampleID +
	`,"platformSubscriptions":[{"tableNames":["LoyaltyTransactionEntry"]}]}`

// New returns the operations on subscriptions and their events. Each has its handler and its texts for the OpenAPI
// document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListSubscriptions: rest.Handle(h.list, rest.Secret("data.signingKey"), rest.Note("Newest first.")),
		CreateSubscription: rest.Handle(h.create, rest.Secret("signingKey"),
			rest.Note("Exactly one of blockchainSubscriptions and platformSubscriptions has items. Without callbackUrl and functionIds "+
				"events are only recorded. No key implies organizationId and websiteId here. "+
				"Events from now on are delivered within seconds, at least once, and always with the same id."),
			rest.Example(exampleSubscription),
		),
		GetSubscription: rest.Handle(h.get, rest.Secret("signingKey"), rest.Note("Deleted subscriptions too.")),
		UpdateSubscription: rest.Handle(h.update, rest.IfMatch(h.get), rest.Secret("signingKey"),
			rest.Note("An absent property keeps its value. The groups cannot change."),
			rest.Example(`{"callbackUrl":"https://crm.example/hooks/v2"}`),
		),
		DeleteSubscription: rest.Handle(h.delete, rest.IfMatch(h.get), rest.Secret("signingKey"),
			rest.Note("Pending deliveries are dropped. The history can be read for 30 days."),
		),
		ListEvents: rest.Handle(h.listEvents, rest.Note("Newest first, of the last 30 days.")),
		GetEvent: rest.Handle(h.getEvent,
			rest.Note("With every attempt, oldest first."),
		),
		Redeliver: rest.Handle(h.redeliver,
			rest.Note("One more attempt, which does not count in the schedule of retries. The event keeps its id."),
			rest.Example(`{}`),
		),
		RedeliverRange: rest.Handle(h.redeliverRange,
			rest.Note("By the time of the event, from inclusive, to exclusive; at most 10,000 events."),
			rest.Example(`{"from":"2026-01-15T00:00:00Z","to":"2026-01-16T00:00:00Z","status":["failed","skipped"]}`),
		),
		TestSubscription: rest.Handle(h.test,
			rest.Note("Sends one event with sample data and \"test\": true. It does not trigger rules."),
			rest.Example(`{"type":"LoyaltyTransactionEntry.created"}`),
		),
		RotateKey: rest.Handle(h.rotate, rest.Secret("signingKey"),
			rest.Note("v2 signs with the former keys as well for 24 hours; v1 signs with the new one at once."),
			rest.Example(`{}`),
		),
		EnableSubscription: rest.Handle(h.enable, rest.Secret("signingKey"),
			rest.Note("With replay, which is the default, events that were held meanwhile are sent; without it they are skipped."),
			rest.Example(`{"replay":true}`),
		),
	}
}

package webhooks

import (
	"strings"

	"laurel/internal/feed"
)

// Tables lists the platform tables that a subscription may watch (contract 2).
var Tables = []feed.Table{
	feed.TransactionEntry, feed.Account, feed.Rule, feed.RuleStatus, feed.Badge, feed.BadgeUser, feed.UserMetadata,
	feed.User, feed.AuctionBid, feed.MintingAsset, feed.Hold, feed.TokenClaim, feed.Subscription,
}

func tableNames() string {
	names := make([]string, len(Tables))
	for i, t := range Tables {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// actions lists the actions of each table that make events (contract 7.1), the usual one first.
var actions = map[feed.Table][]feed.Action{
	feed.TransactionEntry: {feed.Created},
	feed.Account:          {feed.Updated, feed.Created},
	feed.Rule:             {feed.Updated, feed.Created, feed.Deleted, feed.Restored},
	feed.RuleStatus:       {feed.Completed},
	feed.Badge:            {feed.Updated, feed.Created, feed.Deleted},
	feed.BadgeUser:        {feed.Created, feed.Updated},
	feed.UserMetadata:     {feed.Updated, feed.Created},
	feed.User:             {feed.Created, feed.Updated},
	feed.AuctionBid:       {feed.Created, feed.Updated},
	feed.MintingAsset:     {feed.Created, feed.Updated, feed.Deleted},
	feed.Hold:             {feed.Created, feed.Updated},
	feed.TokenClaim:       {feed.Updated, feed.Created},
	feed.Subscription:     {feed.Disabled, feed.Enabled},
}

// contractTypes are the event types of blockchain subscriptions.
var contractTypes = map[string]string{"EVENT": "contract.event", "FUNCTION": "contract.function"}

func typeOf(table feed.Table, action feed.Action) string { return string(table) + "." + string(action) }

// fires reports whether a change makes an event: contract 7.1 lists its table and action.
func fires(c feed.Change) bool {
	for _, a := range actions[c.Table] {
		if a == c.Action {
			return true
		}
	}
	return false
}

// Types lists the types of events that a subscription may get.
func (s Subscription) Types() []string {
	var out []string
	for _, source := range s.Sources {
		if source.Table == "" {
			out = append(out, contractTypes[source.Kind])
			continue
		}
		for _, action := range actions[source.Table] {
			out = append(out, typeOf(source.Table, action))
		}
	}
	return out
}

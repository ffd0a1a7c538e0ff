package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/jsontext"
)

// Table describes a platform table, once: everything that is said of its events follows from here. The
// literals below name no fields, so a table without a loader does not compile.
type Table struct {
	Name    feed.Table
	Actions []feed.Action // those that make events (contract 7.1), the usual one first
	Label   string        // what its events are about, for people who choose tables
	Sample  string        // data of a test event: a JSON object without the id
	Load    func(Records) Load
}

// Tables lists the platform tables that a subscription may watch (contract 2).
var Tables = []Table{
	{
		feed.TableTransactionEntry, []feed.Action{feed.Created},
		"Points that a member earned or spent, with one event per entry.",
		`{"loyaltyAccountId":"` + sampleID + `","direction":"credit","type":"loyalty_rule","amount":10,` +
			`"loyaltyTransactionId":"` + sampleID + `","loyaltyCurrencyId":"` + sampleID + `","loyaltyAccount":{"id":"` + sampleID +
			`","user":{"id":"` + sampleID + `","walletAddress":"cust_1001"}}}`,
		func(r Records) Load { return r.Points.Entries },
	},
	{
		feed.TableAccount, []feed.Action{feed.Updated, feed.Created},
		"A member’s balance after each change.",
		`{"loyaltyCurrencyId":"` + sampleID + `","userId":"` + sampleID + `","amount":120,"lockVersion":12}`,
		func(r Records) Load { return r.Points.Accounts },
	},
	{
		feed.TableRule, []feed.Action{feed.Updated, feed.Created, feed.Deleted, feed.Restored},
		"Rules that were created, changed, deleted or restored. Codes and secrets are left out.",
		`{"name":"Daily check-in","type":"check_in","amount":10,"loyaltyCurrencyId":"` + sampleID + `"}`,
		func(r Records) Load { return r.Rules.Rules },
	},
	{
		feed.TableRuleStatus, []feed.Action{feed.Completed},
		"Completions that were paid, and progress that reached its target.",
		`{"loyaltyRuleId":"` + sampleID + `","userId":"` + sampleID + `","progress":1,"fulfilledAt":"` + sampleTime +
			`","loyaltyRule":{"id":"` + sampleID + `","name":"Daily check-in"},"user":{"id":"` + sampleID +
			`","walletAddress":"cust_1001"}}`,
		func(r Records) Load { return r.Rules.Statuses },
	},
	{
		feed.TableBadge, []feed.Action{feed.Updated, feed.Created, feed.Deleted},
		"Badges that were created, changed or deleted.",
		`{"name":"Early bird","description":"","imageUrl":"https://files.example/badge.png"}`,
		func(r Records) Load { return r.Badges.Badges },
	},
	{
		feed.TableBadgeUser, []feed.Action{feed.Created, feed.Updated},
		"Badges that were granted, revoked or hidden.",
		`{"loyaltyBadgeId":"` + sampleID + `","userId":"` + sampleID + `","status":"active"}`,
		func(r Records) Load { return r.Badges.Users },
	},
	{
		feed.TableUserMetadata, []feed.Action{feed.Updated, feed.Created},
		"Member profiles, with e-mail address and phone number.",
		`{"userId":"` + sampleID + `","displayName":"Ada","user":{"id":"` + sampleID + `","walletAddress":"cust_1001"}}`,
		dataOfChanges,
	},
	{
		feed.TableUser, []feed.Action{feed.Created, feed.Updated},
		"Members who joined.",
		`{"walletAddress":"cust_1001","walletType":null}`,
		dataOfChanges,
	},
	{
		feed.TableAuctionBid, []feed.Action{feed.Created, feed.Updated},
		"Bids that were placed, outbid or won.",
		`{"auctionId":"` + sampleID + `","userId":"` + sampleID + `","amount":"25"}`,
		func(r Records) Load { return r.Bids.Bids },
	},
	{
		feed.TableMintingAsset, []feed.Action{feed.Created, feed.Updated, feed.Deleted},
		"Catalogue items that were created, changed, minted or deleted.",
		`{"name":"Poster","mintingContractId":"` + sampleID + `"}`,
		func(r Records) Load { return r.Assets.Assets },
	},
	{
		feed.TableHold, []feed.Action{feed.Created, feed.Updated},
		"Points that were reserved, then spent (captured) or released.",
		`{"userId":"` + sampleID + `","loyaltyCurrencyId":"` + sampleID + `","amount":10,"capturedAmount":0,"status":"held"}`,
		func(r Records) Load { return r.Holds.Holds },
	},
	{
		feed.TableTokenClaim, []feed.Action{feed.Updated, feed.Created},
		"Token claims that were created, and wallets that claimed their tokens.",
		`{"name":"Season one","claim":null}`,
		func(r Records) Load { return r.Claims.Claims },
	},
	{
		feed.TableSubscription, []feed.Action{feed.Disabled, feed.Enabled},
		"Other subscriptions that were disabled or enabled.",
		`{"name":"CRM","disabledAt":"` + sampleTime + `","disabledReason":"The endpoint answered 410 Gone","consecutiveFailures":1}`,
		dataOfChanges,
	},
}

// Load returns the event data of changes of one table and one website, aligned with them; nil for a change that makes
// no event, such as one of a record that was removed.
type Load func(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)

// Records load the records that changed, in the form in which events carry them: that of the operations for a secret
// key (contract 7.1). Every field is required.
type Records struct {
	Points interface {
		Entries(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
		Accounts(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Rules interface {
		Rules(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
		Statuses(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Badges interface {
		Badges(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
		Users(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Bids interface {
		Bids(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Assets interface {
		Assets(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Holds interface {
		Holds(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
	Claims interface {
		Claims(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error)
	}
}

// dataOfChanges returns the Load for tables whose changes already have the data of their events. So it needs no
// Records.
func dataOfChanges(Records) Load {
	return func(_ context.Context, _ laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
		out := make([]json.RawMessage, len(changes))
		for i, c := range changes {
			out[i] = c.Data
		}
		return out, nil
	}
}

// load returns the event data of changes of one website, in their order; nil for a change that makes no event. It calls
// the Load of each table once.
func (r Records) load(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	out := make([]json.RawMessage, len(changes))
	parts, places := map[feed.Table][]feed.Change{}, map[feed.Table][]int{}
	for i, c := range changes {
		parts[c.Table], places[c.Table] = append(parts[c.Table], c), append(places[c.Table], i)
	}
	for name, part := range parts {
		load := dataOfChanges(r)
		if table, ok := findTable(name); ok {
			load = table.Load(r)
		} else if !isOfContract(name) {
			continue
		}
		data, err := load(ctx, scope, part)
		if err != nil {
			return nil, err
		}
		for i, place := range places[name] {
			jsontext.ReplaceUnstorable(data[i]) // receivers parse it, as they do responses
			out[place] = data[i]
		}
	}
	return out, nil
}

// findTable returns the description of a platform table, and false for any other table.
func findTable(name feed.Table) (Table, bool) {
	i := slices.IndexFunc(Tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return Table{}, false
	}
	return Tables[i], true
}

// TableNames returns the names of the platform tables.
func TableNames() []string {
	names := make([]string, len(Tables))
	for i, t := range Tables {
		names[i] = string(t.Name)
	}
	return names
}

func joinedTableNames() string { return strings.Join(TableNames(), ", ") }

// contractTypes are the event types of blockchain subscriptions.
var contractTypes = map[string]string{"EVENT": "contract.event", "FUNCTION": "contract.function"}

func eventType(table feed.Table, action feed.Action) string {
	return string(table) + "." + string(action)
}

// makesEvent reports whether a change makes an event: contract 7.1 lists its table and action.
func makesEvent(c feed.Change) bool {
	table, _ := findTable(c.Table)
	return c.Table == feed.TableContract || slices.Contains(table.Actions, c.Action)
}

// Types lists the types of events of the table.
func (t Table) Types() []string {
	out := make([]string, len(t.Actions))
	for i, action := range t.Actions {
		out[i] = eventType(t.Name, action)
	}
	return out
}

// Types lists the types of events that a subscription may get, such as "LoyaltyRule.updated", in the order of its
// sources.
func (s Subscription) Types() []string {
	var out []string
	for _, source := range s.Sources {
		if source.Table == "" {
			out = append(out, contractTypes[source.Kind])
			continue
		}
		table, _ := findTable(source.Table)
		out = append(out, table.Types()...)
	}
	return out
}

package webhooks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/webhooks"
)

// causes has for each type of events what a caller does to have it happen. It returns the record that the event is to
// say, as a secret key reads it.
var causes = map[string]func(w *walk) object{
	"LoyaltyTransactionEntry.created": func(w *walk) object {
		w.Credit(apptest.Alice, 5)
		return w.first("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice)
	},
	"LoyaltyAccount.created": func(w *walk) object {
		w.Credit("cust_0", 5)
		return w.account("cust_0")
	},
	"LoyaltyAccount.updated": func(w *walk) object {
		w.Credit(apptest.Bob, 7)
		return w.account(apptest.Bob)
	},
	"LoyaltyRule.created": func(w *walk) object {
		return w.rule(w.Rule("external_rule", object{"loyaltyCurrencyId": w.LoyaltyCurrencyID, "amount": 10}))
	},
	"LoyaltyRule.updated": func(w *walk) object {
		id := w.Rule("external_rule", nil)
		w.Update(id, object{"name": "Another name"})
		return w.rule(id)
	},
	"LoyaltyRule.deleted": func(w *walk) object {
		record := w.rule(w.Rule("external_rule", nil))
		w.Remove("/api/loyalty/rules/" + record["id"].(string))
		return record
	},
	"LoyaltyRule.restored": func(w *walk) object {
		id := w.Rule("external_rule", nil)
		w.Remove("/api/loyalty/rules/" + id)
		w.Restore(w.Edits(id)[0], nil).OK()
		return w.rule(id)
	},
	"LoyaltyRuleStatus.completed": func(w *walk) object {
		id := w.Rule("external_rule", nil)
		w.Complete(id, object{"walletAddress": apptest.Alice}).OK()
		return w.first("/api/loyalty/rule_statuses?loyaltyRuleId=" + id)
	},
	"LoyaltyBadge.created": func(w *walk) object { return w.badge(w.CreateBadge(w.PointsReward(5))) },
	"LoyaltyBadge.updated": func(w *walk) object {
		id := w.CreateBadge()
		w.Post(apptest.BadgesPath+"/"+id, object{"name": "Another name"}).OK()
		return w.badge(id)
	},
	"LoyaltyBadge.deleted": func(w *walk) object { return w.Remove(apptest.BadgesPath + "/" + w.CreateBadge()) },
	"LoyaltyBadgeUser.created": func(w *walk) object {
		id := w.CreateBadge()
		w.GrantBadge(id, apptest.Alice)
		return w.BadgeUser(id, apptest.Alice)
	},
	"LoyaltyBadgeUser.updated": func(w *walk) object {
		id := w.CreateBadge()
		w.GrantBadge(id, apptest.Alice)
		w.RevokeBadge(id, apptest.Alice)
		return w.BadgeUser(id, apptest.Alice)
	},
	"UserMetadata.created": func(w *walk) object {
		return w.Post("/api/users/metadatas", object{"walletAddress": "cust_1", "displayName": "Ada"}).OK()
	},
	"UserMetadata.updated": func(w *walk) object {
		w.Post("/api/users/metadatas", object{"walletAddress": "cust_2", "displayName": "Ada"}).OK()
		return w.Post("/api/users/metadatas", object{"walletAddress": "cust_2", "displayName": "Ada L."}).OK()
	},
	"User.created": func(w *walk) object {
		w.User("cust_3", nil)
		return w.user("cust_3")
	},
	"User.updated": func(w *walk) object { // no longer one that was only named
		w.Complete(w.Rule("external_rule", nil), object{"walletAddress": "cust_4"}).OK()
		w.User("cust_4", object{"displayName": "Ada"})
		return w.user("cust_4")
	},
	"AuctionBid.created": func(w *walk) object { return w.bid(w.auction(), apptest.Alice, "10") },
	"AuctionBid.updated": func(w *walk) object { // it is outbid
		auction := w.auction()
		first := w.bid(auction, apptest.Alice, "10")
		w.bid(auction, apptest.Bob, "20")
		return w.Get("/api/auction_bids/" + first["id"].(string)).OK()
	},
	"MintingContractAsset.created": func(w *walk) object { return w.asset() },
	"MintingContractAsset.updated": func(w *walk) object {
		path := "/api/minting/assets/" + w.asset()["id"].(string)
		w.Post(path, object{"name": "Another name"}).OK()
		return w.Get(path).OK()
	},
	"MintingContractAsset.deleted": func(w *walk) object {
		return w.Remove("/api/minting/assets/" + w.asset()["id"].(string))
	},
	"LoyaltyHold.created": func(w *walk) object { return w.hold() },
	"LoyaltyHold.updated": func(w *walk) object {
		path := "/api/loyalty/holds/" + w.hold()["id"].(string)
		w.Post(path+"/release", object{}).OK()
		return w.Get(path).OK()
	},
	"TokenClaim.created": func(w *walk) object { return w.claim() },
	"TokenClaim.updated": func(w *walk) object {
		path := "/api/token_claims/" + w.claim()["id"].(string)
		w.Post(path+"/claim", object{"walletAddress": apptest.Alice, "txHash": "0x" + strings.Repeat("ab", 32)}).OK()
		return w.Get(path).OK()
	},
	"Subscription.disabled": func(w *walk) object { return w.disabled() },
	"Subscription.enabled": func(w *walk) object {
		path := subscriptions + "/" + w.disabled()["id"].(string)
		w.Post(path+"/enable", object{}).OK()
		return w.Get(path).OK()
	},
}

// walk is a server with a subscription to all tables.
type walk struct {
	*apptest.Server
	t        *testing.T
	receiver *apptest.Receiver
	contract string // of items
	tokens   int    // whose contracts are registered
}

func walked(t *testing.T, s *apptest.Server, r *apptest.Receiver) *walk {
	t.Helper()
	s.Credit(apptest.Alice, 1000)
	contract := s.Post("/api/minting/contracts", object{"name": "Posters", "contractKind": "OFFCHAIN"}).OK()["id"].(string)
	w := &walk{Server: s, t: t, receiver: r, contract: contract}
	var tables []any
	for _, table := range webhooks.TableNames() {
		tables = append(tables, table)
	}
	s.Subscribe(r.URL, nil, tables...)
	return w
}

func (w *walk) first(path string) object {
	w.T.Helper()
	list := w.Get(path).Data()
	if len(list) == 0 {
		w.T.Fatalf("%s: none", path)
	}
	return list[0]
}

func (w *walk) among(path, id string) object {
	w.T.Helper()
	for _, o := range w.Get(path).Data() {
		if o["id"] == id {
			return o
		}
	}
	w.T.Fatalf("%s: no %s", path, id)
	return nil
}

func (w *walk) rule(id string) object {
	w.T.Helper()
	return w.among("/api/loyalty/rules?limit=100", id)
}

func (w *walk) badge(id string) object {
	w.T.Helper()
	return w.among(apptest.BadgesPath+"?limit=100", id)
}

func (w *walk) account(wallet string) object {
	return w.first("/api/loyalty/accounts?walletAddress=" + wallet)
}
func (w *walk) user(wallet string) object { return w.first("/api/users?walletAddress=" + wallet) }

func (w *walk) asset() object {
	return w.Post("/api/minting/assets", object{
		"mintingContractId": w.contract, "name": "Poster", "price": 1, "loyaltyCurrencyId": w.LoyaltyCurrencyID, "quantity": 10,
	}).OK()
}

func (w *walk) auction() string {
	now := w.Clock.Now()
	w.Credit(apptest.Bob, 100)
	return w.Post("/api/auctions", object{
		"name": "Signed poster", "type": "english", "startsAt": now.Add(-time.Minute), "endsAt": now.Add(time.Hour),
		"loyaltyCurrencyId": w.LoyaltyCurrencyID, "minBidAmount": "10", "mintingContractId": w.contract,
		"auctionItems": []any{object{"mintingContractAssetId": w.asset()["id"]}},
	}).OK()["id"].(string)
}

func (w *walk) bid(auction, wallet, amount string) object {
	id := w.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": wallet, "amount": amount}).OK()["id"]
	return w.Get("/api/auction_bids/" + id.(string)).OK()
}

func (w *walk) hold() object {
	return w.Post("/api/loyalty/holds", object{
		"walletAddress": apptest.Alice, "loyaltyCurrencyId": w.LoyaltyCurrencyID, "amount": 1,
	}).OK()
}

func (w *walk) claim() object {
	w.tokens++
	token := w.Post("/api/contracts", object{
		"name": "Shop token", "address": apptest.Wallet(w.tokens), "chainId": 8453, "type": "erc20",
	}).Created()["id"]
	made := w.Post("/api/token_claims", object{
		"name": "Season one", "isDraft": false, "contractId": token, "csvUrl": w.Upload("list.csv", apptest.Alice+",5\n"),
	}).OK()
	for n := 1; n > 0; {
		var err error
		if n, err = w.App.Claims.RunDue(w.T.Context()); err != nil {
			w.T.Fatal(err)
		}
	}
	return w.Get("/api/token_claims/" + made["id"].(string)).OK()
}

// disabled is another subscription whose receiver is gone.
func (w *walk) disabled() object {
	gone := apptest.NewReceiver(w.t)
	gone.RespondWith(http.StatusGone)
	path := subscriptions + "/" + w.Subscribe(gone.URL, nil, "User")["id"].(string)
	w.Post(path, `{"name":"half \ud800"}`).OK() // which is mended, in events too
	w.Post(path+"/test", object{}).OK()
	w.DeliverEvents()
	return w.Get(path).OK()
}

// lastEvent returns the data of the last event of a type about the record with an id, among all calls so far.
func (w *walk) lastEvent(kind, id string) (object, bool) {
	var found object
	for _, c := range w.receiver.TakeCalls() {
		body := exact(w.t, c.Body)
		if strings.Contains(strings.ToLower(c.Body), `\ud`) {
			w.t.Errorf("half a surrogate pair: %s", c.Body)
		}
		if data := body["data"].(object); body["type"] == kind && data["id"] == id {
			found = data
		}
	}
	return found, found != nil
}

// exact decodes without rounding numbers.
func exact(t *testing.T, text string) object {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var out object
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// A new table or action has no cause yet, and one that went has one too many.
func TestEveryTypeOfEventHasACause(t *testing.T) {
	t.Parallel()
	if got, want := slices.Sorted(maps.Keys(causes)), declared(); !slices.Equal(got, want) {
		t.Errorf("there are causes of %v, and events of %v", got, want)
	}
}

// declared lists the types of events that subscriptions to tables may have.
func declared() []string {
	var types []string
	for _, table := range webhooks.Tables {
		types = append(types, table.Types()...)
	}
	return slices.Sorted(slices.Values(types))
}

func TestEveryEventIsToldAndSaysWhatTheRecordIs(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		w := walked(t, s, r)
		for _, kind := range declared() {
			cause := causes[kind]
			if cause == nil {
				t.Errorf("%s: nothing causes it", kind)
				continue
			}
			record := cause(w)
			w.DeliverEvents()
			data, found := w.lastEvent(kind, record["id"].(string))
			if !found {
				t.Errorf("%s of %v was not delivered", kind, record["id"])
				continue
			}
			w.same(kind, data, record)
		}
	})
}

// leavesOut are properties of records that events do not say, and says those that events alone say (contract 7.1).
var (
	leavesOut = map[string][]string{
		"LoyaltyBadge":     {"loyaltyBadgeUsers"},
		"LoyaltyBadgeUser": {"deletedAt"},
		"TokenClaim":       {"dataJob", "tokenClaimId", "totalAllocation", "walletAddress"},
	}
	// sayOnly are all properties that events of some tables say.
	sayOnly = map[string][]string{
		"User":         {"id", "walletAddress", "walletType", "createdAt", "updatedAt"},
		"Subscription": {"id", "name", "disabledAt", "disabledReason", "consecutiveFailures"},
	}
	says = map[string][]string{
		"LoyaltyRuleStatus": {"fulfilledAt", "loyaltyRule", "user"},
		"TokenClaim":        {"claim"},
	}
)

func (w *walk) same(kind string, data, record object) {
	w.T.Helper()
	table, action, _ := strings.Cut(kind, ".")
	if table == "AuctionBid" { // of the currency only what it is called
		for name := range record["loyaltyCurrency"].(object) {
			if strings.HasPrefix(name, "api") {
				delete(record["loyaltyCurrency"].(object), name)
			}
		}
	}
	if action == "deleted" { // the record is as it was before
		for _, name := range []string{"updatedAt", "deletedAt"} {
			delete(data, name)
			delete(record, name)
		}
	}
	if only := sayOnly[table]; only != nil {
		whole := record
		record = object{}
		for _, name := range only {
			record[name] = whole[name]
		}
	}
	for _, name := range leavesOut[table] {
		delete(record, name)
	}
	for _, name := range says[table] {
		if _, there := data[name]; !there {
			w.T.Errorf("%s: the event does not say %s", kind, name)
		}
		delete(data, name)
		delete(record, name)
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		got, want := data[name], record[name]
		if _, there := record[name]; !there {
			w.T.Errorf("%s: the event alone says %s: %v", kind, name, got)
		} else if fmt.Sprint(got) != fmt.Sprint(want) {
			w.T.Errorf("%s: %s is %v in the event and %v in the record", kind, name, got, want)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(record)) {
		if _, there := data[name]; !there {
			w.T.Errorf("%s: the record alone says %s: %v", kind, name, record[name])
		}
	}
}

package catalog_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// TestWrongValuesAreNamedAndChangeNothing sends every wrong value on create and on update.
func TestWrongValuesAreNamedAndChangeNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		before := stored(s, rule)
		long := func(n int) string { return strings.Repeat("é", n) }
		url := "https://example.test/" + strings.Repeat("x", 2048)
		for _, c := range []struct {
			set     object
			path    string // of the fault; "": the only property's name
			message string // after the path
		}{
			{object{"name": ""}, "", "is required"}, {object{"name": nil}, "", "is required"}, {object{"name": 5}, "", "must be a string"},
			{object{"name": long(1001)}, "", "must be at most 1000 characters"}, {object{"name": "a\x00b"}, "", "must not contain NUL characters"},
			{object{"amount": -1}, "", "must be at least 0"}, {object{"amount": "x"}, "", "must be a number"}, {object{"amount": true}, "", "must be a number"},
			{object{"amount": "1.0000001"}, "", "must have at most 6 decimal places"},
			{object{"amount": "9000000000000"}, "", "must be less than 9000000000000 in absolute value"},
			{object{"startTime": "soon"}, "", "must be an ISO 8601 date-time"}, {object{"endTime": "2026-13-01T00:00:00Z"}, "", "must be an ISO 8601 date-time"},
			{object{"effectiveStartTime": 5}, "", "must be a string"}, {object{"effectiveEndTime": "2026-01-01T00:00:00"}, "", "must be an ISO 8601 date-time"},
			{object{"frequency": "yearly"}, "", "must be one of: none, once, hourly, daily, weekly, monthly, immediately"},
			{object{"frequency": "Daily"}, "", "must be one of: none, once, hourly, daily, weekly, monthly, immediately"},
			{object{"interval": nil}, "", "must be one of: hourly, daily, weekly, monthly, once, custom, every_message, unlimited"},
			{object{"rewardType": "cash"}, "", "must be one of: points, multiplier, badge, token"},
			{object{"rewardLifetime": "brief"}, "", "must be one of: permanent, dynamic"}, {object{"claimType": "x"}, "", "must be one of: manual, auto"},
			{object{"progressType": "bar"}, "", "must be one of: counter, percentage"},
			{object{"maxAmountInterval": "hourly", "maxAmountPerInterval": 5}, "maxAmountInterval", "must be one of: daily, weekly, monthly, lifetime"},
			{object{"maxAmountInterval": "daily", "maxAmountPerInterval": 0}, "maxAmountPerInterval", "must be greater than 0"},
			{object{"dappDataWindow": "hourly"}, "", "must be one of: daily, weekly, monthly"}, {object{"dappDeployedWithin": "x"}, "", "must be one of: daily, weekly, monthly"},
			{object{"metadata": "x"}, "", "must be an object"}, {object{"metadata": []any{}}, "", "must be an object"}, {object{"metadata": 5}, "", "must be an object"},
			{object{"description": 5}, "", "must be a string"}, {object{"description": long(10_001)}, "", "must be at most 10000 characters"},
			{object{"loyaltyCurrencyId": "x"}, "", "must be a uuid"}, {object{"loyaltyBadgeId": "x"}, "", "must be a uuid"},
			{object{"collectionAddress": long(129)}, "", "must be at most 128 characters"}, {object{"collections": "x"}, "", "must be an array"},
			{object{"collections": []object{{"network": "polygon"}}}, "collections.0.address", "is required"},
			{object{"collections": []object{{"address": "a"}}}, "collections.0.network", "is required"},
			{object{"collections": []object{{"address": "a", "network": "polygon"}, {"address": "b", "network": "nowhere"}}}, "collections.1.network", "must be a known network"},
			{object{"collections": repeated(51, object{"address": "a", "network": "polygon"})}, "collections", "must have at most 50 items"},
			{object{"network": "nowhere"}, "", "must be a known network"}, {object{"contractIds": []string{"x"}}, "contractIds.0", "must be a uuid"},
			{object{"subscriptionId": "x"}, "", "must be a uuid"}, {object{"functionId": 5}, "", "must be a string"},
			{object{"externalIntegrationId": 5}, "", "must be a string"}, {object{"oauthCredentialsId": long(1001)}, "", "must be at most 1000 characters"},
			{object{"customRewardsApiUrl": "nope"}, "", "must be a valid url"}, {object{"customRewardsCsvUrl": "ftp://example.test/x"}, "", "must be a valid url"},
			{object{"loyaltyUserAllotmentCsvUrl": url}, "", "must be a valid url"}, {object{"shopStoreUrl": "https://"}, "", "must be a valid url"},
			{object{"mediaUrl": "//example.test"}, "", "must be a valid url"}, {object{"backgroundAssetUrl": "javascript:x"}, "", "must be a valid url"},
			{object{"hideInUi": "yes"}, "", "must be a boolean"}, {object{"isRequired": nil}, "", "must be a boolean"}, {object{"isSpecial": 1}, "", "must be a boolean"},
			{object{"showBeforeStart": nil}, "", "must be a boolean"}, {object{"trackProgress": "true"}, "", "must be a boolean"},
			{object{"loyaltyRuleGroupId": "none"}, "", "must be a uuid or no-section"},
			{object{"tokenReward": object{}}, "tokenReward.relayerId", "is required"}, {object{"tokenReward": object{"relayerId": "x"}}, "tokenReward.relayerId", "must be a uuid"},
			{object{"isDappRule": "x"}, "", "must be a boolean"}, {object{"duplicatedFromId": "x"}, "", "must be a uuid"},
			{object{"editComment": long(1001)}, "", "must be at most 1000 characters"},
			// Checks across properties.
			{object{"startTime": "2026-01-02T00:00:00Z", "endTime": "2026-01-02T00:00:00Z"}, "endTime", "must be after startTime"},
			{object{"effectiveStartTime": "2026-01-02", "effectiveEndTime": "2026-01-01"}, "effectiveEndTime", "must be after effectiveStartTime"},
			{object{"maxAmountInterval": "daily"}, "maxAmountPerInterval", ""}, {object{"maxAmountPerInterval": 5}, "maxAmountPerInterval", ""},
			{object{"rewardType": "badge"}, "loyaltyBadgeId", "is required"}, {object{"interval": "every_message"}, "interval", "every_message is for message counting types only"},
			{object{"frequency": "daily"}, "frequency", "must be one of: none, once, immediately for a rule of type external_rule"},
			{object{"interval": "custom"}, "metadata.customIntervalSeconds", "is required for interval custom"},
			{object{"metadata": object{"range": []object{{"startRange": 1, "endRange": 5}, {"startRange": 5, "endRange": 9}}}}, "metadata.range", "must not overlap"},
			{object{"metadata": object{"range": []object{{"startRange": 3, "endRange": 9}, {"startRange": 1, "endRange": 20}}}}, "metadata.range", "must not overlap"},
			{object{"metadata": object{"range": []object{{"startRange": 5, "endRange": 4}}}}, "metadata.range.0.endRange", "must not be less than startRange"},
			{object{"metadata": object{"streakArray": []object{{"streakMilestone": 3}, {"streakMilestone": 3}}}}, "metadata.streakArray.1.streakMilestone", "must be distinct"},
			{object{"metadata": object{"streakArray": []object{{"streakMilestone": 0.5}}}}, "metadata.streakArray.0.streakMilestone", "must be an integer of at least 1"},
		} {
			path := c.path
			for name := range c.set {
				if path == "" {
					path = name
				}
			}
			for where, target := range map[string]string{"create": "/api/loyalty/rules", "update": "/api/loyalty/rules/" + rule} {
				if where == "update" && (path == "isDappRule" || path == "duplicatedFromId") && c.message != "must be a boolean" &&
					c.message != "must be a uuid" {
					continue
				}
				got := s.Post(target, apptest.Over(object{"name": "N", "type": "external_rule"}, c.set))
				if !namesFault(got, path, c.message) {
					t.Errorf("%s with %.80s: %d %s, want %s %s", where, fmt.Sprint(c.set), got.Status, got.Body, path, c.message)
				}
			}
		}
		s.Post("/api/loyalty/rules", object{"type": "external_rule"}).Refused(400, "name is required")
		s.Post("/api/loyalty/rules", object{"name": "N"}).Refused(400, "type is required")
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "unheard_of"}).
			Refused(400, "type must be one of: "+strings.Join(schema.TypeNames(), ", "))
		s.Post("/api/loyalty/rules/"+rule, object{"type": "check_in"}).Refused(400, "type cannot be changed")
		s.Post("/api/loyalty/rules/"+rule, object{"isDappRule": true}).Refused(400, "isDappRule cannot be changed")
		for _, kind := range []string{"smart_contract_event", "external_rule", "stratus_function", "check_in", "token_hold"} {
			got := s.Post(
				"/api/loyalty/rules",
				object{"name": "N", "type": kind, "maxAmountInterval": "daily", "maxAmountPerInterval": 5},
			)
			if allowed := kind != "check_in" &&
				kind != "token_hold"; allowed != (got.Status == 200) ||
				!allowed && !namesFault(got, "maxAmountInterval", "") {
				t.Errorf("a cap on %s: %d %s", kind, got.Status, got.Body)
			}
		}
		for _, group := range []string{apptest.UnknownID} {
			if got := s.Post(
				"/api/loyalty/rules/"+rule,
				object{"loyaltyRuleGroupId": group},
			); got.Status != 400 ||
				!namesFault(got, "loyaltyRuleGroupId", "") {
				t.Errorf("unknown group: %d %s", got.Status, got.Body)
			}
		}
		s.Post(
			"/api/loyalty/rules/"+rule,
			object{"loyaltyCurrencyId": apptest.UnknownID},
		).Refused(400, "Loyalty currency not found")
		if after := stored(s, rule); !reflect.DeepEqual(after, before) {
			t.Errorf("refused updates changed %v to %v", before, after)
		}
		if list := s.Get("/api/loyalty/rules?includeDeleted=true").Data(); len(list) != 4 { // the first, and three with a cap
			t.Errorf("%d rules after refused creations", len(list))
		}

		second := s.Post("/api/loyalty/currencies", object{"name": "Second", "symbol": "S", "decimals": 0}).OK()["id"].(string)
		apptest.SameFaults(
			t,
			"two currencies",
			s.Post("/api/loyalty/rules", object{"name": "N", "type": "check_in"}).Refused(400, "loyaltyCurrencyId is required"),
			[]object{{"path": "loyaltyCurrencyId", "message": "loyaltyCurrencyId is required"}},
		)
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/currencies/"+second, nil).OK()
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "check_in", "loyaltyCurrencyId": second}).
			Refused(400, "Loyalty currency not found")
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "check_in"}).OK()
	})
}

func repeated(n int, item object) []object {
	list := make([]object, n)
	for i := range list {
		list[i] = item
	}
	return list
}

// namesFault reports whether an answer is a 400 with exactly one fault, at the path; "" leaves the message open.
func namesFault(a apptest.Response, path, message string) bool {
	body := a.JSON()
	list, _ := body["errors"].([]any)
	if a.Status != 400 || len(list) != 1 {
		return false
	}
	fault := list[0].(object)
	return fault["path"] == path && (message == "" || fault["message"] == path+" "+message) &&
		body["message"] == fault["message"]
}

func TestEveryFaultIsListedAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		got := s.Post(
			"/api/loyalty/rules",
			object{"type": "x", "amount": -1, "interval": "y", "mediaUrl": "z", "hideInUi": nil,
				"metadata": object{"range": []object{{}}, "maxLikes": -1}},
		)
		body := got.JSON()
		apptest.SameFaults(
			t,
			"all",
			body,
			[]object{
				{"path": "type", "message": "type must be one of: " + strings.Join(schema.TypeNames(), ", ")},
				{"path": "name", "message": "name is required"},
				{
					"path":    "amount",
					"message": "amount must be at least 0",
				},
				{"path": "hideInUi", "message": "hideInUi must be a boolean"},
				{
					"path":    "interval",
					"message": "interval must be one of: hourly, daily, weekly, monthly, once, custom, every_message, unlimited",
				},
				{
					"path":    "mediaUrl",
					"message": "mediaUrl must be a valid url",
				},
				{"path": "metadata.range.0.startRange", "message": "metadata.range.0.startRange is required"},
				{"path": "metadata.range.0.endRange", "message": "metadata.range.0.endRange is required"},
				{"path": "metadata.maxLikes", "message": "metadata.maxLikes must be an integer of at least 0"},
			},
		)
		if first := body["errors"].([]any)[0].(object)["message"]; got.Status != 400 || body["message"] != first {
			t.Errorf("%d, message %v, first fault %v", got.Status, body["message"], first)
		}
		many := make([]object, 90)
		if got := s.Post("/api/loyalty/rules", object{"name": "N", "type": "check_in", "metadata": object{"range": many}}).
			JSON(); len(
			got["errors"].([]any),
		) != 50 {
			t.Errorf("%d faults, want 50", len(got["errors"].([]any)))
		}
		s.Post("/api/loyalty/rules", `{"name":`).Refused(400, "Malformed JSON body")
		s.Post("/api/loyalty/rules", `[{"name":"N"}]`).Refused(400, "Malformed JSON body")
		s.Post("/api/loyalty/rules", object{"name": strings.Repeat("x", 1<<20)}).Refused(413, "Request body too large")
		s.Call(s.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", `<rule/>`, "Content-Type", "text/xml").
			Refused(415, "Content-Type must be application/json")
		if list := s.Get("/api/loyalty/rules").Data(); len(list) != 0 {
			t.Errorf("refused creations made %v", list)
		}
	})
}

// TestKnownMetadataIsChecked sends a wrong value of every known property of contract 3.13, and null, which each may be.
func TestKnownMetadataIsChecked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := "/api/loyalty/rules/" + s.Rule("check_in", nil)
		wrong := map[string][]any{
			"autoCheckInRuleIds": {
				"all",
				[]string{"x"},
				5,
			},
			"batchSize":  {"x", true},
			"checkText":  {5, []any{1}},
			"cta":        {"x"},
			"collection": {"x", []any{1}},
			"completeProfileConditions": {
				"x",
				object{"bio": "yes"},
			},
			"customIntervalSeconds": {59, 31_536_001, 60.5, "60"},
			"streakArray":           {"x", object{}},
			"verifiedMultiplier": {
				"x",
			},
			"erc20Type":            {"erc721", 5},
			"onReorg":              {"undo", 5},
			"firstReferralReward":  {101, -1, "x"},
			"secondReferralReward": {100.000001},
			"referrerRewardLoyaltyCurrencyId": {
				"x",
			},
			"referralRequirements":         {"x", []any{}},
			"codeHostRepoUrl":              {"nope"},
			"multiplierLoyaltyCurrencyIds": {"x", []any{"x"}},
			"liquidity": {
				"x",
				[]any{},
			},
			"maxLikes":             {-1, 1.5, "1"},
			"maxReposts":           {-1},
			"maxComments":          {"x"},
			"minimumFollowerCount": {"many", true},
			"governanceProposals": {
				"x",
			},
			"promoCodeCsvUrl": {"x"},
			"promoCodeLength": {0, 100_001, "5"},
			"promoCodeType":   {"x"},
			"range":           {"x", object{}, []any{1}},
			"rewardCriteria": {
				"x",
			},
			"smartContract":                 {"x", []any{}},
			"socialPlatform":                {"custom"},
			"swap":                          {"x", []any{}},
			"timeDelayToVerifySeconds":      {-1, 604_801, "x"},
			"verificationTextMinimumLength": {-1, 0.5},
			"walletType":                    {"EVM"},
			"chatServersToJoin":             {object{}, "x", []any{nil}, []any{"x"}},
		}
		for _, name := range strings.Fields(`allowMultipleRedemptions rewardByBatch checkComment checkLike checkRepost directRpc onlyKnownUsers onlyRewardExistingUser
			enableJoinChatServers enableStreaks enableVerifiedMultiplier hasVerifiedMicroblog hasFillSource hasSaleCurrency onlyNative hasNeverSold hasPaidFullRoyalty
			isCheckInOnEveryTxn isMultiplierApplied isTokenHoldMultiplier isRetroactive isRestrictedToNewUsers onlyRewardSingleTokenOwnership rewardBadgePerRange
			requirePostLink requirePostMediaLink resetProgressOnClaim rewardPerImpression rewardQualityPosts rewardPerAction rewardPerValue skipMultiplier`) {
			wrong[name] = []any{"true", 1}
		}
		for _, name := range strings.Fields(`buttonText verifyPlaceHolderText preGeneratedPostText conditionDescription socialPlatformName socialPlatformLogo imageUrl link
			customRewardsApiKey royaltyAddress codeHostBranchName microblogAccountUrl microblogHashtag microblogPostUrl microblogUserId microblogUsername messengerChannelId
			videoPlatformChannelId videoPlatformVideoId forumPlatformPostId gameStoreAppId promoCode`) {
			wrong[name] = []any{5, []any{}}
		}
		nulls := object{}
		for name, values := range wrong {
			nulls[name] = nil
			for _, v := range values {
				if got := s.Post(
					rule,
					object{"metadata": object{name: v}},
				); got.Status != 400 ||
					!strings.HasPrefix(firstPath(got), "metadata."+name) {
					t.Errorf("%s = %v: %d %s", name, v, got.Status, got.Body)
				}
			}
		}
		for path, metadata := range map[string]object{
			"smartContract.type":               {"smartContract": object{"type": "view"}},
			"smartContract.criteria":           {"smartContract": object{"criteria": "always"}},
			"smartContract.params.1.condition": {"smartContract": object{"params": []object{{"condition": "equals"}, {"condition": "like"}}}},
			"liquidity.calculationType":        {"liquidity": object{"calculationType": "x"}},
			"liquidity.network":                {"liquidity": object{"network": "nowhere"}},
			"liquidity.pools":                  {"liquidity": object{"pools": make([]object, 6)}},
			"liquidity.pools.1.id":             {"liquidity": object{"pools": []object{{"id": "0x1"}, {"id": 1}}}},
			"liquidity.liquidityPerDay":        {"liquidity": object{"liquidityPerDay": -1}},
			"liquidity.protocol":               {"liquidity": object{"protocol": 3}},
			"liquidity.customFunction":         {"liquidity": object{"customFunction": "2 * y"}},

			"liquidity.onlyRewardInRangeLiquidity": {"liquidity": object{"onlyRewardInRangeLiquidity": "yes"}},
			"collection.0.network":                 {"collection": []object{{"network": "nowhere"}}},
			"swap.from.mode":                       {"swap": object{"from": object{"mode": "some"}}},
			"swap.to.trackAmount":                  {"swap": object{"to": object{"trackAmount": true, "tokens": []object{{}, {}}}}},
			"range.0.amount":                       {"range": []object{{"startRange": 0, "endRange": 1, "amount": -1}}},
		} {
			if got := s.Post(rule, object{"metadata": metadata}); got.Status != 400 || firstPath(got) != "metadata."+path {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
		}
		if got := s.Post(rule, object{"metadata": nulls}).OK()["metadata"]; !reflect.DeepEqual(got, nulls) {
			t.Errorf("nulls are answered as %v", got)
		}
	})
}

// TestServersOfChatsAreCheckedInside sends valid and invalid values of chatServersToJoin (contract 3.13). It also edits a
// rule whose value an older version has stored unchecked.
func TestServersOfChatsAreCheckedInside(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		id := s.Rule("chat_server_join", nil)
		rule := "/api/loyalty/rules/" + id
		set := func(servers string) apptest.Response {
			return s.Post(rule, object{"metadata": object{"chatServersToJoin": json.RawMessage(servers)}})
		}
		for _, right := range []string{
			`[]`, `[{"id":"1"}]`, `[{"id":"1","channels":null,"roles":null}]`, `[{"id":"1","channels":[],"roles":[]}]`,
			`[{"id":"1","channels":[{"text":"gm"},{"id":"2","emojis":null}]}]`,
			`[{"id":"1","channels":[{"id":"2","text":"gm","emojis":[{"id":"3","name":"wave"}]}],"roles":[{"id":"4"}]}]`,
		} {
			if got := set(right).OK()["metadata"].(object)["chatServersToJoin"]; !reflect.DeepEqual(got, decoded(right)) {
				t.Errorf("%s is answered as %v", right, got)
			}
		}
		for wrong, want := range map[string]string{
			`[{}]`:                                            "0.id is required",
			`[{"id":null}]`:                                   "0.id is required",
			`[{"id":""}]`:                                     "0.id is required",
			`[{"id":5}]`:                                      "0.id must be a string",
			`[{"id":"1"},{"id":true}]`:                        "1.id must be a string",
			`[{"id":"1","channels":"x"}]`:                     "0.channels must be an array of {id, text, emojis}",
			`[{"id":"1","channels":{}}]`:                      "0.channels must be an array of {id, text, emojis}",
			`[{"id":"1","channels":[5]}]`:                     "0.channels must be an array of {id, text, emojis}",
			`[{"id":"1","channels":[{"id":2}]}]`:              "0.channels.0.id must be a string",
			`[{"id":"1","channels":[{"text":["gm"]}]}]`:       "0.channels.0.text must be a string",
			`[{"id":"1","channels":[{},{"emojis":"wave"}]}]`:  "0.channels.1.emojis must be an array of {id}",
			`[{"id":"1","channels":[{"emojis":[{}]}]}]`:       "0.channels.0.emojis.0.id is required",
			`[{"id":"1","channels":[{"emojis":[{"id":3}]}]}]`: "0.channels.0.emojis.0.id must be a string",
			`[{"id":"1","roles":["4"]}]`:                      "0.roles must be an array of {id}",
			`[{"id":"1","roles":[null]}]`:                     "0.roles must be an array of {id}",
			`[{"id":"1","roles":[{"id":"4"},{"id":4}]}]`:      "0.roles.1.id must be a string",
		} {
			set(wrong).Refused(400, "metadata.chatServersToJoin."+want)
		}
		set(`[{"id":"1"}]`).OK()
		old := `[{"id":"1","channels":"x"}]`
		ruleID, err := laurel.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		db.Exec(`UPDATE loyalty_rules SET metadata = REPLACE(metadata, ?, ?), record = REPLACE(record, ?, ?), version = version + 1
			WHERE id = ?`, `[{"id":"1"}]`, old, `[{"id":"1"}]`, old, ruleID)
		// What older versions stored is of no schema, which Post would check.
		post := func(body string) apptest.Response {
			return s.Send("POST", rule, strings.NewReader(body), "X-API-KEY", s.WebsiteAPIKey, "Content-Type", "application/json")
		}
		post(`{"name": "Renamed"}`).OK()
		answered := post(`{"metadata": {"link": "https://a.example",
			"chatServersToJoin": [ {"id": "1", "channels": "x"} ]}}`).OK()["metadata"].(object)
		if !reflect.DeepEqual(answered["chatServersToJoin"], decoded(old)) || answered["link"] != "https://a.example" {
			t.Errorf("what was stored is answered as %v", answered)
		}
		set(`[{"id":"1","channels":"y"}]`).Refused(400, "metadata.chatServersToJoin.0.channels must be an array of {id, text, emojis}")
	})
}

// decoded returns the value of a JSON text without numbers.
func decoded(text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

func firstPath(a apptest.Response) string {
	list, _ := a.JSON()["errors"].([]any)
	if len(list) == 0 {
		return ""
	}
	path, _ := list[0].(object)["path"].(string)
	return path
}

package dashboard_test

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

var (
	control  = regexp.MustCompile(`(?s)<(input)\b([^>]*)>()|<(?:textarea|select)([^>]*)>\n?(.*?)</(textarea|select)>`)
	chosen   = regexp.MustCompile(`<option value="([^"]*)" selected>`)
	property = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// formOn returns what the browser would send of the form of a rule, without its buttons.
func formOn(p apptest.Page) url.Values {
	form := url.Values{}
	for _, found := range control.FindAllStringSubmatch(p.Body, -1) {
		kind, about, body := found[1]+found[6], found[2]+found[4], found[5]
		at := map[string]string{}
		for _, pair := range property.FindAllStringSubmatch(about, -1) {
			at[pair[1]] = html.UnescapeString(pair[2])
		}
		tickable := at["type"] == "checkbox" || at["type"] == "radio"
		switch {
		case at["type"] == "file" || at["name"] == "" || at["name"] == "q" || at["name"] == "to", tickable && !strings.Contains(about, " checked"):
		case kind == "textarea":
			form.Add(at["name"], strings.ReplaceAll(html.UnescapeString(body), "\n", "\r\n"))
		case kind == "select":
			if one := chosen.FindStringSubmatch(body); one != nil {
				form.Add(at["name"], html.UnescapeString(one[1]))
			}
		case at["type"] == "checkbox" && at["value"] == "":
			form.Add(at["name"], "on")
		default:
			form.Add(at["name"], at["value"])
		}
	}
	return form
}

// with returns pairs for Post of a form with some fields changed.
func with(form url.Values, pairs ...string) []string {
	changed := url.Values{}
	for k, v := range form {
		changed[k] = v
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		changed.Set(pairs[i], pairs[i+1])
	}
	var out []string
	for k, list := range changed {
		for _, v := range list {
			out = append(out, k, v)
		}
	}
	return out
}

// getRule returns a rule as the API tells it.
func getRule(s *apptest.Server, id string) object {
	s.T.Helper()
	return s.Get("/api/loyalty/rules?includeDeleted=true&loyaltyRuleId=" + id).Data()[0]
}

func TestARuleIsMadeOfATypeThatIsChosen(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/rules/new")).Shows(200, "On your website", "Check-in", "Members check in every day", "Liquidity, version 3",
			"must name a partner for shop_spend in the file of LAUREL_PARTNERS first.", "Create a function first.", "Applications",
			"Network</span>", "and a dollar token in the file of LAUREL_NETWORKS first.").
			Hides("vailable yet")
		b.Get(b.Site("/rules/new?type=nothing")).Shows(404)
		form := b.Get(b.Site("/rules/new?type=check_in")).Shows(200, "New rule: Check-in", "Streak bonuses", "Create rule").
			Hides("Test this rule", "Minimum length")
		fields := formOn(form)
		b.Post(b.Site("/rules"), with(fields, "name", "", "amount", "five", "description", "<i>Kept</i>")...).
			Shows(400, "Must be a number with at most 6 decimal places", "<i>Kept</i>", `value="five"`, "Amount:")
		b.Post(b.Site("/rules"), with(fields, "name", "", "amount", "5")...).Shows(400, "Name: Is required",
			`id="f-name-e"`)
		more := b.Post(b.Site("/rules"), with(fields, "name", "Daily", "add", "metadata.streakArray")...).
			Shows(200, "First row, days", `value="Daily"`)
		more = b.Post(b.Site("/rules"), with(formOn(more), "metadata.streakArray.0.streakMilestone", "3",
			"metadata.streakArray.0.streakAmount", "x", "add", "metadata.streakArray")...).Shows(200, "Second row, days")
		b.Post(b.Site("/rules"), with(formOn(more))...).Shows(400, "Streak bonuses, row 1, extra: Must be a number")
		page := b.Post(b.Site("/rules"), with(formOn(more), "metadata.streakArray.0.streakAmount", "2.5", "amount", "5",
			"interval", "daily", "metadata.enableStreaks", "on", "startTime", "2026-02-01T08:30")...).
			FollowsTo(b.Site("/rules/")).Shows(200, "Rule created", "Daily", "Scheduled", "Members get 5", "once a day")
		rule := getRule(s, match(t, page, `<code>([0-9a-f-]{36})</code>`))
		if rule["interval"] != "daily" || rule["startTime"] != "2026-02-01T08:30:00.000Z" || rule["description"] != "" {
			t.Errorf("made: %v", rule)
		}
		streak := rule["metadata"].(object)["streakArray"].([]any)
		if len(streak) != 1 || streak[0].(object)["streakAmount"] != apptest.JSONNumber("2.5") {
			t.Errorf("milestones: %v", streak)
		}
		b.Post(b.Site("/rules"), "type", "nothing").Shows(404)
		s.SignInAdmin(tenancy.RoleModerator).Post(b.Site("/rules"), with(fields, "name", "No")...).Shows(403, "The Support role")
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/rules/new")).Shows(403)
	})
}

// TestThePickerShowsFirstWhatWorksHere: types that this server cannot verify are folded away and say what is missing,
// as do rules of these types.
func TestThePickerShowsFirstWhatWorksHere(t *testing.T) {
	t.Parallel()
	const shopSpend, missing = "?type=shop_spend", "must name a partner for shop_spend in the file of LAUREL_PARTNERS first."
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		page := b.Get(b.Site("/rules/new")).Shows(200, missing).Body
		at := func(text string) int {
			i := strings.Index(page, text)
			if i < 0 {
				t.Fatalf("the picker has no %q", text)
			}
			return i
		}
		commerce := at(">Commerce<")
		if shop, fold := at(shopSpend), commerce+strings.Index(page[commerce:], `<details class="fold">`); shop < fold {
			t.Errorf("shop_spend is not folded away, though there is no partner")
		}
		if at(">On chain</h2>") < at("?type=external_rule") {
			t.Errorf("types that need a network come before types that work")
		}
		b.Get(b.Site("/rules/"+s.CreateShopRule(object{}))).Shows(200, "Not set up.", missing)
	})
	storetest.EachURL(t, func(t *testing.T, address string) {
		partners := apptest.NewPartner(t).ConfigFile(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: partners})
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/rules/new")).Shows(200, shopSpend).Hides(missing)
		b.Get(b.Site("/rules/"+s.CreateShopRule(object{}))).Shows(200, "Members get 5").Hides("Not set up.")
	})
}

func TestARuleIsChangedAndWhatIsNotTouchedStays(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("link_click", object{
			"name": `A "link"`, "description": "one\ntwo", "startTime": "2026-01-01T00:00:12.345Z", "amount": "2.50",
			"customRewardsApiUrl": "https://feed.example/x", "collections": []any{object{"address": "0xab",
				"network": "polygon"}},
			"metadata": object{
				"link": "https://a.example/?a=1&b=2", "cta": object{"label": "Go", "n": 1.50},
				"customRewardsApiKey":      "very secret",
				"timeDelayToVerifySeconds": "60", "range": []any{object{"startRange": 1, "endRange": 2, "amount": "3",
					"extra": true}},
				"isRetroactive": nil, "unknown": []any{1, nil},
			},
		})
		before, path := getRule(s, id), b.Site("/rules/"+id)
		page := b.Get(path).Shows(200, `A "link"`, "https://a.example/?a=1&b=2", `"cta"`, `"unknown"`,
			"Link click").Hides("very secret")
		same := b.Post(path, with(formOn(page))...).FollowsTo(path).Shows(200, "There were no changes to save.")
		if n := len(s.Edits(id)); n != 1 {
			t.Fatalf("%d edits after nothing was changed", n)
		}
		b.Post(path, with(formOn(same), "amount", "7", "metadata.timeDelayToVerifySeconds", "", "editComment", "More")...).
			FollowsTo(path).Shows(200, "Rule saved")
		after := getRule(s, id)
		want, metadata := apptest.Over(before), apptest.Over(before["metadata"].(object))
		delete(metadata, "timeDelayToVerifySeconds")
		want["amount"], want["metadata"], want["updatedAt"] = after["amount"], metadata, after["updatedAt"]
		if got, wanted := encode(after), encode(want); got != wanted {
			t.Errorf("the rule is %s, want %s", got, wanted)
		}
		if edit := s.Edits(id)[0]; edit["editComment"] != "More" && edit["comment"] != "More" {
			t.Errorf("the edit is %v", edit)
		}
		now := formOn(b.Get(path))
		b.Post(path, with(now, "metadata", "[1]")...).Shows(400, "Other metadata", "Must be a JSON object", "[1]")
		b.Post(path, with(now, "mediaUrl", "no address", "name", "<b>x</b>")...).Shows(400, "Picture: Must be a valid url", "<b>x</b>").
			Hides("autofocus>\n<b>x</b>")
		b.Post(path, with(now, "metadata.range.0.endRange", "0", "metadata", "")...).Shows(400, "Amounts per range, row 1, to")
		b.Post(path, with(now, "metadata", "{\"cta\":{}}", "metadata.customRewardsApiKey", "new one")...).FollowsTo(path)
		if m := getRule(s, id)["metadata"].(object); m["unknown"] != nil || m["customRewardsApiKey"] != "new one" {
			t.Errorf("the metadata is %v", m)
		}
	})
}

func TestASaveOverANewerEditIsRefusedAndMayBeInsistedOn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("bonus", object{"name": "Bonus"})
		path := b.Site("/rules/" + id)
		form := formOn(b.Get(path))
		s.Update(id, object{"amount": 99, "hideInUi": true})
		s.Clock.Advance(time.Second)
		s.Update(id, object{"amount": 98, "description": "<i>theirs</i>"})
		page := b.Post(path, with(form, "name", "Mine")...).
			Shows(400, "Someone else changed this rule", "Mine", "Yours", ">Saved<", "98", "Hide from members",
				"Overwrite their changes", "Before", "changed only by you", `<td class="was">98</td><td>10</td>`).
			Hides(">99<")
		if containsRaw(page, "<i>theirs</i>") {
			t.Error("what others saved is not escaped")
		}
		b.Post(path, with(form, "name", "Mine", "seen", "x")...).Shows(400, ">Saved<").Hides(">Before<")
		if got := getRule(s, id)["name"]; got != "Bonus" {
			t.Fatalf("saved as %v", got)
		}
		over := match(t, page, `name="over" value="(\d+)"`)
		b.Post(path, with(formOn(page), "name", "Mine", "over", over)...).FollowsTo(path).Shows(200, "Rule saved", "Mine")
		if rule := getRule(s, id); rule["name"] != "Mine" || rule["amount"] != apptest.JSONNumber("10") || rule["hideInUi"] != false {
			t.Errorf("saved: %v", rule)
		}
		b.Post(path, with(formOn(page), "over", over)...).Shows(400, "Someone else changed this rule")
		b.Post(path, with(form, "version", "x")...).Shows(400, "Someone else changed this rule")
	})
}

func TestWhatWasThereBeforeIsToldWhereItWasEmpty(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("bonus", object{"name": "Bonus"})
		path := b.Site("/rules/" + id)
		form := formOn(b.Get(path))
		s.Update(id, object{"metadata": object{"theirs": "1"}})
		page := b.Post(path, with(form, "metadata", `{"mine":"2"}`)...).
			Shows(400, "Someone else changed this rule", ">Before<", "theirs", "mine")
		if line := match(t, page, `<tbody>\s*<tr><th scope="row">([^<]*)`); !strings.HasPrefix(line, "Other metadata") {
			t.Errorf("%s is the first", line)
		}
	})
}

func TestRulesOfOthersAndRolesWithoutTheRight(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.NewProgram("Other")
		foreign := s.Call(other.WebsiteAPIKey, "POST", "/api/loyalty/rules", object{"name": "Foreign", "type": "bonus",
			"amount": 1}).OK()["id"].(string)
		b := s.SignInAdmin(tenancy.RoleAdmin)
		for _, path := range []string{"/rules/" + foreign, "/rules/" + foreign + "/history", "/rules/no-id"} {
			b.Get(b.Site(path)).Shows(404).Hides("Foreign")
		}
		b.Post(b.Site("/rules/"+foreign), "name", "Taken").Shows(404)
		b.Post(b.Site("/rules/"+foreign+"/try"), "tryMember", "").Shows(404)
		b.Get("/admin/" + other.WebsiteID.String() + "/rules").Shows(404)
		id := s.Rule("bonus", nil)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(b.Site("/rules/"+id)).Shows(200, "A bonus", " disabled").Hides("Save changes", "Delete")
		v.Post(b.Site("/rules/"+id), "name", "Taken").Shows(403)
	})
}

// encode writes an object with its properties in order.
func encode(o object) string { b, _ := json.Marshal(o); return string(b) }

package dashboard

import (
	"context"
	"log/slog"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
)

var activityRoutes = []route{
	{onWebsite, admins.ManageAdmins, "activity", get, "/activity", activityPage},
	{onWebsite, admins.ManageAdmins, "activity", get, "/activity/activity.csv", exportActivity},
}

// activityTexts describes each action for people, by its path in routes.go. An action without words changes
// nothing that is stored, such as a dry run. A test checks that the list is complete.
var activityTexts = map[string]string{
	"/auctions":                                    "created an auction",
	"/auctions/{auction}/cancel":                   "cancelled an auction",
	"/auctions/{auction}/items":                    "added an item to an auction",
	"/auctions/{auction}/settings":                 "changed an auction",
	"/badges":                                      "created a badge",
	"/badges/upload":                               "uploaded a file for a badge",
	"/badges/{badge}/delete":                       "deleted a badge",
	"/badges/{badge}/jobs/{job}/cancel":            "cancelled a badge job",
	"/badges/{badge}/members/{user}/revoke":        "revoked a badge from a member",
	"/badges/{badge}/members/{user}/reward":        "granted a badge to a member",
	"/badges/{badge}/settings":                     "changed a badge",
	"/badges/{badge}/upload":                       "uploaded a file for a badge",
	"/chains":                                      "created a chain",
	"/chains/{chain}/delete":                       "deleted a chain",
	"/claims":                                      "created a token claim",
	"/claims/contracts":                            "registered a token",
	"/claims/{claim}/delete":                       "deleted a token claim",
	"/claims/{claim}/list":                         "uploaded the list of a token claim",
	"/claims/{claim}/list/read":                    "reimported the list of a token claim",
	"/claims/{claim}/settings":                     "changed a token claim",
	"/currencies":                                  "created a currency",
	"/currencies/{currency}":                       "changed a currency",
	"/currencies/{currency}/delete":                "deleted a currency",
	"/currencies/{currency}/reset":                 "reset a currency",
	"/files":                                       "uploaded a file",
	"/files/{file}/delete":                         "deleted a file",
	"/functions":                                   "created a function",
	"/functions/{function}/delete":                 "deleted a function",
	"/functions/{function}/enable":                 "enabled or disabled a function",
	"/functions/{function}/run":                    "ran a function",
	"/functions/{function}/settings":               "changed a function",
	"/groups":                                      "created a rule group",
	"/groups/{group}":                              "changed a rule group",
	"/groups/{group}/delete":                       "deleted a rule group",
	"/groups/{group}/move":                         "moved a rule group",
	"/groups/{group}/order":                        "reordered the rules in a group",
	"/groups/{group}/rules":                        "moved a rule to a group",
	"/jobs/payouts/{payout}/retry":                 "retried a payout",
	"/jobs/posts/{post}/retry":                     "retried a request to an external ledger",
	"/keys":                                        "created an API key",
	"/keys/{key}/revoke":                           "revoked an API key",
	"/members":                                     "added a member",
	"/members/{user}/adjust":                       "adjusted a balance",
	"/members/{user}/block":                        "blocked or unblocked a member",
	"/members/{user}/edit":                         "changed a member",
	"/members/{user}/multipliers":                  "granted a multiplier",
	"/members/{user}/multipliers/{multiplier}/end": "revoked a multiplier",
	"/pages/blocks":                                "created a block on the loyalty page",
	"/pages/blocks/{block}":                        "changed a block on the loyalty page",
	"/pages/blocks/{block}/delete":                 "deleted a block on the loyalty page",
	"/pages/blocks/{block}/move":                   "reordered the blocks on the loyalty page",
	"/pages/sections":                              "created a page section",
	"/pages/sections/{section}":                    "changed a page section",
	"/pages/sections/{section}/delete":             "deleted a page section",
	"/pages/sections/{section}/move":               "reordered page sections",
	"/rules":                                       "created a rule",
	"/rules/{rule}":                                "changed a rule",
	"/rules/{rule}/codes":                          "created codes for a rule",
	"/rules/{rule}/delete":                         "deleted a rule",
	"/rules/{rule}/history/{edit}/undo":            "undid an edit of a rule",
	"/rules/{rule}/lists/confirm":                  "uploaded a list for a rule",
	"/rules/{rule}/lists/read":                     "reimported the lists of a rule",
	"/rules/{rule}/lists/remove":                   "removed a list from a rule",
	"/rules/{rule}/lists/upload":                   "uploaded a list for a rule",
	"/rules/{rule}/question":                       "changed a question",
	"/rules/{rule}/question/delete":                "deleted a question",
	"/settings":                                    "changed the website’s settings",
	"/settings/organization":                       "renamed the organization",
	"/settings/terms":                              "recorded the signature of the website’s terms",
	"/settings/website":                            "created a website",
	"/store":                                       "created a minting contract",
	"/store/upload":                                "uploaded a picture for a minting contract",
	"/store/{contract}/delete":                     "deleted a minting contract",
	"/store/{contract}/items":                      "created an item",
	"/store/{contract}/items/upload":               "uploaded a picture for an item",
	"/store/{contract}/items/{item}/allowlist":     "changed the allowlist of an item",
	"/store/{contract}/items/{item}/delete":        "deleted an item",
	"/store/{contract}/items/{item}/settings":      "changed an item",
	"/store/{contract}/items/{item}/upload":        "uploaded a picture for an item",
	"/store/{contract}/settings":                   "changed a minting contract",
	"/store/{contract}/upload":                     "uploaded a picture for a minting contract",
	"/subscriptions":                               "created a subscription",
	"/subscriptions/{subscription}/delete":         "deleted a subscription",
	"/subscriptions/{subscription}/enable":         "enabled a subscription",
	"/subscriptions/{subscription}/events/{event}/redeliver": "resent an event",
	"/subscriptions/{subscription}/key":                      "viewed the signing key of a subscription",
	"/subscriptions/{subscription}/redeliver":                "resent events of a subscription",
	"/subscriptions/{subscription}/rotate":                   "rotated the signing key of a subscription",
	"/subscriptions/{subscription}/settings":                 "changed a subscription",
	"/subscriptions/{subscription}/test":                     "sent a test event",
	"/team":                                                  "invited an admin",
	"/team/invitations/{invitation}/withdraw":                "revoked an invitation",
	"/team/limit":       "changed the daily limit of the Support role",
	"/team/{admin}":     "changed the role of an admin",
	"/team/{admin}/end": "removed an admin from the team",
}

type activityData struct {
	Acts  laurel.Page[admins.Activity]
	Pager pager
}

// activityPage lists what admins did on this website, newest first.
func activityPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Admins.Activities(c.Context(), c.scope, page)
	if err != nil {
		return view{}, err
	}
	last := lastID(list, func(a admins.Activity) laurel.ID { return a.ID })
	return pageView("activity", "Activity", activityData{list, c.pager(page, list.HasNextPage, last)})
}

// exportActivity exports what admins did on this website as CSV, newest first.
func exportActivity(c *request) (view, error) {
	list := func(page laurel.PageRequest) (laurel.Page[admins.Activity], error) {
		return c.d.Admins.Activities(c.Context(), c.scope, page)
	}
	head := []string{"time", "name", "email", "action", "page", "ended"}
	return c.exportCSV(sheet{"activity.csv", head, pagedRows(list, func(a admins.Activity) laurel.ID { return a.ID },
		cellsOfEach(func(a admins.Activity) []string {
			return []string{timeCell(a.At), a.Admin, a.Email, a.Action, a.Subject, strconv.FormatBool(a.Ended)}
		}))})
}

// hasNoEffect reports whether an error with this code means that nothing was changed. Other errors leave that open.
func hasNoEffect(code laurel.Code) bool {
	switch code {
	case laurel.Invalid, laurel.Refused, laurel.NotFound, laurel.Forbidden, laurel.RateLimited:
		return true
	default:
		return false
	}
}

// isRedraw reports whether a form was posted only to add or remove a row, and is shown again without being saved.
func (c *request) isRedraw(v view) bool {
	return v.redirectTo == "" && !v.formDone && (c.PostForm.Has("add") || c.PostForm.Has("drop"))
}

// runRecorded runs a handler. If the route is an action with a text in activityTexts, the activity log records who did
// it: the record is written before the handler runs, so that nothing changes unrecorded, and completed with the outcome
// afterwards. If an error or the view (outcomeUnknown) leaves open whether something was changed, the record stays
// without an outcome.
func (c *request) runRecorded(r route) (view, error) {
	text := activityTexts[r.path]
	if r.method != post || r.access != onWebsite || text == "" {
		return r.page(c)
	}
	subject := strings.TrimPrefix(c.URL.Path, rootPath+"/"+c.site.ID.String())
	id, err := c.d.Admins.BeginActivity(c.Context(), c.scope, c.admin.ID, text, subject)
	if err != nil {
		return view{}, err
	}
	v, err := r.page(c)
	done := err == nil && v.status < 400 && !c.isRedraw(v)
	if err != nil && !hasNoEffect(laurel.CodeOf(err)) {
		return v, err // it is unknown what was changed: the record stays without an outcome
	}
	if v.outcomeUnknown {
		return v, nil
	}
	ending := context.WithoutCancel(c.Context()) // even if the browser has disconnected, as the change is made
	if fault := c.d.Admins.EndActivity(ending, id, done); fault != nil {
		c.d.Logger.Error("an act could not be ended", slog.String("act", id.String()), slog.Any("error", fault))
	}
	return v, err
}

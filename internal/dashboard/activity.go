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
	get("/activity", admins.ManageAdmins, "activity", activityPage),
	get("/activity/activity.csv", admins.ManageAdmins, "activity", exportActivity),
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
	return exportCSV("activity.csv", head, pagedRows(list, func(a admins.Activity) laurel.ID { return a.ID },
		cellsOfEach(func(a admins.Activity) []string {
			return []string{timeCell(a.At), a.Admin, a.Email, a.Action, a.Subject, strconv.FormatBool(a.Ended)}
		})))
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

// runRecorded runs a handler. If the route is an action with a text for the activity log, that records who did it: the
// record is written before the handler runs, so that nothing changes unrecorded, and completed with the outcome
// afterwards. If an error or the view (outcomeUnknown) leaves open whether something was changed, the record stays
// without an outcome.
func (c *request) runRecorded(r route) (view, error) {
	if r.activity == "" {
		return r.page(c)
	}
	subject := strings.TrimPrefix(c.URL.Path, rootPath+"/"+c.site.ID.String())
	id, err := c.d.Admins.BeginActivity(c.Context(), c.scope, c.admin.ID, r.activity, subject)
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

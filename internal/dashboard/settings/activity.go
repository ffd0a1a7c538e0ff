package settings

import (
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
)

var activityRoutes = []route{
	web.Get("/activity", admins.ManageAdmins, "activity", activityPage),
	web.Get("/activity/activity.csv", admins.ManageAdmins, "activity", exportActivity),
}

type activityData struct {
	Acts  laurel.Page[admins.Activity]
	Pager web.Pager
}

// activityPage lists what admins did on this website, newest first.
func activityPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Admins.Activities(c.Context(), c.Scope, page)
	if err != nil {
		return web.View{}, err
	}
	last := web.LastID(list, func(a admins.Activity) laurel.ID { return a.ID })
	return web.Show("activity", "Activity", activityData{list, c.Pager(page, list.HasNextPage, last)})
}

// exportActivity exports what admins did on this website as CSV, newest first.
func exportActivity(c *call) (web.View, error) {
	list := func(page laurel.PageRequest) (laurel.Page[admins.Activity], error) {
		return c.Admins.Activities(c.Context(), c.Scope, page)
	}
	head := []string{"time", "name", "email", "action", "page", "ended"}
	return web.ExportCSV("activity.csv", head, web.PagedRows(list, func(a admins.Activity) laurel.ID { return a.ID },
		web.CellsOfEach(func(a admins.Activity) []string {
			return []string{web.TimeCell(a.At), a.Admin, a.Email, a.Action, a.Subject, strconv.FormatBool(a.Ended)}
		})))
}

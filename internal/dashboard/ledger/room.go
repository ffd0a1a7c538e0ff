// Package ledger is the room of the record of points: entries, the health of the ledger, jobs and payouts, currencies.
package ledger

import (
	"embed"
	"html/template"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Audit          *audit.Service
	Sealer         *audit.Sealer
	CompletionJobs *completionjobs.Service
	External       *external.Service
	Payouts        *payouts.Service
	Reset          *reset.Service
	Reversals      *reversals.Service
	Schedule       *schedule.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
	*Services
	ledgerCheck *ledgerCheck // the last one of this process
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields of this room, from the tables of its forms and beside them.
var labels = form.Labels(web.Labels{
	"apiAuthValue": "Secret", "decimals": "Decimals", "pointsExpireAfterDays": "Points expire after",
	"pointsWaitHours": "Rewards stay pending for", "entry": "Entry ID",
}, currencyTable.Fields)

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	check := &ledgerCheck{}
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s, check} }
	return web.Room{
		Routes: web.Bind(of, ledgerRoutes, reversalRoutes, healthRoutes, jobRoutes, currencyRoutes),
		Menu: []web.MenuItem{
			web.Item("insight", "ledger", "Ledger", "scroll-text", admins.SeeMembers),
			web.Item("insight", "health", "Ledger health", "shield-check", admins.SeeJobs),
			web.Item("operate", "jobs", "Jobs and payouts", "activity", admins.SeeJobs),
			web.Item("operate", "currencies", "Currencies", "coins", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"clearing":   func(k reset.Kind) string { return resetKindLabels[k] },
			"importKind": func(k lists.Kind) string { return importKinds[k] },
			"stateName":  stateName,
		},
	}
}

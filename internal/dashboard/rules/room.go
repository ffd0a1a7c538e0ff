// Package rules is the room of rules: their lists, forms, history, codes, replays and trials, their groups, questions
// and chains.
package rules

import (
	"embed"
	"html/template"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/rules/schema"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Engagement  *engagement.Service
	Chains      *chains.Service
	Completions *completion.Service
	Replay      *replay.Service
	Reset       *reset.Service
	Schedule    *schedule.Service
	// Serves reports whether this server has what it needs to verify members of a website for rules of a type.
	Serves func(scope laurel.Scope, ruleType schema.Type) bool
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields that only this room has.
var labels = web.Labels{
	"loyaltyConditions": "Condition", "loyaltyRuleId": "Rule to lock", "operatorType": "Unlock the rule when",
	"questionText": "Question", "tryAmount": "Amount sent by your server", "tryAt": "Date and time",
	"tryValue": "Value", "count": "Number of codes",
}

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, ruleRoutes, codeRoutes, listRoutes, replayRoutes, questionRoutes, chainRoutes),
		Menu: []web.MenuItem{
			web.Item("program", "rules", "Rules", "list-checks", admins.SeeProgram),
			web.Item("program", "questions", "Questions", "circle-question-mark", admins.SeeProgram),
			web.Item("program", "chains", "Chains", "lock", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"ruleState":    func(s web.Screen, r catalog.Rule) (catalog.State, error) { return of(s.Call).ruleState(r) },
			"ruleTabs":     func(s web.Screen, r catalog.Rule) []tab { return of(s.Call).ruleTabs(r) },
			"missingSetup": func(s web.Screen, r catalog.Rule) ([]setupGap, error) { return of(s.Call).missingSetup(r) },
		},
	}
}

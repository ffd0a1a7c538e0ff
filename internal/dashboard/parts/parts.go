// Package parts has what several rooms of the dashboard show: members, names of records by id, currencies, entries,
// conditions, badges of a member, rewards, and uploaded files.
package parts

import (
	"embed"

	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/report/figures"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
)

// Templates are the templates of the parts.
//
//go:embed templates
var Templates embed.FS

// Services are those that the parts read.
type Services struct {
	Identity *identity.Service
	Ledger   *ledger.Service
	Rules    *catalog.Service
	Lists    *lists.Service
	Badges   *badges.Service
	Awards   *awards.Service
	Content  *content.Service
	Report   *report.Service
	Figures  *figures.Service
}

// Call is a call of a page that shows parts, with their services. Rooms embed it in calls of their own.
type Call struct {
	*web.Call
	*Services
}

// Package parts has what several rooms of the dashboard show: members, names of records by id, currencies, entries,
// conditions, badges of a member, rewards, and uploaded files.
package parts

import (
	"embed"

	"laurel/internal/content"
	"laurel/internal/dashboard/web"
	"laurel/internal/engagement/badges"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/report/figures"
	"laurel/internal/rules/awards"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
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

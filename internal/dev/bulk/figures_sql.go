package bulk

import (
	"context"
	"fmt"
	"strings"
)

// figureNames are the daily figures of a website that InsertFigures makes up, with the value of each day. The subject
// says whether a figure is of the website or of its currency.
var figureNames = []struct {
	name, subject string
	value         int64
}{
	{"issued", "currency", 54_000_000_000}, {"spent", "currency", 21_000_000_000}, {"completions", "website", 5400},
	{"active", "website", 4100}, {"active7", "website", 12}, {"active30", "website", 9}, {"active90", "website", 5},
}

// InsertFigures inserts made-up daily figures for the website, its currency and each of its rules, for the year that
// ends today. The service adds figures up from the change feed, in which loaded rows do not occur. Figures that exist
// stay. PostgreSQL only.
func (t Target) InsertFigures(ctx context.Context) error {
	return t.open(ctx, func(w writer) error {
		subjects := map[string]string{"currency": t.Site.CurrencyID.String(), "website": t.Site.WebsiteID.String()}
		owner := fmt.Sprintf("'%s'::uuid, '%s'::uuid", t.Site.OrganizationID, t.Site.WebsiteID)
		days := fmt.Sprintf("generate_series(%s - %d, %[1]s) g(day)",
			"CAST(floor(extract(epoch FROM now()) / 86400) AS bigint)", Days-1)
		const into = `INSERT INTO daily_figures (organization_id, website_id, name, subject, day, detail, value) `
		var statements []string
		for _, f := range figureNames {
			statements = append(statements, into+fmt.Sprintf("SELECT %s, '%s', '%s'::uuid, g.day, '', %d + g.day %% 97 FROM %s",
				owner, f.name, subjects[f.subject], f.value, days))
		}
		for name, detailAndValue := range map[string]string{ // of each rule
			"completions": "'', 100 + g.day % 13", "paid": fmt.Sprintf("'%s', 1000000000", t.Site.CurrencyID),
			"refused": "'window', 20",
		} {
			statements = append(statements, into+fmt.Sprintf(
				"SELECT %s, '%s', r.id, g.day, %s FROM loyalty_rules r, %s WHERE r.website_id = '%s'",
				owner, name, detailAndValue, days, t.Site.WebsiteID))
		}
		for i := range statements {
			statements[i] = strings.TrimSpace(statements[i]) + " ON CONFLICT DO NOTHING"
		}
		return w.execute(ctx, append(statements, "VACUUM ANALYZE daily_figures")...)
	})
}

package catalog

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// selectCheckInRules reads the live CheckInRules of websites, oldest first, by website.
func selectCheckInRules(
	ctx context.Context, q store.Queryer, websites []laurel.ID,
) (map[laurel.ID][]CheckInRule, error) {
	var w store.Where
	store.In(&w, "website_id", websites)
	w.Add("checks_in AND deleted_at IS NULL")
	var rows []struct {
		ID        laurel.ID `db:"id"`
		WebsiteID laurel.ID `db:"website_id"`
		Metadata  string    `db:"metadata"`
	}
	err := q.Select(
		ctx,
		&rows,
		"SELECT id, website_id, metadata FROM loyalty_rules"+w.String()+" ORDER BY created_at, id",
		w.Args...)
	out := map[laurel.ID][]CheckInRule{}
	for _, r := range rows {
		meta := (&schema.Properties{Metadata: json.RawMessage(r.Metadata)}).Meta()
		out[r.WebsiteID] = append(
			out[r.WebsiteID], CheckInRule{RuleID: r.ID, Triggers: meta.CheckInTriggers, OnEveryEntry: meta.OnEveryEntry},
		)
	}
	return out, err
}

package bench

import (
	"context"
	"database/sql"
	"fmt"
)

const groupSize = 3

// makeGroups joins some of the members without many completions into groups, unless a former run did, and answers the groups' ids.
func (d *dataset) makeGroups(ctx context.Context) ([]string, error) {
	var ids []string
	for i := range extraGroups {
		ids = append(ids, idOf(kindGroup, i))
	}
	from := d.shape.busy + d.shape.others/2
	return ids, onPostgres(ctx, d.database, func(db *sql.DB) error {
		w := bulk{db, Postgres, d.site}
		group := w.bulkID(kindGroup, "g.n")
		return w.execute(ctx,
			fmt.Sprintf(`INSERT INTO user_groups (id, organization_id, website_id, external_identifier, created_at, updated_at)
				SELECT %s, %s, %s, 'bench-group-' || g.n, %d, %d FROM %s ON CONFLICT DO NOTHING`,
				group, w.uuid(d.site.OrganizationID), w.uuid(d.site.WebsiteID), early, early, w.numbers(0, extraGroups)),
			fmt.Sprintf(`UPDATE members m SET user_group_id = %s, joined_group_at = %d FROM %s, generate_series(0, %d) i(n)
				WHERE m.website_id = %s AND m.user_id = %s AND m.user_group_id IS NULL`,
				group, early, w.numbers(0, extraGroups), groupSize-1, w.uuid(d.site.WebsiteID), w.bulkID(kindUser, fmt.Sprintf("%d + g.n * %d + i.n", from, groupSize))),
		)
	})
}

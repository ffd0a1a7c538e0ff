package pages

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var sectionTable = store.NewRecords[Section]("page_sections", "Page section")

// listSections returns a page of live sections by sortId. Errors: Invalid for an unknown cursor.
func listSections(
	ctx context.Context, q *store.DB, scope laurel.Scope, filter SectionFilter, page laurel.PageRequest,
) (laurel.Page[Section], error) {
	w := store.Live(scope)
	for column, value := range map[string]string{
		"placement": filter.Placement, "page_id": filter.PageID, "page_section_type": filter.Type,
	} {
		if value != "" {
			w.Add(column+" = ?", value)
		}
	}
	if filter.OpenOnly {
		now := store.Micros(q.Now())
		w.Add("duration_start <= ? AND (duration_end IS NULL OR duration_end > ?)", now, now)
	}
	return sectionTable.Page(ctx, q, bySort(scope, w), page)
}

// bySort lists the records that w selects by sortId; a deleted one still works as a cursor.
func bySort(scope laurel.Scope, w *store.Where) store.List {
	return store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"sort_id", "created_at", "id"}}
}

package pages

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// maxPlaces is how many places listPlaces returns.
const maxPlaces = 200

// listPlaces returns the places that have live sections, each with their number and their greatest sortId, at most
// maxPlaces. All sections with placement global are one place.
func listPlaces(ctx context.Context, q store.Queryer, scope laurel.Scope) (places []Place, err error) {
	const page = "CASE WHEN placement = 'global' THEN '' ELSE COALESCE(page_id, '') END"
	w := store.Live(scope)
	err = q.Select(
		ctx, &places,
		"SELECT placement, "+page+" AS page_id, COUNT(*) AS sections, MAX(sort_id) AS last FROM page_sections"+w.String()+
			" GROUP BY placement, "+page+" ORDER BY 1, 2 LIMIT ?",
		append(w.Args, maxPlaces)...,
	)
	return places, err
}

// selectSectionsOfPlace reads the first sections of a place by sortId. For placement global the page does not matter.
func selectSectionsOfPlace(
	ctx context.Context, q store.Queryer, scope laurel.Scope, p Place, limit int,
) ([]Section, error) {
	w := store.Live(scope).With("placement = ?", p.Placement)
	if p.Placement != global {
		w.Add("COALESCE(page_id, '') = ?", p.PageID)
	}
	page, err := sectionTable.Page(ctx, q, bySort(scope, w), laurel.PageRequest{Limit: limit})
	return page.Data, err
}

package pages

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// ErrOrderChanged is the error of an order that comes too late.
var ErrOrderChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the order meanwhile")

// Place is where sections are shown: on every page, or on one.
type Place struct {
	Placement string `db:"placement"`
	PageID    string `db:"page_id"`  // "" for placement global, and where no page is named
	Sections  int64  `db:"sections"` // live ones
	Last      int64  `db:"last"`     // the greatest sortId among them
}

// MaxSectionsPerPlace is how many sections of a place are read, and put into an order.
const MaxSectionsPerPlace = 100

// Places returns the places of the scope that have live sections, by name.
func (s *Service) Places(ctx context.Context, scope laurel.Scope) ([]Place, error) {
	return listPlaces(ctx, s.db, scope)
}

// SectionsOfPlace returns the first live sections of a place by sortId, at most MaxSectionsPerPlace.
func (s *Service) SectionsOfPlace(ctx context.Context, scope laurel.Scope, p Place) ([]Section, error) {
	rows, err := selectSectionsOfPlace(ctx, s.db, scope, p, MaxSectionsPerPlace)
	if err != nil {
		return nil, err
	}
	sections, refs := make([]Section, len(rows)), make([]*Section, len(rows))
	for i, r := range rows {
		if sections[i], err = r.section(); err != nil {
			return nil, err
		}
		refs[i] = &sections[i]
	}
	return sections, s.loadReferences(ctx, s.db, scope, refs)
}

// MoveSection lets a section change places with the one before it, or behind it, in its place. The first and the last
// stay. Errors: NotFound "Page section"; Refused where the place has too many sections.
func (s *Service) MoveSection(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rows, err := s.lockSectionsOfPlace(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		order := idsOfSections(rows)
		if !swapWithNeighbor(order, id, up) {
			return nil
		}
		return renumber(ctx, tx, rows, order)
	})
}

// OrderSections puts all sections of the place of a section into an order. was is the order that it started from:
// ErrOrderChanged where the sections are others by now, or stand in another order, and where the two lists do not name the
// same. Other errors: as MoveSection.
func (s *Service) OrderSections(ctx context.Context, scope laurel.Scope, id laurel.ID, base, order []laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rows, err := s.lockSectionsOfPlace(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !isReordering(idsOfSections(rows), base, order) {
			return ErrOrderChanged
		}
		return renumber(ctx, tx, rows, order)
	})
}

// lockSectionsOfPlace reads the sections of the place of a section. Nobody else orders sections of the website until tx ends.
func (s *Service) lockSectionsOfPlace(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) ([]sectionRow, error) {
	if err := tx.AdvisoryLock(ctx, "page sections of "+scope.WebsiteID.String()); err != nil {
		return nil, err
	}
	section, err := findSection(ctx, tx, scope, id, "")
	if err != nil {
		return nil, err
	}
	place := Place{Placement: section.Placement, PageID: section.PageID}
	rows, err := selectSectionsOfPlace(ctx, tx, scope, place, MaxSectionsPerPlace+1)
	if err == nil && len(rows) > MaxSectionsPerPlace {
		err = laurel.Errorf(laurel.Refused, "More than %d sections cannot be put into an order here", MaxSectionsPerPlace)
	}
	return rows, err
}

func idsOfSections(rows []sectionRow) []laurel.ID {
	ids := make([]laurel.ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// swapWithNeighbor lets an id change places with its neighbour; false where it has none on that side.
func swapWithNeighbor(order []laurel.ID, id laurel.ID, up bool) bool {
	at := slices.Index(order, id)
	to := at + 1
	if up {
		to = at - 1
	}
	if at < 0 || to < 0 || to >= len(order) {
		return false
	}
	order[at], order[to] = order[to], order[at]
	return true
}

// isReordering reports whether order holds exactly the ids of now, and was made from a page that showed them as they are.
func isReordering(current, base, order []laurel.ID) bool {
	sortedOrder, sortedCurrent := slices.Clone(order), slices.Clone(current)
	slices.SortFunc(sortedOrder, laurel.ID.Compare)
	slices.SortFunc(sortedCurrent, laurel.ID.Compare)
	return len(current) > 0 && slices.Equal(current, base) && slices.Equal(sortedCurrent, sortedOrder)
}

// renumber numbers sections in an order, from the least number that they have.
func renumber(ctx context.Context, tx *store.Tx, rows []sectionRow, order []laurel.ID) error {
	least, formerSortIDs := rows[0].SortID, map[laurel.ID]int64{}
	for _, r := range rows {
		least, formerSortIDs[r.ID] = min(least, r.SortID), r.SortID
	}
	var moved [][]any
	for i, id := range order {
		if sortID := least + int64(i); formerSortIDs[id] != sortID {
			moved = append(moved, []any{id, sortID, store.Micros(tx.Now())})
		}
	}
	return updateSortIDs(ctx, tx, moved)
}

package pages

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// ErrOrderChanged is returned if someone changed the order, or the rows, after the caller read them.
var ErrOrderChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the order meanwhile")

// Place is where sections are shown: on every page (placement global), or on one page.
type Place struct {
	Placement string `db:"placement"`
	PageID    string `db:"page_id"`  // "" for placement global, and for sections without a page
	Sections  int64  `db:"sections"` // live ones
	Last      int64  `db:"last"`     // the greatest sortId among them
}

// MaxSectionsPerPlace is how many sections of a place SectionsOfPlace reads, and how many can be reordered.
const MaxSectionsPerPlace = 100

// Places returns the places of the scope that have live sections, by name.
func (s *Service) Places(ctx context.Context, scope laurel.Scope) ([]Place, error) {
	return listPlaces(ctx, s.db, scope)
}

// SectionsOfPlace returns the first live sections of a place by sortId, at most MaxSectionsPerPlace.
func (s *Service) SectionsOfPlace(ctx context.Context, scope laurel.Scope, p Place) ([]Section, error) {
	sections, err := selectSectionsOfPlace(ctx, s.db, scope, p, MaxSectionsPerPlace)
	if err != nil {
		return nil, err
	}
	return sections, s.loadReferences(ctx, s.db, scope, sections)
}

// MoveSection moves a section up or down by one among the sections of its place. It does nothing if there is no
// neighbor on that side. Errors: NotFound "Page section"; Refused if the place has more than MaxSectionsPerPlace
// sections.
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
		return renumber(ctx, tx, scope, rows, order)
	})
}

// OrderSections puts all sections of one place into an order. The place is that of the section id. base is the order
// that the caller saw. Errors: ErrOrderChanged if the current order is not base, or if order does not hold the same
// ids; those of MoveSection.
func (s *Service) OrderSections(ctx context.Context, scope laurel.Scope, id laurel.ID, base, order []laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rows, err := s.lockSectionsOfPlace(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !isReordering(idsOfSections(rows), base, order) {
			return ErrOrderChanged
		}
		return renumber(ctx, tx, scope, rows, order)
	})
}

// lockSectionsOfPlace returns all sections of one place: that of the section with the id. Until tx ends, no other
// transaction can reorder sections of the website. Errors: as MoveSection.
func (s *Service) lockSectionsOfPlace(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID,
) ([]Section, error) {
	if err := tx.AdvisoryLock(ctx, "page sections of "+scope.WebsiteID.String()); err != nil {
		return nil, err
	}
	section, err := sectionTable.Get(ctx, tx, store.LiveByID(scope, id), "")
	if err != nil {
		return nil, err
	}
	rows, err := selectSectionsOfPlace(ctx, tx, scope, section.Place(), MaxSectionsPerPlace+1)
	if err == nil && len(rows) > MaxSectionsPerPlace {
		err = laurel.Errorf(laurel.Refused, "More than %d sections cannot be put into an order here", MaxSectionsPerPlace)
	}
	return rows, err
}

func idsOfSections(rows []Section) []laurel.ID {
	ids := make([]laurel.ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// swapWithNeighbor moves an id up or down by one in order; it returns false if there is no neighbor on that side.
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

// isReordering reports whether base is the current order, and order holds the same ids.
func isReordering(current, base, order []laurel.ID) bool {
	sortedOrder, sortedCurrent := slices.Clone(order), slices.Clone(current)
	slices.SortFunc(sortedOrder, laurel.ID.Compare)
	slices.SortFunc(sortedCurrent, laurel.ID.Compare)
	return len(current) > 0 && slices.Equal(current, base) && slices.Equal(sortedCurrent, sortedOrder)
}

// renumber gives the sections of rows, of which there must be one at least, consecutive sort ids in the order of order.
// The first gets the lowest sort id that any of them has now. It locks and saves only those that change: others may
// have saved one of them since rows were read. Errors: NotFound "Page section" for one that was deleted meanwhile.
func renumber(ctx context.Context, tx *store.Tx, scope laurel.Scope, rows []Section, order []laurel.ID) error {
	least, former := rows[0].SortID, map[laurel.ID]int64{}
	for _, r := range rows {
		least, former[r.ID] = min(least, r.SortID), r.SortID
	}
	for i, id := range order {
		sortID := least + int64(i)
		if former[id] == sortID {
			continue
		}
		locked, err := sectionTable.Get(ctx, tx, store.LiveByID(scope, id), tx.ForUpdate())
		if err != nil {
			return err
		}
		err = sectionTable.Edit(ctx, tx, scope, &locked, func(_ *store.Tx, section *Section) error {
			section.SortID = sortID
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

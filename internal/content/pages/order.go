package pages

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// ErrOrdered is the error of an order that comes too late.
var ErrOrdered = laurel.Errorf(laurel.Refused, "Somebody else has changed the order meanwhile")

// Place is where sections are shown: on every page, or on one.
type Place struct {
	Placement string `db:"placement"`
	PageID    string `db:"page_id"`  // "" for placement global, and where no page is named
	Sections  int64  `db:"sections"` // live ones
	Last      int64  `db:"last"`     // the greatest sortId among them
}

// MostOfPlace is how many sections of a place are read, and put into an order.
const MostOfPlace = 100

// Places returns the places of the scope that have live sections, by name.
func (s *Service) Places(ctx context.Context, scope laurel.Scope) ([]Place, error) {
	return listPlaces(ctx, s.db, scope)
}

// OfPlace returns the first live sections of a place by sortId, at most MostOfPlace.
func (s *Service) OfPlace(ctx context.Context, scope laurel.Scope, p Place) ([]Section, error) {
	rows, err := sectionsOf(ctx, s.db, scope, p, MostOfPlace)
	if err != nil {
		return nil, err
	}
	sections, filled := make([]Section, len(rows)), make([]*Section, len(rows))
	for i, r := range rows {
		if sections[i], err = r.section(); err != nil {
			return nil, err
		}
		filled[i] = &sections[i]
	}
	return sections, s.fill(ctx, s.db, scope, filled)
}

// MoveSection lets a section change places with the one before it, or behind it, in its place. The first and the last
// stay. Errors: NotFound "Page section"; Refused where the place has too many sections.
func (s *Service) MoveSection(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rows, err := s.toOrder(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		order := idsOf(rows)
		if !swap(order, id, up) {
			return nil
		}
		return renumber(ctx, tx, rows, order)
	})
}

// OrderSections puts all sections of the place of a section into an order. was is the order that it started from:
// ErrOrdered where the sections are others by now, or stand in another order, and where the two lists do not name the
// same. Other errors: as MoveSection.
func (s *Service) OrderSections(ctx context.Context, scope laurel.Scope, id laurel.ID, was, order []laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rows, err := s.toOrder(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !ordered(idsOf(rows), was, order) {
			return ErrOrdered
		}
		return renumber(ctx, tx, rows, order)
	})
}

// toOrder reads the sections of the place of a section. Nobody else orders sections of the website until tx ends.
func (s *Service) toOrder(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) ([]sectionRow, error) {
	if err := tx.AdvisoryLock(ctx, "page sections of "+scope.WebsiteID.String()); err != nil {
		return nil, err
	}
	section, err := findSection(ctx, tx, scope, id, "")
	if err != nil {
		return nil, err
	}
	place := Place{Placement: section.Placement, PageID: section.PageID}
	rows, err := sectionsOf(ctx, tx, scope, place, MostOfPlace+1)
	if err == nil && len(rows) > MostOfPlace {
		err = laurel.Errorf(laurel.Refused, "More than %d sections cannot be put into an order here", MostOfPlace)
	}
	return rows, err
}

func idsOf(rows []sectionRow) []laurel.ID {
	ids := make([]laurel.ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

// swap lets an id change places with its neighbour; false where it has none on that side.
func swap(order []laurel.ID, id laurel.ID, up bool) bool {
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

// ordered reports whether order holds exactly the ids of now, and was made from a page that showed them as they are.
func ordered(now, was, order []laurel.ID) bool {
	same, held := slices.Clone(order), slices.Clone(now)
	slices.SortFunc(same, laurel.ID.Compare)
	slices.SortFunc(held, laurel.ID.Compare)
	return len(now) > 0 && slices.Equal(now, was) && slices.Equal(held, same)
}

// renumber numbers sections in an order, from the least number that they have.
func renumber(ctx context.Context, tx *store.Tx, rows []sectionRow, order []laurel.ID) error {
	least, had := rows[0].SortID, map[laurel.ID]int64{}
	for _, r := range rows {
		least, had[r.ID] = min(least, r.SortID), r.SortID
	}
	var moved [][]any
	for i, id := range order {
		if sort := least + int64(i); had[id] != sort {
			moved = append(moved, []any{id, sort, store.Micros(tx.Now())})
		}
	}
	return saveSorts(ctx, tx, moved)
}

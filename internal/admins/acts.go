package admins

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Act is a change that a person made in the dashboard.
type Act struct {
	ID      laurel.ID
	Admin   string // name
	Email   string
	Action  string // in words, such as "made an API key"
	Subject string // the path of the page, below that of the website
	At      time.Time
	Ended   bool // false: under way, or the server ended in the middle of it
}

// Begin notes what an admin is about to change on the scope's website.
func (s *Service) Begin(
	ctx context.Context,
	scope laurel.Scope,
	admin laurel.ID,
	action, subject string,
) (laurel.ID, error) {
	var id laurel.ID
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		id = tx.NewID()
		return insertAct(ctx, tx, scope, newAct{id, admin, action, subject})
	})
	return id, err
}

// End notes that a change was made, or with done false removes the note: nothing was changed.
func (s *Service) End(ctx context.Context, id laurel.ID, done bool) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		if !done {
			return deleteAct(ctx, tx, id)
		}
		return endAct(ctx, tx, id)
	})
}

// Acts returns what people changed on the scope's website, newest first. Errors: Invalid for a cursor that is none.
func (s *Service) Acts(ctx context.Context, scope laurel.Scope, page laurel.PageRequest) (laurel.Page[Act], error) {
	rows, err := selectActs(ctx, s.DB, scope, page)
	if err != nil {
		return laurel.Page[Act]{}, err
	}
	return laurel.MapPage(rows, actRow.act), nil
}

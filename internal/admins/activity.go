package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Activity is a record of a change that an admin made in the dashboard.
type Activity struct {
	ID      laurel.ID
	Admin   string // name
	Email   string
	Action  string // in words, such as "made an API key"
	Subject string // the path of the page, below that of the website
	At      time.Time
	Ended   bool // false: the change is under way, or the server ended during it
}

// BeginActivity records that an admin is about to make a change on the scope's website, and returns the id of the
// record for EndActivity.
func (s *Service) BeginActivity(
	ctx context.Context,
	scope laurel.Scope,
	admin laurel.ID,
	action, subject string,
) (laurel.ID, error) {
	var id laurel.ID
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		id = tx.NewID()
		return insertActivity(ctx, tx, scope, newActivity{id, admin, action, subject})
	})
	return id, err
}

// EndActivity ends the record of BeginActivity. done says whether the change was made: if it was, the record says so
// from now on, and otherwise it is deleted.
func (s *Service) EndActivity(ctx context.Context, id laurel.ID, done bool) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		if !done {
			return deleteActivity(ctx, tx, id)
		}
		return endActivity(ctx, tx, id)
	})
}

// Activities returns a page of the changes that admins made on the scope's website, newest first. Errors: Invalid for a
// cursor that is no activity.
func (s *Service) Activities(
	ctx context.Context, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[Activity], error) {
	rows, err := selectActivities(ctx, s.DB, scope, page)
	if err != nil {
		return laurel.Page[Activity]{}, err
	}
	return laurel.MapPage(rows, activityRow.activity), nil
}

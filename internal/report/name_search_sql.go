package report

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const (
	namesPerQuery = 20_000
	// nameSearchTimeout bounds the time of a search, which reads the names of all members of a website, the newest first.
	nameSearchTimeout = 5 * time.Second
)

// FoldSearch folds a search text for comparison with names.
func FoldSearch(text string) store.Folded { return store.NewFolded(text) }

// NamedUser is a member with its display name.
type NamedUser struct {
	ID   laurel.ID `db:"user_id"`
	Name string    `db:"name"`
}

// displayName returns the SQL expression of the display name in a metadata record.
func displayName(e store.Engine) string {
	if e == store.Postgres {
		return "CAST(d.record AS json) ->> 'displayName'"
	}
	return "json_extract(d.record, '$.displayName')"
}

// SearchUsersByName returns at most limit members of the scope's website, newest first: those whose display name
// contains the text (compared by store.Fold) and for which keep returns true. complete is false if the time limit
// nameSearchTimeout ended the search; out then has the members that were found until then.
func (s *Service) SearchUsersByName(
	ctx context.Context, scope laurel.Scope, text string, limit int, keep func(NamedUser) bool,
) (out []NamedUser, complete bool, err error) {
	wanted := store.NewFolded(text)
	err = s.db.LongRead(ctx, nameSearchTimeout, func(q store.Queryer) error {
		var last laurel.ID
		for {
			var w store.Where
			w.Tenant("d.", scope)
			if !last.IsZero() {
				w.Add("d.user_id < ?", last)
			}
			var rows []struct {
				ID   laurel.ID `db:"user_id"`
				Name *string   `db:"name"`
			}
			query := "SELECT d.user_id, " + displayName(q.Engine()) + " AS name FROM user_metadata d" + w.String() +
				" ORDER BY d.user_id DESC LIMIT ?"
			if err := q.Select(ctx, &rows, query, append(w.Args, namesPerQuery)...); err != nil {
				return err
			}
			for _, r := range rows {
				if last = r.ID; r.Name == nil || !wanted.In(*r.Name) {
					continue
				}
				if found := (NamedUser{r.ID, *r.Name}); keep(found) {
					out = append(out, found)
				}
				if len(out) == limit {
					return nil
				}
			}
			if len(rows) < namesPerQuery {
				return nil
			}
		}
	})
	if store.TookTooLong(err) {
		return out, false, nil
	}
	return out, true, err
}

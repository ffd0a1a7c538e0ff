package attributes

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

var (
	table  = store.NewRecords[Attribute]("website_user_attributes", "User attribute")
	values = store.NewRecords[Value]("website_user_attribute_values", "User attribute value")
	// shownValues reads the values of attributes a.
	shownValues = values.As("t", "JOIN website_user_attributes a ON a.id = t.website_user_attribute_id")
)

// maxKeysPerQuery is how many users one statement looks up at most.
const maxKeysPerQuery = 500

// newest lists the rows that meet the conditions, newest first; prefix is the alias of the table with a dot.
func newest(w, cursors *store.Where, prefix string) store.List {
	return store.List{Where: w, Cursors: cursors, Order: []string{prefix + "created_at", prefix + "id"}, Newest: true}
}

// whereShown returns the condition for the values of live attributes in the scope.
func whereShown(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Tenant("t.", scope)
	return w.With("a.deleted_at IS NULL")
}

// whereShownByID returns the condition for a value of a live attribute in the scope with an id.
func whereShownByID(scope laurel.Scope, id laurel.ID) *store.Where {
	return whereShown(scope).With("t.id = ?", id)
}

// valuesOf lists the values of users for live attributes, newest first.
func valuesOf(scope laurel.Scope, users []laurel.ID) store.List {
	w := whereShown(scope)
	store.In(w, "t.user_id", users)
	cursors := &store.Where{}
	cursors.Tenant("t.", scope)
	return newest(w, cursors, "t.")
}

// whereSameLabel returns the condition for other live attributes of the website with the attribute's label.
func whereSameLabel(scope laurel.Scope, a Attribute) *store.Where {
	return store.Live(scope.At(a.WebsiteID)).With("label = ?", a.Label).With("id <> ?", a.ID)
}

// lockLive locks the live attributes of the scope's website with the ids against changes, and returns their ids.
func lockLive(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) (live []laurel.ID, err error) {
	w := store.Live(scope)
	store.In(w, "id", ids)
	query := "SELECT id FROM website_user_attributes" + w.String() + " ORDER BY id" + tx.ForShare()
	err = tx.Select(ctx, &live, query, w.Args...)
	return live, err
}

// lockValues locks and returns the values that the items replace.
func lockValues(ctx context.Context, tx *store.Tx, items []ValueItem) ([]Value, error) {
	var users, attributes []laurel.ID
	for _, in := range items {
		users, attributes = append(users, in.UserID), append(attributes, in.AttributeID)
	}
	var w store.Where
	store.In(&w, "user_id", users)
	store.In(&w, "website_user_attribute_id", attributes)
	var rows []Value
	err := tx.Select(ctx, &rows, values.Query()+w.String()+" ORDER BY id"+tx.ForUpdate(), w.Args...)
	return rows, err
}

// labeledRow is a value with the label of its attribute.
type labeledRow struct {
	Value
	Label string `db:"label"`
}

// selectLabeled reads the values of users for live attributes, by the age of the attributes.
func selectLabeled(
	ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID,
) (all []labeledRow, err error) {
	for part := range slices.Chunk(users, maxKeysPerQuery) {
		w := whereShown(scope)
		store.In(w, "t.user_id", part)
		var rows []labeledRow
		query := "SELECT " + shownValues.Columns() + ", a.label FROM website_user_attribute_values t " +
			"JOIN website_user_attributes a ON a.id = t.website_user_attribute_id" + w.String() + " ORDER BY a.created_at, a.id"
		if err := q.Select(ctx, &rows, query, w.Args...); err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// selectSizes reads how many bytes the values of users have.
func selectSizes(
	ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID,
) (all []budget.ByteSize, err error) {
	for part := range slices.Chunk(users, maxKeysPerQuery) {
		var w store.Where
		w.Tenant("", scope)
		store.In(&w, "user_id", part)
		var sizes []budget.ByteSize
		query := "SELECT user_id AS id, SUM(OCTET_LENGTH(value)) AS bytes FROM website_user_attribute_values" + w.String() +
			" GROUP BY user_id"
		if err := q.Select(ctx, &sizes, query, w.Args...); err != nil {
			return nil, err
		}
		all = append(all, sizes...)
	}
	return all, nil
}

package store_test

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestRecordsRefuseFieldsThatCannotBeStored(t *testing.T) {
	t.Parallel()
	type withTime struct {
		ID laurel.ID `db:"id"`
		At time.Time `db:"at"`
	}
	type twice struct {
		ID    laurel.ID `db:"id"`
		Other laurel.ID `db:"id"`
	}
	assert.PanicsWithValue(t, "store: store_test.withTime.At cannot be stored as it is: a time.Time",
		func() { store.NewRecords[withTime]("things", "Thing") })
	assert.PanicsWithValue(t, "store: store_test.twice has two fields for id",
		func() { store.NewRecords[twice]("things", "Thing") })
}

// thing is a record with a large list, a text that lists may leave out, and a time that may be none.
type thing struct {
	ID        laurel.ID            `db:"id"`
	Place     int64                `db:"place" update:"no"`
	Parts     laurel.List[string]  `db:"parts"`
	Notes     laurel.RawJSON       `db:"notes"`
	Extra     *extra               `db:"extra"`
	DeletedAt laurel.NullTimestamp `db:"deleted_at"`
	Derived   string               // no column
}

// extra is a value that stores itself as JSON.
type extra struct {
	Text string `json:"text"`
}

func (e extra) Value() (driver.Value, error) { return string(store.JSON(e)), nil }

func (e *extra) Scan(src any) error { return laurel.ScanJSON(src, e) }

var things = store.NewRecords[thing]("things", "Thing")

// createThings inserts n things that have some bytes each: in their lists, and every other one in its extra.
func createThings(t *testing.T, db *store.DB, n, bytes int) []thing {
	t.Helper()
	out := make([]thing, n)
	require.NoError(t, db.InTx(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Exec(t.Context(), `CREATE TABLE things (id UUID PRIMARY KEY, place BIGINT NOT NULL, parts TEXT NOT NULL,
			notes TEXT, extra TEXT, deleted_at BIGINT)`); err != nil {
			return err
		}
		for i := range out {
			out[i] = thing{ID: tx.NewID(), Place: int64(i), Parts: laurel.List[string]{}, Notes: laurel.RawJSON(`{"a":1}`)}
			if text := strings.Repeat("x", bytes); i%2 == 0 {
				out[i].Parts = append(out[i].Parts, text)
			} else {
				out[i].Extra = &extra{text}
			}
			if inserted, err := things.Insert(t.Context(), tx, &out[i], "ON CONFLICT DO NOTHING"); err != nil || !inserted {
				return fmt.Errorf("inserted %t: %w", inserted, err)
			}
		}
		if n == 0 {
			return nil
		}
		inserted, err := things.Insert(t.Context(), tx, &out[0], "ON CONFLICT DO NOTHING")
		assert.False(t, inserted, "the first one again")
		return err
	}))
	return out
}

func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		all := createThings(t, db, 2, 3)
		byID := func(id laurel.ID) *store.Where { return (&store.Where{}).With("id = ?", id) }
		for _, one := range all {
			got, err := things.Get(t.Context(), db, byID(one.ID), "")
			require.NoError(t, err)
			assert.Equal(t, one, got)
		}

		changed := thing{ID: all[0].ID, Place: 7, DeletedAt: laurel.NullTimestamp{Timestamp: laurel.Timestamp{Time: db.Now()}}}
		require.NoError(t, db.InTx(t.Context(), func(tx *store.Tx) error { return things.Update(t.Context(), tx, &changed) }))
		got, err := things.Get(t.Context(), db, byID(changed.ID), "")
		require.NoError(t, err)
		assert.Equal(t, int64(0), got.Place, "update:\"no\"")
		assert.Empty(t, got.Parts)
		assert.Nil(t, got.Notes)
		assert.True(t, got.DeletedAt.Equal(changed.DeletedAt.Time))

		_, err = things.Get(t.Context(), db, byID(laurel.ID{1}), "")
		assert.EqualError(t, err, "Thing not found")
		var byHand []thing
		require.NoError(t, db.Select(t.Context(), &byHand, things.As("t").Query()+" WHERE t.id = ?", got.ID))
		assert.Equal(t, []thing{got}, byHand)
		n, err := things.Count(t.Context(), db, &store.Where{})
		require.NoError(t, err)
		assert.Equal(t, 2, n)
	})
}

func TestManyRecordsAreInsertedAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		createThings(t, db, 0, 0)
		want := []*thing{
			{ID: laurel.ID{1}, Parts: laurel.List[string]{"a", "b"}, Extra: &extra{"x"}, Notes: laurel.RawJSON("[1]")},
			{ID: laurel.ID{2}, Place: 1, Parts: laurel.List[string]{}, DeletedAt: laurel.NullableTime(store.Time(5))},
		}
		var got []thing
		require.NoError(t, db.InTx(t.Context(), func(tx *store.Tx) error {
			n, err := things.InsertAll(t.Context(), tx, want, "")
			assert.Equal(t, int64(2), n)
			if err != nil {
				return err
			}
			n, err = things.InsertAll(t.Context(), tx, want[:1], store.IgnoreConflicts)
			assert.Equal(t, int64(0), n, "the first one again")
			if err != nil {
				return err
			}
			got, err = things.Select(t.Context(), tx, &store.Where{}, "place")
			return err
		}))
		assert.Equal(t, []thing{*want[0], *want[1]}, got)
	})
}

func TestPagesOfRecordsEndAtTheirBytesAndGoOnBehindACursor(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		all := createThings(t, db, 5, budget.MaxPageBytes/2-100)
		for _, newest := range []bool{false, true} {
			for name, records := range map[string]store.Records[thing]{
				"plain": things, "with an alias": things.As("t"), "without notes": things.Without("notes").As("t"),
				"joined": things.As("t", "JOIN things other ON other.id = t.id").Computing("notes", "other.notes"),
			} {
				prefix := ""
				if name != "plain" {
					prefix = "t."
				}
				list := store.List{
					Where: (&store.Where{}).With(prefix + "place > 0"), Cursors: &store.Where{},
					Order: []string{prefix + "place", prefix + "id"}, Newest: newest,
				}
				after, places := laurel.ID{}, []int64{}
				for hasNext := true; hasNext; {
					page, err := records.Page(t.Context(), db, list, laurel.PageRequest{Limit: 100, StartingAfter: after})
					require.NoError(t, err)
					require.LessOrEqual(t, len(page.Data), 2, "two things fill a page")
					for _, one := range page.Data {
						places = append(places, one.Place)
						assert.Equal(t, name == "without notes", one.Notes == nil)
					}
					after, hasNext = page.Data[len(page.Data)-1].ID, page.HasNextPage
				}
				want := []int64{1, 2, 3, 4}
				if newest {
					slices.Reverse(want)
				}
				assert.Equal(t, want, places, name)

				page, err := records.Page(t.Context(), db, list, laurel.PageRequest{Limit: 1, StartingAfter: all[0].ID})
				require.NoError(t, err, "a cursor that the list leaves out")
				assert.Equal(t, !newest, len(page.Data) == 1)
				_, err = records.Page(t.Context(), db, list, laurel.PageRequest{Limit: 1, StartingAfter: laurel.ID{1}})
				assert.Equal(t, laurel.ErrCursor(), err)
			}
		}
	})
}

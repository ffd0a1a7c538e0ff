package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"laurel"
	"laurel/internal/store"
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

func TestTheColumnsOfRecordsTakeAnAlias(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID      laurel.ID `db:"id"`
		Name    string    `db:"name"`
		Derived string    // no column
	}
	assert.Equal(t, "t.id, t.name", store.NewRecords[thing]("things", "Thing").SelectAs("t"))
}

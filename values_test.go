package laurel_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"laurel.example/laurel"
)

// stored has each value that may be none.
type stored struct {
	ID    laurel.NullID        `json:"id"`
	At    laurel.NullTimestamp `json:"at"`
	Parts laurel.List[int]     `json:"parts"`
	Raw   laurel.RawJSON       `json:"raw"`
	Text  laurel.NullText      `json:"text"`
}

func TestValuesThatMayBeNoneAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	id, err := laurel.ParseID("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
	require.NoError(t, err)
	at := laurel.Timestamp{Time: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)}
	for text, want := range map[string]stored{
		`{"id":null,"at":null,"parts":[],"raw":null,"text":null}`: {Parts: laurel.List[int]{}},
		`{"id":"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b","at":"2026-01-15T12:00:00.000Z","parts":[1,2],"raw":{"a":1},"text":"a"}`: {
			ID: laurel.NullableID(id),
			At: laurel.NullTimestamp{Timestamp: at}, Parts: laurel.List[int]{1, 2}, Raw: laurel.RawJSON(`{"a":1}`), Text: "a",
		},
	} {
		var got stored
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		assert.Equal(t, want, got)
		written, err := json.Marshal(got)
		require.NoError(t, err)
		assert.Equal(t, text, string(written))
	}
}

func TestAnObjectIsStoredAsItWasSent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]laurel.Object{"{}": nil, `{"b": 1, "a":2}`: laurel.Object(`{"b": 1, "a":2}`)} {
		value, err := want.Value()
		require.NoError(t, err)
		assert.Equal(t, text, value)
		var got laurel.Object
		require.NoError(t, got.Scan([]byte(text)))
		assert.Equal(t, text, string(got))
		require.NoError(t, got.Scan(nil))
		assert.Nil(t, got)
	}
}

func TestTheZeroTimeIsNullWhereATimeMayBeNone(t *testing.T) {
	t.Parallel()
	value, err := laurel.NullTimestamp{}.Value()
	require.NoError(t, err)
	assert.Nil(t, value)
	value, err = laurel.Timestamp{}.Value()
	require.NoError(t, err)
	assert.Equal(t, int64(0), value)
	got := laurel.NullTimestamp{Timestamp: laurel.Timestamp{Time: time.Now()}}
	require.NoError(t, got.Scan(nil))
	assert.True(t, got.IsZero())
	epoch := laurel.NullableTime(time.Unix(0, 0).UTC())
	value, err = epoch.Value()
	require.NoError(t, err)
	require.NoError(t, got.Scan(value))
	assert.Equal(t, epoch, got)
}

func TestTheZeroTimeIsReadWhereItWasStoredAndRefusedWhereItIsSent(t *testing.T) {
	t.Parallel()
	written, err := json.Marshal(laurel.Timestamp{})
	require.NoError(t, err)
	got := laurel.Timestamp{Time: time.Now()}
	require.NoError(t, json.Unmarshal(written, &got))
	assert.True(t, got.IsZero())
	for text, want := range map[string]error{
		"0001-01-01": laurel.ErrZeroTime, "0001-01-01T00:00:00.0009Z": laurel.ErrZeroTime,
		"0001-01-01T01:00:00+01:00": laurel.ErrZeroTime, "0001-01-01T00:00:00.001Z": nil, "1970-01-01": nil,
		"0001-01-01T00:00:00+01:00": laurel.ErrTime, "9999-12-31T23:30:00-01:00": laurel.ErrTime, "soon": laurel.ErrTime,
	} {
		_, err := laurel.ParseTimestamp(text)
		assert.Equal(t, want, err, text)
	}
}

func TestTheEmptyTextIsNull(t *testing.T) {
	t.Parallel()
	for _, text := range []laurel.NullText{"", "a"} {
		value, err := text.Value()
		require.NoError(t, err)
		assert.Equal(t, text == "", value == nil)
		got := laurel.NullText("b")
		require.NoError(t, got.Scan(value))
		assert.Equal(t, text, got)
	}
}

package awards_test

import (
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// object is a JSON object.
type object = apptest.Object

func id(t *testing.T, text string) laurel.ID {
	t.Helper()
	out, err := laurel.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

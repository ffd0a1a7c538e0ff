package laurel_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
)

const anID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

func TestOnlyTheLongFormOfAnIDIsRead(t *testing.T) {
	t.Parallel()
	for _, in := range []string{anID, strings.ToUpper(anID), "0190A1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"} {
		if id, err := laurel.ParseID(in); err != nil || id.String() != anID {
			t.Errorf("%q became %s, %v", in, id, err)
		}
	}
	for _, in := range []string{
		"", "x", strings.ReplaceAll(anID, "-", ""), "{" + anID + "}", "urn:uuid:" + anID, anID + " ", " " + anID, anID[:35], anID + "0", anID[:35] + "g",
		"0190a1b2c3d4-7e5f-8a9b-0c1d2e3f4a5b-", strings.ReplaceAll(anID, "-", "_"), "-" + anID[1:], anID[:35] + "\x00",
	} {
		if id, err := laurel.ParseID(in); !errors.Is(err, laurel.ErrID) || !id.IsZero() {
			t.Errorf("%q became %s, %v", in, id, err)
		}
	}
}

func TestAnIDSurvivesTextAndDatabase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var id laurel.ID
		copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		parsed, err := laurel.ParseID(id.String())
		if err != nil || parsed != id || len(id.String()) != 36 || id.String() != strings.ToLower(id.String()) {
			t.Fatalf("%x became %s and %x, %v", id[:], id, parsed[:], err)
		}
		stored, err := id.Value()
		if err != nil || (stored == nil) != id.IsZero() {
			t.Fatalf("%s is stored as %v, %v", id, stored, err)
		}
		for _, src := range []any{stored, [16]byte(id), id[:], []byte(id.String())} {
			got := laurel.ID{0xff}
			if err := got.Scan(src); err != nil || got != id {
				t.Fatalf("%T %v was read as %s, %v", src, src, got, err)
			}
		}
	})
	var id laurel.ID
	if id.Scan(5) == nil || id.Scan("x") == nil {
		t.Error("something else was read as an id")
	}
	if (laurel.ID{}).Ptr() != nil || *(laurel.ID{1}).Ptr() != (laurel.ID{1}) {
		t.Error("Ptr is nil for the zero id only")
	}
}

// FuzzParseID holds that what is read is written again as it was, in lower case.
func FuzzParseID(f *testing.F) {
	for _, seed := range []string{anID, strings.ToUpper(anID), "", "00000000-0000-0000-0000-000000000000", anID + "0", strings.ReplaceAll(anID, "-", "0")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := laurel.ParseID(s)
		if err != nil {
			if !errors.Is(err, laurel.ErrID) || !id.IsZero() {
				t.Fatalf("%q became %s, %v", s, id, err)
			}
			return
		}
		if id.String() != strings.ToLower(s) {
			t.Fatalf("%q became %s", s, id)
		}
	})
}

func TestATextIsJudgedInOnePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value string
		least int
		want  string
	}{
		{"", 0, ""}, {" \t", 0, ""}, {"ééé", 1, ""}, {"", 1, "name is required"}, {" \t\n", 1, "name is required"}, {"éééé", 0, "name must be at most 3 characters"},
		{"a\x00", 1, "name must not contain NUL characters"}, {"a\xff", 0, "name must not contain NUL characters"},
	} {
		var f laurel.Faults
		f.Text("name", c.value, c.least, 3)
		if err := f.Err(); c.want == "" && err != nil ||
			c.want != "" && (err == nil || err.Error() != c.want || f[0].Path != "name") {
			t.Errorf("%q with at least %d: %v, want %q", c.value, c.least, err, c.want)
		}
	}
}

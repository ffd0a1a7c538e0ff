package seal_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
)

func text(s string) seal.Text  { return seal.Text{Value: s} }
func maybe(s string) seal.Text { return seal.Text{Value: s, Null: s == ""} }
func number(n any) seal.Text   { return seal.Text{Value: fmt.Sprint(n)} }

func idText(id laurel.ID) seal.Text {
	if id.IsZero() {
		return seal.Text{Null: true}
	}
	return text(id.String())
}

// stored is what the database answers for the entry.
func stored(t seal.Transaction, e seal.Entry) seal.Row {
	running := []seal.Text{{Null: true}, {Null: true}, {Null: true}}
	if r := e.Running; r != nil {
		running = []seal.Text{number(int64(r.Start)), number(int64(r.End)), number(r.LockVersion)}
	}
	r := seal.Row{
		Transaction: [8]seal.Text{
			idText(t.ID),
			idText(t.OrganizationID),
			idText(t.WebsiteID),
			text(t.Type),
			text(t.Description),
			idText(t.RuleID),
			idText(t.CreatedByID),
			number(t.CreatedAt),
		},
	}
	copy(
		r.Entry[:],
		slices.Concat([]seal.Text{
			idText(e.ID),
			idText(t.OrganizationID),
			idText(t.WebsiteID),
			idText(t.ID),
			idText(e.AccountID),
			idText(e.CurrencyID),
			idText(e.UserID),
			text(e.Direction),
			text(t.Type),
			idText(t.RuleID),
			maybe(e.RuleType),
			number(int64(e.Amount)),
		}, running,
			[]seal.Text{maybe(e.Key), maybe(e.Metadata), number(e.CreatedAt)}),
	)
	return r
}

func TestTheLeafOfAnEntryThatIsPostedIsThatOfItsRow(t *testing.T) {
	t.Parallel()
	ids := rapid.Custom(func(t *rapid.T) (id laurel.ID) {
		if rapid.Bool().Draw(t, "there") {
			copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		}
		return id
	})
	texts := rapid.OneOf(rapid.StringN(0, 5, -1), rapid.StringN(0, 2000, -1))
	rapid.Check(t, func(t *rapid.T) {
		id := func(name string) laurel.ID { return ids.Draw(t, name) }
		txt := func(name string) string { return texts.Draw(t, name) }
		n := func(name string) int64 { return rapid.Int64().Draw(t, name) }
		made := seal.Transaction{
			ID:             id("t"),
			OrganizationID: id("o"),
			WebsiteID:      id("w"),
			Type:           txt("type"),
			Description:    txt("description"),
			RuleID:         id("r"),
			CreatedByID:    id("by"),
			CreatedAt:      n("at"),
		}
		e := seal.Entry{
			ID:         id("e"),
			AccountID:  id("a"),
			CurrencyID: id("c"),
			UserID:     id("u"),
			Direction:  txt("direction"),
			RuleType:   txt("rule type"),
			Amount:     laurel.Amount(n("amount")),
			Key:        txt("key"),
			Metadata:   txt("metadata"),
			CreatedAt:  n("entry at"),
		}
		if rapid.Bool().Draw(t, "running") {
			e.Running = &seal.Running{Start: laurel.Amount(n("start")), End: laurel.Amount(n("end")), LockVersion: n("version")}
		}
		row := stored(made, e)
		if seal.LeafOf(&made, &e) != row.Leaf() {
			t.Fatalf("%+v %+v: %v", made, e, row)
		}
	})
}

func TestAColumnIsReadAsItIsWhateverAHandWroteThere(t *testing.T) {
	t.Parallel()
	used := map[seal.Text]any{}
	for _, value := range []any{nil, "", "5", int64(5), "5.5", 5.5, []byte("5"), []byte{}, true} {
		var got seal.Text
		if err := got.Scan(value); err != nil {
			t.Fatal(err)
		}
		if former, twice := used[got]; twice && fmt.Sprintf("%v %v", former, value) != "5 5" {
			t.Errorf("%T %v is read as %T %v is: %q", value, value, former, former, got.Value)
		}
		used[got] = value
	}
}

func TestMembersAreReadAsTheyWereListed(t *testing.T) {
	t.Parallel()
	members := []seal.BlockEntry{{ID: laurel.ID{1}, Leaf: seal.Hash{2}}, {ID: laurel.ID{3}, Leaf: seal.Hash{4}}}
	list := seal.EncodeBlockEntries(members)
	if got, whole := seal.DecodeBlockEntries(list); !whole || !slices.Equal(got, members) {
		t.Errorf("%v %v", got, whole)
	}
	for cut := 1; cut < len(list); cut++ {
		if got, whole := seal.DecodeBlockEntries(list[:cut]); whole != (cut%48 == 0) || !slices.Equal(got, members[:cut/48]) {
			t.Errorf("%d bytes: %v %v", cut, got, whole)
		}
	}
}

func BenchmarkLeafOf(b *testing.B) {
	made := seal.Transaction{
		ID:             laurel.ID{1},
		OrganizationID: laurel.ID{2},
		WebsiteID:      laurel.ID{3},
		Type:           "loyalty_rule",
		Description:    "A reward",
		RuleID:         laurel.ID{4},
		CreatedByID:    laurel.ID{5},
		CreatedAt:      1_700_000_000_000_000,
	}
	e := seal.Entry{
		ID:         laurel.ID{6},
		AccountID:  laurel.ID{7},
		CurrencyID: laurel.ID{8},
		UserID:     laurel.ID{9},
		Direction:  "credit",
		RuleType:   "external_rule",
		Amount:     10 * laurel.One,
		Running:    &seal.Running{Start: laurel.One, End: 11 * laurel.One, LockVersion: 2},
		CreatedAt:  1_700_000_000_000_000,
	}
	b.ReportAllocs()
	for b.Loop() {
		seal.LeafOf(&made, &e)
	}
}

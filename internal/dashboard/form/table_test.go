package form_test

import (
	"net/url"
	"reflect"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/record"
)

type row struct {
	Name    string
	Text    *string
	Sort    *int64
	Limit   int64
	On      bool
	Price   laurel.Amount
	Begins  laurel.NullTimestamp
	Of      laurel.NullID
	Parts   struct{ Inner laurel.NullText }
	Decimal int
}

// patched is a record whose properties are written by patches.
type patched struct {
	Name   string               `json:"name" in:"required"`
	Text   *string              `json:"text" in:""`
	Limit  int64                `json:"limit" in:""`
	On     bool                 `json:"on" in:""`
	Begins laurel.NullTimestamp `json:"begins" in:""`
	Of     laurel.NullID        `json:"of" in:""`
}

func TestATableOfAPatchSendsChangedFields(t *testing.T) {
	t.Parallel()
	table := form.NewTable[patched, record.Patch[patched]](form.Fields(
		"name", "Name", "text", "Text", "limit", "Limit", "on", "On", "begins", "Begins", "of", "Of",
	), form.EmptyZero("limit"))
	text, begins := "a", laurel.NullableTime(time.Date(2026, 11, 23, 14, 0, 9, 0, time.UTC))
	stored := patched{Name: "n", Text: &text, Limit: 3, Begins: begins, Of: laurel.NullableID(laurel.ID{1})}
	saved := table.Saved(stored)
	typed := table.Typed(url.Values{"name": {"m"}, "on": {"yes"}, "begins": {saved["begins"]}})
	changed := stored
	in := table.Input(form.Changes{Saved: saved, Typed: typed, Faults: &laurel.Faults{}})
	want := patched{Name: "m", On: true, Begins: begins}
	if f := in.Update(&changed); f != nil || !reflect.DeepEqual(changed, want) || in.Has("begins") {
		t.Errorf("changed to %+v with faults %v", changed, f)
	}
}

type input struct {
	Name    laurel.Optional[string]           `json:"name"`
	Text    laurel.Optional[string]           `json:"text"`
	Sort    laurel.Optional[int64]            `json:"sort"`
	Limit   laurel.Optional[int64]            `json:"limit"`
	On      laurel.Optional[bool]             `json:"on"`
	Price   laurel.Optional[laurel.Amount]    `json:"price"`
	Begins  laurel.Optional[laurel.Timestamp] `json:"begins"`
	Of      laurel.Optional[laurel.ID]        `json:"of"`
	Part    laurel.Optional[string]           `json:"part"`
	Decimal laurel.Optional[int64]            `json:"decimal"`
	List    laurel.Optional[[]string]         `json:"list"`
}

var table = form.NewTable[row, input](form.Fields(
	"name", "Name", "text", "Text", "sort", "Sort", "limit", "Limit", "on", "On", "price", "Price", "begins", "Begins",
	"of", "Of", "part", "Part", "decimal", "Decimal", "list", "List",
), form.ByHand("list"), form.Shows("part", "Parts", "Inner"), form.EmptyZero("limit"))

func TestAFormComesBackAsItWasSaved(t *testing.T) {
	t.Parallel()
	text, sort := " a\r\nb ", int64(3)
	id := laurel.ID{1}
	saved := table.Saved(row{
		Name: "n", Text: &text, Sort: &sort, On: true, Price: laurel.One, Of: laurel.NullableID(id), Decimal: 2,
		Begins: laurel.NullableTime(time.Date(2026, 11, 23, 14, 0, 9, 0, time.UTC)),
	})
	want := map[string]string{
		"name": "n", "text": "a\nb", "sort": "3", "limit": "", "on": "on", "price": "1", "begins": "2026-11-23T14:00",
		"of": id.String(), "part": "", "decimal": "2",
	}
	if !reflect.DeepEqual(saved, want) {
		t.Errorf("saved %v, want %v", saved, want)
	}
	posted := url.Values{}
	for name, value := range saved {
		posted.Set(name, value)
	}
	var faults laurel.Faults
	if in := table.Input(form.Changes{Saved: saved, Typed: table.Typed(posted), Faults: &faults}); !reflect.ValueOf(in).IsZero() {
		t.Errorf("what was not changed is sent: %+v", in)
	}
}

func TestChangedFieldsAreSentAndEmptyOnesAreNull(t *testing.T) {
	t.Parallel()
	var faults laurel.Faults
	id := laurel.ID{2}
	in := table.Input(form.Changes{Typed: table.Typed(url.Values{
		"name": {""}, "limit": {"1,000"}, "on": {"on"}, "price": {"2.5"}, "begins": {"2026-11-23T14:00"}, "of": {id.String()},
	}), Faults: &faults})
	begins := laurel.Timestamp{Time: time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)}
	want := input{
		Name: laurel.Some(""), Text: laurel.Null[string](), Sort: laurel.Null[int64](), Limit: laurel.Some(int64(1000)),
		On: laurel.Some(true), Price: laurel.Some(2*laurel.One + laurel.One/2), Begins: laurel.Some(begins), Of: laurel.Some(id),
		Part: laurel.Null[string](), Decimal: laurel.Null[int64](),
	}
	if !reflect.DeepEqual(in, want) || faults.Err() != nil {
		t.Errorf("read %+v, %v, want %+v", in, faults.Err(), want)
	}
	table.Input(form.Changes{Typed: map[string]string{"sort": "x", "price": "y", "begins": "z"}, Faults: &faults})
	if len(faults) != 3 {
		t.Errorf("faults %v", faults.Err())
	}
}

func TestATableWithoutAPropertyIsRefused(t *testing.T) {
	t.Parallel()
	for what, try := range map[string]func(){
		"no property": func() { form.NewTable[row, input](form.Fields("nothing", "Nothing")) },
		"no field":    func() { form.NewTable[row, input](form.Fields("part", "Part")) },
		"a list":      func() { form.NewTable[row, input](form.Fields("list", "List"), form.Shows("list", "Name")) },
		"a struct":    func() { form.NewTable[row, input](form.Fields("name", "Name"), form.Shows("name", "Parts")) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s passes", what)
				}
			}()
			try()
		}()
	}
}

package record_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/record"
)

// shirt is a record with a property of every kind.
type shirt struct {
	ID       laurel.ID              `json:"id"`
	Code     string                 `json:"code" in:"create required min=1 shirtcode"`
	Name     string                 `json:"name" in:"required min=1 max=9" hint:"What \"it\" is called"`
	Size     string                 `json:"size" in:"notnull default=M shirtsize"`
	Motto    *string                `json:"motto,omitempty" in:"max=9"`
	Stock    int64                  `json:"stock" in:"notnull min=0"`
	Season   *int64                 `json:"season" in:"required nullable min=1 max=4"`
	Price    *laurel.Amount         `json:"price" in:"min=0.5 max=99"`
	ShopID   laurel.NullID          `json:"shopId" in:""`
	SoldFrom laurel.NullTimestamp   `json:"soldFrom" in:""`
	Source   laurel.NullText        `json:"source" in:"shirtsize"`
	Tags     laurel.List[string]    `json:"tags" in:"min=1 max=2"`
	Extra    laurel.RawJSON         `json:"extra" in:"shirtextra"`
	Hidden   bool                   `json:"isHidden" in:"notnull"`
	Sold     laurel.List[laurel.ID] `json:"sold"` // no caller writes it
}

var (
	_ = record.Define("shirtsize", record.OneOf("S", "M"))
	_ = record.Define("shirtextra", record.Bound[laurel.RawJSON]{
		Check: record.Problem("must be an object", func(text laurel.RawJSON) bool { return text[0] == '{' }),
	})
	_ = record.Define("shirtcode", record.Bound[string]{
		Check:     record.Problem("must be of letters", func(s string) bool { return !strings.ContainsAny(s, "0123456789") }),
		Normalize: strings.ToLower,
	})
)

func read(t *testing.T, body string) (p record.Patch[shirt]) {
	t.Helper()
	if err := p.ReadJSON([]byte(body)); err != nil {
		t.Fatal(err)
	}
	return p
}

// messagesOf returns the messages of faults, with semicolons between them.
func messagesOf(f laurel.Faults) string {
	texts := make([]string, len(f))
	for i := range f {
		texts[i] = f[i].Message
	}
	return strings.Join(texts, "; ")
}

const minimal = `{"code":"AB","name":"Polo","season":null`

func TestACreationSetsWhatWasSentAndDefaults(t *testing.T) {
	t.Parallel()
	var made shirt
	id := "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
	f := read(t, minimal+`,"motto":"Go","stock":3,"price":"2.5","shopId":"`+id+`","soldFrom":"2026-01-01T00:00:00Z",
		"tags":["a"],"extra":{"a":1},"isHidden":true,"sold":["`+id+`"],"id":"`+id+`","unknown":1}`).Create(&made)
	if f != nil || made.Code != "ab" || made.Name != "Polo" || made.Size != "M" || *made.Motto != "Go" || made.Stock != 3 ||
		made.Season != nil || *made.Price != 2_500_000 || made.ShopID.String() != id || made.SoldFrom.Year() != 2026 ||
		len(made.Tags) != 1 || string(made.Extra) != `{"a":1}` || !made.Hidden {
		t.Errorf("made %+v with faults %v", made, f)
	}
	if made.Sold != nil || !made.ID.IsZero() {
		t.Errorf("a caller has written what none may: %+v", made)
	}
}

func TestAnUpdateKeepsWhatIsAbsentAndClearsWhatIsNull(t *testing.T) {
	t.Parallel()
	motto, price := "Go", laurel.One
	before := shirt{Code: "ab", Name: "Polo", Size: "S", Motto: &motto, Price: &price, Tags: laurel.List[string]{"a"}}
	after := before
	if f := read(t, `{}`).Update(&after); f != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("an empty patch made %+v with faults %v", after, f)
	}
	in := read(t, `{"code":"XY","name":"Tee","motto":null,"size":null,"tags":null}`)
	f := in.Update(&after)
	want := shirt{Code: "ab", Name: "Tee", Size: "M", Price: &price}
	if f != nil || !reflect.DeepEqual(after, want) {
		t.Errorf("updated to %+v with faults %v", after, f)
	}
	if !in.Has("motto") || in.Has("price") || in.Without("motto").Has("motto") {
		t.Error("a patch does not know what it has")
	}
}

func TestFaultsComeInTheOrderOfTheFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, onCreation, onUpdate string }{
		{`{}`, "code is required; name is required; season is required", ""},
		{minimal + `,"name":null,"stock":null,"isHidden":null}`,
			"name is required; stock must be an integer; isHidden must be a boolean",
			"name is required; stock must be an integer; isHidden must be a boolean"},
		{minimal + `,"code":" ","name":" "}`, "code is required; name is required", "name is required"},
		{minimal + `,"code":"A1"}`, "code must be of letters", ""},
		{minimal + `,"name":"A long name"}`, "name must be at most 9 characters", "name must be at most 9 characters"},
		{minimal + `,"size":"L"}`, "size must be one of: S, M", "size must be one of: S, M"},
		{minimal + `,"stock":-1,"season":5}`, "stock must be at least 0; season must be between 1 and 4",
			"stock must be at least 0; season must be between 1 and 4"},
		{minimal + `,"price":0.499999}`, "price must be between 0.5 and 99", "price must be between 0.5 and 99"},
		{minimal + `,"tags":[]}`, "tags must have between 1 and 2 items", "tags must have between 1 and 2 items"},
	} {
		var made, changed shirt
		if got := messagesOf(read(t, c.body).Create(&made)); got != c.onCreation {
			t.Errorf("creation %s: %s", c.body, got)
		}
		if got := messagesOf(read(t, c.body).Update(&changed)); got != c.onUpdate {
			t.Errorf("update %s: %s", c.body, got)
		}
	}
	var p record.Patch[shirt]
	if p.ReadJSON([]byte(`{"stock":"many"}`)) == nil || p.ReadJSON([]byte(`[]`)) == nil {
		t.Error("a patch was read from JSON of another type")
	}
}

func TestCodeCreatesRecordsByAllOfTheirProperties(t *testing.T) {
	t.Parallel()
	one := laurel.One
	in := shirt{Code: "AB", Name: "Polo", Price: &one, Tags: laurel.List[string]{"a"}}
	var made shirt
	if f := record.All(in).Create(&made); f != nil || made.Code != "ab" || made.Size != "M" || made.Price == &one || *made.Price != one {
		t.Errorf("made %+v with faults %v", made, f)
	}
	if got := messagesOf(record.All(shirt{}).Create(&made)); got !=
		"code is required; name is required; tags must have between 1 and 2 items" {
		t.Error(got)
	}
}

func TestCodeChangesRecordsByTheirProperties(t *testing.T) {
	t.Parallel()
	motto, price := "Go", laurel.One
	changed := shirt{Code: "ab", Name: "Polo", Size: "S", Motto: &motto, Price: &price, Stock: 3}
	at := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	in := record.Patch[shirt]{}.With("name", "Tee").With("motto", nil).With("price", 2*laurel.One).With("shopId", laurel.ID{1}).
		With("soldFrom", at).With("source", "M").With("tags", []string{"b"}).With("isHidden", laurel.Some(true)).
		With("stock", laurel.Optional[int64]{}).With("size", laurel.Null[string]())
	if v := in.Values(); v.Name != "Tee" || v.Motto != nil || v.Stock != 0 || in.Has("stock") || !in.Has("motto") {
		t.Errorf("the patch has %+v", v)
	}
	want := shirt{
		Code: "ab", Name: "Tee", Size: "M", Price: new(2 * laurel.One), Stock: 3, ShopID: laurel.NullableID(laurel.ID{1}),
		SoldFrom: laurel.NullableTime(at), Source: "M", Tags: laurel.List[string]{"b"}, Hidden: true,
	}
	if f := in.Update(&changed); f != nil || !reflect.DeepEqual(changed, want) {
		t.Errorf("changed to %+v with faults %v", changed, f)
	}
	if f := in.With("shopId", laurel.ID{}).With("motto", "On").Update(&changed); f != nil || !changed.ShopID.IsZero() ||
		*changed.Motto != "On" {
		t.Errorf("changed to %+v with faults %v", changed, f)
	}
	for name, value := range map[string]any{"name": 1, "stock": "1", "sold": nil, "soldFrom": "2026", "tags": "b"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes %v", name, value)
				}
			}()
			in.With(name, value)
		}()
	}
}

func TestTheDocumentSaysWhatTheCheckChecks(t *testing.T) {
	t.Parallel()
	b := record.Patch[shirt]{}.Bounds()
	if !reflect.DeepEqual(b.Required, []string{"code", "name", "season"}) ||
		!reflect.DeepEqual(b.NotNull, []string{"code", "name", "size", "stock", "isHidden"}) {
		t.Errorf("required %v, not null %v", b.Required, b.NotNull)
	}
	for name, want := range map[string]laurel.Keywords{
		"code": {"minLength": 1}, "name": {"minLength": 1, "maxLength": 9}, "motto": {"maxLength": 9},
		"size": {"enum": []string{"S", "M"}, "default": "M"}, "stock": {"minimum": int64(0)},
		"price": {"minimum": laurel.One / 2, "maximum": 99 * laurel.One}, "tags": {"minItems": 1, "maxItems": 2},
		"shopId": {},
	} {
		if !reflect.DeepEqual(b.Keywords[name], want) {
			t.Errorf("%s: %v", name, b.Keywords[name])
		}
	}
	fields := record.Patch[shirt]{}.Fields()
	if len(fields) != 13 || fields[1].Tag.Get("json") != "name,omitzero" || fields[1].Tag.Get("doc") != `What "it" is called` ||
		fields[3].Type != reflect.TypeFor[*string]() {
		t.Errorf("%v", fields)
	}
}

func TestAPropertyMayHaveANameThatTheRecordHides(t *testing.T) {
	t.Parallel()
	type key struct {
		Secret string `json:"-" in:"as=secret required"`
	}
	var p record.Patch[key]
	var made key
	if err := p.ReadJSON([]byte(`{"secret":"s"}`)); err != nil || p.Create(&made) != nil || made.Secret != "s" {
		t.Errorf("made %+v with %v", made, err)
	}
	if f := (record.Patch[key]{}).Create(&made); messagesOf(f) != "secret is required" {
		t.Error(f)
	}
}

func TestTagsThatCannotHoldPanic(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func() laurel.Bounds{
		"no property": record.Patch[struct{ A string }]{}.Bounds,
		"unknown bound": record.Patch[struct {
			A string `in:"nobound"`
		}]{}.Bounds,
		"other type": record.Patch[struct {
			A int64 `in:"shirtsize"`
		}]{}.Bounds,
		"limit of bools": record.Patch[struct {
			A bool `in:"min=1"`
		}]{}.Bounds,
		"no number": record.Patch[struct {
			A int64 `in:"min=one"`
		}]{}.Bounds,
		"no default": record.Patch[struct {
			A int64 `in:"default=one"`
		}]{}.Bounds,
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			use()
		}()
	}
}

package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

func TestEveryPropertyIsDescribedOrLeftToJSON(t *testing.T) {
	t.Parallel()
	var paths []string
	input := reflect.TypeFor[schema.Input]()
	for i := range input.NumField() {
		name, _, _ := strings.Cut(input.Field(i).Tag.Get("json"), ",")
		paths = append(paths, name)
	}
	for _, name := range schema.MetadataNames() {
		paths = append(paths, "metadata."+name)
	}
	known := map[string]bool{}
	for _, path := range paths {
		known[path] = true
		_, described := schema.FieldAt(path)
		if _, left := schema.JSONOnly[path]; described == left {
			t.Errorf("%s: described %v, left to JSON %v: want one of them", path, described, left)
		}
	}
	for path, why := range schema.JSONOnly {
		if !known[path] && path != "metadata.reactionStats" || why == "" {
			t.Errorf("%s is left to JSON (%q) and is no property", path, why)
		}
	}
	for _, kind := range schema.Types() {
		paths := map[string]bool{}
		for _, f := range schema.FieldsOf(kind) {
			path := f.Path
			if steps := f.Steps(); len(steps) > 0 {
				path = "metadata." + steps[0]
			}
			if !known[path] || paths[f.Path] || f.Label == "" || f.Section == "" {
				t.Errorf("%s: field %s is no property, comes twice, or says too little", kind, f.Path)
			}
			paths[f.Path] = true
		}
	}
}

func TestOptionsOfFieldsAreAccepted(t *testing.T) {
	t.Parallel()
	for _, kind := range schema.Types() {
		for _, f := range schema.FieldsOf(kind) {
			if f.Control != schema.ControlSelect && f.Control != schema.ControlChoices {
				continue
			}
			offered := map[string]bool{}
			for _, o := range f.Options {
				offered[o.Value] = true
				if o.Label == "" {
					t.Errorf("%s: the option %q has no label", f.Path, o.Value)
				}
				if o.Value == "" {
					continue
				}
				value, _ := json.Marshal(o.Value)
				body := `{"` + f.Path + `":` + string(value) + `}`
				if steps := f.Steps(); len(steps) > 0 {
					body = `{"metadata":{"` + strings.Join(steps, `":{"`) + `":` + string(value) + strings.Repeat("}", len(steps)) + `}`
				}
				var in schema.Input
				if err := json.Unmarshal([]byte(body), &in); err != nil {
					t.Fatal(err)
				}
				var faults laurel.Faults
				p := schema.Properties{Type: "external_rule", Metadata: []byte("{}"), Frequency: "none"}
				in.Update(&p, &faults)
				for _, fault := range faults {
					if fault.Path == f.Path && strings.Contains(fault.Message, "must be one of: ") &&
						!strings.Contains(fault.Message, "for a rule of type") {
						t.Errorf("%s: %q is refused: %s", f.Path, o.Value, fault.Message)
					}
				}
			}
			if len(offered) != len(f.Options) {
				t.Errorf("%s offers a value twice", f.Path)
			}
		}
	}
}

func TestEveryTypeSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, k := range ruletypes.All {
		if k.Title == "" || k.Summary == "" || k.Family == "" {
			t.Errorf("%s has no title, summary or family", k.Type)
		}
	}
}

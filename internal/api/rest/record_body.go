package rest

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel/internal/record"
)

// RecordBody has those properties of a record that callers may write, by the tags of the record. Bodies embed it; a
// handler passes its Patch on.
type RecordBody[R any] struct{ record.Patch[R] }

// recordBody is a body that embeds a RecordBody.
type recordBody interface {
	readRecord(body []byte) error
	Fields() []reflect.StructField
}

func (b *RecordBody[R]) readRecord(body []byte) error { return b.ReadJSON(body) }

// TransformSchema adds the properties of the record to the schema of the body that embeds it.
func (b *RecordBody[R]) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	for _, f := range b.Fields() {
		name, _ := jsonTag(f)
		s.Properties[name] = huma.SchemaFromField(r, f, "")
	}
	return s
}

// schemaName names the schema of a type as huma does, but that of CreateBody[Collection] CreateCollectionBody.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	generic, _, isGeneric := strings.Cut(valueType(t).Name(), "[")
	if verb, isBody := strings.CutSuffix(generic, "Body"); isGeneric && isBody {
		return verb + strings.TrimPrefix(name, generic) + "Body"
	}
	return name
}

// fieldsOf returns the fields of a struct whose properties JSON has, also those of a RecordBody.
func fieldsOf(t reflect.Type) []reflect.StructField {
	fields := reflect.VisibleFields(t)
	if body, ok := reflect.New(t).Interface().(recordBody); ok {
		fields = append(fields, body.Fields()...)
	}
	return fields
}

// jsonTag returns the name of a field in JSON, and the options behind it.
func jsonTag(f reflect.StructField) (name, options string) {
	name, options, _ = strings.Cut(f.Tag.Get("json"), ",")
	return name, options
}

// unmarshal reads JSON into a value, and the properties of a record into its RecordBody.
func unmarshal(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return err
	}
	if body, ok := v.(recordBody); ok {
		return body.readRecord(text)
	}
	return nil
}

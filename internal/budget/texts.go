package budget

import (
	"reflect"
	"sync"
)

// Texts are the texts in rows of one type: what makes rows large. All other columns have a few bytes.
type Texts struct {
	Columns []string // with texts
	All     []string // columns of the type
	fields  [][]int
}

var known sync.Map // reflect.Type → *Texts; as many as the program has

// TextsOf finds the texts in rows of the type, which names its columns in tags.
func TextsOf[R any]() *Texts {
	t := reflect.TypeFor[R]()
	if found, ok := known.Load(t); ok {
		return found.(*Texts) //nolint:forcetypeassert // nothing else is put in
	}
	out := &Texts{}
	for _, f := range reflect.VisibleFields(t) {
		column := f.Tag.Get("db")
		if column == "" {
			continue
		}
		out.All = append(out.All, column)
		if isText(f.Type) {
			out.fields, out.Columns = append(out.fields, f.Index), append(out.Columns, column)
		}
	}
	known.Store(t, out)
	return out
}

func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
}

// Size is the number of bytes in the texts of a row, which row points to.
func (t *Texts) Size(row any) int {
	v, n := reflect.ValueOf(row).Elem(), 0
	for _, index := range t.fields {
		f := v.FieldByIndex(index)
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				continue
			}
			f = f.Elem()
		}
		n += f.Len()
	}
	return n
}

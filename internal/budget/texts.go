package budget

import (
	"reflect"
	"strings"
	"sync"

	"laurel"
)

// TextColumns are the columns of a row type that hold texts. Texts make rows large; all other columns have a few bytes.
type TextColumns struct {
	Columns []string // those with texts
	All     []string // all columns of the type
	Scanned []string // those of Columns with a laurel.List, which is stored as text: only the reader knows its bytes
	fields  [][]int  // the indexes of the struct fields of Columns, without those of Scanned
}

var textColumnsByType sync.Map // reflect.Type → *TextColumns, for each row type of the program

// TextColumnsOf returns the text columns of the row type R, a struct whose db tags name the columns. They are computed
// once for each type.
func TextColumnsOf[R any]() *TextColumns {
	t := reflect.TypeFor[R]()
	if found, ok := textColumnsByType.Load(t); ok {
		return found.(*TextColumns) //nolint:forcetypeassert // nothing else is put in
	}
	out := &TextColumns{}
	for _, f := range reflect.VisibleFields(t) {
		column := f.Tag.Get("db")
		if column == "" {
			continue
		}
		out.All = append(out.All, column)
		if isList(f.Type) {
			out.Scanned, out.Columns = append(out.Scanned, column), append(out.Columns, column)
		}
		if isText(f.Type) {
			out.fields, out.Columns = append(out.fields, f.Index), append(out.Columns, column)
		}
	}
	textColumnsByType.Store(t, out)
	return out
}

// isText reports whether the type is a string or a pointer to one.
func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String ||
		t == reflect.TypeFor[laurel.RawJSON]() || t == reflect.TypeFor[laurel.Object]()
}

// isList reports whether a type is a laurel.List, which is stored as text.
func isList(t reflect.Type) bool {
	return t.PkgPath() == "laurel" && strings.HasPrefix(t.Name(), "List[")
}

// Size returns how many bytes the texts of a row have, without the columns in Scanned. row is a pointer to the struct.
func (t *TextColumns) Size(row any) int {
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

package budget

import (
	"database/sql"
	"reflect"
	"strings"
	"sync"

	"laurel.example/laurel"
)

// TextColumns are the columns of a row type that hold texts. Texts make rows large; all other columns have a few bytes.
type TextColumns struct {
	Columns []string // those with texts
	All     []string // all columns of the type
	Scanned []string // those of Columns with values that are stored as texts: only the reader knows their bytes
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
		switch {
		case isText(f.Type):
			out.fields, out.Columns = append(out.fields, f.Index), append(out.Columns, column)
		case isStoredAsText(f.Type):
			out.Scanned, out.Columns = append(out.Scanned, column), append(out.Columns, column)
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

// isStoredAsText reports whether values of a type, or those that it points to, are stored as JSON: a laurel.List and
// the Scanners of other packages. The other types of package laurel are stored in a few bytes.
func isStoredAsText(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == reflect.TypeFor[laurel.ID]().PkgPath() {
		return strings.HasPrefix(t.Name(), "List[")
	}
	return reflect.PointerTo(t).Implements(reflect.TypeFor[sql.Scanner]())
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

// Package pgtypes encodes ids and arrays for the PostgreSQL driver in their binary wire format. By itself the driver
// would encode ids as text, and the elements of an array one by one.
package pgtypes

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"laurel.example/laurel"
)

// idCodec encodes and decodes a laurel.ID as 16 bytes; by itself the driver would use the text of its Value and Scan.
type idCodec struct{ pgtype.UUIDCodec }

// Register makes a new connection use this package's codecs for ids and for arrays.
func Register(_ context.Context, c *pgx.Conn) error {
	types := c.TypeMap()
	types.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: idCodec{}})
	for _, e := range elements {
		array, ok := types.TypeForOID(e.array)
		if !ok {
			return fmt.Errorf("pgtypes: the driver knows no array %d", e.array)
		}
		types.RegisterType(&pgtype.Type{Name: array.Name, OID: array.OID, Codec: packedCodec{array.Codec}})
	}
	return nil
}

// PlanEncode returns this codec for a laurel.ID, and the driver's own plan for other values.
func (c idCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(laurel.ID); ok && format == pgtype.BinaryFormatCode {
		return c
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

// PlanScan returns this codec for a *laurel.ID, and the driver's own plan for other targets.
func (c idCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*laurel.ID); ok && format == pgtype.BinaryFormatCode {
		return c
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

// Encode appends the id; the zero id is NULL.
func (idCodec) Encode(value any, buf []byte) ([]byte, error) {
	id, _ := value.(laurel.ID) // PlanEncode chose this codec for ids only
	if id.IsZero() {
		return nil, nil
	}
	return append(buf, id[:]...), nil
}

// Scan decodes a uuid of 16 bytes into target, which must be a *laurel.ID. NULL becomes the zero id.
func (idCodec) Scan(src []byte, target any) error {
	id, ok := target.(*laurel.ID)
	if !ok || len(src) != 0 && len(src) != len(id) {
		return fmt.Errorf("pgtypes: a uuid of %d bytes into a %T", len(src), target)
	}
	*id = laurel.ID{}
	copy(id[:], src)
	return nil
}

// Packed is an array in PostgreSQL's binary wire format (array_recv).
type Packed []byte

// element is an element type of arrays.
type element struct {
	oid, array uint32
	size       int // typical bytes of a value
}

var elements = map[string]element{
	"uuid":    {pgtype.UUIDOID, pgtype.UUIDArrayOID, 16},
	"bigint":  {pgtype.Int8OID, pgtype.Int8ArrayOID, 8},
	"text":    {pgtype.TextOID, pgtype.TextArrayOID, 16},
	"boolean": {pgtype.BoolOID, pgtype.BoolArrayOID, 1},
	"bytea":   {pgtype.ByteaOID, pgtype.ByteaArrayOID, 256},
}

// Pack encodes one column of the rows, by its index, as an array of the SQL type kind: uuid, bigint, text, boolean or
// bytea. Nil values, nil pointers, nil byte slices, zero ids and the Null types of package laurel that are none are
// NULL. It panics if a value does not fit the type.
func Pack(rows [][]any, column int, kind string) Packed {
	const head, null = 20, 0xffffffff // bytes before the elements; the length that stands for NULL
	elem, ok := elements[kind]
	if !ok {
		panic("pgtypes: no array of " + kind)
	}
	out := make([]byte, 0, head+len(rows)*(4+elem.size))
	for _, n := range [...]uint32{1, 1, elem.oid, uint32(len(rows)), 1} { //nolint:gosec // one dimension, may have NULLs, element type, length, first index
		out = binary.BigEndian.AppendUint32(out, n)
	}
	for _, row := range rows {
		start := len(out)
		out = binary.BigEndian.AppendUint32(out, null)
		var valueKind string
		var isNull bool
		out, valueKind, isNull = appendValue(out, row[column])
		switch {
		case valueKind != kind && row[column] != nil:
			panic(fmt.Sprintf("pgtypes: %T is no %s", row[column], kind))
		case isNull:
			out = out[:start+4]
		default:
			binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-4)) //nolint:gosec // a value is far below 2^31 bytes
		}
	}
	return out
}

// appendValue appends a value in PostgreSQL's binary form. It returns the extended bytes, the SQL type of the value,
// and whether it is NULL, for which the appended bytes do not count. For an unknown type it appends nothing, and
// returns the Go type.
func appendValue(to []byte, value any) (out []byte, kind string, isNull bool) {
	switch v := value.(type) {
	case laurel.ID:
		return append(to, v[:]...), "uuid", v.IsZero()
	case *laurel.ID:
		if v != nil {
			return appendValue(to, *v)
		}
		return to, "uuid", true
	case laurel.NullID:
		return appendValue(to, v.ID)
	case laurel.Timestamp:
		if v.IsZero() {
			return appendBigint(to, 0), "bigint", false
		}
		return appendBigint(to, v.UnixMicro()), "bigint", false
	case laurel.NullTimestamp:
		out, kind, _ = appendValue(to, v.Timestamp)
		return out, kind, v.IsZero()
	case int64:
		return appendBigint(to, v), "bigint", false
	case int:
		return appendBigint(to, int64(v)), "bigint", false
	case laurel.Amount:
		return appendBigint(to, int64(v)), "bigint", false
	case *int64:
		if v != nil {
			return appendBigint(to, *v), "bigint", false
		}
		return to, "bigint", true
	case string:
		return append(to, v...), "text", false
	case *string:
		if v != nil {
			return append(to, *v...), "text", false
		}
		return to, "text", true
	case laurel.NullText:
		return append(to, v...), "text", v == ""
	case bool:
		if v {
			return append(to, 1), "boolean", false
		}
		return append(to, 0), "boolean", false
	case []byte:
		return append(to, v...), "bytea", v == nil
	}
	return to, fmt.Sprintf("%T", value), value == nil
}

func appendBigint(to []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(to, uint64(v)) //nolint:gosec // the bits are kept
}

// packedCodec makes the driver send a Packed array as it is.
type packedCodec struct{ pgtype.Codec }

// PlanEncode returns this codec for a Packed array, and the driver's own plan for other values.
func (c packedCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(Packed); ok && format == pgtype.BinaryFormatCode {
		return c
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// Encode appends the array.
func (packedCodec) Encode(value any, to []byte) ([]byte, error) {
	array, _ := value.(Packed) // PlanEncode chose this codec for packed arrays only
	return append(to, array...), nil
}

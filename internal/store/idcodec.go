package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"laurel"
)

// idCodec has the PostgreSQL driver take and give a laurel.ID as the 16 bytes that travel: by itself it would go over the text of its Value and Scan.
type idCodec struct{ pgtype.UUIDCodec }

func registerIDs(_ context.Context, c *pgx.Conn) error {
	c.TypeMap().RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: idCodec{}})
	return nil
}

// PlanEncode answers the driver's own plan for what is no laurel.ID.
func (c idCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(laurel.ID); ok && format == pgtype.BinaryFormatCode {
		return encodeID{}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

// PlanScan answers the driver's own plan for what is no *laurel.ID.
func (c idCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*laurel.ID); ok && format == pgtype.BinaryFormatCode {
		return scanID{}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

type encodeID struct{}

// Encode appends the id; the zero one is NULL.
func (encodeID) Encode(value any, buf []byte) ([]byte, error) {
	id, _ := value.(laurel.ID) // it is one: it was planned for
	if id.IsZero() {
		return nil, nil
	}
	return append(buf, id[:]...), nil
}

type scanID struct{}

// Scan reads 16 bytes; NULL is the zero id.
func (scanID) Scan(src []byte, target any) error {
	id, ok := target.(*laurel.ID)
	switch {
	case !ok:
		return fmt.Errorf("store: a uuid into a %T", target)
	case len(src) == 0:
		*id = laurel.ID{}
	case len(src) == len(id):
		copy(id[:], src)
	default:
		return fmt.Errorf("store: a uuid of %d bytes", len(src))
	}
	return nil
}

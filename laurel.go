// Package laurel holds the types that every part of the service shares: ids, scopes, roles, errors, exact amounts and
// pages. It does not know databases, HTTP or rules, and imports only the standard library.
package laurel

import (
	"bytes"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
)

// ID is a UUID (RFC 9562). New ids are version 7. The zero ID stands for "none" and is NULL in the database.
type ID [16]byte

// ErrID is returned for a text that is not a UUID.
var ErrID = errors.New("must be a uuid")

// ParseID reads the 36-character form of a UUID in any letter case. It returns ErrID for anything else.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, ErrID
	}
	digits := s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID{}, ErrID
	}
	return id, nil
}

// String returns the id as a UUID in lower case, of 36 characters.
func (id ID) String() string {
	var b [36]byte
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	hex.Encode(b[0:8], id[0:4])
	hex.Encode(b[9:13], id[4:6])
	hex.Encode(b[14:18], id[6:8])
	hex.Encode(b[19:23], id[8:10])
	hex.Encode(b[24:36], id[10:16])
	return string(b[:])
}

// IsZero reports whether the id stands for "none".
func (id ID) IsZero() bool { return id == ID{} }

// Compare returns -1, 0 or 1 as the id comes before, is, or comes after the other: the order of their bytes, which
// PostgreSQL and SQLite share and in which rows are locked. Newer ids of version 7 come later.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// Ptr returns nil for the zero id, else a pointer to a copy: the form of a nullable field in a response.
func (id ID) Ptr() *ID {
	if id.IsZero() {
		return nil
	}
	return &id
}

// MarshalText writes the 36-character form.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what ParseID reads.
func (id *ID) UnmarshalText(b []byte) error {
	parsed, err := ParseID(string(b))
	if err == nil {
		*id = parsed
	}
	return err
}

// Value stores the id as text, the zero id as NULL.
func (id ID) Value() (driver.Value, error) {
	if id.IsZero() {
		return nil, nil
	}
	return id.String(), nil
}

// Scan reads an id from a column as the drivers return it: NULL as the zero id, a text, or 16 bytes.
func (id *ID) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*id = ID{}
		return nil
	case string:
		return id.UnmarshalText([]byte(v))
	case []byte:
		if len(v) == len(id) {
			copy(id[:], v)
			return nil
		}
		return id.UnmarshalText(v)
	case [16]byte:
		*id = v
		return nil
	}
	return fmt.Errorf("laurel: cannot read an id from %T", src)
}

// Role is the kind of an API key (contract 1.2).
type Role string

// The key kinds of contract 1.2, with the short names of its tables.
const (
	RoleOrganization Role = "ORGANIZATION_API_KEY"      // O
	RoleWebsite      Role = "WEBSITE_API_KEY"           // W
	RoleReadOnly     Role = "WEBSITE_READ_ONLY_API_KEY" // R
	RoleClient       Role = "WEBSITE_CLIENT_API_KEY"    // C
	RoleFunction     Role = "STRATUS_API_KEY"           // S
)

// Scope says for which tenant an operation acts: one organization and, unless WebsiteID is zero, one website of it.
// Every exported operation takes a Scope and never touches data outside it.
type Scope struct {
	OrganizationID ID
	WebsiteID      ID // zero: every website of the organization
	KeyID          ID
	ActorID        ID // the key's service user
	Role           Role
	Request        *RequestKey   `json:"-"` // nil: the request has none, or it is no request
	IfMatch        *Precondition `json:"-"` // nil: records are changed whatever they have become
}

// RequestKey is the Idempotency-Key of one HTTP request (contract 1.8.1). The transaction with the request's effect
// claims it, so that no crash can separate the two.
type RequestKey struct {
	APIKeyID ID
	Key      string
	Path     string
	Hash     string // of the input
	Claimed  bool   // a committed transaction has claimed it
}

// HasSecretKey reports whether the caller is a trusted server (an organization or website key).
func (s Scope) HasSecretKey() bool { return s.Role == RoleOrganization || s.Role == RoleWebsite }

// Visibility says which points that auctions with hidden bids hold are visible to a reader (contract 5.18): all of
// them, those of one user, or none, which is the zero value. Balances, ranks and entries look to the reader as if
// invisible holds did not exist.
type Visibility struct {
	All  bool
	User ID // the user whose holds are visible; zero: none
}

// At returns the same caller narrowed to one website.
func (s Scope) At(website ID) Scope {
	s.WebsiteID = website
	return s
}

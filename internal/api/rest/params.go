package rest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
)

// Tenant has the parameters that restrict a key to an organization and a website (contract 1.3). Inputs embed it.
type Tenant struct {
	OrganizationID ID `query:"organizationId"`
	WebsiteID      ID `query:"websiteId"`
}

// Paging has the parameters LIST of contract 1.6. Inputs embed it.
type Paging struct {
	Tenant
	Limit         Limit1000 `query:"limit"`
	StartingAfter ID        `query:"startingAfter"`
}

// Page returns the requested page.
func (l Paging) Page() laurel.PageRequest { return PageRequest(l.Limit.Or(), l.StartingAfter) }

// Paging100 is LIST with a limit of 1 to 100, default 100 (contract 9, choice 10). Inputs embed it.
type Paging100 struct {
	Tenant
	Limit         Limit100 `query:"limit"`
	StartingAfter ID       `query:"startingAfter"`
}

// Page returns the requested page.
func (l Paging100) Page() laurel.PageRequest { return PageRequest(l.Limit.Or(), l.StartingAfter) }

// PageRequest returns the request for a page of at most limit items that starts after an item.
func PageRequest(limit int, after ID) laurel.PageRequest {
	return laurel.PageRequest{Limit: limit, StartingAfter: after.ID}
}

// PathID has the id in a path. Inputs embed it; the option IDName changes its name in messages.
type PathID struct {
	ID ID `path:"id"`
}

// setID sets the id, for a record that is read to show what it is now.
func (p *PathID) setID(id laurel.ID) { p.ID = ID{id} }

// UnmatchedID replaces the nil UUID in parameters. The zero laurel.ID means that a parameter is absent, so the nil UUID
// would drop a filter instead of matching nothing. No id of the service equals it: they are of version 7.
var UnmatchedID = laurel.ID{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}

// parseID parses a uuid. The nil UUID becomes UnmatchedID.
func parseID(s string) (laurel.ID, error) {
	id, err := laurel.ParseID(s)
	if err == nil && id.IsZero() {
		return UnmatchedID, nil
	}
	return id, err
}

// ID is a uuid in a path or query; zero if absent.
type ID struct{ laurel.ID }

// UnmarshalText reads a uuid in any case.
func (p *ID) UnmarshalText(b []byte) (err error) {
	p.ID, err = parseID(string(b))
	return err
}

// Schema documents a uuid.
func (ID) Schema(huma.Registry) *huma.Schema { return StringSchema("uuid") }

// IDs is one uuid or up to 100 (contract 1.5). Null is set if the parameter was sent empty.
type IDs struct {
	Values []laurel.ID
	Null   bool
}

func (IDs) many()      {}
func (IDs) emptiable() {}

// UnmarshalText reads up to 100 uuids with commas between them, in any case. A parameter that was sent empty arrives as
// nullMark and sets Null.
func (p *IDs) UnmarshalText(b []byte) error {
	if string(b) == nullMark {
		p.Null = true
		return nil
	}
	texts, err := splitValues(strings.ToLower(string(b)))
	if err != nil {
		return err
	}
	for _, text := range texts {
		id, err := parseID(text)
		if err != nil {
			return err
		}
		p.Values = append(p.Values, id)
	}
	return nil
}

// Schema documents the array form.
func (IDs) Schema(huma.Registry) *huma.Schema { return ManySchema(StringSchema("uuid")) }

// Strings is one text or up to 100 (contract 1.5).
type Strings struct{ Values []string }

func (Strings) many() {}

// UnmarshalText reads up to 100 texts with commas between them.
func (p *Strings) UnmarshalText(b []byte) (err error) {
	p.Values, err = splitValues(string(b))
	return err
}

// Schema documents the array form.
func (Strings) Schema(huma.Registry) *huma.Schema { return ManySchema(StringSchema("")) }

// Address is an identifier of a member, or an address, in its stored form; "" if absent.
type Address struct{ Text string }

// UnmarshalText accepts the identifiers that a body accepts, and converts them to their stored form.
func (p *Address) UnmarshalText(b []byte) error {
	if problem := laurel.IdentifierProblem(string(b)); problem != "" {
		return errors.New(problem)
	}
	p.Text = identity.NormalizeWallet(string(b))
	return nil
}

// Schema documents an identifier.
func (Address) Schema(huma.Registry) *huma.Schema { return addressSchema() }

// Addresses is one identifier or up to 100 (contract 1.5).
type Addresses struct{ Values []string }

func (Addresses) many() {}

// UnmarshalText reads up to 100 identifiers with commas between them, into their stored form.
func (p *Addresses) UnmarshalText(b []byte) error {
	texts, err := splitValues(string(b))
	if err != nil {
		return err
	}
	for _, text := range texts {
		var one Address
		if err := one.UnmarshalText([]byte(text)); err != nil {
			return err
		}
		p.Values = append(p.Values, one.Text)
	}
	return nil
}

// Schema documents the array form.
func (Addresses) Schema(huma.Registry) *huma.Schema { return ManySchema(addressSchema()) }

// addressSchema describes an identifier of a member, or an address.
func addressSchema() *huma.Schema {
	most := laurel.MaxIdentifier
	return &huma.Schema{Type: huma.TypeString, MaxLength: &most, Extensions: map[string]any{"format": laurel.FormatIdentifier}}
}

// namesAddress reports whether a property or parameter of this name holds an identifier of a member or an address.
func namesAddress(name string) bool {
	isOther := name == "emailAddress" || name == "ipAddress"
	return !isOther && (strings.HasSuffix(name, "ddress") || strings.HasSuffix(name, "ddresses"))
}

// ManySchema describes a parameter of one value or up to 100.
func ManySchema(items *huma.Schema) *huma.Schema {
	most := maxMany
	return &huma.Schema{Type: huma.TypeArray, Items: items, MaxItems: &most}
}

// splitValues returns the values between the commas of a text, without empty ones and duplicates. It fails for more
// than 100 values, and for a value that is too long.
func splitValues(s string) ([]string, error) {
	if strings.Count(s, ",") > 100*maxMany { // duplicates do not count, but they are limited too
		return nil, errMany
	}
	var values []string
	isListed := map[string]bool{}
	for v := range strings.SplitSeq(s, ",") {
		if v != "" && !isListed[v] {
			isListed[v] = true
			values = append(values, v)
		}
	}
	if len(values) > maxMany {
		return nil, errMany
	}
	// The limit is in bytes, four for each of maxText characters, so a text of ASCII letters may be longer.
	if slices.ContainsFunc(values, func(v string) bool { return len(v) > 4*maxText }) {
		return nil, fmt.Errorf("must be at most %d characters", maxText)
	}
	return values, nil
}

var errMany = fmt.Errorf("must have at most %d items", maxMany)

// OneOf is a parameter with one of the values that the service lists, so that no struct tag repeats them.
type OneOf[L interface{ Values() []string }] string

// Values lists the accepted values.
func (OneOf[L]) Values() []string {
	var list L
	return list.Values()
}

// Schema describes the parameter with its values.
func (o OneOf[L]) Schema(huma.Registry) *huma.Schema {
	s := StringSchema("")
	for _, value := range o.Values() {
		s.Enum = append(s.Enum, value)
	}
	return s
}

// ManyOf is a parameter with up to 100 of the values that the service lists.
type ManyOf[L interface{ Values() []string }] struct{ Strings }

// UnmarshalText reads what Strings reads, and fails for a value that the service does not list.
func (p *ManyOf[L]) UnmarshalText(b []byte) error {
	if err := p.Strings.UnmarshalText(b); err != nil {
		return err
	}
	var list L
	for _, value := range p.Strings.Values {
		if !slices.Contains(list.Values(), value) {
			return errors.New("must be one of: " + strings.Join(list.Values(), ", "))
		}
	}
	return nil
}

// Schema documents the array form.
func (ManyOf[L]) Schema(r huma.Registry) *huma.Schema {
	var one OneOf[L]
	return ManySchema(one.Schema(r))
}

// Bool is a boolean parameter (contract 1.5).
type Bool struct{ Value, Set bool }

// UnmarshalText reads true, false, 1 and 0, in capital or small letters.
func (p *Bool) UnmarshalText(b []byte) error {
	switch strings.ToLower(string(b)) {
	case "true", "1":
		*p = Bool{Value: true, Set: true}
	case "false", "0":
		*p = Bool{Set: true}
	default:
		return errors.New(NotBoolean)
	}
	return nil
}

// Or returns the value, or otherwise if the parameter is absent.
func (p Bool) Or(otherwise bool) bool {
	if p.Set {
		return p.Value
	}
	return otherwise
}

// Ptr returns a pointer to the value; nil if the parameter is absent.
func (p Bool) Ptr() *bool {
	if !p.Set {
		return nil
	}
	return &p.Value
}

// Schema documents a boolean.
func (Bool) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeBoolean} }

// Moment is a date-time parameter; zero if absent.
type Moment struct{ time.Time }

// UnmarshalText reads RFC 3339 with an offset, or a bare date as 00:00 UTC.
func (p *Moment) UnmarshalText(b []byte) (err error) {
	p.Time, err = laurel.ParseTime(string(b))
	return err
}

// Schema documents a date-time.
func (Moment) Schema(huma.Registry) *huma.Schema { return StringSchema("date-time") }

type (
	// Limit1000 is the limit of a list (contract 1.6): 1 to 1000, default 100.
	Limit1000 struct{ limit }
	// Limit100 is the limit of a list (contract 1.6): 1 to 100, default 100.
	Limit100 struct{ limit }
	// Limit10 is the limit of a list (contract 1.6): 1 to 100, default 10.
	Limit10 struct{ limit }
)

// UnmarshalText reads a whole number of 1..1000.
func (p *Limit1000) UnmarshalText(b []byte) error { return p.parse(b, 1000) }

// UnmarshalText reads a whole number of 1..100.
func (p *Limit100) UnmarshalText(b []byte) error { return p.parse(b, 100) }

// UnmarshalText reads a whole number of 1..100.
func (p *Limit10) UnmarshalText(b []byte) error { return p.parse(b, 100) }

// Or returns the limit to use.
func (p Limit1000) Or() int { return p.or(100) }

// Or returns the limit to use.
func (p Limit100) Or() int { return p.or(100) }

// Or returns the limit to use.
func (p Limit10) Or() int { return p.or(10) }

// Schema documents the range.
func (Limit1000) Schema(huma.Registry) *huma.Schema { return limitSchema(1000, 100) }

// Schema documents the range.
func (Limit100) Schema(huma.Registry) *huma.Schema { return limitSchema(100, 100) }

// Schema documents the range.
func (Limit10) Schema(huma.Registry) *huma.Schema { return limitSchema(100, 10) }

type limit int

// parse sets the limit to a whole number from 1 to most.
func (p *limit) parse(b []byte, most int) error {
	n, err := strconv.Atoi(string(b))
	if errors.Is(err, strconv.ErrSyntax) {
		return errors.New(notNumber)
	}
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("must be between 1 and %d", most)
	}
	*p = limit(n)
	return nil
}

// or returns the limit, or n if the parameter is absent.
func (p limit) or(n int) int {
	if p == 0 {
		return n
	}
	return int(p)
}

// limitSchema describes a limit from 1 to most, with a default.
func limitSchema(most, usual float64) *huma.Schema {
	least := 1.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most, Default: usual}
}

// TenantBody has the properties by which a body names its tenant. Inputs embed it.
type TenantBody struct {
	OrganizationID laurel.ID `json:"organizationId,omitzero"`
	WebsiteID      laurel.ID `json:"websiteId,omitzero"`
}

// Tenant returns the ids as the parameters of a query have them.
func (t TenantBody) Tenant() Tenant {
	return Tenant{OrganizationID: ID{t.OrganizationID}, WebsiteID: ID{t.WebsiteID}}
}

// Or returns the tenant with its absent ids taken from other.
func (t Tenant) Or(other Tenant) Tenant {
	if t.OrganizationID.IsZero() {
		t.OrganizationID = other.OrganizationID
	}
	if t.WebsiteID.IsZero() {
		t.WebsiteID = other.WebsiteID
	}
	return t
}

// OptionalID returns the id of an optional property; zero if it is absent. The nil UUID is an id that matches nothing.
func OptionalID(id *laurel.ID) laurel.ID {
	if id == nil {
		return laurel.ID{}
	}
	if id.IsZero() {
		return UnmatchedID
	}
	return *id
}

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// kind is the form of a value, as far as the clients distinguish them.
type kind int

const (
	anyKind kind = iota
	textKind
	timeKind
	decimalKind
	integerKind
	floatKind
	boolKind
	numberOrTextKind
	listKind
	mapKind
	recordKind
)

// valueType is the type of a value in both languages.
type valueType struct {
	kind       kind
	isNullable bool
	of         *valueType // of lists and maps
	record     string     // the name of a record or a union
	words      []string   // the values of an enumeration
	isOpen     bool       // an enumeration to which later versions may add
}

// field is a property of a record, or a query parameter.
type field struct {
	name, note string
	isRequired bool
	of         valueType
}

// record is an object, or a union of objects if it has variants.
type record struct {
	name, note string
	isInput    bool // part of a request's body: properties may be left out or null
	fields     []field
	also       []string // unions whose objects an object is, too: of rules, what their type adds
	variants   []variant
	property   string // tells the variants apart, if there is one
}

// variant is an object of a union, with the values of the property that tells the variants apart.
type variant struct {
	record string
	values []string
}

// method is an operation of an area.
type method struct {
	operationName
	call
	paths    []string // names of path parameters
	query    []field
	fixed    []fixedParam // query parameters that the clients always send
	body     *valueType
	response *valueType // nil if there is none
	isKeyed  bool       // takes Idempotency-Key
	item     string     // the record of a list that is read in pages
	cursor   cursor     // how the next page is found
}

// allName returns the name of the iterator over a list.
func (m method) allName() string {
	return "all" + strings.TrimPrefix(m.operationName.method, "list")
}

// hasParam reports whether an operation has a query parameter.
func (m method) hasParam(name string) bool {
	return slices.ContainsFunc(m.query, func(f field) bool { return f.name == name })
}

// allNote returns what the readers of all items of a list should know; "" if there is nothing.
func (m method) allNote() string {
	if m.OperationID == "getLoyaltyAccounts" {
		return "Accounts are missed or repeated if balances change between two pages: asOf reads them as they were at one time."
	}
	return ""
}

// cursor is the query parameter that leads to the next page, and the property of the last item that it takes.
type cursor struct{ param, property string }

// cursors are those by operation; of others it is startingAfter with the id.
var cursors = map[string]cursor{"getLoyaltyAccountsIdExpiring": {"after", "expiresAt"}}

// fixedParam is a query parameter that a client always sends.
type fixedParam struct{ name, value string }

// fixedParams are those by operation. Clients follow no redirects, so a flow that leads to another address returns it.
var fixedParams = map[string]fixedParam{"getAuthTypeAuth": {"responseType", "json"}}

// encodedOffset is advice for those who write query parameters by hand. The clients encode them.
var encodedOffset = regexp.MustCompile(`[;:] the \+ of an offset is sent as %2B`)

// model is what the generated files are written from.
type model struct {
	doc     *document
	records map[string]*record
	inputs  map[string]bool // schemas that requests have
	methods []method
	codes   []string // of errors
}

// newModel names the operations and resolves their types.
func newModel(doc *document) (*model, error) {
	m := &model{doc: doc, records: map[string]*record{}, inputs: map[string]bool{}}
	for _, c := range doc.calls {
		m.markInputs(c.bodySchema())
	}
	taken := map[operationName]string{}
	for _, c := range doc.calls {
		one := m.method(c)
		if other, ok := taken[one.operationName]; ok {
			return nil, fmt.Errorf("%s and %s are both %s.%s: name one of them in names.go",
				other, c.OperationID, one.area, one.operationName.method)
		}
		taken[one.operationName] = c.OperationID
		m.methods = append(m.methods, one)
	}
	names := map[string]string{}
	for key, r := range m.records {
		if other, ok := names[r.name]; ok {
			return nil, fmt.Errorf("the schemas %s and %s are both %s: name one of them in names.go", min(key, other), max(key, other), r.name)
		}
		names[r.name] = key
	}
	if refusal := doc.Components.Schemas["Refusal"]; refusal != nil {
		m.codes = m.value(refusal.Properties["code"], "").words
	}
	return m, nil
}

// markInputs marks the schemas that a body is made of.
func (m *model) markInputs(s *schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name := refName(s.Ref)
		if !m.inputs[name] {
			m.inputs[name] = true
			m.markInputs(m.doc.Components.Schemas[name])
		}
		return
	}
	for _, p := range s.Properties {
		m.markInputs(p)
	}
	for _, p := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf, []*schema{s.Items}) {
		m.markInputs(p)
	}
	if s.Additional != nil {
		m.markInputs(s.Additional.schema)
	}
}

func (m *model) method(c call) method {
	out := method{call: c, cursor: cursor{"startingAfter", "id"}}
	if other, ok := cursors[c.OperationID]; ok {
		out.cursor = other
	}
	isList := false
	if s := c.responseSchema(); s != nil {
		v := m.value(s, pascal(c.OperationID)+"Response")
		out.response, isList = &v, v.kind == listKind || m.holdsList(v)
	}
	out.operationName = nameOf(c, isList)
	hasCursor := false
	for _, p := range c.Parameters {
		switch {
		case p.In == "path":
			out.paths = append(out.paths, p.Name)
		case p.In == "query" && fixedParams[c.OperationID].name == p.Name:
			out.fixed = append(out.fixed, fixedParams[c.OperationID])
		case p.In == "query":
			note := p.Description
			if note == "" && p.Schema != nil {
				note = p.Schema.Description
			}
			note = encodedOffset.ReplaceAllString(note, "")
			out.query = append(out.query, field{p.Name, note, p.Required, m.value(p.Schema, pascal(c.OperationID+" "+p.Name))})
			hasCursor = hasCursor || p.Name == out.cursor.param
		case p.Name == "Idempotency-Key":
			out.isKeyed = true
		}
	}
	if s := c.bodySchema(); s != nil {
		v := m.value(s, pascal(c.OperationID)+"Body")
		out.body = &v
	}
	if hasCursor && out.response != nil && out.response.kind == recordKind {
		out.item = m.itemOf(m.records[out.response.record], out.cursor.property)
	}
	return out
}

// holdsList reports whether a response is an object that holds a list in data.
func (m *model) holdsList(v valueType) bool {
	if v.kind != recordKind || m.records[v.record] == nil {
		return false
	}
	return slices.ContainsFunc(m.records[v.record].fields, func(f field) bool {
		return f.of.kind == listKind && (f.name == "data" || f.name == "codes")
	})
}

// itemOf returns the record of the items of a page; "" if the record is no page, or its items lack the property
// that leads to the next page.
func (m *model) itemOf(page *record, property string) string {
	item, hasNext := "", false
	for _, f := range page.fields {
		if f.name == "data" && f.of.kind == listKind && f.of.of.kind == recordKind {
			item = f.of.of.record
		}
		hasNext = hasNext || f.name == "hasNextPage"
	}
	if !hasNext || m.records[item] == nil {
		return ""
	}
	for _, f := range m.records[item].fields {
		if f.name == property && f.isRequired && !f.of.isNullable {
			return item
		}
	}
	return ""
}

// isFree reports whether a property is an object that is stored as it is sent: schemas name what the service knows of
// it, and it may have anything else.
func (m *model) isFree(f field) bool {
	return f.name == "metadata" && f.of.kind == recordKind && len(m.records[f.of.record].variants) == 0
}

// value returns the type of a schema. hint names an object that has no name of its own.
func (m *model) value(s *schema, hint string) valueType {
	switch {
	case s == nil:
		return valueType{kind: anyKind}
	case s.Ref != "":
		return m.named(refName(s.Ref))
	case len(s.OneOf)+len(s.AnyOf) > 0 && len(s.Properties) == 0:
		return m.union(s, hint)
	case len(s.AllOf) == 1 && len(s.Properties) == 0:
		return m.value(s.AllOf[0], hint)
	}
	v := valueType{}
	names := slices.DeleteFunc(slices.Clone(s.Type), func(name string) bool {
		v.isNullable = v.isNullable || name == "null"
		return name == "null"
	})
	isObject := len(s.Properties) > 0 || len(s.AllOf) > 0
	switch {
	case isObject:
		m.addRecord(hint, s)
		v.kind, v.record = recordKind, hint
	case len(names) != 1:
		v.kind = mixed(names)
	default:
		m.simple(&v, names[0], s, hint)
	}
	return v
}

// mixed returns the kind of a value of several types, or of none that is said.
func mixed(names []string) kind {
	isText, isNumber := slices.Contains(names, "string"), slices.Contains(names, "number") || slices.Contains(names, "integer")
	if isText && isNumber && len(names) == 2 {
		return numberOrTextKind
	}
	return anyKind
}

// simple sets the type of a schema with one type.
func (m *model) simple(v *valueType, name string, s *schema, hint string) {
	switch {
	case name == "string" && s.Format == "date-time":
		v.kind = timeKind
	case s.Format == "decimal":
		v.kind = decimalKind
	case name == "string":
		v.kind = textKind
		for _, word := range s.Enum {
			if text, ok := word.(string); ok {
				v.words = append(v.words, text)
			}
		}
		if text, ok := s.Const.(string); ok {
			v.words = []string{text}
		}
		if len(s.KnownWords) > 0 {
			v.words, v.isOpen = s.KnownWords, true
		}
	case name == "integer":
		v.kind = integerKind
	case name == "number":
		v.kind = floatKind
	case name == "boolean":
		v.kind = boolKind
	case name == "array":
		of := m.value(s.Items, singular(hint))
		v.kind, v.of = listKind, &of
	case name == "object":
		of := valueType{kind: anyKind}
		if s.Additional != nil && s.Additional.schema != nil {
			of = m.value(s.Additional.schema, hint+"Value")
		}
		v.kind, v.of = mapKind, &of
	}
}

// named returns the type of a schema of the document, which it adds to the records if it is an object.
func (m *model) named(name string) valueType {
	s := m.doc.Components.Schemas[name]
	if s == nil {
		return valueType{kind: anyKind}
	}
	if m.records[name] != nil {
		return valueType{kind: recordKind, record: name}
	}
	return m.value(s, name)
}

// union returns the type of oneOf and anyOf: the other type beside null, a decimal of numbers and texts, or a union of
// objects.
func (m *model) union(s *schema, hint string) valueType {
	var kinds []kind
	var values []valueType
	isNullable := false
	for _, option := range slices.Concat(s.OneOf, s.AnyOf) {
		if len(option.Type) == 1 && option.Type[0] == "null" {
			isNullable = true
			continue
		}
		v := m.value(option, hint)
		values, kinds = append(values, v), append(kinds, v.kind)
		isNullable = isNullable || v.isNullable
	}
	has := func(k kind) bool { return slices.Contains(kinds, k) }
	out := valueType{kind: anyKind}
	switch {
	case len(values) == 1 || len(values) > 1 && slices.Max(kinds) == slices.Min(kinds) && kinds[0] != recordKind:
		out = values[0]
	case has(decimalKind) && !has(recordKind):
		out = valueType{kind: decimalKind}
	case (has(integerKind) || has(floatKind)) && has(textKind) && len(values) == 2:
		out = valueType{kind: numberOrTextKind}
	case has(boolKind) && has(textKind) && len(values) == 2:
		out = valueType{kind: boolKind}
	case has(listKind) && len(values) == 2 && (has(textKind) && m.inputs[hintOwner(hint)]):
		out = values[slices.Index(kinds, listKind)]
	case len(values) > 1 && slices.Max(kinds) == recordKind && slices.Min(kinds) == recordKind:
		m.addUnion(hint, s, values)
		out = valueType{kind: recordKind, record: hint}
	}
	out.isNullable = isNullable
	return out
}

// hintOwner returns the schema that the name of a part begins with.
func hintOwner(hint string) string {
	owner, _, _ := strings.Cut(hint, ".")
	return owner
}

// addUnion adds a union of objects.
func (m *model) addUnion(name string, s *schema, values []valueType) {
	u := &record{name: plain(name), note: s.Description, isInput: m.inputs[hintOwner(name)]}
	m.records[name] = u
	mapped := map[string][]string{}
	if s.Discriminator != nil {
		u.property = s.Discriminator.PropertyName
		for _, value := range slices.Sorted(maps.Keys(s.Discriminator.Mapping)) {
			target := refName(s.Discriminator.Mapping[value])
			mapped[target] = append(mapped[target], value)
		}
	} else {
		u.property, mapped = m.tagOf(values)
	}
	for _, v := range values {
		u.variants = append(u.variants, variant{v.record, mapped[v.record]})
	}
}

// tagOf returns the property by which the objects of a union without a discriminator are told apart, and its values by
// object: each object lists values that no other has. Without such a property both are empty.
func (m *model) tagOf(values []valueType) (property string, mapped map[string][]string) {
	first := m.doc.Components.Schemas[values[0].record]
	if first == nil {
		return "", nil
	}
	for _, name := range slices.Sorted(maps.Keys(first.Properties)) {
		if found := m.tagsAt(name, values); found != nil {
			return name, found
		}
	}
	return "", nil
}

// tagsAt returns the values that a property may have, by object; nil if an object does not list them, or two share one.
func (m *model) tagsAt(property string, values []valueType) map[string][]string {
	mapped, seen := map[string][]string{}, map[string]bool{}
	for _, v := range values {
		s := m.doc.Components.Schemas[v.record]
		if s == nil || s.Properties[property] == nil || len(s.Properties[property].Enum) == 0 {
			return nil
		}
		for _, value := range s.Properties[property].Enum {
			text, ok := value.(string)
			if !ok || seen[text] {
				return nil
			}
			seen[text] = true
			mapped[v.record] = append(mapped[v.record], text)
		}
	}
	return mapped
}

// addRecord adds an object with its properties, sorted by their names. The properties of allOf are its own.
func (m *model) addRecord(name string, s *schema) {
	if m.records[name] != nil {
		return
	}
	r := &record{name: plain(name), note: s.Description, isInput: m.inputs[hintOwner(name)]}
	m.records[name] = r
	properties, required := map[string]*schema{}, []string{}
	m.collect(s, properties, &required)
	for _, part := range s.AllOf {
		if part.Ref == "" {
			continue
		}
		if v := m.named(refName(part.Ref)); v.kind == recordKind && len(m.records[v.record].variants) > 0 {
			r.also = append(r.also, v.record)
		}
	}
	for _, property := range slices.Sorted(maps.Keys(properties)) {
		p := properties[property]
		of := m.value(p, name+"."+property)
		r.fields = append(r.fields, field{property, p.Description, slices.Contains(required, property), of})
	}
}

// collect collects the properties of an object and of those that it is made of.
func (m *model) collect(s *schema, properties map[string]*schema, required *[]string) {
	if s.Ref != "" {
		s = m.doc.Components.Schemas[refName(s.Ref)]
	}
	for _, part := range s.AllOf {
		m.collect(part, properties, required)
	}
	maps.Copy(properties, s.Properties)
	*required = append(*required, s.Required...)
}

// plain returns the name of the type of a schema, and of a part, such as Badge.conditions, as one word.
func plain(name string) string {
	parts := strings.Split(name, ".")
	if better, ok := recordNames[parts[0]]; ok {
		parts[0] = better
	}
	for i := range parts[1:] {
		parts[i+1] = pascal(parts[i+1])
	}
	return strings.Join(parts, "")
}

// sortedRecords returns the records by their names.
func (m *model) sortedRecords() []*record {
	out := slices.Collect(maps.Values(m.records))
	slices.SortFunc(out, func(a, b *record) int { return strings.Compare(a.name, b.name) })
	return out
}

// nameOfRecord returns the name of a record by the key under which it is stored.
func (m *model) nameOfRecord(key string) string { return m.records[key].name }

// areas returns the areas with their operations, sorted.
func (m *model) areas() ([]string, map[string][]method) {
	out := map[string][]method{}
	for _, one := range m.methods {
		out[one.area] = append(out[one.area], one)
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b method) int { return strings.Compare(a.path, b.path) })
	}
	return slices.Sorted(maps.Keys(out)), out
}

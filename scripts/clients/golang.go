package main

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"
)

const generatedNote = "Code generated from openapi.json by scripts/clients. DO NOT EDIT."

// handwritten are the names that the hand-written part of the Go client declares.
var handwritten = []string{
	"Areas", "Client", "Decimal", "Error", "New", "Null", "NumberOrText", "Option", "Optional", "Problem", "Set",
	"Settings", "Value", "WebhookEvent", "WebhookVerifier",
}

// goType returns a type in Go, without the pointer of a value that may be missing.
func (m *model) goType(v valueType) string {
	switch v.kind {
	case textKind:
		return "string"
	case timeKind:
		return "time.Time"
	case decimalKind:
		return "Decimal"
	case integerKind:
		return "int64"
	case floatKind:
		return "float64"
	case boolKind:
		return "bool"
	case numberOrTextKind:
		return "NumberOrText"
	case listKind:
		return "[]" + m.goItem(*v.of)
	case mapKind:
		return "map[string]" + m.goItem(*v.of)
	case recordKind:
		return m.nameOfRecord(v.record)
	}
	return "any"
}

// goItem returns the type of an item of a list or map, which may be null.
func (m *model) goItem(v valueType) string {
	if v.isNullable && v.kind != listKind && v.kind != mapKind && v.kind != anyKind {
		return "*" + m.goType(v)
	}
	return m.goType(v)
}

// goField returns the type and the options of the tag of a property. In requests a property may be left out, null or a
// value; in responses a pointer is nil for both.
func (m *model) goField(r *record, f field) (name, options string) {
	name = m.goType(f.of)
	switch {
	case r.isInput && f.isRequired && !f.of.isNullable:
		return name, ""
	case r.isInput && f.isRequired:
		return "Optional[" + name + "]", ""
	case r.isInput:
		return "Optional[" + name + "]", ",omitzero"
	case f.isRequired && !f.of.isNullable, f.of.kind == anyKind, f.of.kind == listKind, f.of.kind == mapKind:
		return name, ""
	}
	return "*" + name, ""
}

// goTypes returns the file of the types.
func goTypes(m *model) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n\npackage laurel\n\nimport (\n\t\"encoding/json\"\n\t\"time\"\n)\n", generatedNote)
	goCodes(&b, m)
	goRuleTypes(&b, m)
	for _, r := range m.sortedRecords() {
		if slices.Contains(handwritten, r.name) {
			return nil, fmt.Errorf("the schema %s has a name of the client's own", r.name)
		}
		if len(r.variants) > 0 {
			m.goUnion(&b, r)
			continue
		}
		b.WriteString("\n")
		goComment(&b, "", firstSentence(r.name, r.note))
		fmt.Fprintf(&b, "type %s struct {\n", r.name)
		for _, f := range r.fields {
			goComment(&b, "\t", noteOf(f))
			name, options := m.goField(r, f)
			fmt.Fprintf(&b, "\t%s %s `json:\"%s%s\"`\n", goName(f.name), name, f.name, options)
		}
		b.WriteString("}\n")
	}
	text := b.Bytes()
	if !bytes.Contains(text, []byte("json.")) {
		text = bytes.Replace(text, []byte("\t\"encoding/json\"\n"), nil, 1)
	}
	return format.Source(text)
}

// firstSentence returns the comment of a type.
func firstSentence(name, note string) string {
	if note == "" {
		return ""
	}
	return name + ": " + note
}

// noteOf returns the comment of a property: its description, and the values of an enumeration.
func noteOf(f field) string {
	note := f.note
	if len(f.of.words) > 0 && len(f.of.words) <= 20 && !f.of.isOpen {
		note = sentences(note, "One of: "+strings.Join(f.of.words, ", "))
	}
	return note
}

func sentences(parts ...string) string {
	var out []string
	for _, part := range parts {
		if part = strings.TrimRight(strings.TrimSpace(part), "."); part != "" {
			out = append(out, part+".")
		}
	}
	return strings.Join(out, " ")
}

// goCodes writes the codes of errors as constants.
func goCodes(b *bytes.Buffer, m *model) {
	b.WriteString("\n// Codes of errors, for Error.Code and HasCode. Later versions may have more.\nconst (\n")
	for _, code := range m.codes {
		fmt.Fprintf(b, "\tCode%s = %q\n", goName(code), code)
	}
	b.WriteString(")\n")
}

// goRuleTypes writes the types of rules as constants.
func goRuleTypes(b *bytes.Buffer, m *model) {
	words := m.ruleTypes()
	if len(words) == 0 {
		return
	}
	b.WriteString("\n// Types of rules.\nconst (\n")
	for _, word := range words {
		fmt.Fprintf(b, "\tRuleType%s = %q\n", goName(word), word)
	}
	b.WriteString(")\n")
}

// ruleTypes returns the types of rules that can be created.
func (m *model) ruleTypes() []string {
	body := m.doc.Components.Schemas["CreateRuleBody"]
	if body == nil || body.Properties["type"] == nil {
		return nil
	}
	return m.value(body.Properties["type"], "").words
}

// goUnion writes a union: a struct with a pointer to each of its objects, of which one is set. What it has read and
// does not know stays in Raw.
func (m *model) goUnion(b *bytes.Buffer, r *record) {
	b.WriteString("\n")
	goComment(b, "", sentences(firstSentence(r.name, r.note), r.name+" is one of its fields: set one of them"))
	fmt.Fprintf(b, "type %s struct {\n", r.name)
	for _, v := range r.variants {
		fmt.Fprintf(b, "\t%s *%s\n", m.nameOfRecord(v.record), m.nameOfRecord(v.record))
	}
	b.WriteString("\tRaw json.RawMessage // the object as it was read; written if no other field is set\n}\n")
	fmt.Fprintf(b, "\n// MarshalJSON writes the field that is set.\nfunc (u %s) MarshalJSON() ([]byte, error) {\n\tswitch {\n", r.name)
	for _, v := range r.variants {
		name := m.nameOfRecord(v.record)
		fmt.Fprintf(b, "\tcase u.%s != nil:\n\t\treturn json.Marshal(u.%s)\n", name, name)
	}
	b.WriteString("\tcase u.Raw != nil:\n\t\treturn u.Raw, nil\n\t}\n\treturn []byte(\"{}\"), nil\n}\n")
	fmt.Fprintf(b, "\n// UnmarshalJSON reads the object, and sets the field that its properties name.\n")
	fmt.Fprintf(b, "func (u *%s) UnmarshalJSON(text []byte) error {\n\t*u = %s{Raw: append(json.RawMessage(nil), text...)}\n", r.name, r.name)
	if r.property != "" {
		fmt.Fprintf(b, "\tvar named struct {\n\t\tValue string `json:%q`\n\t}\n", r.property)
		b.WriteString("\tif err := json.Unmarshal(text, &named); err != nil {\n\t\treturn err\n\t}\n\tswitch named.Value {\n")
		for _, v := range r.variants {
			if len(v.values) == 0 {
				continue
			}
			name := m.nameOfRecord(v.record)
			fmt.Fprintf(b, "\tcase %s:\n\t\tu.%s = new(%s)\n\t\treturn decode(text, u.%s)\n", quoted(v.values), name, name, name)
		}
		b.WriteString("\t}\n")
	}
	b.WriteString("\treturn nil\n}\n")
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = fmt.Sprintf("%q", word)
	}
	return strings.Join(out, ", ")
}

const commentWidth = 100

// goComment writes a comment in lines of a readable width; none for an empty text.
func goComment(b *bytes.Buffer, indent, text string) {
	for _, line := range wrap(text) {
		fmt.Fprintf(b, "%s// %s\n", indent, line)
	}
}

// wrap parts a text into lines.
func wrap(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > commentWidth {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// tsType returns a type in TypeScript.
func (m *model) tsType(v valueType, isInput bool) string {
	out := m.tsPlain(v, isInput)
	if v.isNullable {
		out += " | null"
	}
	return out
}

func (m *model) tsPlain(v valueType, isInput bool) string {
	switch v.kind {
	case textKind:
		return tsWords(v)
	case timeKind:
		return "string"
	case decimalKind:
		if isInput {
			return "Decimal | number"
		}
		return "Decimal"
	case integerKind, floatKind:
		return "number"
	case boolKind:
		return "boolean"
	case numberOrTextKind:
		return "number | string"
	case listKind:
		item := m.tsType(*v.of, isInput)
		if strings.ContainsAny(item, "| ") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case mapKind:
		return "Record<string, " + m.tsType(*v.of, isInput) + ">"
	case recordKind:
		return m.nameOfRecord(v.record)
	}
	return "unknown"
}

// tsWords returns an enumeration as a union of literals. One that later versions may extend takes any text.
func tsWords(v valueType) string {
	if len(v.words) == 0 {
		return "string"
	}
	out := strings.ReplaceAll(quoted(v.words), ", ", " | ")
	if v.isOpen {
		out += " | (string & {})"
	}
	return out
}

// typeScriptTypes returns the file of the types, with a table of the decimals in responses.
func typeScriptTypes(m *model) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n\nimport type { Shapes } from \"./decimals.js\";\n\n", generatedNote)
	b.WriteString("/** An exact decimal, such as \"12.5\". In JSON it is a number; here it is a text, so that no digit is lost. */\n")
	b.WriteString("export type Decimal = string;\n")
	b.WriteString("\n/** Known properties and your own. Requests check metadata for mistakes in typing; `as WithOwn<RuleMetadata>` adds others. */\n")
	b.WriteString("export type WithOwn<T> = T & Record<string, unknown>;\n")
	tsNamedWords(&b, "ErrorCode", "The codes of errors. Later versions may have more.", m.codes, " | (string & {})")
	tsNamedWords(&b, "RuleType", "The types of rules.", m.ruleTypes(), "")
	for _, r := range m.sortedRecords() {
		b.WriteString("\n")
		tsComment(&b, "", r.note)
		if len(r.variants) > 0 {
			fmt.Fprintf(&b, "export type %s =", r.name)
			for _, v := range r.variants {
				fmt.Fprintf(&b, "\n  | %s", m.tsVariant(r, v))
			}
			b.WriteString(";\n")
			continue
		}
		begin, end := "interface "+r.name+" {\n", "}\n"
		if len(r.also) > 0 {
			begin, end = "type "+r.name+" = {\n", "}"
			for _, also := range r.also {
				end += " & " + m.nameOfRecord(also)
			}
			end += ";\n"
		}
		b.WriteString("export " + begin)
		for _, f := range r.fields {
			tsComment(&b, "  ", f.note)
			mark, none := "", ""
			if !f.isRequired {
				mark = "?"
				if r.isInput {
					none = " | undefined"
				}
			}
			fmt.Fprintf(&b, "  %s%s: %s%s;\n", tsKey(f.name), mark, m.tsField(f, r.isInput), none)
		}
		b.WriteString(end)
	}
	m.tsShapes(&b)
	return b.Bytes()
}

// tsField returns the type of a property. The long lists of rule types and error codes have names.
func (m *model) tsField(f field, isInput bool) string {
	switch {
	case m.isFree(f) && isInput:
		return m.tsType(f.of, true) // without the Record, which would let mistakes in typing pass
	case m.isFree(f) && f.of.isNullable:
		return "(Record<string, unknown> & " + m.nameOfRecord(f.of.record) + ") | null"
	case m.isFree(f):
		return "Record<string, unknown> & " + m.nameOfRecord(f.of.record)
	case len(f.of.words) > 0 && slices.Equal(f.of.words, m.ruleTypes()):
		if f.of.isNullable {
			return "RuleType | null"
		}
		return "RuleType"
	case len(f.of.words) > 0 && slices.Equal(f.of.words, m.codes):
		return "ErrorCode"
	}
	return m.tsType(f.of, isInput)
}

// tsVariant returns an object of a union, with the value that tells it apart where the object does not name it itself.
func (m *model) tsVariant(r *record, v variant) string {
	name := m.nameOfRecord(v.record)
	if r.property == "" || len(v.values) == 0 {
		return name
	}
	for _, f := range m.records[v.record].fields {
		if f.name == r.property && len(f.of.words) > 0 {
			return name
		}
	}
	return fmt.Sprintf("(%s & { %s: %s })", name, tsKey(r.property), strings.ReplaceAll(quoted(v.values), ", ", " | "))
}

func tsNamedWords(b *bytes.Buffer, name, note string, words []string, end string) {
	if len(words) == 0 {
		fmt.Fprintf(b, "\n/** %s */\nexport type %s = string;\n", note, name)
		return
	}
	fmt.Fprintf(b, "\n/** %s */\nexport type %s =\n  | %s%s;\n", note, name, strings.ReplaceAll(quoted(words), ", ", "\n  | "), end)
}

// tsKey returns the name of a property, in quotes if it is no identifier.
func tsKey(name string) string {
	for i, r := range name {
		if r != '_' && r != '$' && (r < 'A' || r > 'z' || r > 'Z' && r < 'a') && (i == 0 || r < '0' || r > '9') {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

func tsComment(b *bytes.Buffer, indent, text string) {
	lines := wrap(strings.ReplaceAll(text, "*/", "* /"))
	if len(lines) == 1 {
		fmt.Fprintf(b, "%s/** %s */\n", indent, lines[0])
	} else if len(lines) > 1 {
		fmt.Fprintf(b, "%s/**\n", indent)
		for _, line := range lines {
			fmt.Fprintf(b, "%s * %s\n", indent, line)
		}
		fmt.Fprintf(b, "%s */\n", indent)
	}
}

// tsShapes writes which properties of responses are decimals, and which hold objects that have some.
func (m *model) tsShapes(b *bytes.Buffer) {
	has := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for key, r := range m.records {
			if !has[key] && m.hasDecimals(r, has) {
				has[key], changed = true, true
			}
		}
	}
	b.WriteString("\n/** The decimals of responses: \"#\" stands for one, a name for an object that has some. */\n")
	b.WriteString("export const shapes: Shapes = {\n")
	for _, r := range m.sortedRecords() {
		var parts []string
		for _, f := range r.fields {
			if mark := m.shapeOf(f.of, has); mark != "" && !m.isFree(f) {
				parts = append(parts, fmt.Sprintf("%s: %q", tsKey(f.name), mark))
			}
		}
		if len(parts) > 0 {
			fmt.Fprintf(b, "  %s: { %s },\n", r.name, strings.Join(parts, ", "))
		}
	}
	b.WriteString("};\n")
}

func (m *model) hasDecimals(r *record, has map[string]bool) bool {
	for _, f := range r.fields {
		if m.shapeOf(f.of, has) != "" && !m.isFree(f) {
			return true
		}
	}
	return false
}

// shapeOf returns the mark of a value: "#" for a decimal, the name of an object that has some, else "".
func (m *model) shapeOf(v valueType, has map[string]bool) string {
	switch {
	case v.kind == decimalKind:
		return "#"
	case v.kind == recordKind && has[v.record]:
		return m.nameOfRecord(v.record)
	case v.kind == listKind:
		return m.shapeOf(*v.of, has)
	}
	return ""
}

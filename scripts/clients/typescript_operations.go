package main

import (
	"bytes"
	"fmt"
	"strings"
)

// typeScriptOperations returns the file of the operations: a class for each area, with a method for each operation.
func typeScriptOperations(m *model) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n\nimport { eachItem, type Options, type Transport } from \"./transport.js\";\n", generatedNote)
	b.WriteString("import type * as types from \"./types.js\";\n")
	names, areas := m.areas()
	for _, area := range names {
		for _, one := range areas[area] {
			m.tsParams(&b, one)
		}
		fmt.Fprintf(&b, "\nexport class %sApi {\n  readonly #transport: Transport;\n\n", pascal(area))
		b.WriteString("  constructor(transport: Transport) {\n    this.#transport = transport;\n  }\n")
		for _, one := range areas[area] {
			m.tsMethod(&b, one)
		}
		b.WriteString("}\n")
	}
	b.WriteString("\n/** The operations of the API by what they are about. */\nexport class Areas {\n")
	for _, area := range names {
		fmt.Fprintf(&b, "  readonly %s: %sApi;\n", area, pascal(area))
	}
	b.WriteString("\n  constructor(transport: Transport) {\n")
	for _, area := range names {
		fmt.Fprintf(&b, "    this.%s = new %sApi(transport);\n", area, pascal(area))
	}
	b.WriteString("  }\n}\n")
	return b.Bytes()
}

// tsParamsType returns the name of the query parameters of an operation; "" if it has none.
func tsParamsType(one method) string {
	if len(one.query) == 0 {
		return ""
	}
	return pascal(one.area) + pascal(one.operationName.method) + "Params"
}

func (one method) needsParams() bool {
	for _, f := range one.query {
		if f.isRequired {
			return true
		}
	}
	return false
}

// tsParams writes the type of the query parameters of an operation.
func (m *model) tsParams(b *bytes.Buffer, one method) {
	if len(one.query) == 0 {
		return
	}
	fmt.Fprintf(b, "\nexport interface %s {\n", tsParamsType(one))
	for _, f := range one.query {
		tsComment(b, "  ", f.note)
		mark, none := "?", " | undefined"
		if f.isRequired {
			mark, none = "", ""
		}
		of := m.qualified(f.of, true)
		if f.of.kind == listKind {
			of = strings.TrimSuffix(of, "[]")
			of = strings.Trim(of, "()") + " | " + "readonly " + m.qualified(f.of, true)
		}
		fmt.Fprintf(b, "  %s%s: %s%s;\n", tsKey(f.name), mark, of, none)
	}
	b.WriteString("}\n")
}

// qualified returns a type as it is named outside of the file of types.
func (m *model) qualified(v valueType, isInput bool) string {
	switch v.kind {
	case recordKind:
		return strings.Replace(m.tsType(v, isInput), m.nameOfRecord(v.record), "types."+m.nameOfRecord(v.record), 1)
	case listKind:
		of := m.qualified(*v.of, isInput)
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		return of + "[]"
	case decimalKind:
		return "types." + m.tsType(v, isInput)
	}
	return m.tsType(v, isInput)
}

// tsArguments returns the parameters of a method, and as what they are handed on.
func (m *model) tsArguments(one method) (parameters, request string) {
	var list, fields []string
	for _, p := range one.paths {
		list = append(list, p+": string")
	}
	if len(one.paths) > 0 {
		fields = append(fields, "ids: ["+strings.Join(one.paths, ", ")+"]")
	}
	query, options := "query: "+tsQuery(one, "params"), "Options"
	if name := tsParamsType(one); name != "" && one.needsParams() {
		list, fields = append(list, "params: "+name), append(fields, query)
	} else if name != "" && one.body == nil {
		list, fields = append(list, "params: "+name+" = {}"), append(fields, query)
	}
	if one.body != nil {
		of := "body: " + m.qualified(*one.body, true)
		if one.RequestBody == nil || !one.RequestBody.Required {
			of += " = {}"
		}
		list, fields = append(list, of), append(fields, "body")
		if name := tsParamsType(one); name != "" && !one.needsParams() {
			options = "Options & { query?: " + name + " | undefined }"
			fields = append(fields, "query: "+tsQuery(one, "options?.query"))
		}
	}
	if one.isKeyed {
		fields = append(fields, "isKeyed: true")
	}
	if one.response != nil {
		if mark := m.responseShape(*one.response); mark != "" {
			fields = append(fields, fmt.Sprintf("shape: %q", mark))
		}
	}
	return strings.Join(append(list, "options?: "+options), ", "), strings.Join(fields, ", ")
}

// tsQuery returns the query parameters of an operation as an expression: those of the caller, and what is always sent.
func tsQuery(one method, params string) string {
	if len(one.fixed) == 0 {
		return params
	}
	out := "{ ..." + params
	for _, p := range one.fixed {
		out += fmt.Sprintf(", %s: %q", tsKey(p.name), p.value)
	}
	return out + " }"
}

// responseShape returns the record of a response, by which its decimals are found.
func (m *model) responseShape(v valueType) string {
	switch v.kind {
	case recordKind:
		return m.nameOfRecord(v.record)
	case listKind:
		return m.responseShape(*v.of)
	}
	return ""
}

// tsMethod writes an operation, and the iterator of a list that has pages.
func (m *model) tsMethod(b *bytes.Buffer, one method) {
	parameters, request := m.tsArguments(one)
	b.WriteString("\n")
	description, deprecated := partDeprecation(one.call)
	note := sentences(one.Summary, description)
	lines := append(wrap(strings.ReplaceAll(note, "*/", "* /")), "", fmt.Sprintf("`%s %s`", one.call.method, one.path))
	if deprecated != "" {
		lines = append(lines, "", "@deprecated "+deprecated)
	}
	b.WriteString("  /**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight("   * "+line, " ") + "\n")
	}
	b.WriteString("   */\n")
	returns := "void"
	if one.response != nil {
		returns = m.qualified(*one.response, false)
	}
	if request != "" {
		request = ", " + request
	}
	fmt.Fprintf(b, "  %s(%s): Promise<%s> {\n", one.operationName.method, parameters, returns)
	fmt.Fprintf(b, "    return this.#transport.send({ method: %q, path: %q%s }, options);\n  }\n", one.call.method, one.path, request)
	if one.item == "" {
		return
	}
	item := "types." + m.nameOfRecord(one.item)
	b.WriteString("\n")
	tsComment(b, "  ", sentences("All items of `"+one.operationName.method+"`, read page by page", one.allNote()))
	args := strings.Join(append(append([]string{}, one.paths...), "page", "options"), ", ")
	fmt.Fprintf(b, "  %s(%s): AsyncGenerator<%s, void, undefined> {\n", one.allName(), parameters, item)
	next := one.cursor.param + ": last." + one.cursor.property
	if one.hasParam("skip") {
		next = "skip: undefined, " + next // it counts from the first page
	}
	fmt.Fprintf(b, "    return eachItem(params, (page) => this.%s(%s), (last) => ({ %s }));\n  }\n", one.operationName.method, args, next)
}

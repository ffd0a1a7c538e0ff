package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

// goOperations returns the file of the operations: a type for each area, with a method for each operation.
func goOperations(m *model) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n\npackage laurel\n\nimport (\n\t\"context\"\n\t\"iter\"\n\t\"net/url\"\n\t\"time\"\n)\n", generatedNote)
	names, areas := m.areas()
	b.WriteString("\n// Areas are the operations of the API by what they are about. A Client has them.\ntype Areas struct {\n")
	for _, area := range names {
		fmt.Fprintf(&b, "\t%s %s\n", goName(area), areaType(area))
	}
	b.WriteString("}\n\nfunc newAreas(c *Client) Areas {\n\treturn Areas{\n")
	for _, area := range names {
		fmt.Fprintf(&b, "\t\t%s: %s{c},\n", goName(area), areaType(area))
	}
	b.WriteString("\t}\n}\n")
	for _, area := range names {
		fmt.Fprintf(&b, "\n// %s has the operations of %s.\n", areaType(area), strings.ToLower(strings.Join(wordsOf(area), " ")))
		fmt.Fprintf(&b, "type %s struct{ client *Client }\n", areaType(area))
		for _, one := range areas[area] {
			m.goMethod(&b, one)
		}
	}
	text := b.Bytes()
	if !bytes.Contains(text, []byte("time.")) {
		text = bytes.Replace(text, []byte("\t\"time\"\n"), nil, 1)
	}
	return format.Source(text)
}

func areaType(area string) string { return goName(area) + "API" }

// paramsType returns the name of the query parameters of an operation.
func paramsType(one method) string {
	return goName(one.area) + goName(one.operationName.method) + "Params"
}

// goMethod writes an operation, the type of its query parameters, and the iterator of a list that has pages.
func (m *model) goMethod(b *bytes.Buffer, one method) {
	if len(one.query) > 0 {
		m.goParams(b, one)
	}
	name := goName(one.operationName.method)
	b.WriteString("\n")
	description, deprecated := partDeprecation(one.call)
	goComment(b, "", fmt.Sprintf("%s: %s", name, sentences(one.Summary, description)))
	fmt.Fprintf(b, "//\n//\t%s %s\n", one.call.method, one.path)
	if deprecated != "" {
		b.WriteString("//\n")
		goComment(b, "", "Deprecated: "+deprecated)
	}
	returns, send := "error", "send"
	switch {
	case one.response == nil:
	case one.response.kind == recordKind:
		returns, send = fmt.Sprintf("(*%s, error)", m.goType(*one.response)), "receive["+m.goType(*one.response)+"]"
	default:
		returns, send = fmt.Sprintf("(%s, error)", m.goType(*one.response)), "receiveValue["+m.goType(*one.response)+"]"
	}
	fmt.Fprintf(b, "func (a %s) %s(%s) %s {\n", areaType(one.area), name, m.goArguments(one), returns)
	fmt.Fprintf(b, "\treturn %s(ctx, a.client, request{method: %q, path: %q", send, one.call.method, one.path)
	if len(one.paths) > 0 {
		fmt.Fprintf(b, ", ids: []string{%s}", strings.Join(one.paths, ", "))
	}
	if len(one.query) > 0 {
		b.WriteString(", query: params.query()")
	}
	if one.body != nil {
		b.WriteString(", body: body")
	}
	if one.isKeyed {
		b.WriteString(", isKeyed: true")
	}
	b.WriteString("}, options)\n}\n")
	if one.item != "" {
		m.goIterator(b, one)
	}
}

// partDeprecation returns the description of an operation without the sentence on its deprecation, and that sentence;
// "" if it is not deprecated.
func partDeprecation(c call) (description, deprecated string) {
	before, after, hasSentence := strings.Cut(c.Description, "Deprecated: ")
	switch {
	case hasSentence:
		sentence, rest, _ := strings.Cut(after, ". ")
		return before + rest, strings.TrimSuffix(sentence, ".") + "."
	case c.Deprecated:
		return c.Description, "see its description."
	}
	return c.Description, ""
}

// goArguments returns the parameters of a method.
func (m *model) goArguments(one method) string {
	out := []string{"ctx context.Context"}
	for _, p := range one.paths {
		out = append(out, p+" string")
	}
	if len(one.query) > 0 {
		out = append(out, "params "+paramsType(one))
	}
	if one.body != nil {
		out = append(out, "body "+m.goType(*one.body))
	}
	return strings.Join(append(out, "options ...Option"), ", ")
}

// goParams writes the type of the query parameters of an operation, and how they are encoded.
func (m *model) goParams(b *bytes.Buffer, one method) {
	name := paramsType(one)
	fmt.Fprintf(b, "\n// %s are the query parameters of %s. Those that are empty are left out.\ntype %s struct {\n",
		name, goName(one.operationName.method), name)
	for _, f := range one.query {
		note := noteOf(f)
		if f.isRequired {
			note = sentences(note, "Required")
		}
		goComment(b, "\t", note)
		typed := m.goType(f.of)
		if f.of.kind == boolKind || f.of.kind == decimalKind {
			typed = "Optional[" + typed + "]"
		}
		fmt.Fprintf(b, "\t%s %s\n", goName(f.name), typed)
	}
	fmt.Fprintf(b, "}\n\nfunc (p %s) query() url.Values {\n\tq := query{}\n", name)
	for _, f := range one.query {
		add := "text"
		switch f.of.kind {
		case listKind:
			if add = "list"; f.of.of.kind == integerKind {
				add = "integers"
			}
		case integerKind:
			add = "integer"
		case boolKind:
			add = "flag"
		case timeKind:
			add = "time"
		case decimalKind:
			add = "decimal"
		}
		fmt.Fprintf(b, "\tq.%s(%q, p.%s)\n", add, f.name, goName(f.name))
	}
	for _, p := range one.fixed {
		fmt.Fprintf(b, "\tq.text(%q, %q)\n", p.name, p.value)
	}
	b.WriteString("\treturn url.Values(q)\n}\n")
}

// goIterator writes the iterator over all items of a list.
func (m *model) goIterator(b *bytes.Buffer, one method) {
	name, list, item := goName(one.allName()), goName(one.operationName.method), m.nameOfRecord(one.item)
	b.WriteString("\n")
	goComment(b, "", fmt.Sprintf("%s returns all items of %s, which it reads page by page. After an error it ends. %s",
		name, list, one.allNote()))
	fmt.Fprintf(b, "func (a %s) %s(%s) iter.Seq2[%s, error] {\n", areaType(one.area), name, m.goArguments(one), item)
	cursor, of, skip := goName(one.cursor.param), "string", ""
	for _, f := range one.query {
		if f.name == one.cursor.param {
			of = m.goType(f.of)
		}
	}
	if one.hasParam("skip") {
		skip = "\t\tif after != params.StartingAfter {\n\t\t\tparams.Skip = 0 // it counts from the first page\n\t\t}\n"
	}
	args := append([]string{"ctx"}, one.paths...)
	fmt.Fprintf(b, `	return eachItem(params.%s, func(after %s) ([]%s, bool, error) {
%s		params.%s = after
		page, err := a.%s(%s, params, options...)
		if err != nil {
			return nil, false, err
		}
		return page.Data, page.HasNextPage, nil
	}, func(item %s) %s { return item.%s })
}
`, cursor, of, item, skip, cursor, list, strings.Join(args, ", "), item, of, goName(one.cursor.property))
}

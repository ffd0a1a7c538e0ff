package messages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// The variables of a gateway's template.
const (
	phoneVariable   = "{phoneNumber}"
	messageVariable = "{message}"
)

// fill replaces the variables in a template by the message's number and text, each escaped for its place. What it
// inserts is not searched for variables.
func fill(template string, m Message, escape func(string) string) string {
	return strings.NewReplacer(phoneVariable, escape(m.To), messageVariable, escape(m.Text)).Replace(template)
}

// fillURL fills an address: values are escaped for the path or, behind the question mark, for the query.
func fillURL(template string, m Message) string {
	path, query, hasQuery := strings.Cut(template, "?")
	out := fill(path, m, url.PathEscape)
	if hasQuery {
		out += "?" + fill(query, m, url.QueryEscape)
	}
	return out
}

// fillHeader fills the value of a header. Characters that a header cannot hold (RFC 9110) are sent as %XX of UTF-8.
func fillHeader(template string, m Message) string { return fill(template, m, escapeHeader) }

// escapeHeader returns a text in printable ASCII: other bytes, and the percent sign, become %XX.
func escapeHeader(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		if b < ' ' || b > '~' || b == '%' {
			fmt.Fprintf(&out, "%%%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

// fillJSON fills every text in a decoded JSON value. Escaping is left to the encoder.
func fillJSON(template any, m Message) any {
	switch t := template.(type) {
	case string:
		return fill(t, m, verbatim)
	case []any:
		out := make([]any, len(t))
		for i, item := range t {
			out[i] = fillJSON(item, m)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(t))
		for name, item := range t {
			out[name] = fillJSON(item, m)
		}
		return out
	}
	return template
}

func verbatim(text string) string { return text }

// body is the template of a request's body. At most one of its fields is set.
type body struct {
	json any    // a decoded JSON value
	form string // a form in its encoded form (application/x-www-form-urlencoded)
}

// encode returns the body with its content type; both are empty for a request without a body.
func (b body) encode(m Message) (content []byte, contentType string, err error) {
	switch {
	case b.json != nil:
		content, err = json.Marshal(fillJSON(b.json, m))
		return content, jsonType, err
	case b.form != "":
		return []byte(fill(b.form, m, url.QueryEscape)), formType, nil
	}
	return nil, "", nil
}

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

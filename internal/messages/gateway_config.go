package messages

import (
	"mime"
	"net/url"
	"slices"
	"strings"

	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
)

// ReadGateway reads the part sms of the operator's file (contract 8.8):
//
//	{"url": "https://sms.example/send", "method": "POST", "headers": {"Authorization": "Bearer …"},
//	 "body": {"to": "{phoneNumber}", "text": "{message}"}}
//
// Only url is required. The body is an object, sent as JSON or, with the header Content-Type
// application/x-www-form-urlencoded, as a form; or a text that is a form already. Both variables must stand somewhere.
// Faults are added to those of the object's file.
func ReadGateway(o configfile.Object, guard *outbound.Guard) *Gateway {
	g := &Gateway{url: o.RequiredURL("url", guard), method: o.Choice("method", "POST", "GET", "PUT")}
	isForm := g.readHeaders(o)
	places := append(g.readBody(o, isForm), g.url)
	for _, value := range g.headers {
		places = append(places, value)
	}
	all := strings.Join(places, " ")
	for _, variable := range []string{phoneVariable, messageVariable} {
		if g.url != "" && !strings.Contains(all, variable) {
			o.Fault("", "must hold %s in its url, headers or body", variable)
		}
	}
	return g
}

// readHeaders reads the headers of requests, and reports whether they say that the body is a form. Values are secrets,
// which no fault repeats.
func (g *Gateway) readHeaders(o configfile.Object) (isForm bool) {
	child, ok := o.Object("headers")
	if !ok {
		return false
	}
	g.headers = map[string]string{}
	for _, name := range child.Names() {
		value := child.Text(name)
		if strings.EqualFold(name, "Content-Type") {
			kind, _, err := mime.ParseMediaType(value)
			isForm = kind == formType
			if err != nil || kind != jsonType && kind != formType {
				child.Fault(name, "must be one of: %s, %s", jsonType, formType)
			}
			g.headers["Content-Type"] = value
			continue
		}
		outbound.CheckHeaderName(o.Faults(), child.Path(name), name)
		outbound.CheckHeaderValue(o.Faults(), child.Path(name), value)
		g.headers[name] = value
	}
	return isForm
}

// readBody reads the body and returns its texts, in which variables may stand.
func (g *Gateway) readBody(o configfile.Object, isForm bool) []string {
	var content any
	if !o.Decode("body", &content, "must be an object or a text") {
		return nil
	}
	object, isObject := content.(map[string]any)
	text, isText := content.(string)
	switch {
	case g.method == "GET":
		o.Fault("body", "must be left out with method GET")
	case isForm && isText:
		g.body.form = text
	case isForm && isObject:
		g.body.form = encodeForm(o, object)
		return []string{g.body.form}
	case isObject:
		g.body.json = object
		return textsOf(object)
	case isText:
		o.Fault("body", "must be an object, unless the header Content-Type is %s", formType)
	default:
		o.Fault("body", "must be an object or a text")
	}
	return []string{text}
}

// encodeForm returns a form with the fields of an object. Variables stay as they are, to be filled later.
func encodeForm(o configfile.Object, fields map[string]any) string {
	form := url.Values{}
	for name, value := range fields {
		text, isText := value.(string)
		if !isText {
			o.Fault("body."+name, "must be a text")
		}
		form.Set(name, text)
	}
	return strings.NewReplacer(
		url.QueryEscape(phoneVariable), phoneVariable, url.QueryEscape(messageVariable), messageVariable,
	).Replace(form.Encode())
}

// textsOf returns all texts in a decoded JSON value, in any order.
func textsOf(value any) (texts []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, item := range v {
			texts = slices.Concat(texts, textsOf(item))
		}
	case map[string]any:
		for _, item := range v {
			texts = slices.Concat(texts, textsOf(item))
		}
	}
	return texts
}

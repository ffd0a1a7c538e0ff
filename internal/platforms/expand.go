package platforms

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
)

// variablesOf returns the values of a question's variables by name (contract 8.8), beside those of the metadata.
func (q Question) variables() map[string]string {
	return map[string]string{
		"platformId":   cmp.Or(q.Account.ID, q.Account.Name), // accounts that are proven by a profile may have a name only
		"platformName": q.Account.Name, "contentUrl": q.ContentURL,
		"contentId": ContentID(q.ContentURL),
	}
}

// ContentID returns the last segment of an address's path; "" if there is none.
func ContentID(address string) string {
	u, err := url.Parse(address)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return ""
	}
	return path.Base(u.Path)
}

// value returns the value of a variable; "" if it has none.
func (q Question) value(name string) string {
	if property, ok := strings.CutPrefix(name, metadataPrefix); ok {
		return metadataValue(q.Metadata, property)
	}
	return q.variables()[name]
}

// metadataValue returns a text or number of a rule's metadata at a dotted path, without surrounding space.
func metadataValue(metadata map[string]json.RawMessage, property string) string {
	name, rest, _ := strings.Cut(property, ".")
	return strings.TrimSpace(textOf(valueAt(metadata[name], rest)))
}

// expand returns a template with the values of its variables, each escaped by escape. ok is false if one has no value,
// or is a path that leads upward.
func (q Question) expand(template string, escape func(string) string) (text string, ok bool) {
	ok = true
	text = variable.ReplaceAllStringFunc(template, func(match string) string {
		value := q.value(strings.Trim(match, "{}"))
		ok = ok && value != "" && value != "." && value != ".."
		return escape(value)
	})
	return text, ok
}

// expandURL returns the address of a check: values are escaped as segments of the path, and behind the question mark
// as values of a query (RFC 3986).
func (q Question) expandURL(template string) (address string, ok bool) {
	before, query, hasQuery := strings.Cut(template, "?")
	address, ok = q.expand(before, url.PathEscape)
	if !hasQuery {
		return address, ok
	}
	query, queryOK := q.expand(query, url.QueryEscape)
	return address + "?" + query, ok && queryOK
}

// expandHeader returns the value of a header. Characters that would end it are percent-encoded (RFC 9110, 5.5).
func (q Question) expandHeader(template string) (string, bool) {
	return q.expand(template, func(value string) string {
		var b strings.Builder
		for _, r := range value {
			if r < ' ' || r == 0x7f || r > '~' {
				b.WriteString(url.PathEscape(string(r)))
				continue
			}
			b.WriteRune(r)
		}
		return b.String()
	})
}

// variables returns the names of the variables in the templates of a check.
func (c Check) variables() (names []string) {
	for _, template := range append([]string{c.URL}, slices.Collect(maps.Values(c.Headers))...) {
		for _, match := range variable.FindAllStringSubmatch(template, -1) {
			names = append(names, match[1])
		}
	}
	return names
}

// missesMetadata reports whether a check needs a property that the rule's metadata has not.
func (c Check) missesMetadata(metadata map[string]json.RawMessage) bool {
	return slices.ContainsFunc(c.variables(), func(name string) bool {
		property, isMetadata := strings.CutPrefix(name, metadataPrefix)
		return isMetadata && metadataValue(metadata, property) == ""
	})
}

// FindsByContentID reports whether the driver's check of a rule type looks at nothing of a content url but its last
// segment: then addresses with the same one name the same post.
func (d *Driver) FindsByContentID(ruleType string) bool {
	names := d.Checks[ruleType].variables()
	return slices.Contains(names, "contentId") && !slices.Contains(names, "contentUrl")
}

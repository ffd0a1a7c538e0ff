package providers

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/rules/schema"
)

const (
	defaultWithin               = 3 * time.Second
	leastSeconds  laurel.Amount = laurel.One / 10
	// Two tries and what lies between them stay below the 10 s that a call may wait for checks outside (contract 5.1).
	mostSeconds laurel.Amount = 4 * laurel.One
	maxPartners               = 1000
)

// ReadPartners reads the operator's configuration:
//
//	{"partners": [{"type": "shop_spend", "url": "https://…", "header": {"name": "Authorization", "value": "Bearer …"}, "timeoutSeconds": 3, "websiteId": "…"}]}
//
// Only type and url are required. Every fault is noted under its path below at; addresses must be callable.
func ReadPartners(f *laurel.Faults, at string, text []byte, guard *outbound.Guard) []Partner {
	top := read(f, at, text, "partners")
	if top == nil {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(top["partners"], &items) != nil || items == nil || len(items) > maxPartners {
		f.Add(at+"partners", "must be an array of at most %d", maxPartners)
		return nil
	}
	var list []Partner
	seen := map[place]bool{}
	for i, item := range items {
		path := at + "partners." + strconv.Itoa(i)
		p, ok := readPartner(f, path, item, guard)
		if !ok {
			continue
		}
		if seen[place{p.Type, p.WebsiteID}] {
			f.Add(path, "is the second of %s for the same websites", p.Type)
		}
		seen[place{p.Type, p.WebsiteID}] = true
		list = append(list, p)
	}
	return list
}

// read reads an object and notes properties that nobody knows; nil where it is none.
func read(f *laurel.Faults, path string, text json.RawMessage, names ...string) map[string]json.RawMessage {
	found, err := properties(text)
	if err != nil {
		f.Add(strings.TrimRight(path, ". "), "%s", err)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(names, name) {
			f.Add(path+name, "is not known; known are: %s", strings.Join(names, ", "))
		}
	}
	return found
}

func readPartner(f *laurel.Faults, path string, item json.RawMessage, guard *outbound.Guard) (Partner, bool) {
	faults := len(*f)
	path += "."
	found := read(f, path, item, "type", "url", "header", "timeoutSeconds", "websiteId")
	if found == nil {
		return Partner{}, false
	}
	p := Partner{
		Type:   schema.Type(text(f, path+"type", found["type"], true)),
		URL:    text(f, path+"url", found["url"], true),
		Within: defaultWithin,
	}
	if p.Type != "" && p.Type.Kind().Provider != schema.PartnerProvider {
		f.Add(path+"type", "must be one of: %s", strings.Join(types(), ", "))
	}
	if p.URL != "" {
		guard.Check(f, path+"url", p.URL)
	}
	if header := found["header"]; given(header) {
		p.Header, p.Secret = readHeader(f, path+"header", header)
	}
	if id := text(f, path+"websiteId", found["websiteId"], false); id != "" {
		var err error
		if p.WebsiteID, err = laurel.ParseID(id); err != nil {
			f.Add(path+"websiteId", "must be a uuid")
		}
	}
	if seconds := found["timeoutSeconds"]; given(seconds) {
		var s laurel.Amount
		if err := json.Unmarshal(seconds, &s); err != nil || s < leastSeconds || s > mostSeconds {
			f.Add(path+"timeoutSeconds", "must be between %s and %s", leastSeconds, mostSeconds)
		}
		p.Within = time.Duration(s) * time.Microsecond // amounts are millionths
	}
	return p, len(*f) == faults
}

// types lists the types that partners answer for.
func types() []string {
	return slices.DeleteFunc(schema.TypeNames(), func(t string) bool {
		return schema.Type(t).Kind().Provider != schema.PartnerProvider
	})
}

func given(value json.RawMessage) bool { return value != nil && string(value) != "null" }

func text(f *laurel.Faults, path string, value json.RawMessage, required bool) (s string) {
	switch {
	case given(value) && json.Unmarshal(value, &s) != nil:
		f.Add(path, "must be a text")
	case required && strings.TrimSpace(s) == "":
		f.Add(path, "is required")
	}
	return s
}

// readHeader reads a header of RFC 9110. Its value is a secret: no fault repeats it.
func readHeader(f *laurel.Faults, path string, item json.RawMessage) (name, value string) {
	found := read(f, path+".", item, "name", "value")
	if found == nil {
		return "", ""
	}
	name, value = text(f, path+".name", found["name"], true), text(f, path+".value", found["value"], true)
	outbound.CheckHeaderName(f, path+".name", name)
	outbound.CheckHeaderValue(f, path+".value", value)
	return name, value
}

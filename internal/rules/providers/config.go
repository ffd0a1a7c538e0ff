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
	defaultTimeout               = 3 * time.Second
	minTimeout     laurel.Amount = laurel.One / 10
	// Two tries and the pause between them take less than the 10 s that a call may wait for a provider (contract 5.1).
	maxTimeout  laurel.Amount = 4 * laurel.One
	maxPartners               = 1000
)

// ReadPartners reads the operator's configuration:
//
//	{"partners": [{"type": "shop_spend", "url": "https://…", "header": {"name": "Authorization", "value": "Bearer …"}, "timeoutSeconds": 3, "websiteId": "…"}]}
//
// Only type and url are required, and addresses must pass the guard. Faults are added to f, with pathPrefix in front of
// their paths; partners with faults are left out.
func ReadPartners(f *laurel.Faults, pathPrefix string, text []byte, guard *outbound.Guard) []Partner {
	top := readObject(f, pathPrefix, text, "partners")
	if top == nil {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(top["partners"], &items) != nil || items == nil || len(items) > maxPartners {
		f.Add(pathPrefix+"partners", "must be an array of at most %d", maxPartners)
		return nil
	}
	var list []Partner
	configured := map[partnerKey]bool{}
	for i, item := range items {
		path := pathPrefix + "partners." + strconv.Itoa(i)
		p, ok := readPartner(f, path, item, guard)
		if !ok {
			continue
		}
		if configured[partnerKey{p.Type, p.WebsiteID}] {
			f.Add(path, "is the second of %s for the same websites", p.Type)
		}
		configured[partnerKey{p.Type, p.WebsiteID}] = true
		list = append(list, p)
	}
	return list
}

// readObject decodes a JSON object and adds a fault for each property that is not among names. For other values it adds
// a fault and returns nil. path is that of the object with a dot behind it, or empty.
func readObject(f *laurel.Faults, path string, text json.RawMessage, names ...string) map[string]json.RawMessage {
	found, err := parseObject(text)
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

// readPartner decodes a partner and adds its faults to f. It returns false if there are any.
func readPartner(f *laurel.Faults, path string, item json.RawMessage, guard *outbound.Guard) (Partner, bool) {
	faultsBefore := len(*f)
	path += "."
	found := readObject(f, path, item, "type", "url", "header", "timeoutSeconds", "websiteId")
	if found == nil {
		return Partner{}, false
	}
	p := Partner{
		Type:    schema.Type(readText(f, path+"type", found["type"], true)),
		URL:     readText(f, path+"url", found["url"], true),
		Timeout: defaultTimeout,
	}
	if p.Type != "" && p.Type.Kind().Provider != schema.PartnerProvider {
		f.Add(path+"type", "must be one of: %s", strings.Join(partnerTypes(), ", "))
	}
	if p.URL != "" {
		guard.Check(f, path+"url", p.URL)
	}
	if header := found["header"]; isPresent(header) {
		p.Header, p.Secret = readHeader(f, path+"header", header)
	}
	if id := readText(f, path+"websiteId", found["websiteId"], false); id != "" {
		var err error
		if p.WebsiteID, err = laurel.ParseID(id); err != nil {
			f.Add(path+"websiteId", "must be a uuid")
		}
	}
	if seconds := found["timeoutSeconds"]; isPresent(seconds) {
		var s laurel.Amount
		if err := json.Unmarshal(seconds, &s); err != nil || s < minTimeout || s > maxTimeout {
			f.Add(path+"timeoutSeconds", "must be between %s and %s", minTimeout, maxTimeout)
		}
		p.Timeout = time.Duration(s) * time.Microsecond // an amount counts millionths
	}
	return p, len(*f) == faultsBefore
}

// partnerTypes returns the rule types that partners verify.
func partnerTypes() []string {
	return slices.DeleteFunc(schema.TypeNames(), func(t string) bool {
		return schema.Type(t).Kind().Provider != schema.PartnerProvider
	})
}

// isPresent reports whether a property is present and not null.
func isPresent(value json.RawMessage) bool { return value != nil && string(value) != "null" }

// readText decodes a text and adds a fault if it is no text, or is required and missing.
func readText(f *laurel.Faults, path string, value json.RawMessage, required bool) (s string) {
	switch {
	case isPresent(value) && json.Unmarshal(value, &s) != nil:
		f.Add(path, "must be a text")
	case required && strings.TrimSpace(s) == "":
		f.Add(path, "is required")
	}
	return s
}

// readHeader decodes a header of RFC 9110, and adds a fault if it is not valid. Its value is a secret, which no fault
// repeats.
func readHeader(f *laurel.Faults, path string, item json.RawMessage) (name, value string) {
	found := readObject(f, path+".", item, "name", "value")
	if found == nil {
		return "", ""
	}
	name, value = readText(f, path+".name", found["name"], true), readText(f, path+".value", found["value"], true)
	outbound.CheckHeaderName(f, path+".name", name)
	outbound.CheckHeaderValue(f, path+".value", value)
	return name, value
}

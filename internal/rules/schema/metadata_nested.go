package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
)

// Closed enumerations inside objects of the metadata (contract 2).
var (
	contractKinds    = []string{"function", "event"}
	contractCriteria = []string{"everyEvent", "byParameter"}
	conditions       = []string{
		"equals",
		"not_equals",
		"greater_than",
		"greater_than_or_equal",
		"less_than",
		"less_than_or_equal",
		"contains",
	}
)

// checkChoice adds a fault for a value that is not one of the allowed ones; absent and null values are valid.
func checkChoice(f *laurel.Faults, path string, value *string, allowed []string) {
	if value != nil && !slices.Contains(allowed, *value) {
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	}
}

// checkMetadataCollection checks that the property collection is an array of objects, each with a known network and a
// numeric multiplier if it has them. Its token ids, if any, must be whole numbers.
func checkMetadataCollection(f *laurel.Faults, path string, value json.RawMessage) {
	var list []*struct {
		Network    *string
		Multiplier json.RawMessage
		TokenIDs   json.RawMessage `json:"tokenIds"`
	}
	if json.Unmarshal(value, &list) != nil || slices.Contains(list, nil) {
		addFaultOf(f, path, value, collectionSchema, "an array of {address, multiplier, network}")
		return
	}
	for i, c := range list {
		at := path + "." + strconv.Itoa(i)
		if c.Network != nil && !evm.IsKnownNetwork(*c.Network) {
			f.Add(at+".network", "must be a known network")
		}
		if c.Multiplier != nil && string(c.Multiplier) != "null" && !isNumeric(c.Multiplier) {
			f.Add(at+".multiplier", "must be a number")
		}
		checkTokenIDs(f, at+".tokenIds", c.TokenIDs)
	}
}

// checkChatServers checks the property chatServersToJoin: servers, each with the channels, texts and emojis that count
// there and the roles that members need. A server, a role and an emoji say nothing without an id; a channel without one
// stands for all of its server.
func checkChatServers(f *laurel.Faults, path string, value json.RawMessage) {
	eachObject(f, path, value, "{id, channels, roles}", func(at string, server map[string]json.RawMessage) {
		checkNestedText(f, at+".id", server["id"], true /* isNeeded */)
		eachObject(f, at+".channels", server["channels"], "{id, text, emojis}",
			func(at string, channel map[string]json.RawMessage) {
				checkNestedText(f, at+".id", channel["id"], false)
				checkNestedText(f, at+".text", channel["text"], false)
				checkIDObjects(f, at+".emojis", channel["emojis"])
			})
		checkIDObjects(f, at+".roles", server["roles"])
	})
}

// checkIDObjects checks that a value, if there is one, is an array of objects with an id.
func checkIDObjects(f *laurel.Faults, path string, value json.RawMessage) {
	eachObject(f, path, value, "{id}", func(at string, item map[string]json.RawMessage) {
		checkNestedText(f, at+".id", item["id"], true /* isNeeded */)
	})
}

// eachObject calls check with the path and the properties of each object in an array, and adds a fault for a value that
// is no array of objects. An absent value and null have no items.
func eachObject(
	f *laurel.Faults, path string, value json.RawMessage, shape string,
	check func(at string, object map[string]json.RawMessage),
) {
	if len(value) == 0 || string(value) == "null" {
		return
	}
	var list []map[string]json.RawMessage
	isNull := func(object map[string]json.RawMessage) bool { return object == nil }
	if json.Unmarshal(value, &list) != nil || slices.ContainsFunc(list, isNull) {
		f.Add(path, "must be an array of %s", shape)
		return
	}
	for i, object := range list {
		check(path+"."+strconv.Itoa(i), object)
	}
}

// checkNestedText adds a fault for a value that is no string, and for an absent, null or empty one that is needed.
func checkNestedText(f *laurel.Faults, path string, value json.RawMessage, isNeeded bool) {
	var s *string
	switch {
	case len(value) > 0 && json.Unmarshal(value, &s) != nil:
		f.Add(path, "must be a string")
	case isNeeded && (s == nil || *s == ""):
		f.Add(path, "is required")
	}
}

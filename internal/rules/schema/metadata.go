package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/weburl"
)

// removedProperties are former properties of the metadata. They are dropped from inputs (contract 3.13).
var removedProperties = []string{"minQty", "maxQty", "tokenMode", "swappedToChain", "swappedToTokens", "trackTokenAmount"}

// writtenByService is the property that only the service writes: values in inputs are ignored, the stored value is
// kept.
const writtenByService = "reactionStats"

// CleanMetadata checks the metadata of an input, adds its faults to f, and returns the object to store in place of the
// former one (contract 3.13): known properties are checked, unknown ones are kept verbatim, removed ones are dropped,
// and the one that the service writes keeps its former value. A value that is stored already is not checked again, so
// that what an older version took stays editable. An empty input is {}.
func CleanMetadata(in, former json.RawMessage, f *laurel.Faults) json.RawMessage {
	sent := map[string]json.RawMessage{}
	if len(in) > 0 {
		if err := json.Unmarshal(in, &sent); err != nil || sent == nil {
			f.Add("metadata", "must be an object")
			return former
		}
	}
	for _, name := range removedProperties {
		delete(sent, name)
	}
	delete(sent, writtenByService)
	var stored map[string]json.RawMessage
	if json.Unmarshal(former, &stored) == nil && stored[writtenByService] != nil {
		sent[writtenByService] = stored[writtenByService]
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) { // so that faults come in one order
		value := sent[name]
		property, isKnown := metadataProperties[name]
		if !isKnown || string(value) == "null" || isSameJSON(value, stored[name]) {
			continue
		}
		path, before := "metadata."+name, len(*f)
		property.check(f, path, value)
		if len(*f) == before { // checks that know more about a property say more than its schema
			checkSchema(f, path, value, property.schema)
		}
	}
	if swap := sent["swap"]; swap != nil {
		sent["swap"] = withoutProperties(swap, removedProperties)
	}
	out, err := json.Marshal(sent)
	if err != nil {
		f.Add("metadata", "must be an object")
		return former
	}
	return out
}

// isSameJSON reports whether two values are spelled alike, but for spaces. No value is like an absent one.
func isSameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	one, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && bytes.Equal(one, other)
}

// withoutProperties returns a JSON object without the named properties. It returns values that are no objects
// unchanged.
func withoutProperties(object json.RawMessage, names []string) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(object, &m) != nil || m == nil {
		return object
	}
	for _, n := range names {
		delete(m, n)
	}
	out, err := json.Marshal(m)
	if err != nil {
		return object
	}
	return out
}

// check adds a fault for the value of a property if it is not valid.
type check func(f *laurel.Faults, path string, value json.RawMessage)

// checkThat returns a check that adds the fault "must be <expected>" unless the predicate holds.
func checkThat(expected string, ok func(json.RawMessage) bool) check {
	return func(f *laurel.Faults, path string, value json.RawMessage) {
		if !ok(value) {
			f.Add(path, "must be %s", expected)
		}
	}
}

// decodes reports whether the value can be decoded into the type T.
func decodes[T any](value json.RawMessage) bool {
	var v T
	return json.Unmarshal(value, &v) == nil
}

// parseNumeric decodes a number, or a text that holds a number; ok is false for other values.
func parseNumeric(value json.RawMessage) (a laurel.Amount, ok bool) {
	err := json.Unmarshal(value, &a)
	return a, err == nil
}

// integerBetween returns a predicate for whole numbers in a range.
func integerBetween(low, high int64) func(json.RawMessage) bool {
	return func(value json.RawMessage) bool {
		a, ok := wholeNumber(value)
		return ok && a >= low && a <= high
	}
}

// wholeNumber decodes a JSON number without a fraction.
func wholeNumber(value json.RawMessage) (int64, bool) {
	a, ok := parseNumeric(value)
	return int64(a / laurel.One), ok && a%laurel.One == 0 && !isText(value)
}

// isText reports whether the JSON value is a string.
func isText(value json.RawMessage) bool { return len(value) > 0 && value[0] == '"' }

// isURL reports whether the value is an address of the web.
func isURL(value json.RawMessage) bool {
	var s string
	return json.Unmarshal(value, &s) == nil && ValidURL(s)
}

// isURLOrFile reports whether the value is an address of the web or the path of an uploaded file.
func isURLOrFile(value json.RawMessage) bool {
	var s string
	return json.Unmarshal(value, &s) == nil && weburl.ValidOrFile(s)
}

// isNumber reports whether the value is a JSON number.
func isNumber(value json.RawMessage) bool {
	_, ok := parseNumeric(value)
	return ok && !isText(value)
}

// isNumeric reports whether the value is a number or a text that holds one.
func isNumeric(value json.RawMessage) bool { _, ok := parseNumeric(value); return ok }

func isObject(value json.RawMessage) bool {
	v := bytes.TrimSpace(value)
	return len(v) > 0 && v[0] == '{'
}

func isTextOrTexts(value json.RawMessage) bool {
	return decodes[string](value) || decodes[[]string](value)
}

func isIDsOrAny(value json.RawMessage) bool {
	return string(value) == `"any"` || decodes[[]laurel.ID](value)
}

// amountUpTo returns a predicate for numbers from 0 to a maximum.
func amountUpTo(high laurel.Amount) func(json.RawMessage) bool {
	return func(value json.RawMessage) bool {
		a, ok := parseNumeric(value)
		return ok && a >= 0 && a <= high
	}
}

// oneOf returns a check for texts of an enumeration.
func oneOf(allowed ...string) check {
	return checkThat("one of: "+strings.Join(allowed, ", "), func(value json.RawMessage) bool {
		var s string
		return json.Unmarshal(value, &s) == nil && slices.Contains(allowed, s)
	})
}

// isFactor reports whether the value is a number of at least 0. A factor below 0 would take points away.
func isFactor(value json.RawMessage) bool {
	return isNumber(value) && amountUpTo(laurel.MaxAmount)(value)
}

var (
	aBoolean    = checkThat("a boolean", decodes[bool])
	aText       = checkThat("a string", decodes[string])
	aURL        = checkThat("a valid url", isURL)
	aNumber     = checkThat("a number", isNumber)
	aNumeric    = checkThat("a number or a numeric string", isNumeric)
	anID        = checkThat("a uuid", decodes[laurel.ID])
	anIDList    = checkThat("an array of uuids", decodes[[]laurel.ID])
	aCount      = checkThat("an integer of at least 0", integerBetween(0, 1<<40))
	aPercentage = checkThat("between 0 and 100", amountUpTo(100*laurel.One))
)

// Tier is a range of values, bounds included, and the reward for it (contract 5.7).
type Tier struct {
	Start      laurel.Amount  `json:"startRange"`
	End        laurel.Amount  `json:"endRange"`
	Amount     *laurel.Amount `json:"amount"`
	BadgeID    *laurel.ID     `json:"loyaltyBadgeId"`
	Multiplier *laurel.Amount `json:"loyaltyMultiplierAmount"`
}

const maxTiers = 100

// checkRange checks the property range, which holds tiers. Meta.crossCheck finds tiers that overlap.
func checkRange(f *laurel.Faults, path string, value json.RawMessage) {
	var list []map[string]json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		f.Add(path, "must be an array of {startRange, endRange, amount}")
		return
	}
	if len(list) > maxTiers {
		f.Add(path, "must have at most %d items", maxTiers)
		return
	}
	for i, tier := range list {
		at, before := path+"."+strconv.Itoa(i), len(*f)
		checkTier(f, at, tier)
		start, _ := parseNumeric(tier["startRange"])
		end, _ := parseNumeric(tier["endRange"])
		amount, _ := parseNumeric(tier["amount"])
		switch {
		case len(*f) > before:
		case start > end:
			f.Add(at+".endRange", "must not be less than startRange")
		case amount < 0:
			f.Add(at+".amount", "must be at least 0")
		}
	}
}

// checkTier checks the properties of a tier by themselves. Tiers are decoded by names in any case, so that one name in
// another case is refused.
func checkTier(f *laurel.Faults, path string, tier map[string]json.RawMessage) {
	for _, p := range []struct {
		name       string
		isRequired bool
		check      check
	}{
		{"startRange", true, aNumeric},
		{"endRange", true, aNumeric},
		{"amount", false, aNumeric},
		{"loyaltyBadgeId", false, anID},
		{"loyaltyMultiplierAmount", false, aNumeric},
	} {
		switch value := tier[p.name]; {
		case !isNull(value):
			p.check(f, path+"."+p.name, value)
		case p.isRequired:
			f.Add(path+"."+p.name, "is required")
		}
		for _, name := range slices.Sorted(maps.Keys(tier)) {
			if name != p.name && strings.EqualFold(name, p.name) {
				f.Add(path+"."+name, "must be spelled %s", p.name)
			}
		}
	}
}

// MetadataNames returns the known properties of the metadata, ordered by name.
func MetadataNames() []string { return slices.Sorted(maps.Keys(metadataProperties)) }

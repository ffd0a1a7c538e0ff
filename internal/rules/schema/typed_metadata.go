package schema

import (
	"maps"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// Names of the components that MetadataComponents returns.
const (
	CommonMetadata = "RuleMetadata"    // what rules of every type may have
	AnyMetadata    = "AnyRuleMetadata" // what rules of any type may have
	RuleByType     = "RuleByType"      // the metadata by the type of the rule
)

// ComponentRef returns a schema that refers to a component of the OpenAPI document.
func ComponentRef(name string) laurel.Keywords {
	return laurel.Keywords{"$ref": "#/components/schemas/" + name}
}

// MetadataComponents returns the schemas of the metadata for the OpenAPI document, by name: CommonMetadata; for each
// type with properties of its own its metadata, such as CheckInMetadata, and its rule, such as CheckInRule, which binds
// that metadata to the type; and AnyMetadata and RuleByType. All may have further properties, which are stored as they
// are sent.
func MetadataComponents() map[string]laurel.Keywords {
	common, own := map[string]laurel.Keywords{}, map[Type]map[string]laurel.Keywords{}
	for name, schema := range metadataSchemas() {
		types := typesOfMetadata(name)
		if len(types) == 0 {
			common[name] = schema
		}
		for _, t := range types {
			if own[t] == nil {
				own[t] = map[string]laurel.Keywords{}
			}
			own[t][name] = schema
		}
	}
	out := map[string]laurel.Keywords{CommonMetadata: {
		"type": "object", "properties": common, "additionalProperties": true,
		"description": "Settings that rules of every type may have (contract 3.13). Other properties are stored as they are sent",
	}}
	all, rules := []laurel.Keywords{ComponentRef(CommonMetadata)}, []laurel.Keywords{}
	var others []string
	for _, t := range Types() {
		name := componentName(t)
		if own[t] == nil {
			others = append(others, string(t))
			continue
		}
		out[name+"Metadata"] = laurel.Keywords{
			"type": []string{"object", "null"}, "properties": own[t], "additionalProperties": true,
			"description": "Settings of rules of type " + string(t) + ". " + t.Kind().Summary,
		}
		out[name+"Rule"] = typedRule([]string{string(t)}, "A rule of type "+string(t)+", with its settings", name+"Metadata")
		all = append(all, ComponentRef(name+"Metadata"))
		rules = append(rules, ComponentRef(name+"Rule"))
	}
	out[otherRule] = typedRule(others, "A rule of a type that has no settings of its own", "")
	rules = append(rules, ComponentRef(otherRule))
	out[AnyMetadata] = laurel.Keywords{
		"allOf": all, "description": "Settings of a rule of any type: those of its own type have a meaning (contract 3.13)",
	}
	out[RuleByType] = laurel.Keywords{
		"oneOf": rules, "description": "The settings in metadata, by the type of the rule",
	}
	return out
}

// otherRule is the component of the rules whose type has no settings of its own.
const otherRule = "OtherRule"

// typedRule returns the schema of a rule of one of the types. Its metadata is the named component; "": any object.
func typedRule(types []string, text, metadata string) laurel.Keywords {
	properties := map[string]laurel.Keywords{
		"type": says("The type of the rule", enumOf(types...)),
	}
	if metadata != "" {
		properties["metadata"] = says("The settings of the type", ComponentRef(metadata))
	}
	return laurel.Keywords{
		"type": "object", "properties": properties, "required": []string{"type"}, "additionalProperties": true,
		"description": text,
	}
}

// metadataSchemas returns the schemas of the known properties, with their descriptions; each accepts null.
func metadataSchemas() map[string]laurel.Keywords {
	out := map[string]laurel.Keywords{
		writtenByService: says("Counts of the post, written by the service. Values in requests are ignored", orNull(reactionsSchema)),
	}
	for name, p := range metadataProperties {
		out[name] = says(p.text, orNull(p.schema))
	}
	return out
}

// typesOfMetadata returns the rule types that have the property of the metadata, in order; none if all have it.
func typesOfMetadata(name string) []Type {
	types := map[Type]bool{}
	for _, f := range fields() {
		if steps := f.Steps(); len(steps) > 0 && steps[0] == name {
			if len(f.Types) == 0 {
				return nil
			}
			for _, t := range f.Types {
				types[t] = true
			}
		}
	}
	for _, t := range typesOfJSONOnly[name] {
		types[t] = true
	}
	delete(types, "none") // of typesWhere
	return slices.Sorted(maps.Keys(types))
}

// componentName returns the name of a type in components, such as CheckIn.
func componentName(t Type) string {
	var name strings.Builder
	for part := range strings.SplitSeq(strings.TrimSuffix(string(t), "_rule"), "_") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

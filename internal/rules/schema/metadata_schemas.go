package schema

import (
	"maps"
	"strconv"

	"laurel.example/laurel"
)

// property is a known property of the metadata: how values are checked, the same as a JSON Schema (draft 2020-12) for
// the OpenAPI document, and what it means. Neither the check nor the schema covers null, which each property accepts.
type property struct {
	check  check
	schema laurel.Keywords
	text   string
}

// flag returns a property that is a boolean.
func flag(text string) property { return property{aBoolean, boolean(), text} }

// words returns a property that is a text.
func words(text string) property { return property{aText, aString(), text} }

// display returns a text that the service stores for the website.
func display(text string) property {
	return words(text + ". For display; the service does not use it")
}

// count returns a property that is a whole number of at least 0.
func count(text string) property {
	return property{aCount, laurel.Keywords{"type": "integer", "minimum": 0}, text}
}

// percentage returns a property that is a number from 0 to 100, or a text that holds one.
func percentage(text string) property { return property{aPercentage, numeric(), text} }

// choice returns a property that is one of the values.
func choice(text string, values ...string) property {
	return property{oneOf(values...), enumOf(values...), text}
}

// between returns a property that is a whole number from low to high.
func between(low, high int64, text string) property {
	return property{
		checkThat("an integer between "+strconv.FormatInt(low, 10)+" and "+strconv.FormatInt(high, 10), integerBetween(low, high)),
		laurel.Keywords{"type": "integer", "minimum": low, "maximum": high}, text,
	}
}

func boolean() laurel.Keywords { return laurel.Keywords{"type": "boolean"} }
func aString() laurel.Keywords { return laurel.Keywords{"type": "string"} }
func number() laurel.Keywords  { return laurel.Keywords{"type": "number"} }
func uuid() laurel.Keywords    { return laurel.Keywords{"type": "string", "format": "uuid"} }

// numeric is a number, or a text that holds one.
func numeric() laurel.Keywords { return laurel.Keywords{"type": []string{"number", "string"}} }

func enumOf(values ...string) laurel.Keywords {
	return laurel.Keywords{"type": "string", "enum": values}
}

func listOf(items laurel.Keywords) laurel.Keywords {
	return laurel.Keywords{"type": "array", "items": items}
}

// objectOf returns the schema of an object. Properties that are not required may be null.
func objectOf(properties map[string]laurel.Keywords, required ...string) laurel.Keywords {
	needed := map[string]bool{}
	for _, name := range required {
		needed[name] = true
	}
	out := map[string]laurel.Keywords{}
	for name, p := range properties {
		if !needed[name] {
			p = orNull(p)
		}
		out[name] = p
	}
	schema := laurel.Keywords{"type": "object", "properties": out}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// says returns a schema with a description.
func says(text string, schema laurel.Keywords) laurel.Keywords {
	out := maps.Clone(schema)
	out["description"] = text
	return out
}

// orNull returns a schema that accepts null, too.
func orNull(schema laurel.Keywords) laurel.Keywords {
	out := maps.Clone(schema)
	switch kind := out["type"].(type) {
	case string:
		out["type"] = []string{kind, "null"}
	case []string:
		out["type"] = append(append([]string{}, kind...), "null")
	}
	if forms, ok := out["oneOf"].([]laurel.Keywords); ok {
		out["oneOf"] = append(append([]laurel.Keywords{}, forms...), laurel.Keywords{"type": "null"})
	}
	if values, ok := out["enum"].([]string); ok {
		all := make([]any, 0, len(values)+1)
		for _, v := range values {
			all = append(all, v)
		}
		out["enum"] = append(all, nil)
	}
	return out
}

var (
	idsOrAny = laurel.Keywords{"oneOf": []laurel.Keywords{listOf(uuid()), enumOf("any")}}

	textOrTexts = laurel.Keywords{"oneOf": []laurel.Keywords{aString(), listOf(aString())}}

	linkSchema = objectOf(map[string]laurel.Keywords{
		"href":  says("The URL of the link", aString()),
		"label": says("The text of the link", aString()),
	})

	collectionSchema = listOf(objectOf(map[string]laurel.Keywords{
		"address":    says("The contract", aString()),
		"network":    says("A network of contract 2.1", aString()),
		"multiplier": says("The factor for each of its tokens; null: 1", numeric()),
		"tokenIds": says("The only tokens that count; null: all",
			listOf(laurel.Keywords{"type": []string{"integer", "string"}})),
	}))

	chatServersSchema = listOf(objectOf(map[string]laurel.Keywords{
		"id": says("The server", aString()),
		"channels": says("The channels whose messages count; empty: all of the server", listOf(objectOf(
			map[string]laurel.Keywords{
				"id":     says("The channel; null: all of the server", aString()),
				"text":   says("Text that a message must have", aString()),
				"emojis": says("Emojis of which a message must have one", listOf(idObject("The emoji"))),
			}))),
		"roles": says("Roles of which a member must have one", listOf(idObject("The role"))),
	}, "id"))

	streaksSchema = listOf(objectOf(map[string]laurel.Keywords{
		"streakMilestone": says("Consecutive windows with a check-in, at least 1; each milestone once", numeric()),
		"streakAmount":    says("The points in addition, at least 0", numeric()),
	}))

	requirementsSchema = objectOf(map[string]laurel.Keywords{
		"achievePoints":     says("A balance: that of points, or any above 0", boolean()),
		"completeProfile":   says("The fields of completeProfileConditions", boolean()),
		"connectEmail":      says("A verified e-mail address", boolean()),
		"connectMicroblog":  says("A connected microblog account", boolean()),
		"connectChatServer": says("A connected chat server account", boolean()),
		"points": says("The balance that achievePoints asks for", objectOf(map[string]laurel.Keywords{
			"amount":            says("The least balance", numeric()),
			"loyaltyCurrencyId": says("Its currency; null: that of the rule", uuid()),
		})),
	})

	liquiditySchema = objectOf(map[string]laurel.Keywords{
		"calculationType": says("By liquidityPerDay (fixed, the default) or by customFunction",
			enumOf(CalculationFixed, CalculationCustom)),
		"customFunction":             says("A formula of X, the dollars, with + - * / ^ ( ) min max sqrt log", aString()),
		"liquidityPerDay":            says("The dollars for which the amount of the rule is paid", laurel.Keywords{"type": "number", "minimum": 0}),
		"network":                    says("The network of the pools, of contract 2.1", aString()),
		"onlyRewardInRangeLiquidity": says("true: positions count only while the price is in their range", boolean()),
		"pools": says("The pools", laurel.Keywords{
			"type": "array", "maxItems": maxPools, "items": idObject("The address of the pool"),
		}),
		"protocol": says("The protocol. For display; the service does not use it", aString()),
	})

	proposalsSchema = listOf(objectOf(map[string]laurel.Keywords{
		"id":    says("The proposal", numeric()),
		"space": says("Where it is voted on", aString()),
	}))

	rangeSchema = laurel.Keywords{
		"type": "array", "maxItems": maxTiers,
		"items": objectOf(map[string]laurel.Keywords{
			"startRange":              says("The least value of the tier", numeric()),
			"endRange":                says("The greatest value of the tier, at least startRange", numeric()),
			"amount":                  says("What the tier pays, at least 0; null: the amount of the rule", numeric()),
			"loyaltyBadgeId":          says("The badge of the tier, with rewardBadgePerRange", uuid()),
			"loyaltyMultiplierAmount": says("The multiplier of the tier, for rewardType multiplier", numeric()),
		}, "startRange", "endRange"),
	}

	contractSchema = objectOf(map[string]laurel.Keywords{
		"type":       says("What counts: events (the default) or calls of a function", enumOf(contractKinds...)),
		"contractId": says("A contract of the website, whose logs are watched; null: a subscription feeds the rule", uuid()),
		"event":      says("The name or full signature of the event or function, such as Transfer(address,address,uint256)", aString()),
		"criteria":   says("everyEvent: params do not count; byParameter, the default: they do", enumOf(contractCriteria...)),
		"params": says("Conditions on arguments, which must all hold", listOf(objectOf(map[string]laurel.Keywords{
			"name":      says("The argument", aString()),
			"condition": says("The comparison: of integers if both are, else of texts; null: equals", enumOf(conditions...)),
			"value":     {"description": "The value to compare with"},
		}))),
		"addressMapping": says("The argument with the member’s wallet; null: the sender of the transaction", aString()),
		"amountMultiplier": says("What the amount is multiplied by", objectOf(map[string]laurel.Keywords{
			"valueMapping": says("An argument with a number. That of a fungible token counts in whole tokens", aString()),
		})),
	})

	swapSchema = objectOf(map[string]laurel.Keywords{
		"from":                  says("What is given", swapSideSchema),
		"to":                    says("What is received", swapSideSchema),
		"requireCrossChainSwap": says("true: only swaps from one chain to another", boolean()),
	})

	swapSideSchema = objectOf(map[string]laurel.Keywords{
		"mode":  says("Any token, or one of tokens", enumOf("any", "specific")),
		"chain": says("The chain id, or any", laurel.Keywords{"type": []string{"number", "string"}}),
		"tokens": says("The tokens that count", listOf(objectOf(map[string]laurel.Keywords{
			"address": says("The contract of the token", aString()),
			"chainId": says("Its chain id", laurel.Keywords{"type": []string{"number", "string"}}),
		}))),
		"trackAmount": says("true: the amount of this side counts. It needs exactly one token, and one side only", boolean()),
	})

	reactionsSchema = objectOf(map[string]laurel.Keywords{
		"likeCount":    says("Likes of the post", number()),
		"commentCount": says("Comments on the post", number()),
		"repostCount":  says("Reposts of the post", number()),
		"syncedAt":     says("When the counts were read", aString()),
	})
)

// idObject returns the schema of an object with an id.
func idObject(text string) laurel.Keywords {
	return objectOf(map[string]laurel.Keywords{"id": says(text, aString())}, "id")
}

// profileSchema returns the schema of completeProfileConditions, with the names that forms offer.
func profileSchema() laurel.Keywords {
	properties := map[string]laurel.Keywords{}
	for _, o := range profileOptions {
		properties[o.Value] = says("true: members need it ("+o.Label+")", boolean())
	}
	schema := objectOf(properties)
	schema["additionalProperties"] = orNull(boolean())
	return schema
}

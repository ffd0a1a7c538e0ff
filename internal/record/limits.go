package record

import (
	"math"
	"reflect"
	"strconv"

	"laurel.example/laurel"
)

// limitsOf returns the bound of values that are at least and at most so large, or so long; "": no such limit. It panics
// if values of the type have no limits of that form.
func limitsOf(t reflect.Type, least, most string) bound {
	switch {
	case t == reflect.TypeFor[laurel.Amount]():
		return numberLimits(least, most, laurel.ParseAmount).forType(t)
	case t.Kind() == reflect.Int64:
		return numberLimits(least, most, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }).forType(t)
	case t.Kind() == reflect.String:
		return textLimits(least, most).forType(t)
	case t.Kind() == reflect.Slice:
		return listLimits(least, most)
	}
	panic("record: there are no limits for " + t.String())
}

// limit parses a limit and adds it to the keywords. It returns none if there is no text.
func limit[N any](keywords laurel.Keywords, keyword, text string, none N, parse func(string) (N, error)) N {
	if text == "" {
		return none
	}
	n, err := parse(text)
	if err != nil {
		panic("record: the limit " + text + " " + err.Error())
	}
	keywords[keyword] = n
	return n
}

func numberLimits[N ~int64](least, most string, parse func(string) (N, error)) Bound[N] {
	keywords := laurel.Keywords{}
	atLeast := limit(keywords, "minimum", least, math.MinInt64, parse)
	atMost := limit(keywords, "maximum", most, math.MaxInt64, parse)
	problem := "must be between " + least + " and " + most
	switch {
	case most == "":
		problem = "must be at least " + least
	case least == "":
		problem = "must be at most " + most
	}
	return Bound[N]{Keywords: keywords, Check: Problem(problem, func(n N) bool { return n >= atLeast && n <= atMost })}
}

// textLimits counts characters. With a least of 1 a text must not be blank.
func textLimits(least, most string) Bound[string] {
	keywords := laurel.Keywords{}
	atLeast := limit(keywords, "minLength", least, 0, strconv.Atoi)
	atMost := limit(keywords, "maxLength", most, math.MaxInt, strconv.Atoi)
	return Bound[string]{Keywords: keywords, Check: func(f *laurel.Faults, path, text string) {
		f.Text(path, text, atLeast, atMost)
	}}
}

// listLimits counts items. A list has a most.
func listLimits(least, most string) bound {
	keywords := laurel.Keywords{}
	atLeast := limit(keywords, "minItems", least, 0, strconv.Atoi)
	atMost := limit(keywords, "maxItems", most, 0, strconv.Atoi)
	problem := "must have at most " + most + " items"
	if atLeast > 0 {
		problem = "must have between " + least + " and " + most + " items"
	}
	return bound{keywords: keywords, apply: func(f *laurel.Faults, path string, list reflect.Value) reflect.Value {
		if n := list.Len(); n < atLeast || n > atMost {
			f.Add(path, "%s", problem)
		}
		return list
	}}
}

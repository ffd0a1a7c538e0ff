package platforms

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"laurel.example/laurel/internal/configfile"
)

// variable matches a variable of a template, such as {platformId}.
var variable = regexp.MustCompile(`\{([A-Za-z0-9.]*)\}`)

// checkVariables are the variables of templates of checks (contract 8.8), beside {metadata.X}.
var checkVariables = []string{"platformId", "platformName", "contentId", "contentUrl"}

// metadataPrefix begins the variables that stand for a property of the rule's metadata.
const metadataPrefix = "metadata."

// checkTemplate adds a fault unless an address with variables may be called, whatever they stand for: none may stand in
// the scheme or the host.
func (r Reader) checkTemplate(o configfile.Object, name, template string, variables ...string) {
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(template, "https://"), "http://"), "/")
	if strings.ContainsAny(host, "{}") {
		o.Fault(name, "must not hold a variable in its host")
		return
	}
	r.Guard.Check(r.Faults, o.Path(name), variable.ReplaceAllString(template, "x"))
	checkVariablesOf(o, name, template, variables...)
}

// checkVariablesOf adds a fault for the first variable of a template that is not known.
func checkVariablesOf(o configfile.Object, name, template string, known ...string) {
	for _, match := range variable.FindAllStringSubmatch(template, -1) {
		property, isMetadata := strings.CutPrefix(match[1], metadataPrefix)
		isProperty := isMetadata && property != "" && len(known) > 1
		if !slices.Contains(known, match[1]) && !isProperty {
			o.Fault(name, "must not hold %s; known are: {%s}", match[0], strings.Join(known, "}, {"))
			return
		}
	}
}

// checks reads the checks of a driver by rule type.
func (r Reader) checks(o configfile.Object, platform string) map[string]Check {
	if !o.Has("checks") {
		return nil
	}
	types := r.RuleTypes(platform)
	if len(types) == 0 {
		o.Fault("checks", "must be absent: no rule type asks this platform")
		return nil
	}
	all, ok := o.Object("checks", types...)
	if !ok {
		return nil
	}
	checks := map[string]Check{}
	for _, ruleType := range all.Names() {
		c, ok := all.Object(ruleType, "url", "method", "headers", "path")
		if !ok {
			continue
		}
		check := Check{
			URL: c.RequiredText("url"), Method: c.Choice("method", "GET", "POST"), Headers: c.Headers("headers"),
			Path: c.Text("path"),
		}
		known := append(slices.Clone(checkVariables), metadataPrefix+"X")
		if check.URL != "" {
			r.checkTemplate(c, "url", check.URL, known...)
		}
		for _, header := range slices.Sorted(maps.Keys(check.Headers)) {
			checkVariablesOf(c, "headers."+header, check.Headers[header], known...)
		}
		checks[ruleType] = check
	}
	return checks
}

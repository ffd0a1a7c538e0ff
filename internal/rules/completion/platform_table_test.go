package completion_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/schema"
)

// code matches a word in the font of code.
var code = regexp.MustCompile("`([^`]+)`")

// codes returns the words of a text in the font of code.
func codes(text string) (words []string) {
	for _, match := range code.FindAllStringSubmatch(text, -1) {
		words = append(words, match[1])
	}
	return words
}

// platformTable reads the rows of the table of rule types in docs/identity.md by rule type, and the text after it.
func platformTable(t *testing.T) (rows map[string][]string, after string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/identity.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n### What each platform can check\n")
	section, _, _ = strings.Cut(section, "\n### ")
	lines := strings.Split(section, "\n")
	if !found || !slices.Contains(lines, "| Platform | Rule type | Asked at | What is asked | Built-in driver |") {
		t.Fatal("docs/identity.md has no such table")
	}
	rows = map[string][]string{}
	for _, line := range lines {
		if names := codes(line); strings.HasPrefix(line, "| `") && len(names) > 1 {
			if rows[names[1]] != nil {
				t.Errorf("%s has two rows", names[1])
			}
			rows[names[1]] = strings.Split(strings.Trim(line, "| "), " | ")
		}
	}
	return rows, section[strings.LastIndex(section, "|\n")+1:]
}

// moments says when the platform is asked about members for rules of a type.
func moments(k schema.Kind) string {
	var list []string
	for _, m := range []struct {
		name string
		is   bool
	}{{"call", k.OnCall}, {"run", k.Scheduled}} {
		if m.is {
			list = append(list, m.name)
		}
	}
	return strings.Join(list, ", ")
}

// TestTheTableOfPlatformsHasEveryRuleType compares docs/identity.md with the rule types and the built-in drivers.
func TestTheTableOfPlatformsHasEveryRuleType(t *testing.T) {
	t.Parallel()
	rows, after := platformTable(t)
	client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), time.Now)
	idle := platforms.IDs()
	for _, ruleType := range apptest.PlatformTypes() {
		kind := schema.Type(ruleType).Kind()
		idle = slices.DeleteFunc(idle, func(p string) bool { return p == kind.Platform })
		row := rows[ruleType]
		delete(rows, ruleType)
		if len(row) != 5 || len(row[3]) < 10 {
			t.Errorf("%s: the row is %q", ruleType, row)
			continue
		}
		if want := []string{"`" + kind.Platform + "`", "`" + ruleType + "`", moments(kind)}; !slices.Equal(row[:3], want) {
			t.Errorf("%s: %q, not %q", ruleType, row[:3], want)
		}
		driver := &platforms.Driver{Platform: kind.Platform}
		if slices.Contains(platforms.BuiltIn(), kind.Platform) {
			driver.API = &platforms.API{}
		}
		if !driver.CanCheck(ruleType) {
			if row[4] != "no" {
				t.Errorf("%s: no built-in driver asks, but the table says %q", ruleType, row[4])
			}
			continue
		}
		needed := codes(row[4])
		if !strings.HasPrefix(row[4], "yes") {
			t.Errorf("%s: a built-in driver asks, but the table says %q", ruleType, row[4])
		}
		answers := func(without string) bool {
			metadata := map[string]json.RawMessage{}
			for _, name := range needed {
				if name != without {
					metadata[name] = json.RawMessage(`"x"`)
				}
			}
			return client.Answers(driver, ruleType, metadata)
		}
		if !answers("") {
			t.Errorf("%s: the driver needs more than %v", ruleType, needed)
		}
		for _, name := range needed {
			if isEither := strings.Contains(row[4], " or "); answers(name) != isEither {
				t.Errorf("%s: without %s the driver answers: %v", ruleType, name, !isEither)
			}
		}
		if strings.Contains(row[4], " or ") && client.Answers(driver, ruleType, nil) {
			t.Errorf("%s: the driver needs none of %v", ruleType, needed)
		}
	}
	if len(rows) > 0 {
		t.Errorf("no platform is asked about %v", slices.Sorted(maps.Keys(rows)))
	}
	want := "No rule type asks `" + strings.Join(idle[:len(idle)-1], "`, `") + "` or `" + idle[len(idle)-1] + "`"
	if !strings.Contains(strings.ReplaceAll(after, "\n", " "), want) {
		t.Errorf("docs/identity.md does not say: %s", want)
	}
	for _, platform := range platforms.BuiltIn() {
		can := slices.ContainsFunc(apptest.PlatformTypes(), func(ruleType string) bool {
			return schema.Type(ruleType).Kind().Platform == platform &&
				(&platforms.Driver{Platform: platform, API: &platforms.API{}}).CanCheck(ruleType)
		})
		if !can {
			t.Error(fmt.Sprint("the built-in driver of ", platform, " is asked by no rule type"))
		}
	}
}

package ruletypes_test

import (
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

func TestEveryTypeHasWordsAndSomethingThatTriggersIt(t *testing.T) {
	t.Parallel()
	titles := map[string]schema.Type{}
	for _, k := range ruletypes.All {
		if k.Title == "" || !strings.HasSuffix(k.Summary, ".") || !slices.Contains(schema.Families, k.Family) {
			t.Errorf("%s: title %q, summary %q, family %q", k.Type, k.Title, k.Summary, k.Family)
		}
		if other, taken := titles[k.Title]; taken {
			t.Errorf("%s and %s are both called %q", k.Type, other, k.Title)
		}
		titles[k.Title] = k.Type
		if !k.OnCall && !k.Scheduled && !k.TriggeredByEvents {
			t.Errorf("%s: nothing triggers it", k.Type)
		}
		if k.Decision == nil {
			t.Errorf("%s: nothing completes it", k.Type)
		}
		if ruletypes.KindOf(k.Type).Title != k.Title || !k.Type.IsKnown() {
			t.Errorf("%s is not found by its name", k.Type)
		}
	}
	if n := len(schema.TypeNames()); n != len(ruletypes.All) || n != 81 {
		t.Errorf("%d types, %d names", len(ruletypes.All), n)
	}
}

func TestATypeThatAsksAProviderSaysWhatItMakesOfTheAnswer(t *testing.T) {
	t.Parallel()
	for _, k := range ruletypes.All {
		if k.Provider != schema.NoProvider && (k.Decision == nil || k.Decision.IsSetUp == nil || k.Decision.Check == nil) {
			t.Errorf("%s asks and does not say what it makes of the answer", k.Type)
		}
		if k.RunsOverAllMembers && !k.Scheduled {
			t.Errorf("%s looks at everybody in runs that it has not", k.Type)
		}
		if k.Decision != nil && k.Decision.ChecksState && k.Decision.Check == nil {
			t.Errorf("%s looks at a state and does not check it", k.Type)
		}
	}
}

func TestNothingCompletesATypeThatNobodyKnows(t *testing.T) {
	t.Parallel()
	if k := ruletypes.KindOf("nonsense"); k.Decision != nil || k.AsksProvider() || k.OnCall || k.Type.IsKnown() {
		t.Errorf("%+v", k)
	}
}

// Package arch holds the rules of the house as tests over the source tree; docs/ARCHITECTURE.md gives their reasons.
// It owns no code of the service. Each rule is shown red on a small planted tree and must be green on the real one.
package arch_test

import (
	"os"
	"strings"
	"testing"
)

// house lists the rules. A rule returns one line per violation.
var house = []struct {
	name  string
	check func(*tree) []string
}{
	{"1 packages import only what their line in the table allows", importsFollowTheTable},
	{"2 SQL stands only in sql.go, *_sql.go and store", sqlStandsInSQLFiles},
	{"3 a table is touched only by the package that owns it", tablesHaveOneOwner},
	{"3 report writes nothing", reportOnlyReads},
	{"4 exported operations take a scope", operationsTakeAScope},
	{"4 tenant rows carry organization and website", rowsCarryTheirTenant},
	{"5 clock, ids and chance come from store", clockAndChanceAreInjected},
	{"6 HTTP stays at the edge", httpStaysAtTheEdge},
	{"7 third-party modules are on the allow-list", modulesAreAllowed},
	{"7 files of separated values are read and written by csvfile", listsHaveOneReader},
	{"8 files, functions, packages and interfaces stay small", sizesStaySmall},
	{"9 credentials are sealed or hashed", secretsAreSealed},
	{"11 lines fit the width and comments use the words of the glossary", englishIsPlain},
	{"12 services are whole when they are made", servicesAreWhole},
	{"12 wiring goes from the top down", wiringGoesDown},
	{"13 heavy generic types stay where they are made", heavyTypesStayInside},
	{"14 queues serve tenants in turn", queuesServeTenantsInTurn},
	{"15 names and comments can be read by strangers", namesCanBeGuessed},
	{"16 prepared completions do not read", preparedCompletionsDoNotRead},
}

func TestTheSourceKeepsTheRulesOfTheHouse(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(source.files) == 0 || len(source.tables()) == 0 {
		t.Fatal("found no source or no tables: the tests look in the wrong place")
	}
	for _, rule := range house {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			for _, violation := range sorted(rule.check(source)) {
				t.Error(violation)
			}
		})
	}
}

// planted is a tree that must or must not offend one rule.
type planted struct {
	name  string
	files map[string]string
	want  []string // a part of each expected violation, in sorted order; none: the tree is clean
}

func tryPlanted(t *testing.T, check func(*tree) []string, cases []planted) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := sorted(check(plant(t, c.files)))
			if len(got) != len(c.want) {
				t.Fatalf("got %d violations, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, part := range c.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("violation %d is %q, want it to say %q", i, got[i], part)
				}
			}
		})
	}
}

package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const module = "laurel"

var domains = []string{"events", "functions", "tenancy", "content", "identity", "lots", "ledger", "expiry", "engagement", "clearing", "badges", "commerce", "codes", "lists", "external", "keepers", "payouts", "payments", "verifiers", "chains", "rules", "referrals", "memory", "completions", "cadence", "lifetimes", "whatif", "audit"}

// mayImport lists for each package what it may import of ours besides the root package.
// A new package needs a line here and one in docs/ARCHITECTURE.md.
var mayImport = map[string][]string{
	"root":        {},
	"store":       {"budget", "loader", "pgtypes", "workers"},
	"pgtypes":     {},
	"outbound":    {},
	"vault":       {},
	"seal":        {},
	"workers":     {},
	"freeport":    {}, // ports for what the bench and the torture start
	"loader":      {"workers"},
	"budget":      {},
	"chain":       {"outbound"},
	"platforms":   {"outbound"},
	"jobs":        {"workers", "store"},
	"events":      {"workers", "store", "jobs", "outbound", "vault"},
	"functions":   {"store", "jobs", "outbound", "vault"},
	"tenancy":     {"workers", "store", "jobs", "events", "outbound", "vault"},
	"content":     {"store", "weburl", "jobs", "events", "outbound"},
	"identity":    {"budget", "store", "jobs", "events", "outbound", "chain", "platforms", "vault"},
	"lots":        {"store"},
	"payments":    {"store", "ledger", "lots"},
	"clearing":    {"budget", "workers", "payments", "store", "ledger", "lots", "identity", "rules"},
	"expiry":      {"workers", "payments", "store", "ledger", "lots"},
	"standings":   {},
	"ledger":      {"budget", "workers", "weburl", "standings", "lots", "store", "jobs", "events", "outbound", "seal", "vault"},
	"engagement":  {"workers", "store", "jobs", "events", "ledger", "identity", "decision", "rulebook"},
	"badges":      {"store", "conditions", "jobs", "events", "outbound", "ledger", "identity", "engagement", "chain"},
	"commerce":    {"store", "jobs", "events", "outbound", "ledger", "identity", "engagement", "chain"},
	"rulebook":    {"budget", "chain", "identity", "weburl"},
	"decision":    {"rulebook", "conditions"},
	"conditions":  {"weburl"},
	"weburl":      {},
	"chains":      {"budget", "store", "conditions", "rules", "ledger", "identity", "lists"},
	"codes":       {"store"},
	"completions": {"workers", "memory", "verifiers", "external", "lists", "rules", "chains", "conditions", "referrals", "codes", "decision", "store", "jobs", "events", "functions", "ledger", "identity", "engagement", "badges", "chain", "platforms", "rulebook"},
	"memory":      {"store", "rulebook", "identity"},
	"external":    {"budget", "workers", "store", "outbound", "ledger", "identity", "vault"},
	"keepers":     {"store", "external", "ledger", "rulebook", "rules"},
	"payouts":     {"workers", "store", "chain", "outbound"},
	"verifiers":   {"store", "outbound", "rulebook", "identity", "memory"},
	"lists":       {"workers", "store", "outbound", "content", "codes", "identity", "vault"},
	"rules":       {"budget", "workers", "lists", "codes", "decision", "store", "events", "ledger", "identity", "chain", "rulebook", "vault"},
	"whatif":      {"rules", "payments", "decision", "rulebook"},
	"referrals":   {"workers", "store", "events", "ledger", "identity", "rulebook", "decision", "rules"},
	"cadence":     {"workers", "store", "events", "ledger", "identity", "rulebook", "decision", "rules", "referrals", "completions"},
	"lifetimes":   {"workers", "store", "rulebook", "rules", "lists", "completions", "engagement"},
	"audit":       {"workers", "store", "events", "seal"},
	"report":      {"budget", "store", "conditions"},
	"httpapi":     append([]string{"budget", "report", "rulebook", "decision", "conditions", "vault"}, domains...),
	"dashboard":   append([]string{"report", "rulebook", "decision", "conditions"}, domains...),
	"demo":        append([]string{"rulebook"}, domains...),
	"bench":       {"freeport", "app", "completions", "identity", "ledger", "bulk"}, // row 5 measures the posting core, without HTTP
	"bulk":        {},                                                               // fills databases for the bench by SQL alone
	"app":         everything,
	"cmd/laurel":  {"app", "demo", "bench"},
	"storetest":   {"store"},
	// The counter of test results that scripts/test.sh runs; no part of the service.
	"scripts/testsummary": {},
	// What a change must pass beside tests: it looks at modules and binaries, not into packages.
	"scripts/gates": {},
	// The list of tests that it runs under the race detector.
	"scripts/racetests": {},
	// A client of the built program (scripts/torture.sh); of the service it knows the API only.
	"scripts/torture":       {"freeport", "scripts/torture/proxy"},
	"scripts/torture/proxy": {},
}

var everything = append([]string{"store", "workers", "loader", "budget", "outbound", "vault", "seal", "rulebook", "decision", "conditions", "jobs", "chain", "platforms", "report", "httpapi", "dashboard", "demo", "bench"}, domains...)

func importsFollowTheTable(t *tree) []string {
	var out []string
	for pkg, files := range t.packages() {
		allowed, known := mayImport[pkg]
		if !known {
			out = append(out, fmt.Sprintf("package %s is not in the table of imports: adding one is a decision to write down", pkg))
			continue
		}
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				target, ours := ownPackage(unquote(spec.Path))
				if ours && !slices.Contains(allowed, target) && target != "root" {
					out = append(out, t.at(f, spec.Pos(), "%s may not import %s", pkg, target))
				}
				if ours && target == "root" && pkg == "root" {
					out = append(out, t.at(f, spec.Pos(), "the root package imports only the standard library"))
				}
			}
		}
	}
	return out
}

func ownPackage(importPath string) (string, bool) {
	if importPath == module {
		return "root", true
	}
	rest, ours := strings.CutPrefix(importPath, module+"/")
	return packageOf(rest), ours
}

func TestImportRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, importsFollowTheTable, []planted{
		{"upward", map[string]string{"internal/ledger/a.go": "package ledger\nimport _ \"laurel/internal/rules\""}, []string{"a.go:2: ledger may not import rules"}},
		{"sideways, twice under other names", map[string]string{"internal/badges/a.go": "package badges\nimport (\n\tx \"laurel/internal/commerce\"\n\t. \"laurel/internal/commerce\"\n)"},
			[]string{"a.go:3: badges may not import commerce", "a.go:4: badges may not import commerce"}},
		{"httpapi and the store", map[string]string{"internal/httpapi/a.go": "package httpapi\nimport _ \"laurel/internal/store\""}, []string{"httpapi may not import store"}},
		{"test help in the service", map[string]string{"internal/app/a.go": "package app\nimport _ \"laurel/internal/storetest\""}, []string{"app may not import storetest"}},
		{"a new package", map[string]string{"internal/util/a.go": "package util"}, []string{"package util is not in the table"}},
		{"a package below a domain", map[string]string{"internal/ledger/seal/a.go": "package seal"}, []string{"package ledger/seal is not in the table"}},
		{"clean", map[string]string{
			"laurel.go":                 "package laurel\nimport _ \"fmt\"",
			"internal/ledger/a.go":      "package ledger\nimport (\n\t_ \"laurel\"\n\t_ \"laurel/internal/store\"\n)",
			"internal/ledger/a_test.go": "package ledger_test\nimport _ \"laurel/internal/storetest\"",
			"tools/go.mod":              "module laurel/tools",
			"tools/a.go":                "package tools",
		}, nil},
	})
}

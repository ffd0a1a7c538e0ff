package arch_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "laurel.example/laurel"

// layers lists the folders of internal from the bottom up. A package may import whatever stands in a lower layer, and
// of its own folder what inFolder says; folders of one layer do not import each other.
var layers = [][]string{
	{"budget", "csvfile", "durable", "jsontext", "outbound", "panics", "record", "vault", "widget"},
	{"configfile", "manual", "weburl"},
	{"pictures", "platforms", "store"},
	{"worker"},
	{"feed"},
	{"evm"},
	{"content", "functions", "messages", "tenancy", "webhooks"},
	{"admins", "backup"},
	{"identity"},
	{"points"},
	{"engagement"},
	{"rules"},
	{"commerce"},
	{"memberimports", "program", "report"},
	{"api", "dashboard"},
	{"app"},
	{"dev"},
}

// inFolder lists every package of a folder with several, and which others of that folder it may import. A new package
// needs a line here and one in docs/ARCHITECTURE.md.
var inFolder = map[string][]string{
	"store":         {"loader", "pgtypes"},
	"store/loader":  {},
	"store/pgtypes": {},

	"points/lots":          {},
	"points/rank":          {},
	"points/seal":          {},
	"points/ledger":        {"lots", "rank", "seal"},
	"points/rewardhistory": {"ledger", "lots"},
	"points/expiry":        {"ledger", "lots", "rewardhistory"},
	"points/external":      {"ledger"},
	"points/reversals":     {"ledger", "lots", "rewardhistory"},
	"points/transactions":  {"external", "ledger"},
	"points/payouts":       {},
	"points/audit":         {"seal"},

	"evm":          {"abi"},
	"evm/abi":      {"keccak"},
	"evm/keccak":   {},
	"evm/node":     {"evm", "keccak"},
	"evm/holdings": {"abi", "node"},
	"evm/history":  {"abi", "evm", "node"},
	"evm/pools":    {"abi", "holdings", "node"},
	"evm/reader":   {"abi", "evm", "node"},
	"evm/usage":    {"evm", "node"},

	"admins":     {},
	"admins/sso": {"admins"},

	"identity":             {},
	"identity/attributes":  {"identity"},
	"identity/connect":     {"identity"},
	"identity/delegations": {"identity"},
	"identity/devices":     {"identity"},
	"identity/proofs":      {"identity", "wallets"},
	"identity/wallets":     {},

	"engagement":            {"multiplier"},
	"engagement/badges":     {"conditions", "engagement", "multiplier"},
	"engagement/conditions": {},
	"engagement/multiplier": {},

	"rules/formula":        {},
	"rules/schema":         {"formula"},
	"rules/decision":       {"schema"},
	"rules/codes":          {},
	"rules/completionjobs": {"schema"},
	"rules/lists":          {"codes"},
	"rules/progress":       {"schema"},
	"rules/providers":      {"decision", "formula", "progress", "schema"},
	"rules/catalog":        {"codes", "decision", "lists", "schema"},
	"rules/chains":         {"catalog", "lists", "progress"},
	"rules/awards":         {"catalog", "chains", "lists", "progress"},
	"rules/externalrules":  {"catalog", "schema"},
	"rules/reset":          {"catalog"},
	"rules/referrals":      {"catalog", "decision", "schema"},
	"rules/ruletypes":      {"catalog", "codes", "decision", "completionjobs", "lists", "progress", "referrals", "schema"},
	"rules/replay":         {"catalog", "decision", "ruletypes", "schema"},
	"rules/completion": {
		"catalog",
		"chains",
		"decision",
		"completionjobs",
		"ruletypes",
		"lists",
		"providers",
		"progress",
		"referrals",
		"schema",
	},
	"rules/schedule":       {"catalog", "completion", "decision", "ruletypes", "referrals", "schema"},
	"rules/contractrules":  {"catalog", "schema"},
	"rules/dynamicrewards": {"catalog", "completion", "lists", "schema"},

	"content":             {},
	"content/collections": {},
	"content/pages":       {"collections"},

	"commerce/auctions":  {"holds", "minting"},
	"commerce/contracts": {},
	"commerce/minting":   {"holds"},
	"commerce/holds":     {},
	"commerce/merkle":    {},
	"commerce/claims":    {"contracts", "merkle"},

	"functions":         {"sandbox"},
	"functions/sandbox": {"worker"},

	"report":         {},
	"report/figures": {},

	"api":        {"auctions", "badges", "caller", "claims", "commerce", "connections", "functions", "minting", "pages", "people", "points", "rest", "rules", "websites", "subscriptions"},
	"api/badges": {"caller", "rest"},
	"api/rest":   {},
	"api/caller": {"rest"},
	// The families of handlers know the machinery and not each other.
	"api/claims":        {"caller", "rest"},
	"api/commerce":      {"caller", "rest"},
	"api/connections":   {"caller", "rest"},
	"api/functions":     {"caller", "rest"},
	"api/minting":       {"caller", "rest"},
	"api/auctions":      {"caller", "rest"},
	"api/pages":         {"caller", "rest"},
	"api/people":        {"caller", "rest"},
	"api/points":        {"caller", "rest"},
	"api/rules":         {"caller", "rest"},
	"api/websites":      {"caller", "rest"},
	"api/subscriptions": {"caller", "rest"},

	"dashboard": {
		"account", "badges", "content", "form", "integrate", "ledger", "members", "parts", "rules", "settings", "store", "web",
	},
	"dashboard/web":   {},
	"dashboard/form":  {"web"},
	"dashboard/parts": {"form", "web"},
	// The rooms know what all pages share and not each other.
	"dashboard/account":   {"form", "parts", "web"},
	"dashboard/badges":    {"form", "parts", "web"},
	"dashboard/content":   {"form", "parts", "web"},
	"dashboard/integrate": {"form", "parts", "web"},
	"dashboard/ledger":    {"form", "parts", "web"},
	"dashboard/members":   {"form", "parts", "web"},
	"dashboard/rules":     {"form", "parts", "web"},
	"dashboard/settings":  {"form", "parts", "web"},
	"dashboard/store":     {"form", "parts", "web"},

	"dev/anvil":     {"anvilpath", "freeport", "wait"},
	"dev/anvilpath": {},
	"dev/apptest":   {"storetest", "wait"},
	"dev/arch":      {},
	"dev/bench":     {"bulk", "freeport"}, // row 5 measures the posting core, without HTTP
	"dev/bulk":      {},
	"dev/demo":      {"anvilpath", "freeport"},
	"dev/freeport":  {},
	"dev/storetest": {},
	"dev/wait":      {},
}

// apart lists what a package, or every package of a folder, does without though it stands below: what is pure has no
// database, HTTP is shaped where nothing is stored, and the machinery of HTTP knows keys and tokens only.
var apart = map[string][]string{
	"api": {"outbound", "store", "worker"},
	"api/rest": {
		"commerce", "content", "engagement", "evm", "feed", "functions", "platforms", "points", "report", "rules", "webhooks",
	},
	"api/caller": {
		"commerce", "content", "engagement", "evm", "feed", "functions", "platforms", "points", "rules", "webhooks",
	},
	"dashboard": {"outbound", "store", "worker"},
	"dashboard/web": {
		"commerce", "content", "engagement", "evm", "feed", "functions", "identity", "platforms", "points", "program", "report",
		"rules", "webhooks",
	},
	"engagement/conditions": {"store"},
	"engagement/multiplier": {"store"},
	"identity/wallets":      {"store"},
	"points/rank":           {"store"},
	"points/seal":           {"store"},
	"rules/decision":        {"store"},
	"rules/schema":          {"store"},
}

// pagesOfDocs is the package that embeds the documentation.
const pagesOfDocs = "docs"

// outside lists what the packages outside of internal may import of it.
var outside = map[string][]string{
	"root":       {},
	"docs":       {},
	"cmd/laurel": {"app", "dev/bench", "dev/demo"},
	// The counter of test results that scripts/test.sh runs; no part of the service.
	"scripts/testsummary": {},
	// What a change must pass beside tests: it looks at modules and binaries, not into packages.
	"scripts/gates": {},
	// The generator of the clients: it knows openapi.json only.
	"scripts/clients": {},
	// The list of tests that it runs under the race detector.
	"scripts/racetests": {},
	// It packs the binaries of a release, and lists their modules.
	"scripts/release": {},
	// Tests of the files that package the program.
	"packaging": {},
	// A client of the built program (scripts/torture.sh); of the service it knows the API only.
	"scripts/torture":       {"dev/freeport", "scripts/torture/proxy"},
	"scripts/torture/proxy": {},
}

// placeOf returns a package's path below internal, or its whole path outside of it.
func placeOf(dir string) (place string, within bool) {
	if dir == "." {
		return "root", false
	}
	return strings.CutPrefix(dir, "internal/")
}

func folderOf(place string) string {
	folder, _, _ := strings.Cut(place, "/")
	return folder
}

func layerOf(place string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, folderOf(place)) })
}

// known reports whether the tables have the package.
func known(place string, within bool) bool {
	if !within {
		return outside[place] != nil
	}
	_, listed := inFolder[place]
	return listed ||
		layerOf(place) >= 0 && !strings.Contains(place, "/") && !slices.ContainsFunc(keysOf(inFolder), func(p string) bool {
			return folderOf(p) == place && p != place
		})
}

func keysOf(m map[string][]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// mayImport reports whether a package may import another one of this module.
func mayImport(from string, within bool, target string, inside bool) bool {
	switch {
	case target == "root", target == pagesOfDocs && from == "manual":
		return true
	case !within:
		return slices.Contains(outside[from], target)
	case !inside, slices.Contains(apart[from], folderOf(target)), slices.Contains(apart[folderOf(from)], folderOf(target)):
		return false
	case folderOf(from) == folderOf(target):
		return slices.Contains(inFolder[from], path.Base(target))
	}
	return layerOf(target) < layerOf(from)
}

func importsFollowTheTable(t *tree) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range t.files {
		from, within := placeOf(path.Dir(f.path))
		if !known(from, within) {
			if !seen[from] {
				out = append(
					out,
					fmt.Sprintf("package %s is not in the table of imports: adding one is a decision to write down", from),
				)
			}
			seen[from] = true
			continue
		}
		for _, spec := range f.ast.Imports {
			rest, ours := cutModule(unquote(spec.Path))
			if !ours {
				continue
			}
			target, inside := placeOf(rest)
			if !mayImport(from, within, target, inside) {
				out = append(out, t.at(f, spec.Pos(), "%s may not import %s", from, target))
			}
			if target == "root" && from == "root" {
				out = append(out, t.at(f, spec.Pos(), "the root package imports only the standard library"))
			}
		}
	}
	return out
}

// cutModule returns the folder of a package of this module, "." for the root.
func cutModule(importPath string) (dir string, ours bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func TestImportRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, importsFollowTheTable, []planted{
		{
			"upward",
			map[string]string{"internal/points/ledger/a.go": "package ledger\nimport _ \"laurel.example/laurel/internal/rules/catalog\""},
			[]string{"a.go:2: points/ledger may not import rules/catalog"},
		},
		{
			"sideways, twice under other names",
			map[string]string{
				"internal/content/a.go": "package content\nimport (\n\tx \"laurel.example/laurel/internal/tenancy\"\n\t. \"laurel.example/laurel/internal/tenancy\"\n)",
			},
			[]string{"a.go:3: content may not import tenancy", "a.go:4: content may not import tenancy"},
		},
		{
			"in a folder",
			map[string]string{"internal/points/lots/a.go": "package lots\nimport _ \"laurel.example/laurel/internal/points/ledger\""},
			[]string{"a.go:2: points/lots may not import points/ledger"},
		},
		{
			"what decides and the store",
			map[string]string{"internal/rules/decision/a.go": "package decision\nimport _ \"laurel.example/laurel/internal/store\""},
			[]string{"rules/decision may not import store"},
		},
		{
			"api and the store",
			map[string]string{"internal/api/a.go": "package api\nimport _ \"laurel.example/laurel/internal/store\""},
			[]string{"api may not import store"},
		},
		{
			"a family of handlers and another one",
			map[string]string{"internal/api/points/a.go": "package points\nimport _ \"laurel.example/laurel/internal/api/rules\""},
			[]string{"a.go:2: api/points may not import api/rules"},
		},
		{
			"a family of handlers and the store",
			map[string]string{"internal/api/points/a.go": "package points\nimport _ \"laurel.example/laurel/internal/store\""},
			[]string{"a.go:2: api/points may not import store"},
		},
		{
			"the machinery of HTTP and a domain",
			map[string]string{
				"internal/api/rest/a.go": "package rest\nimport (\n\t_ \"laurel.example/laurel/internal/points/ledger\"\n" +
					"\t_ \"laurel.example/laurel/internal/content\"\n\t_ \"laurel.example/laurel/internal/api/rules\"\n)",
			},
			[]string{
				"a.go:3: api/rest may not import points/ledger",
				"a.go:4: api/rest may not import content",
				"a.go:5: api/rest may not import api/rules",
			},
		},
		{
			"a room of the dashboard and another one, and the package above",
			map[string]string{
				"internal/dashboard/badges/a.go": "package badges\nimport (\n\t_ \"laurel.example/laurel/internal/dashboard/rules\"\n" +
					"\t_ \"laurel.example/laurel/internal/dashboard\"\n\t_ \"laurel.example/laurel/internal/dashboard/web\"\n)",
			},
			[]string{
				"a.go:3: dashboard/badges may not import dashboard/rules",
				"a.go:4: dashboard/badges may not import dashboard",
			},
		},
		{
			"what all pages share and a domain",
			map[string]string{
				"internal/dashboard/web/a.go": "package web\nimport (\n\t_ \"laurel.example/laurel/internal/points/ledger\"\n" +
					"\t_ \"laurel.example/laurel/internal/dashboard/members\"\n)",
			},
			[]string{
				"a.go:3: dashboard/web may not import points/ledger",
				"a.go:4: dashboard/web may not import dashboard/members",
			},
		},
		{
			"test help in the service",
			map[string]string{"internal/app/a.go": "package app\nimport (\n\t_ \"laurel.example/laurel/internal/dev/apptest\"\n\t_ \"laurel.example/laurel/internal/dev/storetest\"\n)"},
			[]string{"a.go:3: app may not import dev/apptest", "a.go:4: app may not import dev/storetest"},
		},
		{
			"a script that looks inside",
			map[string]string{"scripts/torture/a.go": "package main\nimport _ \"laurel.example/laurel/internal/store\""},
			[]string{"scripts/torture may not import store"},
		},
		{
			"a new package",
			map[string]string{"internal/util/a.go": "package util"},
			[]string{"package util is not in the table"},
		},
		{
			"a new package of a folder",
			map[string]string{"internal/points/util/a.go": "package util"},
			[]string{"package points/util is not in the table"},
		},
		{
			"code in a folder that only groups",
			map[string]string{"internal/points/a.go": "package points"},
			[]string{"package points is not in the table"},
		},
		{
			"clean",
			map[string]string{
				"laurel.go":                        "package laurel\nimport _ \"fmt\"",
				"internal/points/ledger/a.go":      "package ledger\nimport (\n\t_ \"laurel.example/laurel\"\n\t_ \"laurel.example/laurel/internal/points/lots\"\n\t_ \"laurel.example/laurel/internal/store\"\n)",
				"internal/api/rest/a.go":           "package rest\nimport (\n\t_ \"laurel.example/laurel/internal/tenancy\"\n\t_ \"laurel.example/laurel/internal/vault\"\n)",
				"internal/api/points/b.go":         "package points\nimport (\n\t_ \"laurel.example/laurel/internal/api/rest\"\n\t_ \"laurel.example/laurel/internal/points/ledger\"\n)",
				"internal/points/ledger/a_test.go": "package ledger_test\nimport _ \"laurel.example/laurel/internal/dev/storetest\"",
				"tools/go.mod":                     "module laurel.example/laurel/tools",
				"tools/a.go":                       "package tools",
			},
			nil,
		},
	})
}

package arch_test

import (
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// domains are the packages whose services act for callers.
var domains = []string{
	"feed",
	"functions",
	"tenancy",
	"content",
	"collections",
	"contracts",
	"auctions",
	"holds",
	"claims",
	"pages",
	"identity",
	"lots",
	"ledger",
	"expiry",
	"external",
	"transactions",
	"payouts",
	"rewardhistory",
	"audit",
	"engagement",
	"badges",
	"awards",
	"commerce",
	"minting",
	"catalog",
	"chains",
	"codes",
	"lists",
	"externalrules",
	"reset",
	"providers",
	"referrals",
	"progress",
	"completion",
	"schedule",
	"dynamicrewards",
	"replay",
	"webhooks",
	"messages",
	"memberimports",
}

// withoutScope lists the exported operations that take no scope, each with its reason.
var withoutScope = map[string]string{
	"tenancy.CreateOrganization":   "makes the first thing that a scope can name; called by the command line only",
	"tenancy.ListOrganizations":    "tells the command line which scopes there are; no request reaches it",
	"tenancy.OrganizationIDs":      "the first admin owns them all; reached by the setup link alone",
	"tenancy.Authenticate":         "answers the scope",
	"tenancy.UndoAllow":            "takes back what Allow counted",
	"tenancy.Allow":                "counts requests by a name that holds the key; knows no tenant's data",
	"tenancy.BeginRequest":         "works on the request's own key, before a scope is narrowed",
	"tenancy.DeleteOldRequestKeys": "upkeep by age over all tenants; answers nothing of theirs",
	"tenancy.DeleteOldCounters":    "upkeep by age over all tenants; answers nothing of theirs",
	"tenancy.Run":                  "worker of the process",
	"identity.CreateServiceUser":   "makes the user that a new key acts as, in the transaction that makes the key: no key, no scope yet",
	"tenancy.ScopeOfKey":           "answers the scope of a key's owner for the command line, which is given the key's id alone",
	"content.Upload":               "the token names the file and stands for the key that announced it",
	"content.Open":                 "whoever knows a file's address may read it",
	"content.DeleteExpired":        "upkeep by age over all tenants; answers nothing of theirs",
	"external.RemoveOld":           "upkeep by age over all tenants; answers nothing of theirs",
	"payouts.Run":                  "worker of the process",
	"holds.Run":                    "worker of the process",
	"auctions.Run":                 "worker of the process",
	"auctions.CloseDueBatch":       "worker of the process; each auction knows its tenant",
	"minting.Run":                  "worker of the process",
	"minting.RunDue":               "worker of the process; each mint knows its tenant",
	"holds.RunDue":                 "worker of the process; each hold knows its tenant",
	"payouts.RunDue":               "worker of the process; each payout names its tenant to the driver",
	"lists.Run":                    "worker of the process",
	"memberimports.Run":            "worker of the process",
	"memberimports.RunDue":         "worker of the process; each import knows its tenant",
	"memberimports.Forget":         "upkeep over all tenants; answers nothing of theirs",
	"lists.RunDue":                 "worker of the process; each import runs in the scope it was made in",
	"messages.DeleteOld":           "upkeep by age over all tenants; returns no records",
	"figures.DeleteOldDays":        "upkeep by age over all tenants; answers nothing of theirs",
	"claims.Run":                   "worker of the process",
	"claims.RunDue":                "worker of the process; each import runs in the scope it was made in",
	"claims.Forget":                "upkeep by age over all tenants; answers nothing of theirs",
	"lists.Prune":                  "upkeep by age over all tenants; answers nothing of theirs",
	"ledger.Run":                   "worker of the process",
	"audit.Verify":                 "recomputes the whole database; the dashboard shows each organization its own findings alone",
	"audit.Proof":                  "proves an entry that the operator names; the dashboard asks OwnsEntry before, whose it is",
	"ledger.RefreshCutoffs":        "upkeep over all currencies; answers nothing of theirs",
	"ledger.FoldMainAccounts":      "upkeep over all currencies; answers nothing of theirs",
	"ledger.SnapshotDueRanks":      "upkeep over all currencies; answers nothing of theirs",
	"ledger.SnapshotRanks":         "upkeep over all currencies; answers nothing of theirs",
	"reset.Run":                    "worker of the process",
	"reset.RunDue":                 "worker of the process; each job runs in the scope it was made in",
	"expiry.Run":                   "worker of the process",
	"expiry.RunDue":                "worker of the process; carries out what the currencies of all tenants say",
	"catalog.Run":                  "worker of the process",
	"completion.Run":               "worker of the process",
	"completion.RunJobs":           "worker of the process; each job runs in the scope it was made in",
	"schedule.Run":                 "worker of the process",
	"schedule.RunOnce":             "worker of the process; each run pays in the scope it was made in",
	"schedule.PlanDue":             "worker of the process; each run is made in the scope of its rule",
	"referrals.Run":                "worker of the process",
	"referrals.RunDue":             "worker of the process; each referral is settled in the scope it was made in",
	"dynamicrewards.Run":           "worker of the process",
	"replay.Run":                   "worker of the process",
	"replay.Prune":                 "worker of the process",
	"replay.RunDue":                "worker of the process; each replay reads in its own scope",
	"webhooks.Run":                 "worker of the process",
	"webhooks.SendDue":             "worker of the process; each subscription is read in its own scope",
	"webhooks.FanOutDue":           "worker of the process; each event is sent in its own website",
	"webhooks.Watched":             "what the reader of a network watches, of all tenants; each watch names its tenant",
	"webhooks.Move":                "the reader of a network stores how far it is",
	"webhooks.Publish":             "the reader of a network publishes; each event names its tenant",
	"webhooks.RemoveOld":           "upkeep by age over all tenants; returns no records",
	"functions.Run":                "worker of the process",
	"functions.RunDue":             "worker of the process; each function runs in the scope of its website",
	"functions.RemoveOld":          "upkeep by age over all tenants; returns no records",
	"dynamicrewards.RunDue":        "worker of the process; each rule is checked in its own scope",
	"awards.Run":                   "worker of the process",
	"awards.RunDue":                "worker of the process; each member is judged in the scope of its website",
	"awards.Prune":                 "upkeep by age over all tenants; answers nothing of theirs",
	"badges.Run":                   "worker of the process",
	"badges.RunDue":                "worker of the process; takes deleted badges of all tenants from their members",
	"engagement.Run":               "worker of the process",
	"engagement.RunDue":            "worker of the process; ends what deleted rules of all tenants gave",
}

// operationsTakeAScope looks at exported methods of a domain's Service that take a context: right after it, or after a
// Queryer or transaction, comes a laurel.Scope.
func operationsTakeAScope(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if !slices.Contains(domains, f.pkg) && f.pkg != "report" {
			continue
		}
		for _, decl := range f.ast.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || !method.Name.IsExported() || receiver(method) != "Service" {
				continue
			}
			kinds := parameterKinds(f, method)
			if len(kinds) == 0 || kinds[0] != "context.Context" {
				continue
			}
			name := f.pkg + "." + method.Name.Name
			switch takes, _ := withoutScope[name]; {
			case takesScope(kinds) && takes != "":
				out = append(out, t.at(f, method.Pos(), "%s takes a scope: it needs no exception", name))
			case !takesScope(kinds) && takes == "":
				out = append(out, t.at(f, method.Pos(), "%s takes no laurel.Scope after its context", name))
			}
		}
	}
	return out
}

func takesScope(kinds []string) bool {
	if len(kinds) > 1 && slices.Contains([]string{"store.Queryer", "*store.Tx"}, kinds[1]) {
		kinds = kinds[1:]
	}
	return len(kinds) > 1 && kinds[1] == "laurel.Scope"
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// parameterKinds writes each parameter's type as "pkg.Name" with the real name of our packages, "*pkg.Name", or "".
func parameterKinds(f *file, method *ast.FuncDecl) []string {
	var out []string
	for _, field := range method.Type.Params.List {
		for range max(1, len(field.Names)) {
			out = append(out, typeName(f, field.Type))
		}
	}
	return out
}

func typeName(f *file, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeName(f, e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			target := f.imports[x.Name]
			return target[strings.LastIndex(target, "/")+1:] + "." + e.Sel.Name
		}
	}
	return ""
}

// tenantless lists the tables whose rows do not carry both ids with a composite foreign key, each with its reason. The
// keys are those that the SQL files give; PostgreSQL takes some away again (docs/decisions/0013), SQLite and with it
// the tests keep all.
var tenantless = map[string]string{
	"settings":                "settings of the instance that nodes agree on; belong to no tenant",
	"request_keys":            "keyed by the API key, which belongs to one tenant; rows live for a day",
	"database_clock":          "one row, of the whole database",
	"organizations":           "is the tenant",
	"websites":                "is the tenant; its id is the website_id of all others",
	"users":                   "shared by all websites of an organization (contract 1.3)",
	"wallet_keys":             "of users, which all websites of an organization share",
	"api_keys":                "an organization's key has no website: website_id may be NULL, and is a composite key where it is not",
	"user_identifiers":        "an index of user_metadata by (website, field, value); hangs on members by a composite key",
	"main_account_deltas":     "keyed by the account, whose row carries the tenant; folded into it and removed",
	"rank_cutoffs":            "one row per currency, whose row carries the tenant",
	"changes":                 "written with every change: no foreign keys on the hot path, and the feed outlives the rows it tells of; website_id is NULL for users",
	"seal_blocks":             "the chain is the organization's: its websites share it",
	"seal_heads":              "the end of an organization's chain",
	"seal_backlog":            "one row: how far the worker of the process has come",
	"network_cursors":         "of a network that all tenants share",
	"network_blocks":          "of a network that all tenants share",
	"network_usage":           "of a network that all tenants share",
	"contract_usage":          "public facts of a network that all tenants share",
	"contract_calls":          "public facts of a network that all tenants share",
	"feed_consumers":          "workers of the process; belong to no tenant",
	"allotments":              "a million rows in a list, reached through its import, which carries the tenant",
	"token_claim_allocations": "a million rows in a list, reached through its import, which carries the tenant",
	"token_claim_blocks":      "the tree of a list, reached through its import, which carries the tenant",
	"member_import_rows":      "a million rows in a file, reached through its import, which carries the tenant",
	"token_rewards":           "a million rows in a list, reached through its import, which carries the tenant",
	"asset_usage":             "counts the bytes of files by a name that holds website and user; one row is of all tenants",
	"admins":                  "people; belong to no tenant, and act in organizations as admin_members tells",
	"admin_recovery_codes":    "of a person; belong to no tenant",
	"admin_sessions":          "of a person; belong to no tenant",
	"admin_browsers":          "of a person; belong to no tenant",
	"admin_identities":        "of a person; belong to no tenant",
	"admin_used_states":       "hashes of states of sign-ins; belong to no tenant",
	"admin_kept_forms":        "of a person and a browser; belong to no tenant, and name a website only by their address",
	"admin_members":           "a role on all websites of an organization",
	"admin_links":             "those that let people in have no tenant; of invitations the organization is a key",
	"rate_counters":           "counts by a name that holds the key; rows live for a few windows",
}

var (
	tenantColumn = regexp.MustCompile(`(?m)^\s*(organization_id|website_id) UUID NOT NULL`)
	compositeKey = regexp.MustCompile(`FOREIGN KEY \((?:\w+, )*website_id(?:, \w+)*\) REFERENCES`)
)

func rowsCarryTheirTenant(t *tree) []string {
	var out []string
	for name, made := range t.tables() {
		columns := len(tenantColumn.FindAllString(made.body, -1))
		tied := slices.ContainsFunc(
			compositeKey.FindAllString(made.body, -1),
			func(key string) bool { return strings.Contains(key, ", ") },
		)
		switch carries, reason := columns == 2 && tied, tenantless[name]; {
		case carries && reason != "":
			out = append(out, fmt.Sprintf("%s: table %s carries its tenant: it needs no exception", made.file, name))
		case !carries && reason == "":
			out = append(
				out,
				fmt.Sprintf(
					"%s: table %s lacks organization_id, website_id (both NOT NULL) or a composite foreign key with website_id",
					made.file,
					name,
				),
			)
		}
	}
	return out
}

func TestScopeRule(t *testing.T) {
	t.Parallel()
	head := "package ledger\nimport (\n\t\"context\"\n\t\"laurel.example/laurel\"\n\t\"laurel.example/laurel/internal/store\"\n)\ntype Service struct{}\n"
	tryPlanted(t, operationsTakeAScope, []planted{
		{"no scope, or too late", map[string]string{"internal/points/ledger/a.go": head +
			"func (s *Service) A(ctx context.Context, id laurel.ID) {}\n" +
			"func (s Service) B(ctx context.Context) {}\n" +
			"func (s *Service) C(ctx context.Context, id laurel.ID, scope laurel.Scope) {}\n" +
			"func (s *Service) D(ctx context.Context, tx *store.Tx, id laurel.ID) {}\n"},
			[]string{"a.go:10: ledger.C", "a.go:11: ledger.D", "a.go:8: ledger.A", "a.go:9: ledger.B"}},
		{
			"a needless exception",
			map[string]string{
				"internal/points/ledger/a.go": head + "func (s *Service) RefreshCutoffs(ctx context.Context, scope laurel.Scope) {}\n",
			},
			[]string{"ledger.RefreshCutoffs takes a scope: it needs no exception"},
		},
		{
			"clean",
			map[string]string{
				"internal/points/ledger/a.go": head +
					"func (s *Service) A(ctx context.Context, scope laurel.Scope, id laurel.ID) {}\n" +
					"func (s *Service) B(ctx context.Context, q store.Queryer, scope laurel.Scope) {}\n" +
					"func (s *Service) C(ctx context.Context, tx *store.Tx, scope laurel.Scope) {}\n" +
					"func (s *Service) D(id laurel.ID) {}\nfunc (s *Service) e(ctx context.Context) {}\nfunc (s *Service) RefreshCutoffs(ctx context.Context) {}\n" +
					"type other struct{}\nfunc (o other) F(ctx context.Context) {}\n",
				"internal/app/a.go": "package app\nimport \"context\"\ntype Service struct{}\nfunc (s *Service) Serve(ctx context.Context) {}\n",
			},
			nil,
		},
	})
}

func TestEveryScopeExceptionIsStillNeeded(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, f := range source.files {
		for _, decl := range f.ast.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && receiver(method) == "Service" {
				met[f.pkg+"."+method.Name.Name] = true
			}
		}
	}
	for name := range withoutScope {
		if !met[name] {
			t.Errorf("no method %s: take its exception off the list", name)
		}
	}
	tables := source.tables()
	for name := range tenantless {
		if _, ok := tables[name]; !ok {
			t.Errorf("no table %s: take its exception off the list", name)
		}
	}
}

func TestTenantRowRule(t *testing.T) {
	t.Parallel()
	both := "CREATE TABLE goods (\n    organization_id UUID NOT NULL,\n    website_id UUID NOT NULL,\n"
	tryPlanted(t, rowsCarryTheirTenant, []planted{
		{
			"no website",
			map[string]string{
				migrations + "/1.sql": "CREATE TABLE goods (\n    organization_id UUID NOT NULL,\n    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)\n);",
			},
			[]string{"table goods lacks"},
		},
		{
			"may be null",
			map[string]string{
				migrations + "/1.sql": "CREATE TABLE goods (\n    organization_id UUID NOT NULL,\n    website_id UUID,\n    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)\n);",
			},
			[]string{"table goods lacks"},
		},
		{
			"a simple key",
			map[string]string{migrations + "/1.sql": both + "    FOREIGN KEY (website_id) REFERENCES websites (id)\n);"},
			[]string{"table goods lacks"},
		},
		{
			"a composite key beside the website",
			map[string]string{
				migrations + "/1.sql": both + "    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)\n);",
			},
			[]string{"table goods lacks"},
		},
		{
			"a needless exception",
			map[string]string{
				migrations + "/1.sql": strings.Replace(
					both,
					"goods",
					"rank_cutoffs",
					1,
				) + "    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)\n);",
			},
			[]string{"rank_cutoffs carries its tenant"},
		},
		{
			"clean",
			map[string]string{
				migrations + "/1.sql": both + "    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)\n);\nCREATE TABLE settings (\n    name TEXT\n);",
			},
			nil,
		},
	})
}

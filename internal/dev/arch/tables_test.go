package arch_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const migrations = "internal/store/migrations"

// owners names for each table the one package that reads and writes it. Report reads every table.
var owners = map[string]string{
	"settings":             "store",
	"request_keys":         "store",
	"database_clock":       "store",
	"organizations":        "tenancy",
	"websites":             "tenancy",
	"admins":               "admins",
	"admin_recovery_codes": "admins",
	"admin_members":        "admins",
	"admin_sessions":       "admins",
	"admin_links":          "admins",
	"admin_browsers":       "admins",
	"admin_identities":     "admins",
	"admin_used_states":    "admins",
	"admin_kept_forms":     "admins",
	"admin_acts":           "admins",
	"admin_adjustments":    "admins",
	"admin_limits":         "admins",
	"api_keys":             "tenancy",
	"website_user_roles":   "tenancy",
	"rate_counters":        "tenancy",
	"users":                "identity",
	"members":              "identity",
	"user_groups":          "identity",

	"website_user_attributes":       "attributes",
	"wallet_keys":                   "identity",
	"wallet_nonces":                 "proofs",
	"wallet_delegations":            "delegations",
	"user_devices":                  "devices",
	"website_user_attribute_values": "attributes",

	"user_metadata":               "identity",
	"user_identifiers":            "identity",
	"member_secrets":              "identity",
	"phone_codes":                 "connect",
	"email_links":                 "connect",
	"message_sendings":            "messages",
	"outbox_messages":             "messages",
	"used_account_links":          "identity",
	"connect_answers":             "connect",
	"connect_states":              "connect",
	"loyalty_currencies":          "ledger",
	"loyalty_accounts":            "ledger",
	"bid_entries":                 "ledger",
	"main_account_deltas":         "ledger",
	"rank_cutoffs":                "ledger",
	"rank_snapshots":              "ledger",
	"currency_terms":              "ledger",
	"account_lots":                "lots",
	"lot_allocations":             "lots",
	"lot_accounts":                "lots",
	"lot_sweeps":                  "lots",
	"lot_refunds":                 "lots",
	"lot_returns":                 "lots",
	"clearing_jobs":               "reset",
	"rule_debits":                 "rewardhistory",
	"loyalty_transactions":        "ledger",
	"loyalty_transaction_entries": "ledger",
	"ledger_keys":                 "ledger",
	"loyalty_rules":               "catalog",
	"loyalty_rule_groups":         "catalog",
	"rule_subjects":               "progress",
	"rule_claims":                 "progress",
	"rule_edits":                  "catalog",
	"rule_codes":                  "codes",
	"rule_jobs":                   "completionjobs",
	"loyalty_multipliers":         "engagement",
	"multiplier_heads":            "engagement",
	"multiplier_endings":          "engagement",
	"rule_chains":                 "chains",
	"loyalty_badges":              "badges",
	"badge_watches":               "badges",
	"loyalty_badge_users":         "badges",
	"badge_endings":               "badges",
	"badge_dues":                  "awards",
	"badge_jobs":                  "awards",
	"outside_posts":               "external",
	"outside_holds":               "external",
	"payouts":                     "payouts",
	"assets":                      "content",
	"asset_usage":                 "content",
	"list_sources":                "lists",
	"website_collections":         "collections",
	"page_sections":               "pages",
	"website_page_sections":       "pages",
	"contracts":                   "contracts",
	"minting_contracts":           "minting",
	"minting_assets":              "minting",
	"minting_allowlist":           "minting",
	"minting_counts":              "minting",
	"minting_mints":               "minting",
	"loyalty_holds":               "holds",
	"auctions":                    "auctions",
	"auction_items":               "auctions",
	"auction_bidders":             "auctions",
	"auction_bids":                "auctions",
	"token_claims":                "claims",
	"token_claim_imports":         "claims",
	"token_claim_allocations":     "claims",
	"token_claim_blocks":          "claims",
	"list_imports":                "lists",
	"allotments":                  "lists",
	"token_rewards":               "lists",
	"loyalty_questions":           "engagement",
	"loyalty_question_choices":    "engagement",
	"loyalty_question_responses":  "engagement",
	"loyalty_question_answers":    "engagement",
	"loyalty_account_streaks":     "engagement",
	"referral_codes":              "referrals",
	"referrals":                   "referrals",
	"referral_sweeps":             "referrals",
	"rule_cadences":               "schedule",
	"rule_runs":                   "schedule",
	"rule_pauses":                 "schedule",
	"lifetime_checks":             "dynamicrewards",
	"rule_replays":                "replay",
	"subscriptions":               "webhooks",
	"subscription_sources":        "webhooks",
	"subscription_keys":           "webhooks",
	"subscription_senders":        "webhooks",
	"subscription_events":         "webhooks",
	"subscription_deliveries":     "webhooks",
	"subscription_attempts":       "webhooks",
	"subscription_blocks":         "webhooks",
	"subscription_hours":          "webhooks",
	"subscription_fanouts":        "webhooks",
	"subscription_waiting_events": "webhooks",
	"network_cursors":             "reader",
	"network_blocks":              "reader",
	"network_events":              "reader",
	"network_usage":               "usage",
	"contract_usage":              "usage",
	"contract_calls":              "usage",
	"rule_watches":                "contractrules",
	"rule_events":                 "contractrules",
	"rule_event_payments":         "progress",
	"transaction_reversals":       "reversals",
	"functions":                   "functions",
	"function_versions":           "functions",
	"function_runs":               "functions",
	"function_transactions":       "functions",
	"changes":                     "feed",
	"feed_consumers":              "feed",
	"seal_blocks":                 "audit",
	"seal_heads":                  "audit",
	"seal_backlog":                "audit",
	"daily_figures":               "figures",
	"member_days":                 "figures",
	"member_imports":              "memberimports",
	"member_import_rows":          "memberimports",
}

// watchers read the tables of other packages as they are and write none of them: audit must not ask the ledger what the
// ledger holds, nor whose it is, and figures add up what the feed names.
var watchers = map[string][]string{
	"audit": {"ledger", "tenancy", "lots", "payouts", "holds", "minting", "auctions", "claims"}, "rewardhistory": {"ledger"}, "figures": {"ledger"},
}

// table is what a migration says of one table. The body of a table made by a Go migration is not known in full.
type table struct {
	file string
	body string
}

var tableStep = regexp.MustCompile(
	`(?s)CREATE TABLE (?:IF NOT EXISTS )?(\w+) \((.*?)\n\);|DROP TABLE (\w+)|ALTER TABLE (\w+) RENAME TO (\w+)`,
)

// tables reads the migrations, those of one engine too, in their order.
func (t *tree) tables() map[string]table {
	out := map[string]table{}
	byNumber := func(a, b string) int { return cmp.Compare(path.Base(a), path.Base(b)) }
	for _, name := range slices.SortedFunc(maps.Keys(t.sql), byNumber) {
		up, _, _ := strings.Cut(t.sql[name], "-- +goose Down")
		for _, m := range tableStep.FindAllStringSubmatch(up, -1) {
			switch made, body, dropped, renamed, now := m[1], m[2], m[3], m[4], m[5]; {
			case made != "":
				out[made] = table{name, body}
			case dropped != "":
				delete(out, dropped)
			default:
				out[now] = out[renamed]
				delete(out, renamed)
			}
		}
	}
	return out
}

func tablesHaveOneOwner(t *tree) []string {
	var out []string
	tables := t.tables()
	for name, made := range tables {
		if owners[name] == "" {
			out = append(out, fmt.Sprintf("%s: table %s has no owner", made.file, name))
		}
	}
	for _, f := range t.files {
		// Report reads across, migrate.go makes the tables, and bulk fills databases to measure on: through the services that
		// takes hours. apptest is part of the tests.
		if f.pkg == "report" || f.pkg == "bulk" || f.pkg == "apptest" || f.path == "internal/store/migrate.go" {
			continue
		}
		written := t.tableWrites(f)
		for _, use := range t.tableUses(f) {
			if slices.Contains(watchers[f.pkg], owners[use.value]) && !written[use.value] {
				continue
			}
			if owner := owners[use.value]; owner != "" && owner != f.pkg {
				out = append(out, t.at(f, use.pos, "table %s belongs to %s, not to %s", use.value, owner, f.pkg))
			}
		}
	}
	return out
}

var (
	tableAfter = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|REFERENCES)\s+(?:ONLY\s+)?"?([a-z_]+)"?`)
	tableSmall = regexp.MustCompile(`\b(?:from|join|into|update)\s+([a-z_]+)`)
	tableNext  = regexp.MustCompile(`^(?:\s+(?:AS\s+)?[a-z]\w*)?\s*,\s*"?([a-z_]+)"?`)
)

var tableWritten = regexp.MustCompile(`\b(?:INTO|UPDATE|TABLE|DELETE FROM)\s+(?:ONLY\s+)?"?([a-z_]+)"?`)

// tableWrites returns the names of the tables that the file writes.
func (t *tree) tableWrites(f *file) map[string]bool {
	out := map[string]bool{}
	for _, s := range t.texts(f) {
		for _, m := range tableWritten.FindAllStringSubmatch(s.value, -1) {
			out[m[1]] = true
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && writesTable(f, lit.Type) {
			for _, field := range t.tableField(f, lit) {
				out[field.value] = true
			}
		}
		return true
	})
	return out
}

// tableUses returns the names that stand where SQL names tables.
func (t *tree) tableUses(f *file) []text {
	var out []text
	for _, s := range t.texts(f) {
		after := tableAfter
		if sqlSmall.MatchString(s.value) {
			after = tableSmall
		}
		for _, m := range after.FindAllStringSubmatchIndex(s.value, -1) {
			out = append(out, text{s.pos, s.value[m[2]:m[3]]})
			for rest := s.value[m[1]:]; ; {
				next := tableNext.FindStringSubmatchIndex(rest)
				if next == nil {
					break
				}
				out = append(out, text{s.pos, rest[next[2]:next[3]]})
				rest = rest[next[1]:]
			}
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && writesTable(f, lit.Type) {
			out = append(out, t.tableField(f, lit)...)
		}
		return true
	})
	return out
}

// writesTable tells whether an expression names a type that becomes statements on its field Table.
func writesTable(f *file, e ast.Expr) bool {
	return isStoreType(f, e, "Insert", "Update") || isQueueTable(f, e)
}

func (t *tree) tableField(f *file, lit *ast.CompositeLit) []text {
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Table" {
			return []text{{pair.Pos(), t.flatten(f, pair.Value)}}
		}
	}
	return nil
}

var (
	sqlWrite = regexp.MustCompile(
		`\b(INSERT INTO|UPDATE \w+|DELETE FROM|CREATE|ALTER|DROP|TRUNCATE|FOR UPDATE|FOR SHARE)\b`,
	)
	writeCalls = []string{"Exec", "ExecContext", "InTx", "InsertRows", "UpdateRows", "NewCommitter", "Run"}
)

func reportOnlyReads(t *tree) []string {
	var out []string
	for _, f := range t.packages()["report"] {
		for _, s := range t.texts(f) {
			if sqlWrite.MatchString(s.value) {
				out = append(out, t.at(f, s.pos, "report reads only: %.60q", s.value))
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(writeCalls, sel.Sel.Name) {
					out = append(out, t.at(f, call.Pos(), "report reads only, but calls %s", sel.Sel.Name))
				}
			}
			return true
		})
	}
	return out
}

func TestTableRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, tablesHaveOneOwner, []planted{
		{
			"another owner's table",
			map[string]string{"internal/rules/catalog/sql.go": "package catalog\nimport \"laurel.example/laurel/internal/store\"\n" +
				"const a = `SELECT 1 FROM rule_edits c JOIN users u ON u.id = c.user_id`\n" +
				"const b = `SELECT 1 FROM rule_edits c, members m`\n" +
				"const c = `INSERT INTO loyalty_accounts (id) VALUES (?)`\n" +
				"const d = `UPDATE settings SET value = ?`\n" +
				"const e = `DELETE FROM changes`\n" +
				"var f = store.Insert{Table: \"ledger_keys\"}\n" +
				"const name = \"websites\"\nconst g = `SELECT 1 FROM ` + name\n" +
				"const h = `SELECT 1 WHERE EXISTS (SELECT 1 FROM api_keys)`\n",
				"internal/rules/catalog/queue_sql.go": "package catalog\nimport \"laurel.example/laurel/internal/worker\"\n" +
					"var q = worker.QueueTable{Table: \"payouts\"}\n"},
			[]string{
				"queue_sql.go:3: table payouts belongs to payouts",
				"sql.go:10: table websites belongs to tenancy",
				"sql.go:11: table api_keys",
				"sql.go:3: table users belongs to identity",
				"sql.go:4: table members",
				"sql.go:5: table loyalty_accounts",
				"sql.go:6: table settings",
				"sql.go:7: table changes",
				"sql.go:8: table ledger_keys",
			},
		},
		{
			"audit writes",
			map[string]string{
				"internal/points/audit/sql.go":   "package audit\nconst a = `SELECT 1 FROM users`\nconst b = `UPDATE loyalty_accounts SET id = ?`\n",
				"internal/points/audit/b_sql.go": "package audit\nimport \"laurel.example/laurel/internal/store\"\nvar a = store.Insert{Table: \"ledger_keys\"}\n",
			},
			[]string{
				"b_sql.go:3: table ledger_keys",
				"sql.go:2: table users belongs to identity",
				"sql.go:3: table loyalty_accounts",
			},
		},
		{
			"a table without an owner",
			map[string]string{
				migrations + "/2.sql":                "CREATE TABLE badges_lost (\n\tid UUID\n);",
				migrations + "/engines/3.sqlite.sql": "CREATE TABLE lost (\n\tid UUID\n);",
				migrations + "/4.sql":                "CREATE TABLE fresh (\n\tid UUID\n);\nDROP TABLE users;\nALTER TABLE fresh RENAME TO users;\nALTER TABLE lost RENAME TO found;",
			},
			[]string{"2.sql: table badges_lost has no owner", "3.sqlite.sql: table found has no owner"},
		},
		{
			"clean",
			map[string]string{
				migrations + "/1.sql":          "CREATE TABLE users (\n\tid UUID\n);",
				"internal/identity/sql.go":     "package identity\nconst a = `SELECT 1 FROM users u, members m`",
				"internal/identity/words.go":   "package identity\nconst b = \"users\"\nconst c = \"cannot read from changes\"\n",
				"internal/report/sql.go":       "package report\nconst a = `SELECT 1 FROM users JOIN loyalty_accounts`",
				"internal/points/audit/sql.go": "package audit\nconst a = `SELECT 1 FROM loyalty_accounts JOIN seal_heads JOIN websites`\nconst b = `DELETE FROM seal_heads`",
			},
			nil,
		},
	})
	tryPlanted(t, reportOnlyReads, []planted{
		{
			"report writes",
			map[string]string{
				"internal/report/sql.go": "package report\nconst a = `UPDATE users SET id = ?`\nconst b = `SELECT 1 FROM users FOR UPDATE`\nvar c = db.InTx(nil)\n",
			},
			[]string{
				"sql.go:2: report reads only",
				"sql.go:3: report reads only",
				"sql.go:4: report reads only, but calls InTx",
			},
		},
		{
			"report reads",
			map[string]string{
				"internal/report/sql.go": "package report\nconst a = `SELECT updated_at FROM users`\nvar c = db.Select(nil)\n",
			},
			nil,
		},
	})
}

func TestEveryOwnedTableExists(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	tables := source.tables()
	for name, owner := range owners {
		if _, ok := tables[name]; !ok {
			t.Errorf("%s owns %s, which no migration makes", owner, name)
		}
	}
	if len(tables) < len(owners) || strings.TrimSpace(tables["users"].body) == "" {
		t.Errorf("read %d tables from the migrations", len(tables))
	}
}

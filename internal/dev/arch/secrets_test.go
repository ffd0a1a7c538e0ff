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

// How a column keeps what its name promises.
const (
	// by the vault, and named in a vault.SealedColumns, so that it moves to another LAUREL_SECRET with the others
	sealed = "sealed"
	hashed = "hash" // a value that is never read back
)

// credentials lists every column whose name smells of a credential: sealed, hash, or why it holds none. A secret is
// never stored in the clear.
var credentials = map[string]string{
	"member_secrets.secret":                       sealed,
	"loyalty_currencies.api_auth_sealed":          sealed,
	"list_sources.api_key_sealed":                 sealed,
	"assets.token_hash":                           hashed,
	"email_links.token_hash":                      hashed,
	"wallet_keys.address_key":                     "the public bytes of an address",
	"wallet_delegations.delegator_key":            "the public bytes of an address",
	"admins.credentials_version":                  "a number that is raised with each change of them",
	"token_claim_imports.token_claim_id":          "the id of a distribution of a token",
	"subscription_keys.signing_key":               sealed,
	"admins.password_hash":                        hashed,
	"admins.totp_secret":                          sealed,
	"functions.secrets_sealed":                    sealed,
	"loyalty_currencies.api_auth_type":            "how a call says who makes it",
	"loyalty_currencies.api_auth_key":             "the name of a user or of a header",
	"loyalty_currencies.token_key":                "tells which token a currency books",
	"loyalty_currencies.is_token_reward_currency": "a mark",
	"members.tokens_valid_from":                   "a time",
	"token_rewards.token_id":                      "the number of a token that is worth something",
	"minting_assets.token_id":                     "the number of a token that is minted",
	"minting_contracts.token_type":                "a word",
	"minting_contracts.is_free_for_token_holders": "a mark",
	"request_keys.api_key_id":                     "an id",
}

var (
	credentialName = regexp.MustCompile(
		`secret|token|passw|passphrase|passcode|api_?key|auth(_|$)|credential|private|signing_key|bearer|seed`,
	)
	columnStep = regexp.MustCompile(
		`(?s)CREATE TABLE (?:IF NOT EXISTS )?(\w+) \((.*?)\n\);|DROP TABLE (\w+)|ALTER TABLE (\w+) RENAME TO (\w+)` +
			`|ALTER TABLE (\w+) ADD COLUMN (\w+)|ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+)|ALTER TABLE (\w+) DROP COLUMN (\w+)`,
	)
	columnLine = regexp.MustCompile(
		`(?m)^\s*([a-z_0-9]+)\s+(?:UUID|TEXT|VARCHAR|BYTEA|BLOB|BIGINT|INTEGER|INT|SMALLINT|BOOLEAN|JSONB?|TIMESTAMP|NUMERIC|REAL)\b`,
	)
)

// columns reads the columns of all tables, those of one engine too, with the file that each comes from.
func (t *tree) columns() map[string]map[string]string {
	out := map[string]map[string]string{}
	add := func(table, column, file string) {
		if out[table] == nil {
			out[table] = map[string]string{}
		}
		out[table][column] = file
	}
	byNumber := func(a, b string) int { return cmp.Compare(path.Base(a), path.Base(b)) }
	for _, name := range slices.SortedFunc(maps.Keys(t.sql), byNumber) {
		up, _, _ := strings.Cut(t.sql[name], "-- +goose Down")
		for _, m := range columnStep.FindAllStringSubmatch(up, -1) {
			switch {
			case m[1] != "":
				for _, c := range columnLine.FindAllStringSubmatch(m[2], -1) {
					add(m[1], c[1], name)
				}
			case m[3] != "":
				delete(out, m[3])
			case m[4] != "":
				out[m[5]] = out[m[4]]
				delete(out, m[4])
			case m[6] != "":
				add(m[6], m[7], name)
			case m[8] != "":
				delete(out[m[8]], m[9])
				add(m[8], m[10], name)
			default:
				delete(out[m[11]], m[12])
			}
		}
	}
	return out
}

// movable lists the columns that are named in a vault.SealedColumns.
func (t *tree) movable() map[string]bool {
	out := map[string]bool{}
	for _, f := range t.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			table, columns := "", []string(nil)
			for _, e := range lit.Elts {
				pair, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				list, _ := pair.Value.(*ast.CompositeLit)
				switch key, _ := pair.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "Table":
					table = t.flatten(f, pair.Value)
				case key.Name == "Columns" && list != nil:
					for _, c := range list.Elts {
						columns = append(columns, t.flatten(f, c))
					}
				}
			}
			for _, c := range columns {
				out[table+"."+c] = true
			}
			return true
		})
	}
	return out
}

func secretsAreSealed(t *tree) []string {
	var out []string
	movable := t.movable()
	for table, columns := range t.columns() {
		for column, file := range columns {
			name := table + "." + column
			switch kept := credentials[name]; {
			case kept == "" && credentialName.MatchString(column):
				out = append(
					out,
					fmt.Sprintf(
						"%s: column %s smells of a credential: seal it (internal/vault) or hash it, and put it on the list of credentials",
						file,
						name,
					),
				)
			case kept == sealed && !movable[name]:
				out = append(
					out,
					fmt.Sprintf(
						"%s: column %s is sealed and stands in no vault.SealedColumns: it would be lost with the next LAUREL_SECRET",
						file,
						name,
					),
				)
			}
		}
	}
	return out
}

func TestCredentialRule(t *testing.T) {
	t.Parallel()
	const texts = "package identity\nimport \"laurel.example/laurel/internal/vault\"\nvar Sealed = vault.SealedColumns{Table: \"member_secrets\", Columns: []string{\"secret\"}}\n"
	tryPlanted(t, secretsAreSealed, []planted{
		{
			"plain columns",
			map[string]string{
				migrations + "/1.sql":                  "CREATE TABLE goods (\n    id UUID PRIMARY KEY,\n    api_key TEXT,\n    client_secret TEXT NOT NULL\n);\nALTER TABLE goods ADD COLUMN password TEXT;",
				migrations + "/2.sql":                  "ALTER TABLE goods RENAME COLUMN api_key TO shop_auth;\n-- +goose Down\nALTER TABLE goods ADD COLUMN down_secret TEXT;",
				migrations + "/engines/3.postgres.sql": "ALTER TABLE goods ADD COLUMN private_key BYTEA;",
				migrations + "/engines/3.sqlite.sql":   "CREATE TABLE fresh (\n    bearer TEXT\n);\nALTER TABLE fresh RENAME TO later;",
			},
			[]string{
				"1.sql: column goods.client_secret",
				"1.sql: column goods.password",
				"2.sql: column goods.shop_auth",
				"3.postgres.sql: column goods.private_key",
				"3.sqlite.sql: column later.bearer",
			},
		},
		{
			"a sealed column that nobody moves",
			map[string]string{migrations + "/1.sql": "CREATE TABLE member_secrets (\n    secret TEXT NOT NULL\n);"},
			[]string{"member_secrets.secret is sealed and stands in no vault.SealedColumns"},
		},
		{
			"clean",
			map[string]string{
				migrations + "/1.sql": "CREATE TABLE member_secrets (\n    id UUID,\n    secret TEXT NOT NULL,\n    author TEXT\n);\nCREATE TABLE assets (\n    token_hash TEXT NOT NULL UNIQUE\n);\n" +
					"CREATE TABLE goods (\n    api_key TEXT,\n    password TEXT\n);\nALTER TABLE goods DROP COLUMN api_key;\nALTER TABLE goods RENAME COLUMN password TO name;",
				"internal/identity/token_sql.go": texts,
			},
			nil,
		},
	})
}

func TestEveryListedCredentialExists(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	columns, all := source.columns(), 0
	for _, of := range columns {
		all += len(of)
	}
	for name := range credentials {
		table, column, _ := strings.Cut(name, ".")
		if columns[table][column] == "" {
			t.Errorf("no column %s: take it off the list", name)
		}
	}
	if all < 300 {
		t.Errorf("read %d columns from the migrations", all)
	}
}

package arch_test

import (
	"slices"
	"strings"
	"testing"
)

// thirdParty lists for each package the modules that it may import. A package without a line uses the standard library
// only.
var thirdParty = map[string][]string{
	"store": {
		"github.com/jmoiron/sqlx",
		"github.com/jackc/pgx/v5",
		"modernc.org/sqlite",
		"github.com/pressly/goose/v3",
		"github.com/gofrs/flock",
		"github.com/gofrs/uuid/v5",
		"github.com/prometheus/client_golang",
		"golang.org/x/sync", "golang.org/x/text",
	},
	"worker":    {"github.com/prometheus/client_golang"},
	"pgtypes":   {"github.com/jackc/pgx/v5"},
	"storetest": {"github.com/jackc/pgx/v5"},
	"apptest": {
		"github.com/santhosh-tekuri/jsonschema/v6", "github.com/emersion/go-smtp", "github.com/emersion/go-sasl",
		"golang.org/x/crypto", "github.com/decred/dcrd/dcrec/secp256k1/v4",
	},
	"messages": {"github.com/wneessen/go-mail", "github.com/emersion/go-smtp"}, // the second in tests
	"feed":     {"github.com/prometheus/client_golang"},
	"webhooks": {"github.com/prometheus/client_golang"},
	"evm":      {"golang.org/x/crypto"},
	"keccak":   {"golang.org/x/crypto"},
	"node":     {"github.com/prometheus/client_golang"},
	"reader":   {"github.com/prometheus/client_golang"},
	"usage":    {"github.com/prometheus/client_golang"},
	"figures":  {"github.com/prometheus/client_golang"},
	"tenancy":  {"golang.org/x/sync", "github.com/sethvargo/go-limiter", "github.com/prometheus/client_golang"},
	"wallets": {
		"github.com/decred/dcrd/dcrec/secp256k1/v4", "github.com/ChainSafe/go-schnorrkel",
		"github.com/xssnick/tonutils-go", "golang.org/x/crypto",
	},
	"external": {"github.com/hashicorp/golang-lru/v2"},
	"budget":   {"github.com/maypok86/otter/v2"},
	"outbound": {"github.com/sony/gobreaker/v2", "github.com/hashicorp/golang-lru/v2"},
	"rest": {
		"github.com/danielgtaylor/huma/v2",
		"github.com/go-chi/chi/v5",
		"github.com/swaggest/swgui",
		"github.com/sethvargo/go-limiter",
	},
	"functions": {"github.com/robfig/cron/v3", "github.com/danielgtaylor/huma/v2"}, // the second in its handlers alone
	"sandbox":   {"modernc.org/quickjs", "golang.org/x/crypto", "golang.org/x/sys"},
	"identity":  {"github.com/golang-jwt/jwt/v5", "golang.org/x/text"},
	"platforms": {"github.com/coreos/go-oidc/v3", "golang.org/x/oauth2"},
	"admins":    {"github.com/alexedwards/argon2id", "github.com/pquerna/otp"},
	"content":   {"github.com/minio/minio-go/v7"},
	"web":       {"github.com/alexedwards/scs/v2", "github.com/go-chi/chi/v5", "golang.org/x/net"},
	"account":   {"github.com/boombuler/barcode"},
	"manual":    {"github.com/yuin/goldmark"},
	"pictures":  {"golang.org/x/image", "golang.org/x/sync"},
	"providers": {"golang.org/x/sync"},
	// Families of handlers document types of their own with it.
	"commerce":   {"github.com/danielgtaylor/huma/v2"},
	"minting":    {"github.com/danielgtaylor/huma/v2"}, // in their handlers alone
	"auctions":   {"github.com/danielgtaylor/huma/v2"},
	"claims":     {"github.com/danielgtaylor/huma/v2"}, // in their handlers alone
	"pages":      {"github.com/danielgtaylor/huma/v2"},
	"people":     {"github.com/danielgtaylor/huma/v2"},
	"badges":     {"github.com/danielgtaylor/huma/v2"}, // in their handlers alone
	"points":     {"github.com/danielgtaylor/huma/v2"},
	"app":        {"github.com/go-chi/chi/v5", "github.com/prometheus/client_golang", "golang.org/x/sync", "golang.org/x/sys"},
	"cmd/laurel": {"github.com/alecthomas/kong"},
}

func modulesAreAllowed(t *tree) []string {
	var out []string
	for _, f := range t.files {
		for _, spec := range f.ast.Imports {
			target := unquote(spec.Path)
			first, _, _ := strings.Cut(target, "/")
			if _, ours := cutModule(target); ours || !strings.Contains(first, ".") {
				continue
			}
			if !slices.ContainsFunc(
				thirdParty[f.pkg],
				func(m string) bool { return target == m || strings.HasPrefix(target, m+"/") },
			) {
				out = append(out, t.at(f, spec.Pos(), "%s may not import %s", f.pkg, target))
			}
		}
	}
	return out
}

func TestModuleRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, modulesAreAllowed, []planted{
		{"off the list", map[string]string{
			"internal/points/ledger/a.go": "package ledger\nimport _ \"github.com/jmoiron/sqlx\"",
			"internal/store/a.go":         "package store\nimport _ \"github.com/jackc/pgx/v50\"",
		}, []string{"ledger may not import github.com/jmoiron/sqlx", "store may not import github.com/jackc/pgx/v50"}},
		{
			"clean",
			map[string]string{
				"internal/store/a.go": "package store\nimport (\n\t_ \"database/sql\"\n\t_ \"github.com/jackc/pgx/v5/stdlib\"\n\t_ \"laurel.example/laurel\"\n)",
			},
			nil,
		},
	})
}

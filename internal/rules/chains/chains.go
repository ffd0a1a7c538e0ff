// Package chains owns rule chains: conditions that lock a rule until all of them, or one of them, hold (contract 3.17,
// 5.8). It keeps chains free of cycles and gathers the facts that conditions need, also for badges. It does not own
// conditions and how they are judged (conditions), nor the completions of members (progress).
package chains

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
)

// Chain is a chain of a rule: a row of rule_chains.
type Chain struct {
	ID             laurel.ID                         `db:"id" json:"id"`
	OrganizationID laurel.ID                         `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID                         `db:"website_id" json:"websiteId"`
	RuleID         laurel.ID                         `db:"loyalty_rule_id" json:"loyaltyRuleId" in:"required"` // the rule that the chain locks
	Name           string                            `db:"name" json:"name" in:"required min=1 max=1000"`
	Operator       string                            `db:"operator_type" json:"operatorType" enum:"AND,OR" in:"notnull default=AND chainoperator"`
	Conditions     laurel.List[conditions.Condition] `db:"conditions" json:"loyaltyConditions"`
	CreatedAt      laurel.Timestamp                  `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp                  `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp              `db:"deleted_at" json:"-"`
}

// Patch is what a caller writes of a chain, besides its conditions.
type Patch = record.Patch[Chain]

var operators = record.OneOf(conditions.And, conditions.Or)

// An empty operator stands for the default, too.
var _ = record.Define("chainoperator", record.Bound[string]{
	Check: func(f *laurel.Faults, path, text string) {
		if text != "" {
			operators.Check(f, path, text)
		}
	},
	Normalize: func(text string) string { return cmp.Or(text, conditions.And) },
	Keywords:  operators.Keywords,
})

// Service implements the operations on chains.
type Service struct {
	db           *store.DB
	rules        *catalog.Service
	ledger       *ledger.Service
	lists        *lists.Service
	chains       budget.Cache[ruleVersion, []Chain]
	memberLoader store.Loader[lists.Key, lists.Member] // joins simultaneous lookups into one query
}

// ruleVersion identifies the chains of a rule at one time: every change of a chain raises the version of its rule.
type ruleVersion struct {
	rule    laurel.ID
	version int64
}

// maxCacheBytes bounds the bytes of chains in the cache.
const maxCacheBytes = 32 << 20

// sizeOf estimates how much memory, in bytes, the cached chains of a rule take.
func sizeOf(_ ruleVersion, list []Chain) int {
	const chain, condition, target = 256, 256, 96 // estimated bytes of one of each
	n := 0
	for _, c := range list {
		n += chain + len(c.Name)
		for _, k := range c.Conditions {
			n += condition + len(k.Description) + target*cap(k.Targets)
			if k.CSVURL != nil {
				n += len(*k.CSVURL)
			}
		}
	}
	return n
}

// New returns a Service.
func New(db *store.DB, rulesService *catalog.Service, currencies *ledger.Service, files *lists.Service) *Service {
	return &Service{
		db:     db,
		rules:  rulesService,
		ledger: currencies,
		lists:  files,
		chains: budget.NewCache(maxCacheBytes, sizeOf),
		memberLoader: store.NewLoader(func(ctx context.Context, keys []lists.Key) (map[lists.Key]lists.Member, error) {
			return lists.FindMembers(ctx, db, keys)
		}),
	}
}

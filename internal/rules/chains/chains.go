// Package chains owns rule chains: what must be done before a rule can be completed, as conditions that all, or one of
// them, must hold (contract 3.17, 5.8). It keeps chains free of cycles, and gathers the facts that conditions are
// judged by, those of badges too. Conditions and their judgement belong to conditions; what members completed is told
// by completions.
package chains

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/engagement/conditions"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
)

// Chain is one chain of a rule.
type Chain struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	RuleID         laurel.ID // the rule that is locked
	Name           string
	Operator       string // AND or OR
	Conditions     []conditions.Condition
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Service carries out the operations on chains.
type Service struct {
	db           *store.DB
	rules        *catalog.Service
	ledger       *ledger.Service
	lists        *lists.Service
	chains       budget.Cache[ruleVersion, []Chain]
	memberLoader store.Loader[lists.Key, lists.Member] // shared by callers of the same moment
}

// ruleVersion names a rule with its chains as they were at one time: every change of a chain raises the version of its
// rule.
type ruleVersion struct {
	rule    laurel.ID
	version int64
}

// maxCacheBytes bounds the bytes of the chains that a node keeps.
const maxCacheBytes = 32 << 20

// personSize tells how many bytes the chains of a rule have, roughly.
func sizeOf(_ ruleVersion, list []Chain) int {
	const chain, condition, target = 256, 256, 96
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

// New makes the service.
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

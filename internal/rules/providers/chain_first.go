package providers

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
)

// ChainFirst verifies members by blockchains where the configuration of networks says how a rule is read there, and by
// partners otherwise. It is a Provider.
type ChainFirst struct {
	Partners *Partners
	Chains   map[schema.Type]ChainReader
}

// ChainReader is a Provider that reads blockchains for the rules that it covers.
type ChainReader interface {
	Provider
	typeServer
	// Covers reports whether the configuration of networks says how all that the rule asks for is read.
	Covers(rule *schema.Properties) bool
}

// providerOf returns the provider of a rule.
func (p ChainFirst) providerOf(rule *schema.Properties) Provider {
	if chain := p.Chains[rule.Type]; chain != nil && chain.Covers(rule) {
		return chain
	}
	return p.Partners
}

// IsAvailable reports whether members can be verified for the rule.
func (p ChainFirst) IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	return p.providerOf(rule).IsAvailable(ctx, scope, rule)
}

// Verify asks the provider of the rule.
func (p ChainFirst) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	return p.providerOf(q.Rule).Verify(ctx, scope, q)
}

// Serves reports whether the website has a partner for the type, or the configuration of networks says how some rules
// of it are read.
func (p ChainFirst) Serves(scope laurel.Scope, ruleType schema.Type) bool {
	chain := p.Chains[ruleType]
	return p.Partners.Serves(scope, ruleType) || chain != nil && chain.Serves(scope, ruleType)
}

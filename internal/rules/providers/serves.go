package providers

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/rules/schema"
)

// typeServer is a Provider that depends on what the operator has configured.
type typeServer interface {
	// Serves reports whether the configuration lets members of the website be verified for rules of a type at all. What a
	// single rule lacks, IsAvailable says.
	Serves(scope laurel.Scope, ruleType schema.Type) bool
}

// Serves reports whether this server can verify members of the website for rules of a type, which may need a partner, a
// platform's driver or a network of the operator. Types without a provider are always served.
func (p Registry) Serves(scope laurel.Scope, ruleType schema.Type) bool {
	kind := ruleType.Kind().Provider
	if ruleType == schema.TypeContractEvent {
		kind = schema.ChainProvider // its events come from networks
	}
	if kind == schema.NoProvider {
		return true
	}
	provider := p[kind]
	server, depends := provider.(typeServer)
	return provider != nil && (!depends || server.Serves(scope, ruleType))
}

// Serves reports whether the website has a partner for the type.
func (p *Partners) Serves(scope laurel.Scope, ruleType schema.Type) bool {
	_, ok := p.partnerFor(scope.WebsiteID, ruleType)
	return ok
}

// Serves reports whether the driver of the type's platform can answer for rules of the type.
func (p *Platforms) Serves(scope laurel.Scope, ruleType schema.Type) bool {
	d := p.Drivers.Find(ruleType.Kind().Platform, scope.WebsiteID)
	return d != nil && d.CanCheck(string(ruleType))
}

// Serves reports whether a network is read.
func (p *Holdings) Serves(laurel.Scope, schema.Type) bool { return p.Reader.HasNetworks() }

// Serves reports whether a network is read, for offers one that names a market of them.
func (p *History) Serves(_ laurel.Scope, ruleType schema.Type) bool {
	if ruleType != schema.TypeListing {
		return p.Chains.HasNetworks()
	}
	return slices.ContainsFunc(p.Chains.Networks(), func(name string) bool { return len(p.Reader.Listings(name)) > 0 })
}

// Serves reports whether the pools of a network are named.
func (p *Swaps) Serves(laurel.Scope, schema.Type) bool {
	return slices.ContainsFunc(p.Networks(), func(n evm.Network) bool { return len(n.SwapPools) > 0 })
}

// Serves reports whether a governor is named.
func (p *Votes) Serves(laurel.Scope, schema.Type) bool {
	return slices.ContainsFunc(p.Networks(), func(n evm.Network) bool { return len(n.Governors) > 0 })
}

// Serves reports whether a network is read.
func (p *Dapps) Serves(laurel.Scope, schema.Type) bool { return p.Blocks.HasNetworks() }

// Serves reports whether a network is read that has a dollar token.
func (p *Liquidity) Serves(laurel.Scope, schema.Type) bool {
	return slices.ContainsFunc(p.Chains.Networks(), func(name string) bool {
		return len(p.Network(name).DollarTokens) > 0
	})
}

package providers

import (
	"laurel"
	"laurel/internal/rules/schema"
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

// Serves reports whether a network is read.
func (p *History) Serves(laurel.Scope, schema.Type) bool { return p.Chains.HasNetworks() }

// Serves reports whether a network is read.
func (p *Dapps) Serves(laurel.Scope, schema.Type) bool { return p.Blocks.HasNetworks() }

// Serves reports whether a network is read that has a dollar token.
func (p *Liquidity) Serves(laurel.Scope, schema.Type) bool {
	for _, name := range p.Chains.Networks() {
		if len(p.Network(name).DollarTokens) > 0 {
			return true
		}
	}
	return false
}

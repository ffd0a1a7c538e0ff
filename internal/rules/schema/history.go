package schema

import (
	"time"

	"laurel.example/laurel"
)

// IsSale reports whether rules of the type are about purchases or sales of tokens.
func (t Type) IsSale() bool { return t.IsPurchase() || t == TypeSold || t == TypeSoldWithRoyalties }

// IsPurchase reports whether rules of the type are about purchases of tokens.
func (t Type) IsPurchase() bool { return t == TypeBought || t == TypeBoughtWithRoyalties }

// Traded returns whose tokens members buy or sell for the rule: what Held returns, else any collection of the rule's
// network, as an item without a contract.
func (p *Properties) Traded() (list []Held, ok bool) {
	hasContract := len(p.Collections) > 0 || p.CollectionAddress != nil && *p.CollectionAddress != "" ||
		len(p.Meta().Weights) > 0
	if hasContract || p.Network == nil || *p.Network == "" {
		return p.Held()
	}
	return []Held{{Network: *p.Network, Weight: laurel.One}}, true
}

// CountsFrom returns from when on a rule about the past of blockchains counts what members did: its effectiveStartTime,
// else its startTime, else when it was created.
func (p *Properties) CountsFrom(created time.Time) time.Time {
	switch {
	case p.EffectiveStartTime != nil:
		return p.EffectiveStartTime.Time
	case p.StartTime != nil:
		return p.StartTime.Time
	}
	return created
}

// WantsRoyalty reports whether only sales count in which the whole royalty was paid.
func (p *Properties) WantsRoyalty() bool {
	return p.Type == TypeBoughtWithRoyalties || p.Type == TypeSoldWithRoyalties || p.Meta().HasPaidFullRoyalty
}

// Market returns the market whose sales count for a rule; "": any.
func (m Meta) Market() string {
	if m.HasFillSource != nil && !*m.HasFillSource {
		return ""
	}
	return m.FillSource
}

// Currency returns the currency in which sales count for a rule: the contract of a token, or native; "": any.
func (m Meta) Currency() string {
	switch {
	case m.OnlyNative:
		return NativeCurrency
	case m.HasSaleCurrency != nil && !*m.HasSaleCurrency:
		return ""
	}
	return m.SaleCurrency
}

// NativeCurrency is the coin of a network, as metadata names it.
const NativeCurrency = "native"

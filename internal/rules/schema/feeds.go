package schema

import "encoding/json"

// ListAddresses are the addresses in a rule's metadata from which something is read, and the key that is shown there
// (contract 3.13).
type ListAddresses struct {
	CodesURL   string // of the codes of a rule of type code_entry, where it has some from a file
	RewardsKey string // of customRewardsApiUrl, sealed; "" where it has none, or none that is sealed yet
}

// ListAddresses reads them, by the exact names of their properties.
func (p *Properties) ListAddresses() ListAddresses {
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return ListAddresses{}
	}
	text := func(name string) (s string) {
		_ = json.Unmarshal(stored[name], &s) // absent, or checked when it was stored
		return s
	}
	var out ListAddresses
	if key := readSecret(stored[RewardsKey]); key.Sealed {
		out.RewardsKey = key.Text
	}
	if p.Type == TypeCodeEntry && text("promoCodeType") == "csv" {
		out.CodesURL = text("promoCodeCsvUrl")
	}
	return out
}

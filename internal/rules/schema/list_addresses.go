package schema

import "encoding/json"

// ListAddresses are the addresses of lists in a rule's metadata, and the key of its feed (contract 3.13).
type ListAddresses struct {
	CodesURL   string // the list of codes of a rule of type code_entry; "": none
	RewardsKey string // the sealed key for customRewardsApiUrl; "": none, or not sealed yet
}

// ListAddresses returns, from the metadata, the sealed key of the rule's reward list and the address of its file of
// codes. It reads properties by their exact names. It leaves out the address if the rule does not take its codes from a
// file.
func (p *Properties) ListAddresses() ListAddresses {
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return ListAddresses{}
	}
	text := func(name string) (s string) {
		_ = json.Unmarshal(stored[name], &s) // the property is absent, or was checked when it was stored
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

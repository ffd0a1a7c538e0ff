package schema

import (
	"encoding/json"
	"math/big"
	"strings"
)

// Proposal names a proposal on which members vote (metadata.governanceProposals).
type Proposal struct {
	ID    string
	Space string // whose proposal it is; "": not said
}

// UnmarshalJSON reads a proposal. Its id may be a text or a whole number, which is not read through a float.
func (p *Proposal) UnmarshalJSON(text []byte) error {
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	*p = Proposal{}
	for name, to := range map[string]*string{"id": &p.ID, "space": &p.Space} {
		if value := stored[name]; value != nil {
			*to = strings.TrimSpace(textOfJSON(value))
		}
	}
	return nil
}

// Number returns the id as a decimal number, as blockchains have it; "" if it is none of at most 256 bits.
func (p Proposal) Number() string {
	const bits, longest = 256, 78
	base, digits := 10, p.ID
	if isHex(p.ID) {
		base, digits = 16, p.ID[len("0x"):]
	}
	if len(digits) > longest || strings.ContainsAny(digits, "+-_") {
		return ""
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || n.BitLen() > bits {
		return ""
	}
	return n.String()
}

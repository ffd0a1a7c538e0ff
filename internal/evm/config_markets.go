package evm

import (
	"encoding/json"
	"slices"

	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/evm/abi"
)

// readMarket reads a market.
func readMarket(o configfile.Object) Market {
	m := Market{FillSource: o.RequiredText("fillSource"), ContractAddress: readContract(o)}
	event, text := readEventABI(o)
	m.EventABI = text
	a, ok := readMapping(o, event, "seller", "buyer", "collection", "tokenId", "currency", "price", "royaltyAddress",
		"royaltyAmount")
	if !ok {
		return m
	}
	m.Mapping = MarketMapping{
		Seller: a.address("seller", true), Buyer: a.address("buyer", true), Collection: a.address("collection", true),
		TokenID: a.number("tokenId", true), Currency: a.address("currency", false), Price: a.number("price", true),
		RoyaltyAddress: a.address("royaltyAddress", false), RoyaltyAmount: a.number("royaltyAmount", false),
	}
	return m
}

// readListings reads a market of which the open offers are read.
func readListings(o configfile.Object) ListingMarket {
	m := ListingMarket{FillSource: o.RequiredText("fillSource"), ContractAddress: readContract(o)}
	listed, ok := o.Object("listed", "eventAbi", "mapping")
	if !ok {
		if !o.Has("listed") {
			o.Fault("listed", "is required")
		}
		return m
	}
	event, text := readEventABI(listed)
	m.Listed.EventABI = text
	if a, ok := readMapping(listed, event, "listing", "seller", "collection", "tokenId", "quantity", "endsAt"); ok {
		m.Listed.Mapping = ListingMapping{
			Listing: a.name("listing", false), Seller: a.address("seller", true), Collection: a.address("collection", true),
			TokenID: a.number("tokenId", true), Quantity: a.number("quantity", false), EndsAt: a.number("endsAt", false),
		}
	}
	if !o.Has("ended") {
		o.Fault("ended", "is required")
		return m
	}
	hasNames := m.Listed.Mapping.Listing != ""
	o.Objects("ended", maxEnds, []string{"eventAbi", "mapping"}, func(e configfile.Object) {
		event, text := readEventABI(e)
		ended := ListingEvent{EventABI: text}
		if a, ok := readMapping(e, event, "listing", "seller", "collection", "tokenId", "quantity"); ok {
			ended.Mapping = ListingMapping{
				Listing: a.name("listing", hasNames), Seller: a.address("seller", false),
				Collection: a.address("collection", !hasNames), TokenID: a.number("tokenId", !hasNames),
				Quantity: a.number("quantity", false),
			}
		}
		m.Ended = append(m.Ended, ended)
	})
	if len(m.Ended) == 0 {
		o.Fault("ended", "must have an event")
	}
	return m
}

// readContract reads the address of the contract of a market.
func readContract(o configfile.Object) string {
	address := Normalize(o.RequiredText("contractAddress"))
	if address != "" && !IsAccount(address) {
		o.Fault("contractAddress", "must be 0x and 40 hexadecimal digits")
	}
	return address
}

// arguments reads the names of an event's arguments from the mapping of a market.
type arguments struct {
	mapping configfile.Object
	event   *abi.Event // nil: it has a fault, so names are not checked
}

// readMapping returns the mapping of an event; false, with a fault, if there is none.
func readMapping(o configfile.Object, event *abi.Event, known ...string) (arguments, bool) {
	mapping, ok := o.Object("mapping", known...)
	if !ok && !o.Has("mapping") {
		o.Fault("mapping", "is required")
	}
	return arguments{mapping, event}, ok
}

func (a arguments) argument(name string, isRequired bool, kind string, isOfKind func(*abi.Type) bool) string {
	value := a.mapping.Text(name)
	switch {
	case value == "" && isRequired:
		a.mapping.Fault(name, "is required")
	case value == "" || a.event == nil:
	default:
		at := slices.Index(abi.Keys(a.event.Inputs), value)
		if at < 0 {
			a.mapping.Fault(name, "must be the name of an argument of the event")
		} else if !isOfKind(a.event.Inputs[at].Type) {
			a.mapping.Fault(name, "must be the name of %s", kind)
		}
	}
	return value
}

func (a arguments) address(name string, isRequired bool) string {
	return a.argument(name, isRequired, "an address", (*abi.Type).IsAddress)
}

func (a arguments) number(name string, isRequired bool) string {
	return a.argument(name, isRequired, "a whole number", (*abi.Type).IsInteger)
}

// name reads the argument that names an offer.
func (a arguments) name(name string, isRequired bool) string {
	return a.argument(name, isRequired, "a whole number or bytes32", func(t *abi.Type) bool {
		return t.IsInteger() || t.String() == "bytes32"
	})
}

// readEventABI reads the ABI of an event: a fragment of a JSON ABI, as an object or as its text, or a signature. It
// returns the event and the text; nil with a fault.
func readEventABI(o configfile.Object) (event *abi.Event, text []byte) {
	if !o.Has("eventAbi") {
		o.Fault("eventAbi", "is required")
		return nil, nil
	}
	var raw json.RawMessage
	o.Decode("eventAbi", &raw, "")
	signature := string(raw)
	if _ = json.Unmarshal(raw, &signature); signature == "" {
		signature = string(raw)
	}
	event = abi.ParseEvent(o.Faults(), o.Path("eventAbi"), signature)
	if event == nil {
		return nil, nil
	}
	return event, []byte(signature)
}

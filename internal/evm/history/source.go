package history

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/node"
)

// Source is where events are read: the transfers of a collection, the sales of a market, or the votes of a governor.
type Source struct {
	network  string
	contract string
	what     string // tells sources of a contract apart
	account  string // of Deposits
	// hasCounts, of Offers, says that an offer may be of several tokens with the same id.
	hasCounts bool
	filters   []node.Filter
	decode    func(node.Log) []Event
	indexed   func(Event) []string // the wallets by which events are found
	// decodeAll, if set, decodes the logs of some blocks together, in place of decode.
	decodeAll func(context.Context, *node.Client, []node.Log) ([]Event, error)
	// once, if set, returns the key of an event. Of several events with one key, the first one is kept.
	once func(Event) string
}

// eventsOf decodes logs.
func (s Source) eventsOf(ctx context.Context, c *node.Client, logs []node.Log) (out []Event, err error) {
	if s.decodeAll != nil {
		return s.decodeAll(ctx, c, logs)
	}
	for _, l := range logs {
		out = append(out, s.decode(l)...)
	}
	return out, nil
}

func (s Source) key() string {
	return strings.Join([]string{s.network, s.contract, s.what, s.account}, " ")
}

// The events of the standards.
var (
	transfer721 = abi.MustEvent("Transfer(address indexed from, address indexed to, uint256 indexed tokenId)")
	single1155  = abi.MustEvent("TransferSingle(address indexed operator, address indexed from, address indexed to, " +
		"uint256 id, uint256 value)")
	batch1155 = abi.MustEvent("TransferBatch(address indexed operator, address indexed from, address indexed to, " +
		"uint256[] ids, uint256[] values)")
)

// zeroAddress is the account from which new tokens come.
const zeroAddress = "0x0000000000000000000000000000000000000000"

// Mints returns the source of the new tokens of a collection, which is one of ERC-1155 or of ERC-721. They are found by
// their receivers.
func Mints(network, collection string, isMulti bool) Source {
	s := transfers(network, collection, isMulti)
	s.what, s.filters = "mints", []node.Filter{s.filterOf(isMulti, zeroAddress, "")}
	s.indexed = func(e Event) []string { return []string{e.To} }
	return s
}

// Receipts returns the source of who has ever received which token of a collection of ERC-1155: the first transfer of
// each token to each wallet. They are found by their receivers.
func Receipts(network, collection string) Source {
	s := transfers(network, collection, true)
	s.what, s.filters = "receipts", []node.Filter{s.filterOf(true, "", "")}
	s.indexed = func(e Event) []string { return []string{e.To} }
	s.once = func(e Event) string { return e.To + " " + e.ID }
	return s
}

// SalesOf returns the source of the sales of a collection on a market.
func SalesOf(network, collection string, m evm.Market) Source {
	s := Sales(network, m)
	all := s.decode
	s.what += " of " + collection
	s.decode = func(l node.Log) []Event {
		return slices.DeleteFunc(all(l), func(e Event) bool { return e.Collection != collection })
	}
	return s
}

// Deposits returns the source of the transfers of a collection to and from an account.
func Deposits(network, collection, account string, isMulti bool) Source {
	s := transfers(network, collection, isMulti)
	s.what, s.account = "deposits", account
	s.filters = []node.Filter{s.filterOf(isMulti, "", account), s.filterOf(isMulti, account, "")}
	s.indexed = func(Event) []string { return nil } // Deposited reads them all
	return s
}

// transfers returns a source of transfers without filters.
func transfers(network, collection string, isMulti bool) Source {
	s := Source{network: network, contract: collection}
	s.decode = func(l node.Log) []Event {
		if isMulti {
			return decode1155(l)
		}
		return decode721(l)
	}
	return s
}

// filterOf returns the filter of transfers from and to accounts; "": any.
func (s Source) filterOf(isMulti bool, from, to string) node.Filter {
	topics := [][]string{{transfer721.Topic}}
	if isMulti {
		topics = [][]string{{single1155.Topic, batch1155.Topic}, {}} // any operator
	}
	for _, account := range []string{from, to} {
		if account == "" {
			topics = append(topics, []string{})
		} else {
			topics = append(topics, []string{"0x" + strings.Repeat("0", 24) + strings.TrimPrefix(account, "0x")})
		}
	}
	if to == "" {
		topics = topics[:len(topics)-1]
	}
	return node.Filter{Addresses: []string{s.contract}, Topics: topics}
}

// decode returns the arguments of a log; nil if it is of another event.
func decode(event *abi.Event, l node.Log) map[string]any {
	topics := make([][32]byte, len(l.Topics))
	for i, text := range l.Topics {
		_, _ = hex.Decode(topics[i][:], []byte(strings.TrimPrefix(text, "0x"))) // the client has checked the form
	}
	values, err := event.Decode(topics, l.Data)
	if err != nil {
		return nil
	}
	return values
}

func decode721(l node.Log) []Event {
	v := decode(transfer721, l)
	if v == nil {
		return nil
	}
	return []Event{{
		Block: l.BlockNumber, Collection: l.Address, From: textOf(v["from"]), To: textOf(v["to"]), ID: textOf(v["tokenId"]),
		Count: big.NewInt(1),
	}}
}

func decode1155(l node.Log) (out []Event) {
	v := decode(single1155, l)
	ids, counts := []any{v["id"]}, []any{v["value"]}
	if v == nil {
		if v = decode(batch1155, l); v == nil {
			return nil
		}
		ids, _ = v["ids"].([]any)
		counts, _ = v["values"].([]any)
	}
	if len(ids) != len(counts) {
		return nil
	}
	for i := range ids {
		out = append(out, Event{
			Block: l.BlockNumber, Collection: l.Address, From: textOf(v["from"]), To: textOf(v["to"]), ID: textOf(ids[i]),
			Count: numberOf(counts[i]),
		})
	}
	return out
}

// Sales returns the source of the sales of a market. They are found by their sellers and buyers.
func Sales(network string, m evm.Market) Source {
	event := abi.ParseEvent(new(laurel.Faults), "", string(m.EventABI)) // the configuration was checked
	names, _ := json.Marshal(m.Mapping)                                 //nolint:errchkjson // texts
	s := Source{network: network, contract: m.ContractAddress, what: "sales " + event.Canonical + string(names)}
	filter := node.Filter{Addresses: []string{m.ContractAddress}}
	if !event.Anonymous {
		filter.Topics = [][]string{{event.Topic}}
	}
	s.filters = []node.Filter{filter}
	s.indexed = func(e Event) []string {
		if e.From == e.To {
			return []string{e.From}
		}
		return []string{e.From, e.To}
	}
	s.decode = func(l node.Log) []Event {
		v := decode(event, l)
		if v == nil {
			return nil
		}
		argument := func(name string) string {
			if name == "" {
				return ""
			}
			return textOf(v[name])
		}
		names := m.Mapping
		e := Event{
			Block: l.BlockNumber, Collection: argument(names.Collection), From: argument(names.Seller),
			To: argument(names.Buyer), ID: argument(names.TokenID), Count: big.NewInt(1),
			Payment: &Payment{
				Currency: argument(names.Currency), Price: numberOf(v[names.Price]), RoyaltyTo: argument(names.RoyaltyAddress),
			},
		}
		if IsCoin(e.Payment.Currency) {
			e.Payment.Currency = ""
		}
		if names.RoyaltyAmount != "" {
			e.Payment.Royalty = numberOf(v[names.RoyaltyAmount])
		}
		return []Event{e}
	}
	return s
}

// The events by which governors say who has voted: that of OpenZeppelin's and of Bravo, the one for votes with
// parameters, and that of the oldest kind.
var votes = []*abi.Event{
	abi.MustEvent("VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)"),
	abi.MustEvent("VoteCastWithParams(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, " +
		"string reason, bytes params)"),
	abi.MustEvent("VoteCast(address voter, uint256 proposalId, bool support, uint256 votes)"),
}

// Votes returns the source of the votes that a governor has counted. An event of it is From a voter, and its ID is that
// of the proposal. They are found by their voters.
func Votes(network, governor string) Source {
	topics := make([]string, len(votes))
	for i, event := range votes {
		topics[i] = event.Topic
	}
	s := Source{network: network, contract: governor, what: "votes"}
	s.filters = []node.Filter{{Addresses: []string{governor}, Topics: [][]string{topics}}}
	s.indexed = func(e Event) []string { return []string{e.From} }
	s.decode = func(l node.Log) []Event {
		for _, event := range votes {
			if v := decode(event, l); v != nil {
				return []Event{{
					Block: l.BlockNumber, Collection: l.Address, From: textOf(v["voter"]), ID: textOf(v["proposalId"]),
					Count: big.NewInt(1),
				}}
			}
		}
		return nil
	}
	return s
}

// IsCoin reports whether an address stands for the coin of the network, as two are by custom.
func IsCoin(address string) bool {
	return address == zeroAddress || address == "0x"+strings.Repeat("e", 40)
}

// textOf returns a decoded value that is a text.
func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// numberOf returns a decoded value that is a number of at least 0.
func numberOf(value any) *big.Int {
	n, ok := new(big.Int).SetString(textOf(value), 10)
	if !ok || n.Sign() < 0 {
		return new(big.Int)
	}
	return n
}

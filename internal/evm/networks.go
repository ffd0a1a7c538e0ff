package evm

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Network is a blockchain network under the name that records have for it.
type Network struct {
	Name          string
	ChainID       uint64        // 0: the operator has not set it, or it is no EVM network
	URLs          []string      // of its nodes, in the order of preference; none: Laurel does not read it
	Confirmations int           // how many blocks above one make it confirmed
	BlockTime     time.Duration // how long the network takes for a block, about
	Markets       []Market
	// DollarTokens are the contracts of tokens of which one whole unit counts as a US dollar.
	DollarTokens []string
	// PositionManagers are the contracts that hold positions in pools of version 3, as tokens of a collection (ERC-721).
	PositionManagers []string
	// SwapPools are the contracts of pools whose swaps rules of type swap count.
	SwapPools []string
	Listings  []ListingMarket
	Governors []Governor
}

// Governor is a contract that counts votes on proposals.
type Governor struct {
	Space           string // its name in rules; "": rules name its address
	ContractAddress string
}

// Market is a contract on which tokens are sold, and how to read its event.
type Market struct {
	FillSource      string // the name of the market in rules
	ContractAddress string
	EventABI        []byte // the ABI of the event of a sale, in JSON
	Mapping         MarketMapping
}

// MarketMapping has the names of the event's arguments; "": the event has no such argument.
type MarketMapping struct {
	Seller, Buyer, Collection, TokenID, Currency, Price, RoyaltyAddress, RoyaltyAmount string
}

// ListingMarket is a contract on which tokens are offered for sale, and how to read which offers are open.
type ListingMarket struct {
	FillSource      string // the name of the market in rules
	ContractAddress string
	Listed          ListingEvent   // says that a token is offered
	Ended           []ListingEvent // say that an offer is open no more, as it was accepted or withdrawn
}

// ListingEvent is an event about an offer.
type ListingEvent struct {
	EventABI []byte
	Mapping  ListingMapping
}

// ListingMapping has the names of the event's arguments; "": the event has no such argument.
type ListingMapping struct {
	Listing, Seller, Collection, TokenID, Quantity, EndsAt string
}

// IsRead reports whether Laurel reads the network: the operator has named its nodes.
func (n Network) IsRead() bool { return len(n.URLs) > 0 }

// Registry has all networks that a server knows.
type Registry struct {
	byName     map[string]Network
	configured []string // in the order of the file
}

const (
	mainnetConfirmations = 12
	otherConfirmations   = 5
	slowBlockTime        = 12 * time.Second // of Ethereum and its testnets
	fastBlockTime        = 2 * time.Second
)

// slow are the networks with slowBlockTime.
var slow = []string{"mainnet", "goerli", "sepolia"}

// Shipped returns the registry of a server without configuration (contract 2.1).
func Shipped() *Registry {
	r := &Registry{byName: map[string]Network{}}
	for name, id := range mainnets {
		r.add(name, id, mainnetConfirmations)
	}
	for name, id := range testnets {
		r.add(name, id, otherConfirmations)
	}
	for _, name := range slices.Concat(withoutChainID, labels) {
		r.add(name, 0, otherConfirmations)
	}
	return r
}

func (r *Registry) add(name string, chainID uint64, confirmations int) {
	blockTime := fastBlockTime
	if slices.Contains(slow, name) {
		blockTime = slowBlockTime
	}
	r.byName[name] = Network{Name: name, ChainID: chainID, Confirmations: confirmations, BlockTime: blockTime}
}

// Configured returns the networks of the operator's file, in its order.
func (r *Registry) Configured() []Network {
	out := make([]Network, len(r.configured))
	for i, name := range r.configured {
		out[i] = r.byName[name]
	}
	return out
}

// chainIDs are the chain ids of the names that records of this process may hold. Bounds of records are the same for
// the whole process, and so is this. It is never changed in place.
var chainIDs atomic.Pointer[map[string]uint64]

func init() { Shipped().AddNames() } //nolint:gochecknoinits // every process knows the shipped names

// AddNames makes the names of the registry those that records of this process may hold, beside those that it has
// already. A server does so once, before it serves.
func (r *Registry) AddNames() {
	names := map[string]uint64{}
	for old := chainIDs.Load(); ; old = chainIDs.Load() {
		if old != nil {
			maps.Copy(names, *old)
		}
		for name, n := range r.byName {
			names[name] = n.ChainID
		}
		if chainIDs.CompareAndSwap(old, &names) {
			return
		}
		names = map[string]uint64{}
	}
}

// IsKnownNetwork reports whether a record may name the network.
func IsKnownNetwork(name string) bool {
	_, ok := (*chainIDs.Load())[name]
	return ok
}

// Networks returns the names that a record may hold, sorted.
func Networks() []string { return slices.Sorted(maps.Keys(*chainIDs.Load())) }

// ChainID returns the chain id of a network; 0 if the registry knows none.
func ChainID(network string) uint64 { return (*chainIDs.Load())[network] }

// IsKnownChainID reports whether the registry holds a network with the chain id.
func IsKnownChainID(id int64) bool {
	if id <= 0 {
		return false
	}
	for _, known := range *chainIDs.Load() {
		if known == uint64(id) {
			return true
		}
	}
	return false
}

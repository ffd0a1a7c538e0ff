package evm

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
)

const (
	maxNetworks      = 100
	maxURLs          = 8
	maxMarkets       = 100
	maxDollarTokens  = 20
	maxManagers      = 20
	maxGovernors     = 100
	maxSwapPools     = 100
	maxListings      = 20
	maxEnds          = 10
	maxChainID       = 1<<53 - 1 // the largest that JSON numbers hold exactly
	maxConfirmations = 10_000
	minBlockTime     = 0.05 // seconds
	maxBlockTime     = 3600
)

var networkName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// ReadConfig reads the content of the operator's file of networks over the shipped registry (contract 5.23). Faults are
// added to f, with prefix in front of their paths. The guard decides which addresses nodes may have.
func ReadConfig(f *laurel.Faults, prefix string, text []byte, guard *outbound.Guard) *Registry {
	r := Shipped()
	top, ok := configfile.Parse(f, prefix, text, "networks")
	if !ok {
		return r
	}
	known := []string{
		"name", "chainId", "rpcUrl", "confirmations", "blockTimeSeconds", "markets", "dollarTokens", "positionManagers",
		"swapPools", "listings", "governors",
	}
	var items []configfile.Object
	top.Objects("networks", maxNetworks, known, func(o configfile.Object) {
		if n, ok := r.read(o, guard); ok {
			r.byName[n.Name] = n
			r.configured, items = append(r.configured, n.Name), append(items, o)
		}
	})
	for i, n := range r.Configured() {
		if other := r.otherWith(n); other != "" {
			items[i].Fault("chainId", "%d belongs to %s", n.ChainID, other)
		}
	}
	return r
}

// otherWith returns another network with the chain id of a network; "" if there is none.
func (r *Registry) otherWith(n Network) string {
	for _, name := range slices.Sorted(maps.Keys(r.byName)) {
		if name != n.Name && n.ChainID != 0 && r.byName[name].ChainID == n.ChainID {
			return name
		}
	}
	return ""
}

// read reads a network. Properties that it does not name are those of the registry.
func (r *Registry) read(o configfile.Object, guard *outbound.Guard) (n Network, ok bool) {
	before := len(*o.Faults())
	name := o.RequiredText("name")
	switch {
	case name == "":
		return n, false
	case !networkName.MatchString(name):
		o.Fault("name", "must be a letter, and at most 63 letters, digits, _ and -")
	case slices.Contains(labels, name):
		o.Fault("name", "is no EVM network: Laurel cannot read it")
	case slices.Contains(r.configured, name):
		o.Fault("name", "is there twice")
	}
	n, isShipped := r.byName[name]
	if !isShipped {
		n = Network{Name: name, Confirmations: otherConfirmations, BlockTime: fastBlockTime}
	}
	n.ChainID = uint64(o.Int("chainId", 1, maxChainID, int(n.ChainID))) //nolint:gosec // never negative
	if n.ChainID == 0 {
		o.Fault("chainId", "is required")
	}
	n.URLs = readURLs(o, guard)
	n.Confirmations = o.Int("confirmations", 0, maxConfirmations, n.Confirmations)
	var seconds float64
	if o.Decode("blockTimeSeconds", &seconds, "must be a number") {
		if seconds < minBlockTime || seconds > maxBlockTime {
			o.Fault("blockTimeSeconds", "must be between %g and %d", minBlockTime, maxBlockTime)
		}
		n.BlockTime = time.Duration(seconds * float64(time.Second))
	}
	if o.Has("markets") {
		known := []string{"fillSource", "contractAddress", "eventAbi", "mapping"}
		o.Objects("markets", maxMarkets, known, func(m configfile.Object) { n.Markets = append(n.Markets, readMarket(m)) })
	}
	n.DollarTokens = readAccounts(o, "dollarTokens", maxDollarTokens)
	n.PositionManagers = readAccounts(o, "positionManagers", maxManagers)
	n.Governors = readGovernors(o)
	n.SwapPools = readAccounts(o, "swapPools", maxSwapPools)
	if o.Has("listings") {
		o.Objects("listings", maxListings, []string{"fillSource", "contractAddress", "listed", "ended"},
			func(m configfile.Object) { n.Listings = append(n.Listings, readListings(m)) })
	}
	return n, len(*o.Faults()) == before
}

// readAccounts reads a list of addresses of contracts; nil if it is absent.
func readAccounts(o configfile.Object, name string, most int) []string {
	list := o.Texts(name, most)
	for i, address := range list {
		path := o.Path(name) + "." + strconv.Itoa(i)
		list[i] = Normalize(address)
		switch {
		case !IsAccount(list[i]):
			o.Faults().Add(path, "must be 0x and 40 hexadecimal digits")
		case slices.Contains(list[:i], list[i]):
			o.Faults().Add(path, "is there twice")
		}
	}
	return list
}

// readGovernors reads the governors of a network.
func readGovernors(o configfile.Object) (list []Governor) {
	if !o.Has("governors") {
		return nil
	}
	o.Objects("governors", maxGovernors, []string{"space", "contractAddress"}, func(item configfile.Object) {
		g := Governor{Space: item.Text("space"), ContractAddress: Normalize(item.RequiredText("contractAddress"))}
		switch {
		case g.ContractAddress == "":
			return // it is required, which is a fault already
		case !IsAccount(g.ContractAddress):
			item.Fault("contractAddress", "must be 0x and 40 hexadecimal digits")
		}
		for _, other := range list {
			if other.ContractAddress == g.ContractAddress {
				item.Fault("contractAddress", "is there twice")
			}
			if g.Space != "" && strings.EqualFold(other.Space, g.Space) {
				item.Fault("space", "is there twice")
			}
		}
		list = append(list, g)
	})
	return list
}

// readURLs reads the address of a network's node, or the list of them. Addresses may hold keys, which no fault repeats.
func readURLs(o configfile.Object, guard *outbound.Guard) []string {
	if !o.Has("rpcUrl") {
		return nil
	}
	var raw json.RawMessage
	var one string
	var list []string
	o.Decode("rpcUrl", &raw, "")
	if json.Unmarshal(raw, &one) == nil {
		guard.Check(o.Faults(), o.Path("rpcUrl"), one)
		return []string{one}
	}
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 || len(list) > maxURLs {
		o.Fault("rpcUrl", "must be a url, or an array of 1 to %d of them", maxURLs)
		return nil
	}
	for i, address := range list {
		path := o.Path("rpcUrl") + "." + strconv.Itoa(i)
		guard.Check(o.Faults(), path, address)
		if slices.Contains(list[:i], address) {
			o.Faults().Add(path, "is there twice")
		}
	}
	return list
}

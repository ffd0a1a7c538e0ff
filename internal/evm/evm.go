// Package evm owns the registry of networks: the names that records may hold, the chain ids behind them (contract
// 2.1), and the forms that addresses have. It knows nothing of rules, badges or users.
package evm

import (
	"maps"
	"slices"
)

// networks maps the name of a network to its chain id. It is 0 if the operator sets it, or if Laurel does not read the
// chain.
var networks = map[string]uint64{
	// EVM mainnets
	"mainnet":      1,
	"optimism":     10,
	"binance":      56,
	"polygon":      137,
	"fantom":       250,
	"zksync":       324,
	"flowMainnet":  747,
	"vanar":        2040,
	"abstract":     2741,
	"morph":        2818,
	"somnia":       5031,
	"superseed":    5330,
	"base":         8453,
	"apechain":     33139,
	"arbitrum":     42161,
	"avalanche":    43114,
	"sophon":       50104,
	"berachain":    80094,
	"xai":          660279,
	"coti":         2632500,
	"skaleNebula":  1482601649,
	"skaleCalypso": 1564830818,
	"skaleEuropa":  2046399126,
	// EVM testnets
	"goerli":           5,
	"bscTestnet":       97,
	"optimism_goerli":  420,
	"morphHolesky":     2810,
	"fantomTestnet":    4002,
	"abstractTestnet":  11124,
	"avalancheFuji":    43113,
	"superseedSepolia": 53302,
	"polygon_mumbai":   80001,
	"berachainBepolia": 80069,
	"berachainArtio":   80085,
	"baseSepolia":      84532,
	"campTestnet":      325000,
	"arbitrumGoerli":   421613,
	"arbitrumSepolia":  421614,
	"cotiTestnet":      7082400,
	"sepolia":          11155111,
	"optimism_sepolia": 11155420,
	"sophonTestnet":    531050104,
	"basecamp":         123420001114,
	// EVM, chain id to be set by the operator
	"nexus":          0,
	"nexusTestnet":   0,
	"dogeosTestnet":  0,
	"morphTestnet":   0,
	"nitrograph":     0,
	"horizen":        0,
	"horizenTestnet": 0,
	// names only: Laurel does not read these chains
	"solana":       0,
	"sui":          0,
	"zkverify":     0,
	"polkadot":     0,
	"kusama":       0,
	"flow_cadence": 0,
}

// IsKnownNetwork reports whether a record may name the network.
func IsKnownNetwork(name string) bool {
	_, ok := networks[name]
	return ok
}

// Networks returns the names that a record may hold, sorted.
func Networks() []string { return slices.Sorted(maps.Keys(networks)) }

// ChainID returns the chain id of a network; 0 if the registry knows none.
func ChainID(network string) uint64 { return networks[network] }

// IsKnownChainID reports whether the registry holds a network with the chain id.
func IsKnownChainID(id int64) bool {
	if id <= 0 {
		return false
	}
	for _, known := range networks {
		if known == uint64(id) {
			return true
		}
	}
	return false
}

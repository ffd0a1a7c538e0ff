// Package evm owns the registry of networks: the names that records may hold, the chain ids behind them (contract
// 2.1), the operator's configuration of them (contract 5.23), and the forms that addresses have. It knows nothing of
// rules, badges or users, and calls no node.
package evm

// mainnets and testnets are the networks that every server knows, with their chain ids.
var mainnets = map[string]uint64{
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
}

var testnets = map[string]uint64{
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
}

// withoutChainID are EVM networks whose chain id the operator sets.
var withoutChainID = []string{
	"nexus", "nexusTestnet", "dogeosTestnet", "morphTestnet", "nitrograph", "horizen", "horizenTestnet",
}

// labels are names that records may hold of chains that are not EVM networks. Laurel does not read them.
var labels = []string{"solana", "sui", "zkverify", "polkadot", "kusama", "flow_cadence"}

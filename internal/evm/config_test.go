package evm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/outbound"
)

func readNetworks(text string) (*evm.Registry, laurel.Faults) {
	var f laurel.Faults
	guard := outbound.New(outbound.Options{Trusted: true}).Guard
	r := evm.ReadConfig(&f, "--networks ", []byte(text), guard)
	return r, f
}

const sale = `"fillSource": "bazaar", "contractAddress": "0x00000000000000000000000000000000000000AA"`

func TestNetworksAreReadOverTheShippedOnes(t *testing.T) {
	t.Parallel()
	r, f := readNetworks(`{"networks": [
		{"name": "polygon", "rpcUrl": "http://10.0.0.7:8545/v2/s3cret"},
		{"name": "devnet", "chainId": 31337, "rpcUrl": ["http://127.0.0.1:8545", "https://rpc.example.com"],
			"confirmations": 0, "blockTimeSeconds": 0.25},
		{"name": "nexus", "chainId": 3940},
		{"name": "mainnet", "rpcUrl": "https://rpc.example.com/mainnet", "markets": [{` + sale + `,
			"eventAbi": "event Sold(address indexed seller, address buyer, address nft, uint256 id, uint256 price)",
			"mapping": {"seller": "seller", "buyer": "buyer", "collection": "nft", "tokenId": "id", "price": "price"}},
			{` + sale + `, "eventAbi": {"type": "event", "name": "S", "inputs": [{"type": "address", "name": "a"},
			{"type": "uint256", "name": "b"}]}, "mapping": {"seller": "a", "buyer": "a", "collection": "a", "tokenId": "b",
			"price": "b", "currency": "a", "royaltyAddress": "a", "royaltyAmount": "b"}}]},
		{"name": "sepolia", "rpcUrl": "https://rpc.example.com/sepolia",
			"dollarTokens": ["0x00000000000000000000000000000000000000AA"], "positionManagers": [],
			"swapPools": ["0x00000000000000000000000000000000000000AB"], "listings": [{` + sale + `,
			"listed": {"eventAbi": "event L(bytes32 key, address seller, address nft, uint256 id)",
			"mapping": {"listing": "key", "seller": "seller", "collection": "nft", "tokenId": "id"}},
			"ended": [{"eventAbi": "event E(bytes32 key)", "mapping": {"listing": "key"}}]}], "governors": [
			{"space": "acme.dao", "contractAddress": "0x00000000000000000000000000000000000000AB"},
			{"contractAddress": "0x00000000000000000000000000000000000000ac"}]}
	]}`)
	if len(f) > 0 {
		t.Fatalf("%+v", f)
	}
	var got []string
	for _, n := range r.Configured() {
		got = append(got, fmt.Sprint(n.Name, " ", n.ChainID, " ", n.Confirmations, " ", n.BlockTime, " ", len(n.URLs), n.IsRead()))
	}
	want := []string{
		"polygon 137 12 2s 1 true", "devnet 31337 0 250ms 2 true", "nexus 3940 5 2s 0 false", "mainnet 1 12 12s 1 true",
		"sepolia 11155111 5 12s 1 true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("networks: %q", got)
	}
	markets := r.Configured()[3].Markets
	if len(markets) != 2 || markets[0].Mapping.Collection != "nft" || markets[0].ContractAddress[40:] != "aa" ||
		markets[1].Mapping.RoyaltyAmount != "b" || !strings.HasPrefix(string(markets[1].EventABI), "{") {
		t.Errorf("markets: %+v", markets)
	}
	sepolia := r.Configured()[4]
	if want := []string{"0x00000000000000000000000000000000000000aa"}; !slices.Equal(sepolia.DollarTokens, want) ||
		len(sepolia.PositionManagers) > 0 {
		t.Errorf("tokens: %v, managers: %v", sepolia.DollarTokens, sepolia.PositionManagers)
	}
	if l := sepolia.Listings; len(sepolia.SwapPools) != 1 || len(l) != 1 || l[0].Listed.Mapping.Listing != "key" ||
		len(l[0].Ended) != 1 || l[0].Ended[0].Mapping.Listing != "key" || len(l[0].Ended[0].EventABI) == 0 {
		t.Errorf("pools: %v, listings: %+v", sepolia.SwapPools, l)
	}
	if got, want := fmt.Sprint(sepolia.Governors), "[{acme.dao 0x00000000000000000000000000000000000000ab} "+
		"{ 0x00000000000000000000000000000000000000ac}]"; got != want {
		t.Errorf("governors: %s", got)
	}
	r.AddNames()
	if evm.ChainID("devnet") != 31337 || !evm.IsKnownNetwork("devnet") || !evm.IsKnownChainID(3940) ||
		!slices.Contains(evm.Networks(), "devnet") || !evm.IsKnownNetwork("solana") || evm.IsKnownChainID(-1) {
		t.Error("the process does not know the names")
	}
	if quick := evm.Shipped().Configured(); len(quick) > 0 {
		t.Errorf("shipped: %v", quick)
	}
}

func TestFaultsOfNetworksNameTheirPaths(t *testing.T) {
	t.Parallel()
	market := func(properties string) string {
		return `{"networks": [{"name": "base", "markets": [{` + properties + `}]}]}`
	}
	mapping := func(seller string) string {
		return `"mapping": {"seller": "` + seller + `", "buyer": "b", "collection": "c", "tokenId": "d", "price": "e"}`
	}
	listings := func(properties string) string {
		return `{"networks": [{"name": "base", "listings": [{` + sale + properties + `}]}]}`
	}
	const listed = `, "listed": {"eventAbi": "event L(string name, address s, uint256 id)", "mapping": {"seller": "s", "collection":
		"s", "tokenId": "id"`
	for text, want := range map[string]string{
		`{"networks": [{"name": "base", "swapPools": ["0x1"]}]}`: "--networks networks.0.swapPools.0 must be 0x and 40 " +
			"hexadecimal digits",
		listings(``):                         "--networks networks.0.listings.0.listed is required",
		listings(listed + `}}`):              "--networks networks.0.listings.0.ended is required",
		listings(listed + `}}, "ended": []`): "--networks networks.0.listings.0.ended must have an event",
		listings(listed + `, "listing": "name"}}, "ended": []`): "--networks networks.0.listings.0.listed.mapping.listing " +
			"must be the name of a whole number or bytes32",
		listings(listed + `}}, "ended": [{"eventAbi": "event E(uint256 id)", "mapping": {"tokenId": "id"}}]`): "--networks " +
			"networks.0.listings.0.ended.0.mapping.collection is required",
		listings(listed + `, "listing": "id"}}, "ended": [{"eventAbi": "event E(uint256 id)", "mapping": {}}]`): "--networks " +
			"networks.0.listings.0.ended.0.mapping.listing is required",
		`[]`:                          "--networks must be a JSON object",
		`{}`:                          "--networks networks must be an array of at most 100",
		`{"networks": [1]}`:           "--networks networks.0 must be a JSON object",
		`{"networks": [{}]}`:          "--networks networks.0.name is required",
		`{"networks": [], "more": 1}`: "--networks more is not known; known are: networks",
		`{"networks": [{"name": "base", "url": "x"}]}`: "--networks networks.0.url is not known; known are: " +
			"name, chainId, rpcUrl, confirmations, blockTimeSeconds, markets, dollarTokens, positionManagers, " +
			"swapPools, listings, governors",
		`{"networks": [{"name": "my net", "chainId": 5000}]}`: "--networks networks.0.name must be a letter, and at most 63 " +
			"letters, digits, _ and -",
		`{"networks": [{"name": "solana", "chainId": 5000}]}`: "--networks networks.0.name is no EVM network: Laurel cannot " +
			"read it",
		`{"networks": [{"name": "base"}, {"name": "base"}]}`: "--networks networks.1.name is there twice",
		`{"networks": [{"name": "devnet"}]}`:                 "--networks networks.0.chainId is required",
		`{"networks": [{"name": "nexus"}]}`:                  "--networks networks.0.chainId is required",
		`{"networks": [{"name": "devnet", "chainId": 0}]}`: "--networks networks.0.chainId must be a whole number between 1 " +
			"and 9007199254740991",
		`{"networks": [{"name": "mine", "chainId": 8453}]}`: "--networks networks.0.chainId 8453 belongs to base",
		`{"networks": [{"name": "base", "chainId": 137}]}`:  "--networks networks.0.chainId 137 belongs to polygon",
		`{"networks": [{"name": "a", "chainId": 5000}, {"name": "b", "chainId": 5000}]}`: "--networks networks.0.chainId " +
			"5000 belongs to b",
		`{"networks": [{"name": "base", "rpcUrl": "ftp://x"}]}`: "--networks networks.0.rpcUrl must be a valid url",
		`{"networks": [{"name": "base", "rpcUrl": "https://u:p@x.example.com"}]}`: "--networks networks.0.rpcUrl must not " +
			"contain credentials",
		`{"networks": [{"name": "base", "rpcUrl": []}]}`: "--networks networks.0.rpcUrl must be a url, or an array of 1 to 8 " +
			"of them",
		`{"networks": [{"name": "base", "rpcUrl": ["https://a.example.com", "b"]}]}`: "--networks networks.0.rpcUrl.1 must be " +
			"a valid url",
		`{"networks": [{"name": "base", "rpcUrl": ["https://a.example.com", "https://a.example.com"]}]}`: "--networks " +
			"networks.0.rpcUrl.1 is there twice",
		`{"networks": [{"name": "base", "confirmations": -1}]}`: "--networks networks.0.confirmations must be a whole number " +
			"between 0 and 10000",
		`{"networks": [{"name": "base", "blockTimeSeconds": 0}]}`: "--networks networks.0.blockTimeSeconds must be between " +
			"0.05 and 3600",
		`{"networks": [{"name": "base", "blockTimeSeconds": "2"}]}`: "--networks networks.0.blockTimeSeconds must be a number",
		`{"networks": [{"name": "base", "dollarTokens": "0x"}]}`:    "--networks networks.0.dollarTokens must be an array of texts",
		`{"networks": [{"name": "base", "dollarTokens": ["0x00000000000000000000000000000000000000aa", "0x1"]}]}`: "--networks " +
			"networks.0.dollarTokens.1 must be 0x and 40 hexadecimal digits",
		`{"networks": [{"name": "base", "positionManagers": ["0x00000000000000000000000000000000000000aa",
			"0x00000000000000000000000000000000000000AA"]}]}`: "--networks networks.0.positionManagers.1 is there twice",
		`{"networks": [{"name": "base", "governors": [{"space": "a"}]}]}`: "--networks networks.0.governors.0.contractAddress " +
			"is required",
		`{"networks": [{"name": "base", "governors": [{"contractAddress": "0x1"}]}]}`: "--networks " +
			"networks.0.governors.0.contractAddress must be 0x and 40 hexadecimal digits",
		`{"networks": [{"name": "base", "governors": [{"space": "a", "contractAddress": "0x00000000000000000000000000000000000000aa"},
			{"space": "A", "contractAddress": "0x00000000000000000000000000000000000000ab"}]}]}`: "--networks " +
			"networks.0.governors.1.space is there twice",
		`{"networks": [{"name": "base", "governors": [{"contractAddress": "0x00000000000000000000000000000000000000aa"},
			{"contractAddress": "0x00000000000000000000000000000000000000AA"}]}]}`: "--networks " +
			"networks.0.governors.1.contractAddress is there twice",
		market(sale): "--networks networks.0.markets.0.eventAbi is required",
		market(sale + `, "eventAbi": "event S(address a,"`): "--networks networks.0.markets.0.eventAbi must be a fragment of a " +
			"JSON ABI, or a signature such as event Transfer(address indexed from, address indexed to, uint256 value)",
		market(sale + `, "eventAbi": "event S(address a)"`): "--networks networks.0.markets.0.mapping is required",
		market(sale + `, "eventAbi": "event S(address b, address c, uint d, uint e)", ` + mapping("a")): "--networks " +
			"networks.0.markets.0.mapping.seller must be the name of an argument of the event",
		market(sale + `, "eventAbi": "event S(address b, address c, uint d, uint e)", ` + mapping("")): "--networks " +
			"networks.0.markets.0.mapping.seller is required",
		market(`"fillSource": "x", "contractAddress": "0x1"`): "--networks networks.0.markets.0.contractAddress must be 0x and " +
			"40 hexadecimal digits",
	} {
		if _, f := readNetworks(text); len(f) == 0 || f[0].Message != want {
			t.Errorf("%s:\n got %+v\nwant %s", text, f, want)
		}
	}
}

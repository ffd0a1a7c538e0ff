package abi

import "laurel.example/laurel"

// standards maps the types of contracts to the events and functions of their standards (EIP-20, EIP-721, EIP-1155), for
// contracts that were registered without an ABI.
var standards = map[string]struct{ events, functions []string }{
	"erc20": {
		[]string{
			"Transfer(address indexed from, address indexed to, uint256 value)",
			"Approval(address indexed owner, address indexed spender, uint256 value)",
		},
		[]string{
			"name() view returns (string)", "symbol() view returns (string)", "decimals() view returns (uint8)",
			"totalSupply() view returns (uint256)", "balanceOf(address owner) view returns (uint256)",
			"transfer(address to, uint256 value) returns (bool)",
			"transferFrom(address from, address to, uint256 value) returns (bool)",
			"approve(address spender, uint256 value) returns (bool)",
			"allowance(address owner, address spender) view returns (uint256)",
		},
	},
	"erc721": {
		[]string{
			"Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
			"Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
			"ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
		},
		[]string{
			"balanceOf(address owner) view returns (uint256)", "ownerOf(uint256 tokenId) view returns (address)",
			"safeTransferFrom(address from, address to, uint256 tokenId, bytes data) payable",
			"safeTransferFrom(address from, address to, uint256 tokenId) payable",
			"transferFrom(address from, address to, uint256 tokenId) payable",
			"approve(address approved, uint256 tokenId) payable", "setApprovalForAll(address operator, bool approved)",
			"getApproved(uint256 tokenId) view returns (address)",
			"isApprovedForAll(address owner, address operator) view returns (bool)",
		},
	},
	"erc1155": {
		[]string{
			"TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
			"TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
			"ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
			"URI(string value, uint256 indexed id)",
		},
		[]string{
			"balanceOf(address owner, uint256 id) view returns (uint256)",
			"balanceOfBatch(address[] owners, uint256[] ids) view returns (uint256[])",
			"safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)",
			"safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
			"setApprovalForAll(address operator, bool approved)",
			"isApprovedForAll(address owner, address operator) view returns (bool)",
		},
	},
}

// Standard returns what contracts of a type (contract 2) have by its standard: nothing for custom.
func Standard(contractType string) *Contract {
	var f laurel.Faults // none: the texts above are right
	out := &Contract{}
	for _, text := range standards[contractType].events {
		out.Events = append(out.Events, ParseEvent(&f, "", text))
	}
	for _, text := range standards[contractType].functions {
		out.Functions = append(out.Functions, ParseFunction(&f, "", text))
	}
	return out
}

package wallets

import (
	"strings"

	"laurel.example/laurel/internal/evm"
)

// TypeOf returns the wallet type that an address has by its form; "" if it is none, or one of which no signature is
// checked.
func TypeOf(address string) string {
	if evm.IsAccount(address) {
		return "evm"
	}
	if evm.IsHexAddress(address) {
		if len(address) == len("0x")+64 {
			return "sui"
		}
		return ""
	}
	if _, _, ok := evm.DecodeTON(address); ok {
		return "ton"
	}
	if _, ok := evm.DecodeBech32(address); ok {
		return "cosmos"
	}
	if _, ok := evm.DecodeSS58(address); ok {
		return "substrate"
	}
	if b, ok := evm.DecodeBase58(address); ok && len(b) == 32 {
		return "solana"
	}
	return ""
}

// IsAddress reports whether an address has the form of a wallet type. Types whose form is not known take any text.
func IsAddress(walletType, address string) bool {
	switch walletType {
	case "evm", "agw", "imx":
		return evm.IsAccount(address)
	case "flow_cadence":
		return strings.HasPrefix(address, "0x") && evm.IsHexAddress(address)
	}
	return TypeOf(address) == walletType
}

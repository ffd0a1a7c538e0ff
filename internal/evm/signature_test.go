package evm_test

import (
	"strings"
	"testing"

	"laurel/internal/evm"
)

// The selectors are those that every chain tool shows for these events and functions.
func TestSelectorsAreMadeOfCanonicalSignatures(t *testing.T) {
	t.Parallel()
	const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
	for text, selector := range map[string]string{
		"event Transfer(address indexed from, address indexed to, uint256 value)":                                               transfer,
		"Transfer(address,address,uint256)":                                                                                     transfer,
		"Transfer(address from, address to, uint value);":                                                                       transfer,
		`{"type":"event","name":"Transfer","inputs":[{"type":"address","indexed":true},{"type":"address"},{"type":"uint256"}]}`: transfer,
		"event Swap(address indexed sender,uint256 a0,uint256 a1,uint256 b0,uint256 b1,address indexed to)":                     "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
	} {
		got, err := evm.ParseEvent(text)
		if err != nil || got.Selector != selector {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string][2]string{
		"function transfer(address to, uint256 amount) returns (bool)":                                                {"transfer(address,uint256)", "0xa9059cbb"},
		"approve(address,uint256)":                                                                                    {"approve(address,uint256)", "0x095ea7b3"},
		`{"type":"function","name":"balanceOf","inputs":[{"type":"address"}]}`:                                        {"balanceOf(address)", "0x70a08231"},
		"function f(tuple(uint a, (bytes b, int8[2] c)[] d)[3] x, string y) external":                                 {"f((uint256,(bytes,int8[2])[])[3],string)", ""},
		`{"type":"function","name":"f","inputs":[{"type":"tuple[]","components":[{"type":"uint"},{"type":"bool"}]}]}`: {"f((uint256,bool)[])", ""},
	} {
		got, err := evm.ParseFunction(text)
		if err != nil || got.Canonical != want[0] || want[1] != "" && got.Selector != want[1] {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if got, err := evm.ParseEvent("event Nothing() anonymous"); err != nil || got.Canonical != "Nothing()" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{
		"", "Transfer", "Transfer(", "Transfer(address", "Transfer(uint7)", "Transfer(address,)", "1x(address)", "{}", "[]",
		`{"type":"function","name":"Transfer","inputs":[]}`, "event Transfer(address) returns (bool)", "T(bytes33)",
		"T(" + strings.Repeat("(", 40) + strings.Repeat(")", 40) + ")", "T(uint256[x])",
	} {
		if got, err := evm.ParseEvent(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

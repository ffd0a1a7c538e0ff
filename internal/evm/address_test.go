package evm_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/evm"
)

func TestAddressesAreKnownByTheirForm(t *testing.T) {
	t.Parallel()
	for kind, texts := range map[string][]string{
		"evm": {"0x00000000000000000000000000000000000a11ce", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"},
		"solana": {"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "So11111111111111111111111111111111111111112",
			"11111111111111111111111111111111"},
		"sui":          {"0x" + strings.Repeat("0f", 32)},
		"flow_cadence": {"0x1654653399040a61"},
		"ton": {"EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2", "UQAtcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgd0x",
			"Ef8tcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgX+8", "0QAtcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgWa7",
			"-1:" + strings.Repeat("0f", 32), "0:" + strings.Repeat("A0", 32)},
		"cosmos": {"cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n",
			"osmo194c3vs4hy6cygqtz0j5lhtpj7hy9xra3jq7vfkczykr30ys6fzqs2zv6tc"},
		"substrate": {"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
			"HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F", "cEgA75yboLYVHGqrUPmCshZChjbzy1GzBoHf6wVPHSFac7wX8"},
	} {
		for _, text := range texts {
			if !evm.IsAddress(text) {
				t.Errorf("%s: %s is not taken for an address", kind, text)
			}
		}
	}
}

func TestIdentifiersOfOtherKindsAreNoAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "0x", "0:", "1", "alice", "cust_1001", "CRM-1", "+4915112345678", "1234567890",
		"alice@example.com", "cosmos1@example.com", "a1b",
		"0197f0a0-0000-7000-8000-000000000000", "0197f0a0000070008000000000000000", "d41d8cd98f11b2149e98116998ecf842", strings.Repeat("ab", 20), strings.Repeat("ab", 32),
		"0x00000000000000000000000000000000000a11cg", "0x00000000000000000000000000000000000a11c", " 0x00000000000000000000000000000000000a11ce", "0X1654653399040A61",
		"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAW", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWW0",
		strings.Repeat("1", 31), strings.Repeat("1", 128), strings.Repeat("z", 128),
		"EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q3", "FQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2",
		"2:" + strings.Repeat("0f", 32), "0:" + strings.Repeat("0f", 31),
		"cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8m", "Cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n", "bc194c3vs4hy6cygqtz0j5lhtpj7hy9xra3whm4k", "1" + strings.Repeat("q", 38)} {
		if evm.IsAddress(text) {
			t.Errorf("%s is taken for an address", text)
		}
	}
}

func TestSpellingsOfAnAddressHaveOneKey(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i, spellings := range [][]string{
		{"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
			"HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"},
		{"UQAtcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgd0x", "0QAtcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgWa7",
			"0:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
			"0:2D711642B726B04401627CA9FBAC32F5C8530FB1903CC4DB02258717921A4881"},
		{"Ef8tcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgX+8", "Ef8tcRZCtyawRAFifKn7rDL1yFMPsZA8xNsCJYcXkhpIgX-8"},
		{"cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n", "osmo194c3vs4hy6cygqtz0j5lhtpj7hy9xra3w0ha3p",
			"juno194c3vs4hy6cygqtz0j5lhtpj7hy9xra3sx8kq0"},
	} {
		for _, text := range spellings {
			key := evm.KeyOf(text)
			if other, isKnown := seen[key]; key == "" || isKnown && other != i || len(seen) > i+1 {
				t.Errorf("the key of %s is %q", text, key)
			}
			seen[key] = i
		}
	}
	for _, text := range []string{"", "alice", "0x00000000000000000000000000000000000a11ce", "0x" + strings.Repeat("0f", 32),
		"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ"} {
		if key := evm.KeyOf(text); key != "" {
			t.Errorf("%s has one spelling, and the key %s", text, key)
		}
	}
}

func FuzzIsAddress(f *testing.F) {
	f.Add("cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n")
	f.Add("EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2")
	f.Fuzz(func(t *testing.T, text string) {
		if evm.IsAddress(text) && (len(text) > 90 || strings.ContainsAny(text, "@ \n")) {
			t.Errorf("%q is taken for an address", text)
		}
	})
}

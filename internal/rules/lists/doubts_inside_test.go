package lists

import (
	"strings"
	"testing"
)

func TestWhatLooksLikeNoMember(t *testing.T) {
	t.Parallel()
	hex := func(n int) string { return "0x" + strings.Repeat("a", n) }
	for why, names := range map[string][]string{
		"a header, a total or an error": {
			"wallet", "Wallets", "Address", "WALLET ADDRESS", "wallet_address", "wallet-address", "walletAdress", "walletAddres",
			"waletAdress", "walletAddresses", "eth_address", "Member", "user id", "userId", "Users", "account", "Name", "Total",
			"Total:", "Sub-total", "SUM", "error", "Not Found", "null", "undefined", "None",
		},
		"a text or like several columns": {
			"Airdrop list July", "upstream timed out", "bob 5", "0xa|5", "|---|---|", "---", "“" + hex(40) + "”", "`" + hex(40) + "`",
			"<p>", "{a}", hex(40) + "\u00a01", "bo\u200bb",
		},
		"a formula or a fault of a spreadsheet":     {"=A1", "#REF!", "#N/A", "# exported"},
		"a number that a spreadsheet has shortened": {"1.23E+47", "1E+47", "9.1e+5"},
		" is an address with 39 digits":             {hex(39)},
		" is an address with 41 digits":             {hex(41), "0X" + strings.Repeat("A", 41)},
		"": {
			"bob", "0xA", "wallet-1", "wallet1", "walletAddress1", "user_7", "Summer", "error404", "zoe@example.com", "a-b:c/d",
			"@bob", "+4912345", "O’Brien", "507e191e", "1e5", "42", "客户", "sumo", "Toto", "username", hex(40), hex(35), hex(61),
			hex(64), "0x" + strings.Repeat("g", 41), "می\u200cخواهم", "🙂", "a|"[:1], "bitcoin:1", "addresser",
		},
	} {
		for _, name := range names {
			if got := memberDoubt(name); (got == "") != (why == "") || !strings.Contains(got, why) {
				t.Errorf("%q: %q, not %q", name, got, why)
			}
		}
	}
}

func TestWhatLooksLikeAHeaderOfCodes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Voucher code", "codes", "promo_code", "Coupon", "VOUCHERS", "Promo-Codes:", "name", "Not Found", "error",
	} {
		if codeHeaderProblem(text) == "" {
			t.Errorf("%q is a code", text)
		}
	}
	for _, text := range []string{"SUMMER 24", "SUMMER", "CODE-1", "CODE1", "#1", "=A", "1E+5", "Code me", "a b c", "Vouchers 24"} {
		if got := codeHeaderProblem(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

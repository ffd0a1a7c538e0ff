package wallets

import (
	"encoding/hex"
	"strings"
	"testing"
)

// TestNoCountOfABagOfCellsIsBelieved holds that a small body cannot make the parser allocate what its header claims.
func TestNoCountOfABagOfCellsIsBelieved(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":         "",
		"another magic":   "68ff65f3" + "0101" + "010100" + "02" + "0000",
		"many roots":      "b5ee9c72" + "0501" + "0000000001" + "1000000000" + "0000000000" + "02" + "0000",
		"two roots":       "b5ee9c72" + "0101" + "020200" + "04" + "0001" + "00000000",
		"more cells":      "b5ee9c72" + "0201" + "ffff" + "0001" + "0000" + "02" + "0000" + "0000",
		"an index":        "b5ee9c72" + "8101" + "010100" + "02" + "00" + "02" + "0000",
		"no offsets":      "b5ee9c72" + "0100" + "010100" + "00" + "0000",
		"a cell too long": "b5ee9c72" + "0101" + "010100" + "02" + "00" + "00ff",
		"itself":          "b5ee9c72" + "0101" + "010100" + "03" + "00" + "010000",
		"cut off":         "b5ee9c72" + "0101" + "0101",
	} {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if root, err := parseCells(b); err == nil {
			t.Errorf("%s: parsed as %v", name, root)
		}
	}
}

// TestNobodySignsForPointsOfSmallOrder holds it for the address of 32 zero bytes, for which some signatures verify.
func TestNobodySignsForPointsOfSmallOrder(t *testing.T) {
	t.Parallel()
	for _, text := range smallOrder {
		for _, sign := range []byte{0, 0x80} {
			key, err := hex.DecodeString(text)
			if err != nil || len(key) != 32 {
				t.Fatal(text, err)
			}
			key[31] |= sign
			if !hasSmallOrder(key) {
				t.Errorf("%x counts as a key", key)
			}
			for i := range 64 { // about one in four would verify
				signature := make([]byte, 64)
				signature[0] = 1 // R is the neutral point, S is 0
				if isSignedByKey(key, []byte(strings.Repeat("m", i)), signature) {
					t.Errorf("%x signs a message", key)
				}
			}
		}
	}
}

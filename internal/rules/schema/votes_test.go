package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"laurel.example/laurel/internal/rules/schema"
)

func TestIDsOfProposalsAreWholeNumbers(t *testing.T) {
	t.Parallel()
	largest := "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	for id, want := range map[string]string{
		`"7"`: "7", `7`: "7", `" 7 "`: "7", `"007"`: "7", `"0x1F"`: "31", `"0X1f"`: "31", `"0"`: "0", `7.0`: "7",
		`"` + largest + `"`: largest, largest: largest, `"0x` + strings.Repeat("f", 64) + `"`: largest,
		`"0x1` + strings.Repeat("0", 64) + `"`: "", `"` + largest + `0"`: "", `"-7"`: "", `"+7"`: "", `"1_0"`: "", `"1e3"`: "",
		`"7.5"`: "", `"Qm1"`: "", `""`: "", `"0x"`: "", `null`: "", `{}`: "", `[7]`: "", `true`: "",
	} {
		p := schema.Properties{Metadata: json.RawMessage(`{"governanceProposals": [{"id": ` + id + `, "space": "a"}]}`)}
		list := p.Meta().Proposals
		if len(list) != 1 || list[0].Number() != want || list[0].Space != "a" {
			t.Errorf("%s: %+v", id, list)
		}
	}
}

package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"laurel.example/laurel/internal/evm/abi"
)

const maxTypes = 100

// decodeABI decodes data, which is 0x hex, into values of the types, a JSON array of type names (contract 7.6). It is
// for return data and the data of events: no selector stands before it. It returns a JSON array of the values, as text;
// tuples and arrays are arrays in it.
func decodeABI(types, data string) (any, error) {
	var names []string
	if json.Unmarshal([]byte(types), &names) != nil || len(names) > maxTypes {
		return nil, fmt.Errorf("abi: types must be an array of at most %d texts", maxTypes)
	}
	b, err := hex.DecodeString(strings.TrimPrefix(data, "0x"))
	if err != nil {
		return nil, errors.New("abi: data must be 0x hex")
	}
	values, err := abi.DecodeList(names, b)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(values)
	return string(out), err
}

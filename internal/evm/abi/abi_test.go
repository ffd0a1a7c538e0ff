package abi_test

import (
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
)

type object = map[string]any

// fataler is what ends a test: of testing or of rapid.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func event(t fataler, text string) *abi.Event {
	t.Helper()
	var f laurel.Faults
	e := abi.ParseEvent(&f, "eventAbi", text)
	if e == nil || f.Err() != nil {
		t.Fatalf("%s: %v", text, f)
	}
	return e
}

func function(t fataler, text string) *abi.Function {
	t.Helper()
	var f laurel.Faults
	fn := abi.ParseFunction(&f, "functionAbi", text)
	if fn == nil || f.Err() != nil {
		t.Fatalf("%s: %v", text, f)
	}
	return fn
}

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

// The selectors are those that every chain tool shows for these events and functions.
func TestSelectorsAreMadeOfCanonicalSignatures(t *testing.T) {
	t.Parallel()
	const transfer = transferTopic
	for text, selector := range map[string]string{
		"event Transfer(address indexed from, address indexed to, uint256 value)":                                               transfer,
		"Transfer(address,address,uint256)":                                                                                     transfer,
		"Transfer(address from,\n\taddress  to, uint value);":                                                                   transfer,
		`{"type":"event","name":"Transfer","inputs":[{"type":"address","indexed":true},{"type":"address"},{"type":"uint256"}]}`: transfer,
		"event Swap(address indexed sender,uint256 a0,uint256 a1,uint256 b0,uint256 b1,address indexed to)":                     "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
		"TransferBatch(address indexed,address indexed,address indexed,uint256[],uint256[])":                                    "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
	} {
		if got := event(t, text); got.Topic != selector {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for text, want := range map[string][2]string{
		"function transfer(address to, uint256 amount) returns (bool)":                                                {"transfer(address,uint256)", "0xa9059cbb"},
		"approve(address,uint256)":                                                                                    {"approve(address,uint256)", "0x095ea7b3"},
		`{"type":"function","name":"balanceOf","inputs":[{"type":"address"}]}`:                                        {"balanceOf(address)", "0x70a08231"},
		"function f(tuple(uint a, (bytes b, int8[2] c)[] d)[3] x, string y) external":                                 {"f((uint256,(bytes,int8[2])[])[3],string)", ""},
		`{"type":"function","name":"f","inputs":[{"type":"tuple[]","components":[{"type":"uint"},{"type":"bool"}]}]}`: {"f((uint256,bool)[])", ""},
		"pay(address payable to, fixed x, ufixed8x1[2] y, function z)":                                                {"pay(address,fixed128x18,ufixed8x1[2],function)", ""},
	} {
		if got := function(t, text); got.Canonical != want[0] || want[1] != "" && got.Selector != want[1] {
			t.Errorf("%s: %+v", text, got)
		}
	}
	got := event(t, "event Sold(uint256 indexed id, (address by, uint256[2][] prices)[] indexed, bytes data) anonymous")
	if got.Canonical != "Sold(uint256,(address,uint256[2][])[],bytes)" || !got.Anonymous || !got.Inputs[0].Indexed ||
		!got.Inputs[1].Indexed || got.Inputs[2].Indexed || got.Inputs[2].Name != "data" {
		t.Errorf("%+v", got)
	}
	view := function(t, "function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32)")
	if len(view.Outputs) != 3 || view.Outputs[1].Name != "reserve1" || view.Outputs[2].Type.String() != "uint32" {
		t.Errorf("%+v", view)
	}
}

func TestFaultsOfAnABINameTheirPosition(t *testing.T) {
	t.Parallel()
	const aType = " must be a type of the ABI, such as uint256"
	deep := strings.Repeat("(", 40) + "bool" + strings.Repeat(")", 40)
	for text, want := range map[string]string{
		"": "x must be a fragment", "Transfer": "x must be a fragment", "Transfer(": "x must be a fragment", "{": "x must be",
		"Transfer(address": "x must be a fragment", "1x(address)": "x must be a fragment", "{}": "x.type is required",
		"Transfer(uint7)":    "x.inputs.0.type" + aType,
		"Transfer(address,)": "x.inputs.1.type" + aType,
		"T(bytes33)":         "x.inputs.0.type" + aType,
		"T(uint08)":          "x.inputs.0.type" + aType,
		"T(fixed8x81)":       "x.inputs.0.type" + aType,
		"T(uint256[x])":      "x.inputs.0.type must end in [] or in a length of at least 1, such as [2]",
		"T(uint256[0])":      "x.inputs.0.type must end in [] or in a length of at least 1, such as [2]",
		"T(uint256[1)":       "x.inputs.0.type must end in [] or",
		"T(uint256[10001])":  "x.inputs.0.type must take at most 10000 words of 32 bytes",
		"T(uint256[1000][1000][1000][1000][1000])":                                        "x.inputs.0.type must take at most 10000 words of 32 bytes",
		"T(" + strings.Repeat("uint256[9999][1],", 2) + "(uint256[9999], uint256[9999]))": "x.inputs.2.type must take at most 10000 words",
		"T(())":                                   "x.inputs.0.type must have components",
		"T((bool a, (uint256, uint7 b)[] c) d)":   "x.inputs.0.components.1.components.1.type" + aType,
		"T(bool a b)":                             `x.inputs.0.name must be one name, not "b"`,
		"T(bool indexed indexed)":                 `x.inputs.0.name must be one name, not "indexed"`,
		"T((bool indexed a) b)":                   `x.inputs.0.components.0.name must be one name, not "indexed"`,
		"T(" + deep + ")":                         "must have at most 16 levels",
		"T(bool" + strings.Repeat("[]", 17) + ")": "x.inputs.0.type must have at most 16 levels of tuples and arrays",
		"event Transfer(address) returns (bool)":  "x must have nothing but anonymous behind the parameters",
		"T(" + strings.Repeat("bool indexed,", 3) + "bool indexed)":               "x.inputs.3.indexed must not be set: a log has at most 4 topics",
		"T(" + strings.Repeat("bool indexed,", 4) + "bool indexed) anonymous":     "x.inputs.4.indexed must not be set: a log has at most 4 topics",
		strings.Repeat(" ", 20<<10) + "T(" + strings.Repeat("bool,", 4<<10) + ")": "x must be at most 16384 bytes",
		`{"type":"function","name":"Transfer","inputs":[]}`:                       "x.type must be event",
		`{"type":"event"}`:                                                                        "x.name is required",
		`{"type":"event","name":"a b"}`:                                                           "x.name must be a name of letters, digits, _ and $ that begins with no digit",
		`{"type":"event","name":1}`:                                                               "x.name must be a string",
		`{"type":"event","name":"T","inputs":{}}`:                                                 "x.inputs must be an array of parameters",
		`{"type":"event","name":"T","inputs":[1]}`:                                                "x.inputs.0 must be an object with a type",
		`{"type":"event","name":"T","inputs":[{}]}`:                                               "x.inputs.0.type is required",
		`{"type":"event","name":"T","anonymous":""}`:                                              "x.anonymous must be true or false",
		`{"type":"event","name":"T","inputs":[{"type":"bool"},{"type":"tuple[]"}]}`:               "x.inputs.1.components must have at least one component",
		`{"type":"event","name":"T","inputs":[{"type":"tuplet","components":[{"type":"bool"}]}]}`: "x.inputs.0.type" + aType,
		`{"type":"event","name":"T","inputs":[{"type":"tuple[]","components":[{"type":"bool","indexed":"yes"}]}]}`: "x.inputs.0.components.0.indexed must be true",
		`{"type":"event","name":"T","inputs":[{"type":"tuple[]","components":[{"type":"bool"},{"type":"uint7"}]}]}`: "x.inputs.0.components.1.type" +
			aType,
		`{"type":"event","name":"T","inputs":` + strings.Repeat(`[{"type":"tuple","components":`, 40) + "[]" +
			strings.Repeat("}]", 40) + "}": "must have at most 16 levels",
	} {
		var f laurel.Faults
		if got := abi.ParseEvent(&f, "x", text); got != nil || len(f) == 0 || !strings.Contains(f[0].Message, want) {
			t.Errorf("%.100q is %+v: %v, want %s", text, got, f, want)
		}
	}
	for text, want := range map[string]string{
		"f(bool) returns bool":          "x.outputs must be a list of types in parentheses",
		"f(bool) returns (uint7)":       "x.outputs.0.type" + aType,
		"f(bool indexed a)":             `x.inputs.0.name must be one name, not "indexed"`,
		"f(bool) {}":                    "x must have nothing but words and returns (…) behind the parameters",
		`{"type":"event","name":"f"}`:   "x.type must be function",
		`{"type":"receive","name":"f"}`: "x.type must be function",
	} {
		var f laurel.Faults
		if got := abi.ParseFunction(&f, "x", text); got != nil || len(f) == 0 || !strings.Contains(f[0].Message, want) {
			t.Errorf("%q is %+v: %v, want %s", text, got, f, want)
		}
	}
	full := make(laurel.Faults, 50) // as many as are kept: the next one is not told, and still one
	if abi.ParseEvent(&full, "x", "T((uint7 a, bool b) c)") != nil {
		t.Error("a text with a fault that is not kept was accepted")
	}
}

const shop = `[{"type":"event","name":"Sold","inputs":[{"name":"id","type":"uint256"}]},
	{"type":"event","name":"Sold","inputs":[{"name":"id","type":"uint256"},{"name":"by","type":"address"}]},
	{"type":"event","name":"Paid","inputs":[{"name":"by","type":"address","indexed":true}]},
	{"type":"function","name":"buy","stateMutability":"payable","inputs":[{"name":"id","type":"uint256"}],"outputs":[]},
	{"type":"constructor","inputs":[]},{"type":"fallback","stateMutability":"payable"},{"type":"error","name":"No","inputs":[]}]`

func TestAnABIIsSearchedByNameAndSignature(t *testing.T) {
	t.Parallel()
	quoted, err := json.Marshal(shop)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{shop, string(quoted)} {
		var f laurel.Faults
		c := abi.ParseContract(&f, "abi", json.RawMessage(text))
		if c == nil || len(c.Events) != 3 || len(c.Functions) != 1 {
			t.Fatalf("%+v: %v", c, f)
		}
		for text, want := range map[string]string{
			"Paid": "Paid(address)", "event Paid(address indexed by)": "Paid(address)", "Sold(uint,address)": "Sold(uint256,address)",
		} {
			if e := c.FindEvent(&f, "event", text); e == nil || e.Canonical != want {
				t.Errorf("%s: %+v, %v", text, e, f)
			}
		}
		if fn := c.FindFunction(&f, "event", "buy"); fn == nil || fn.Canonical != "buy(uint256)" {
			t.Errorf("%+v, %v", fn, f)
		}
		if len(f) > 0 {
			t.Error(f)
		}
		const events = "event must be an event of the contract's ABI: Sold(uint256), Sold(uint256,address), Paid(address)"
		for text, want := range map[string]string{
			"Sold":       "event must be a full signature, because several have the name: Sold(uint256), Sold(uint256,address)",
			"Bought":     events,
			"Paid(bool)": events,
			"Paid(x)":    "event.inputs.0.type must be a type of the ABI, such as uint256",
		} {
			var f laurel.Faults
			if e := c.FindEvent(&f, "event", text); e != nil || len(f) == 0 || f[0].Message != want {
				t.Errorf("%s: %+v, %v", text, e, f)
			}
		}
		for text, want := range map[string]string{
			"sell":         "event must be a function of the contract's ABI: buy(uint256)",
			"sell(bool)":   "event must be a function of the contract's ABI: buy(uint256)",
			"sell(bool)\t": "event must be a function of the contract's ABI: buy(uint256)",
		} {
			var f laurel.Faults
			if fn := c.FindFunction(&f, "event", text); fn != nil || len(f) == 0 || f[0].Message != want {
				t.Errorf("%s: %+v, %v", text, fn, f)
			}
		}
	}
	var f laurel.Faults
	empty := abi.ParseContract(&f, "abi", json.RawMessage(`[]`))
	if empty.FindEvent(&f, "event", "Paid") != nil || f[0].Message != "event must be an event of the contract's ABI, which has none" {
		t.Error(f)
	}
	f = nil
	for _, bad := range []string{"null", "{}", `"x"`, `""`, "1"} {
		if abi.ParseContract(&f, "abi", json.RawMessage(bad)) != nil {
			t.Errorf("%s is an ABI", bad)
		}
	}
	f = nil
	bad := `[{"type":"event","name":"A","inputs":[{"type":"x"}]},{"type":"view"},{"type":"receive"},{"type":"error"}]`
	if abi.ParseContract(&f, "abi", json.RawMessage(bad)) != nil || len(f) != 3 || f[0].Path != "abi.0.inputs.0.type" ||
		f[1].Path != "abi.1.type" || f[2].Path != "abi.3.name" {
		t.Error(f)
	}
}

func TestKeysAreUnique(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"f(bool,bool b,bool)":                  "arg0 b arg2",
		"f(bool a,bool a,bool a)":              "a a_1 a_2",
		"f(bool arg1,bool,bool a_3,bool arg1)": "arg1 arg1_ a_3 arg1_3",
		"f(bool a,bool a_2,bool a)":            "a a_2 a_2_",
	} {
		if got := strings.Join(abi.Keys(function(t, text).Inputs), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// words returns bytes from hexadecimal words, each of which is filled with zeros on the left.
func words(list ...string) []byte {
	var out []byte
	for _, w := range list {
		b, err := hex.DecodeString(strings.Repeat("0", 64-len(w)) + w)
		if err != nil {
			panic(err)
		}
		out = append(out, b...)
	}
	return out
}

func topics(list ...string) [][32]byte {
	out := make([][32]byte, len(list))
	for i, w := range list {
		out[i] = [32]byte(words(strings.TrimPrefix(w, "0x")))
	}
	return out
}

const (
	alice = "00000000000000000000000000000000000a11ce"
	shopA = "7a250d5630b4cf539739df2c5dacb4c659f2488d"
)

func TestLogsAreDecoded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event  string
		topics [][32]byte
		data   []byte
		want   object
	}{
		"ERC-20": {
			"event Transfer(address indexed from, address indexed to, uint256 value)",
			topics(transferTopic, alice, shopA), words("0de0b6b3a7640000"),
			object{"from": "0x" + alice, "to": "0x" + shopA, "value": "1000000000000000000"},
		},
		"ERC-721": {
			"event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
			topics(transferTopic, "00", alice, "2710"), nil,
			object{"from": "0x0000000000000000000000000000000000000000", "to": "0x" + alice, "tokenId": "10000"},
		},
		"ERC-1155": {
			"event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
			topics("0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb", shopA, "00", alice),
			words("40", "a0", "02", "01", "02", "02", "0a", "14"),
			object{
				"operator": "0x" + shopA, "from": "0x0000000000000000000000000000000000000000", "to": "0x" + alice,
				"ids": []any{"1", "2"}, "values": []any{"10", "20"},
			},
		},
		"a pool": {
			"event Swap(address indexed sender, uint amount0In, uint amount1In, uint amount0Out, uint amount1Out, address indexed to)",
			topics("0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822", shopA, alice),
			words("00", "0de0b6b3a7640000", "b2d05e00", "00"),
			object{
				"sender": "0x" + shopA, "to": "0x" + alice, "amount0In": "0", "amount1In": "1000000000000000000",
				"amount0Out": "3000000000", "amount1Out": "0",
			},
		},
		"tuples in an array": {
			"event Filled((address token, uint256[2] span, string note)[] items, int8 change, bytes4)",
			topics(topic(t, "Filled((address,uint256[2],string)[],int8,bytes4)")),
			append(words("60", strings.Repeat("f", 64), "a9059cbb"+strings.Repeat("0", 56), "01", "20", alice, "01", "02", "80", "03"),
				append([]byte("a\x00\xff"), make([]byte, 29)...)...),
			object{
				"items":  []any{object{"token": "0x" + alice, "span": []any{"1", "2"}, "note": "a\uFFFD\uFFFD"}},
				"change": "-1", "arg2": "0xa9059cbb",
			},
		},
		"hashes and no topic of its own": {
			"event Named(string indexed name, uint8[2] indexed pair, bytes32 indexed plain, bool indexed is, fixed8x1 part) anonymous",
			topics("aa", "bb", "cc", "01"), words(strings.Repeat("f", 63) + "b"),
			object{"name": hexWord("aa"), "pair": hexWord("bb"), "plain": hexWord("cc"), "is": true, "part": "-0.5"},
		},
		"more data than arguments": {"event Paid(uint8)", topics(topic(t, "Paid(uint8)")), words("05", "06"), object{"arg0": "5"}},
	} {
		if got, err := event(t, c.event).Decode(c.topics, c.data); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func topic(t *testing.T, signature string) string {
	t.Helper()
	return event(t, signature).Topic
}

func hexWord(text string) string { return "0x" + hex.EncodeToString(words(text)) }

func TestLogsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	const erc20 = "event Transfer(address indexed from, address indexed to, uint256 value)"
	list := func(signature string) [][32]byte { return topics(topic(t, signature)) }
	for name, c := range map[string]struct {
		event  string
		topics [][32]byte
		data   []byte
		want   string
	}{
		"no topic":            {erc20, nil, nil, "another event"},
		"another event":       {erc20, topics("aa", alice, alice), words("01"), "another event"},
		"an indexed id":       {erc20, topics(transferTopic, alice, alice, "01"), nil, "3 topics for 2 indexed"},
		"too few topics":      {erc20, topics(transferTopic, alice), words("01"), "1 topics for 2 indexed"},
		"no data":             {erc20, topics(transferTopic, alice, alice), nil, "too short"},
		"half a word":         {erc20, topics(transferTopic, alice, alice), words("01")[:31], "too short"},
		"no address":          {erc20, topics(transferTopic, strings.Repeat("f", 64), alice), words("01"), "no value"},
		"too large":           {"P(uint8)", list("P(uint8)"), words("0100"), "no value"},
		"too small":           {"P(int8)", list("P(int8)"), words(strings.Repeat("f", 62) + "7f"), "no value"},
		"no bool":             {"P(bool)", list("P(bool)"), words("02"), "no value"},
		"offset beyond":       {"P(bytes)", list("P(bytes)"), words("40"), "too short"},
		"offset of 256 bits":  {"P(bytes)", list("P(bytes)"), words(strings.Repeat("f", 64)), "too short"},
		"length beyond":       {"P(bytes)", list("P(bytes)"), words("20", "01"), "too short"},
		"length of 63 bits":   {"P(bytes)", list("P(bytes)"), words("20", "7fffffffffffffff"), "too short"},
		"an absurd array":     {"P(uint256[])", list("P(uint256[])"), words("20", "ffffffff"), "too short"},
		"arrays that loop":    {"P(uint256[][][][])", list("P(uint256[][][][])"), words(strings.Split(strings.Repeat("20 ", 40)+"20", " ")...), "too many values"},
		"a large fixed array": {"P(bool[100][100])", list("P(bool[100][100])"), words("01", "01"), "too short"},
		"one text in many":    {"P(string[])", list("P(string[])"), shared(), "too many values"},
	} {
		if got, err := event(t, c.event).Decode(c.topics, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, %v, want %s", name, got, err, c.want)
		}
	}
}

// shared returns an array of 64 texts of 2 KiB that are one.
func shared() []byte {
	list := []string{"20", "40"}
	for range 64 {
		list = append(list, "0800")
	}
	return append(append(words(list...), words("0800")...), make([]byte, 2048)...)
}

// The examples of https://docs.soliditylang.org/en/latest/abi-spec.html.
func TestCallsOfTheSpecification(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return hex.EncodeToString([]byte(s)) + strings.Repeat("0", 64-2*len(s)) }
	for _, c := range []struct {
		function string
		selector string
		values   []any
		data     []byte
	}{
		{"baz(uint32 x, bool y)", "cdcd77c0", []any{"69", true}, words("45", "01")},
		{"bar(bytes3[2])", "fce353f6", []any{[]any{"0x616263", "0x646566"}}, words(text("abc"), text("def"))},
		{
			"sam(bytes,bool,uint[])", "a5643bf2", []any{"0x64617665", true, []any{"1", "2", "3"}},
			words("60", "01", "a0", "04", text("dave"), "03", "01", "02", "03"),
		},
		{
			"f(uint256,uint32[],bytes10,bytes)", "8be65246",
			[]any{"291", []any{"1110", "1929"}, "0x31323334353637383930", "0x48656c6c6f2c20776f726c6421"},
			words("0123", "80", text("1234567890"), "e0", "02", "0456", "0789", "0d", text("Hello, world!")),
		},
		{
			"g(uint256[][],string[])", "2289b18c",
			[]any{[]any{[]any{"1", "2"}, []any{"3"}}, []any{"one", "two", "three"}},
			words("40", "0140", "02", "40", "a0", "02", "01", "02", "01", "03", "03", "60", "a0", "e0",
				"03", text("one"), "03", text("two"), "05", text("three")),
		},
	} {
		fn := function(t, c.function)
		selector, err := hex.DecodeString(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(selector, c.data)
		if got, err := fn.EncodeCall(c.values...); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %x, %v, want %x", c.function, got, err, want)
		}
		args, err := fn.DecodeCall(want)
		if err != nil {
			t.Error(err)
		}
		for i, key := range abi.Keys(fn.Inputs) {
			if !reflect.DeepEqual(args[key], c.values[i]) {
				t.Errorf("%s: %s is %v", c.function, key, args[key])
			}
		}
		for _, bad := range [][]byte{nil, want[:3], want[1:], want[:len(want)-32], append([]byte{0}, want[1:]...)} {
			if got, err := fn.DecodeCall(bad); err == nil {
				t.Errorf("%s: %x is %v", c.function, bad, got)
			}
		}
	}
}

func TestCallsThatReadBalances(t *testing.T) {
	t.Parallel()
	many := function(t, "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns "+
		"((bool success, bytes returnData)[] returnData)")
	balance, err := function(t, "balanceOf(address)").EncodeCall("0x" + alice)
	if err != nil || hex.EncodeToString(balance) != "70a08231"+hex.EncodeToString(words(alice)) {
		t.Fatalf("%x, %v", balance, err)
	}
	call := object{"target": "0x" + shopA, "allowFailure": true, "callData": "0x" + hex.EncodeToString(balance)}
	data, err := many.EncodeCall([]any{call, []any{call["target"], true, call["callData"]}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := many.DecodeCall(data); err != nil || !reflect.DeepEqual(got, object{"calls": []any{call, call}}) {
		t.Errorf("%v, %v", got, err)
	}
	results, err := many.DecodeResults(words("20", "02", "40", "c0", "01", "40", "20", "2a", "00", "40", "00"))
	want := []any{[]any{object{"success": true, "returnData": hexWord("2a")}, object{"success": false, "returnData": "0x"}}}
	if err != nil || !reflect.DeepEqual(results, want) {
		t.Errorf("%v, %v", results, err)
	}
	decimals := function(t, "function decimals() view returns (uint8)")
	if got, err := decimals.DecodeResults(words("12")); err != nil || !reflect.DeepEqual(got, []any{"18"}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := decimals.DecodeResults(nil); err == nil {
		t.Errorf("an address without a contract has decimals: %v", got)
	}
}

func TestValuesThatAreNotOfTheirTypeAreNotEncoded(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]any{
		"f(uint8)": {"256", "-1", "", "1.0", "1.", "0x1", "1_0", " 1", "+1", 1, nil, true}, "f(int8)": {"128", "-129"},
		"f(address)": {"0x12", alice, "0x" + alice + "00", ""}, "f(bool)": {"true", 1, nil}, "f(bytes2)": {"0x", "0xabcdef", "abcd"},
		"f(bytes)": {"abc", "0xabc", "0xzz"}, "f(string)": {[]byte("x")}, "f(bool[2])": {[]any{true}, true}, "f(bool[])": {[]any{1}},
		"f((bool a,bool b))": {object{"a": true}, []any{true}, object{"a": true, "c": true}, true}, "f(fixed8x1)": {"12.8", "1.23", "1."},
	} {
		fn := function(t, name)
		for _, v := range values {
			if got, err := fn.EncodeCall(v); err == nil {
				t.Errorf("%s: %v is %x", name, v, got)
			}
		}
	}
	if _, err := function(t, "f(bool)").EncodeCall(); err == nil {
		t.Error("a call without its argument was encoded")
	}
	for text, want := range map[string]string{"0.5": "05", "-12.8": strings.Repeat("f", 62) + "80", "12": "78"} {
		if got, err := function(t, "f(fixed8x1)").EncodeCall(text); err != nil || hex.EncodeToString(got[4:]) != hex.EncodeToString(words(want)) {
			t.Errorf("%s: %x, %v", text, got, err)
		}
	}
}

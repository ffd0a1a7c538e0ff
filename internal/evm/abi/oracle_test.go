package abi_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	geth "github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
)

// go-ethereum is the other implementation of the ABI: what it encodes is decoded to the same values and encoded to the
// same bytes, and selectors are equal.
func TestCallsAreThoseOfGoEthereum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) typeTree { return drawType(t, 0) }), 0, 4).Draw(t, "types")
		inputs, values := geth.Arguments{}, []any{}
		want, list, texts := map[string]any{}, []any{}, []string{}
		for i, one := range types {
			made, err := geth.NewType(one.name, "", one.components)
			if err != nil {
				t.Fatalf("%+v: %v", one, err)
			}
			name := "p" + strconv.Itoa(i)
			inputs = append(inputs, geth.Argument{Name: name, Type: made})
			value, plain := drawValue(t, made)
			values, list, want[name] = append(values, value.Interface()), append(list, plain), plain
			texts = append(texts, one.text()+" "+name)
		}
		method := geth.NewMethod("pay", "pay", geth.Function, "", false, false, inputs, nil)
		packed, err := inputs.Pack(values...)
		if err != nil {
			t.Fatal(err)
		}
		data := slices.Concat(method.ID, packed)
		fn := function(t, "function pay("+strings.Join(texts, ", ")+")")
		if fn.Canonical != method.Sig || fn.Selector != "0x"+hex.EncodeToString(method.ID) {
			t.Fatalf("%s %s, want %s", fn.Canonical, fn.Selector, method.Sig)
		}
		if got, err := fn.DecodeCall(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %x is %v, %v, want %v", fn.Canonical, data, got, err, want)
		}
		if got, err := fn.EncodeCall(list...); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%s: %v is %x, %v, want %x", fn.Canonical, want, got, err, data)
		}
	})
}

// A log that go-ethereum's topics and data make is decoded to the same values, indexed or not.
func TestLogsAreThoseOfGoEthereum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 6).Draw(t, "inputs")
		var inputs geth.Arguments
		var queries [][]any
		inData, values, texts, want := geth.Arguments{}, []any{}, []string{}, map[string]any{}
		for i := range count {
			indexed := len(queries) < 3 && rapid.Bool().Draw(t, "indexed")
			tree := drawType(t, 0)
			if indexed { // go-ethereum makes topics of few types
				tree = typeTree{name: rapid.SampledFrom([]string{"uint256", "address", "bool", "bytes32", "string", "bytes"}).Draw(t, "type")}
			}
			made, err := geth.NewType(tree.name, "", tree.components)
			if err != nil {
				t.Fatal(err)
			}
			value, plain := drawValue(t, made)
			argument := geth.Argument{Name: "p" + strconv.Itoa(i), Type: made, Indexed: indexed}
			inputs = append(inputs, argument)
			text := tree.text()
			if indexed {
				queries = append(queries, []any{value.Interface()})
				text += " indexed"
			} else {
				inData, values = append(inData, argument), append(values, value.Interface())
			}
			texts, want[argument.Name] = append(texts, text+" "+argument.Name), plain
		}
		made, err := geth.MakeTopics(queries...)
		if err != nil {
			t.Fatal(err)
		}
		known := geth.NewEvent("Paid", "Paid", false, inputs)
		topics := [][32]byte{known.ID}
		for i, at := 0, 0; i < count; i++ {
			if !inputs[i].Indexed {
				continue
			}
			topics = append(topics, made[at][0])
			if kind := inputs[i].Type.T; kind == geth.StringTy || kind == geth.BytesTy {
				want[inputs[i].Name] = made[at][0].Hex()
			}
			at++
		}
		data, err := inData.Pack(values...)
		if err != nil {
			t.Fatal(err)
		}
		parsed := event(t, "Paid("+strings.Join(texts, ",")+")")
		if got, err := parsed.Decode(topics, data); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, %v, want %v", parsed.Canonical, got, err, want)
		}
	})
}

// typeTree is a type as go-ethereum takes it.
type typeTree struct {
	name       string
	components []geth.ArgumentMarshaling
}

// text returns the type in Solidity's notation.
func (t typeTree) text() string {
	suffix, ok := strings.CutPrefix(t.name, "tuple")
	if !ok {
		return t.name
	}
	list := make([]string, len(t.components))
	for i, c := range t.components {
		list[i] = typeTree{c.Type, c.Components}.text() + " " + c.Name
	}
	return "(" + strings.Join(list, ", ") + ")" + suffix
}

func drawType(t *rapid.T, depth int) typeTree {
	kinds := []string{"uint", "int", "address", "bool", "bytesN", "bytes", "string", "tuple", "array"}
	if depth > 2 {
		kinds = kinds[:7]
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "uint", "int":
		return typeTree{name: kind + strconv.Itoa(8*rapid.IntRange(1, 32).Draw(t, "bytes"))}
	case "bytesN":
		return typeTree{name: "bytes" + strconv.Itoa(rapid.IntRange(1, 32).Draw(t, "bytes"))}
	case "tuple":
		out := typeTree{name: "tuple"}
		for i := range rapid.IntRange(1, 3).Draw(t, "components") {
			one := drawType(t, depth+1)
			out.components = append(out.components,
				geth.ArgumentMarshaling{Name: "c" + strconv.Itoa(i), Type: one.name, Components: one.components})
		}
		return out
	case "array":
		out := drawType(t, depth+1)
		out.name += rapid.SampledFrom([]string{"[]", "[1]", "[3]"}).Draw(t, "length")
		return out
	default:
		return typeTree{name: kind}
	}
}

// drawValue draws a value of a type as go-ethereum encodes it, and the plain value that it is decoded to.
func drawValue(t *rapid.T, kind geth.Type) (reflect.Value, any) {
	switch kind.T {
	case geth.UintTy, geth.IntTy:
		return drawNumber(t, kind)
	case geth.AddressTy:
		a := common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		return reflect.ValueOf(a), strings.ToLower(a.Hex())
	case geth.BoolTy:
		v := rapid.Bool().Draw(t, "bool")
		return reflect.ValueOf(v), v
	case geth.BytesTy:
		b := rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(t, "bytes")
		return reflect.ValueOf(b), "0x" + hex.EncodeToString(b)
	case geth.StringTy:
		s := rapid.StringN(0, 30, 70).Filter(func(s string) bool { return !strings.Contains(s, "\x00") }).Draw(t, "text")
		return reflect.ValueOf(s), s
	case geth.FixedBytesTy:
		b := rapid.SliceOfN(rapid.Byte(), kind.Size, kind.Size).Draw(t, "bytes")
		out := reflect.New(kind.GetType()).Elem()
		reflect.Copy(out, reflect.ValueOf(b))
		return out, "0x" + hex.EncodeToString(b)
	case geth.TupleTy:
		out, plain := reflect.New(kind.TupleType).Elem(), map[string]any{}
		for i, one := range kind.TupleElems {
			v, p := drawValue(t, *one)
			out.Field(i).Set(v)
			plain[kind.TupleRawNames[i]] = p
		}
		return out, plain
	default:
		count := kind.Size
		if kind.T == geth.SliceTy {
			count = rapid.IntRange(0, 3).Draw(t, "count")
		}
		out, plain := reflect.MakeSlice(reflect.SliceOf(kind.Elem.GetType()), count, count), make([]any, count)
		for i := range count {
			v, p := drawValue(t, *kind.Elem)
			out.Index(i).Set(v)
			plain[i] = p
		}
		if kind.T == geth.ArrayTy {
			array := reflect.New(kind.GetType()).Elem()
			reflect.Copy(array, out)
			out = array
		}
		return out, plain
	}
}

// drawNumber draws a number of all lengths that the type has.
func drawNumber(t *rapid.T, kind geth.Type) (reflect.Value, any) {
	bits := rapid.IntRange(0, kind.Size).Draw(t, "bits")
	n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "number"))
	n.Rsh(n, uint(256-bits)) //nolint:gosec // at most 256
	if kind.T == geth.IntTy {
		n.Rsh(n, 1)
		if rapid.Bool().Draw(t, "negative") {
			n.Not(n)
		}
	}
	out := reflect.New(kind.GetType()).Elem()
	switch kind.GetType().Kind() {
	case reflect.Pointer:
		out.Set(reflect.ValueOf(n))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.SetInt(n.Int64())
	default:
		out.SetUint(n.Uint64())
	}
	return out, n.String()
}

// FuzzParse feeds texts as they come in subscriptions, contracts and rules: what is accepted says what it is, and its
// canonical form is accepted as the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"event Transfer(address indexed from, address indexed to, uint256 value)", "f((uint a, (bytes b)[2][] c) d) view returns (bool)",
		"T(uint256[9999][1],string) anonymous", `{"type":"event","name":"T","inputs":[{"type":"tuple[]","components":[{"type":"uint"}]}]}`,
		shop, "f(tuple(fixed128x18,function)[3] memory x);", "((((", "T(bool[][][][][][][][][][][][][][][][])",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var faults laurel.Faults
		if e := abi.ParseEvent(&faults, "x", text); (e == nil) != (len(faults) > 0) {
			t.Fatalf("%+v with %v", e, faults)
		} else if e != nil && event(t, e.Canonical).Topic != e.Topic {
			t.Fatalf("%+v", e)
		}
		faults = nil
		if fn := abi.ParseFunction(&faults, "x", text); (fn == nil) != (len(faults) > 0) {
			t.Fatalf("%+v with %v", fn, faults)
		} else if fn != nil && function(t, fn.Canonical).Selector != fn.Selector {
			t.Fatalf("%+v", fn)
		}
		faults = nil
		if c := abi.ParseContract(&faults, "x", []byte(text)); (c == nil) != (len(faults) > 0) {
			t.Fatalf("%+v with %v", c, faults)
		}
	})
}

// FuzzDecode feeds data of any kind to any types: nothing panics, and what is decoded is encoded and decoded to the
// same values again.
func FuzzDecode(f *testing.F) {
	f.Add("f(uint256,uint32[],bytes10,bytes)", words("0123", "80", "31", "e0", "02", "0456", "0789", "0d", "48"))
	f.Add("f((address,uint256[2],string)[],int8)", words("40", "ff", "01", "20", alice, "01", "02", "80", "03", "61"))
	f.Add("f(uint256[][][][])", words(strings.Split(strings.Repeat("20 ", 40)+"20", " ")...))
	f.Add("f(string[])", shared())
	f.Add("f(fixed8x1,bool[2][3],function)", words("01", "01", "01", "00", "01", "01", "00", "05"))
	f.Fuzz(func(t *testing.T, signature string, data []byte) {
		var faults laurel.Faults
		fn := abi.ParseFunction(&faults, "x", signature)
		if fn == nil {
			return
		}
		selector, err := hex.DecodeString(fn.Selector[2:])
		if err != nil {
			t.Fatal(err)
		}
		args, err := fn.DecodeCall(append(selector, data...))
		if err != nil {
			return
		}
		var values []any
		for _, key := range abi.Keys(fn.Inputs) {
			values = append(values, args[key])
		}
		again, err := fn.EncodeCall(values...)
		if err != nil {
			t.Fatalf("%s: %v: %v", fn.Canonical, args, err)
		}
		if got, err := fn.DecodeCall(again); err != nil || !reflect.DeepEqual(got, args) {
			t.Fatalf("%s: %v, %v, want %v", fn.Canonical, got, err, args)
		}
	})
}

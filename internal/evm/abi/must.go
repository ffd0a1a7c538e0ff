package abi

import "laurel.example/laurel"

// MustFunction returns the function of a signature that stands in the program. It panics if it is not valid.
func MustFunction(signature string) *Function {
	var f laurel.Faults
	function := ParseFunction(&f, "", signature)
	if function == nil {
		panic(f.Err())
	}
	return function
}

// MustEvent returns the event of a signature that stands in the program. It panics if it is not valid.
func MustEvent(signature string) *Event {
	var f laurel.Faults
	event := ParseEvent(&f, "", signature)
	if event == nil {
		panic(f.Err())
	}
	return event
}

// MustEncodeCall is EncodeCall for values that were checked before. It panics if one is not of its type.
func (f *Function) MustEncodeCall(values ...any) []byte {
	data, err := f.EncodeCall(values...)
	if err != nil {
		panic(err)
	}
	return data
}

package abi

import (
	"strings"

	"laurel"
)

const maxNamed = 20 // items that a fault names

// FindEvent returns the event that a text names: by its name, or by its full signature in the forms of ParseEvent. With
// a fault, which says what the ABI has, it is nil: there is none, or several have the name.
func (c *Contract) FindEvent(f *laurel.Faults, path, text string) *Event {
	names, signatures := make([]string, len(c.Events)), make([]string, len(c.Events))
	for i, e := range c.Events {
		names[i], signatures[i] = e.Name, e.Canonical
	}
	wanted := ""
	if strings.Contains(text, "(") {
		event := ParseEvent(f, path, text)
		if event == nil {
			return nil
		}
		wanted = event.Canonical
	}
	if at := find(f, path, text, wanted, "an event", names, signatures); at >= 0 {
		return c.Events[at]
	}
	return nil
}

// FindFunction returns the function that a text names, as FindEvent does.
func (c *Contract) FindFunction(f *laurel.Faults, path, text string) *Function {
	names, signatures := make([]string, len(c.Functions)), make([]string, len(c.Functions))
	for i, one := range c.Functions {
		names[i], signatures[i] = one.Name, one.Canonical
	}
	wanted := ""
	if strings.Contains(text, "(") {
		function := ParseFunction(f, path, text)
		if function == nil {
			return nil
		}
		wanted = function.Canonical
	}
	if at := find(f, path, text, wanted, "a function", names, signatures); at >= 0 {
		return c.Functions[at]
	}
	return nil
}

// find returns the position of the item with a name, or with a signature if that is not "". If there is none, or several
// have the name, it adds a fault and returns -1. thing is what the items are, in a fault.
func find(f *laurel.Faults, path, name, signature, thing string, names, signatures []string) int {
	found, rivals := -1, []string{}
	for i := range names {
		if signature != "" && signatures[i] == signature || signature == "" && names[i] == strings.TrimSpace(name) {
			found, rivals = i, append(rivals, signatures[i])
		}
	}
	switch {
	case len(rivals) == 1 || signature != "" && found >= 0:
		return found
	case len(rivals) > 1:
		f.Add(path, "must be a full signature, because several have the name: %s", enumerate(rivals))
	case len(signatures) == 0:
		f.Add(path, "must be %s of the contract's ABI, which has none", thing)
	default:
		f.Add(path, "must be %s of the contract's ABI: %s", thing, enumerate(signatures))
	}
	return -1
}

// enumerate joins signatures, of many the first ones.
func enumerate(list []string) string {
	if len(list) > maxNamed {
		return strings.Join(list[:maxNamed], ", ") + ", …"
	}
	return strings.Join(list, ", ")
}

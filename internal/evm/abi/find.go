package abi

import (
	"strings"

	"laurel.example/laurel"
)

const maxNamed = 20 // items that a fault names

// FindEvent returns the event that a text names: by its name, or by its full signature in the forms of ParseEvent. With
// a fault, which says what the ABI has, it is nil: there is none, or several have the name.
func (c *Contract) FindEvent(f *laurel.Faults, path, text string) *Event {
	list := items{thing: "an event"}
	for _, e := range c.Events {
		list.add(e.Name, e.Canonical)
	}
	signature := ""
	if strings.Contains(text, "(") {
		event := ParseEvent(f, path, text)
		if event == nil {
			return nil
		}
		signature = event.Canonical
	}
	if at := list.find(f, path, text, signature); at >= 0 {
		return c.Events[at]
	}
	return nil
}

// FindFunction returns the function that a text names, as FindEvent does.
func (c *Contract) FindFunction(f *laurel.Faults, path, text string) *Function {
	list := items{thing: "a function"}
	for _, one := range c.Functions {
		list.add(one.Name, one.Canonical)
	}
	signature := ""
	if strings.Contains(text, "(") {
		function := ParseFunction(f, path, text)
		if function == nil {
			return nil
		}
		signature = function.Canonical
	}
	if at := list.find(f, path, text, signature); at >= 0 {
		return c.Functions[at]
	}
	return nil
}

// items are the events or the functions of an ABI.
type items struct {
	thing             string // what one of them is, in a fault
	names, signatures []string
}

func (l *items) add(name, signature string) {
	l.names, l.signatures = append(l.names, name), append(l.signatures, signature)
}

// find returns the position of the item with a name, or with a signature if that is not "". If there is none, or several
// have the name, it adds a fault and returns -1.
func (l *items) find(f *laurel.Faults, path, name, signature string) int {
	found, rivals := -1, []string{}
	for i := range l.names {
		if signature != "" && l.signatures[i] == signature || signature == "" && l.names[i] == strings.TrimSpace(name) {
			found, rivals = i, append(rivals, l.signatures[i])
		}
	}
	switch {
	case len(rivals) == 1 || signature != "" && found >= 0:
		return found
	case len(rivals) > 1:
		f.Add(path, "must be a full signature, because several have the name: %s", enumerate(rivals))
	case len(l.signatures) == 0:
		f.Add(path, "must be %s of the contract's ABI, which has none", l.thing)
	default:
		f.Add(path, "must be %s of the contract's ABI: %s", l.thing, enumerate(l.signatures))
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

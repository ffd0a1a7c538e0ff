package catalog

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// contractEventPath is where a rule says which event or function of a contract completes it (contract 3.13).
const contractEventPath = "metadata.smartContract"

// checkContractEvent checks the event or function that completes the rule against the ABI of its contract: its name or
// signature, and the arguments that are named. A contract without an ABI has what the standard of its type says; of
// others the full signature is needed. What the rule had before is not checked again, as the contract may have got
// another ABI since.
func (s *Service) checkContractEvent(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, p, before *schema.Properties,
) error {
	event := p.ContractEvent()
	if event == nil || event.ContractID == nil || event.Event == "" || reflect.DeepEqual(event, before.ContractEvent()) {
		return nil
	}
	contract, isOwn, err := s.findABI(ctx, tx, scope, *event.ContractID)
	if err != nil {
		return err
	}
	var f laurel.Faults
	name, inputs := findInputs(&f, contract, event)
	switch {
	case len(f) == 0:
		checkArguments(&f, event, name, inputs)
	case !isOwn && event.HasSignature():
		return nil // the contract may have more than its standard says
	case !isOwn:
		f = nil
		f.Add(contractEventPath+".event", "must be the full signature, because the contract has no ABI")
	}
	return f.Err()
}

// findInputs returns the signature and the inputs of the rule's event or function in an ABI. It adds a fault if the ABI
// has none such, or several.
func findInputs(f *laurel.Faults, c *abi.Contract, event *schema.ContractEvent) (name string, inputs []abi.Parameter) {
	if event.IsFunction() {
		if found := c.FindFunction(f, contractEventPath+".event", event.Event); found != nil {
			return found.Canonical, found.Inputs
		}
		return "", nil
	}
	if found := c.FindEvent(f, contractEventPath+".event", event.Event); found != nil {
		return found.Canonical, found.Inputs
	}
	return "", nil
}

// checkArguments adds faults for arguments that the event or function does not have, and for an address or a factor
// that is none. name is its signature.
func checkArguments(f *laurel.Faults, event *schema.ContractEvent, name string, inputs []abi.Parameter) {
	keys := abi.Keys(inputs)
	of := func(is func(*abi.Type) bool) (out []string) {
		for i, key := range keys {
			if is(inputs[i].Type) {
				out = append(out, key)
			}
		}
		return out
	}
	check := func(path, key, thing string, allowed []string) {
		switch {
		case key == "" || slices.Contains(allowed, key):
		case len(allowed) == 0:
			f.Add(contractEventPath+path, "must be %s of %s, which has none", thing, name)
		default:
			f.Add(contractEventPath+path, "must be %s of %s: %s", thing, name, strings.Join(allowed, ", "))
		}
	}
	for i, p := range event.Params {
		check(".params."+strconv.Itoa(i)+".name", p.Name, "an argument", keys)
	}
	check(".addressMapping", event.AddressMapping, "an address", of((*abi.Type).IsAddress))
	check(".amountMultiplier.valueMapping", event.AmountMultiplier.ValueMapping, "a number", of((*abi.Type).IsNumber))
}

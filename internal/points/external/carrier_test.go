package external_test

import (
	"context"
	"testing"

	"laurel"

	"laurel/internal/points/external"
)

func TestACarrierNeedsOnePayerOfEachKind(t *testing.T) {
	t.Parallel()
	finish := func(context.Context, *laurel.RequestKey, external.Post) error { return nil }
	transactions := external.Payer{Kind: external.Transaction, Finish: finish}
	completions := external.Payer{Kind: external.Completion, Finish: finish}
	service := external.New(external.Config{})
	if _, err := external.NewCarrier(service, transactions, completions); err != nil {
		t.Error(err)
	}
	for name, payers := range map[string][]external.Payer{
		"none":           nil,
		"one kind":       {completions},
		"a kind twice":   {transactions, completions, completions},
		"without an end": {transactions, {Kind: external.Completion}},
	} {
		if _, err := external.NewCarrier(service, payers...); err == nil {
			t.Errorf("%s: a carrier was made", name)
		}
	}
}

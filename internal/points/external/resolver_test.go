package external_test

import (
	"context"
	"testing"

	"laurel.example/laurel"

	"laurel.example/laurel/internal/points/external"
)

func TestACarrierNeedsOnePayerOfEachKind(t *testing.T) {
	t.Parallel()
	finish := func(context.Context, *laurel.RequestKey, external.Post) error { return nil }
	transactions := external.Applier{Kind: external.Transaction, Apply: finish}
	completions := external.Applier{Kind: external.Completion, Apply: finish}
	service := external.New(external.Config{})
	if _, err := external.NewResolver(service, transactions, completions); err != nil {
		t.Error(err)
	}
	for name, appliers := range map[string][]external.Applier{
		"none":           nil,
		"one kind":       {completions},
		"a kind twice":   {transactions, completions, completions},
		"without an end": {transactions, {Kind: external.Completion}},
	} {
		if _, err := external.NewResolver(service, appliers...); err == nil {
			t.Errorf("%s: a carrier was made", name)
		}
	}
}

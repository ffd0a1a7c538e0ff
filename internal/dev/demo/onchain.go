package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/webhooks"
)

// The contracts of the demo's chain, by the order in which one account has created them.
const (
	coinContract  = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
	itemsContract = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512"
	itemTransfer  = "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"
)

// leaver is the number of the wallet that gets a token in a block that leaves the chain.
const leaver = 4

// createChainRules registers the contracts of the demo's chain, creates a subscription to the events of one and rules
// that pay for events, and pays the members who hold tokens by a run. The events are read once the demo is served.
// Nothing happens where the operator names networks.
func (b *builder) createChainRules(ctx context.Context) error {
	if b.Chain == nil {
		return nil
	}
	begins, err := b.Chain.begins()
	if err != nil {
		return err
	}
	var ids [2]laurel.ID
	for i, c := range []contracts.Contract{
		{Name: new("Beans"), Type: contracts.ERC20, Address: coinContract},
		{Name: new("Pottery"), Type: "erc721", Address: itemsContract},
	} {
		c.ChainID = new(int64(chainID))
		made, err := b.Contracts.Create(ctx, b.program.scope, record.All(c))
		if err != nil {
			return fmt.Errorf("contract: %w", err)
		}
		ids[i] = made.ID
	}
	watching, err := b.Webhooks.Create(ctx, b.scope, webhooks.CreateInput{
		Input: webhooks.Input{Name: laurel.Some("Pottery on the chain"), Finality: laurel.Some("instant")},
		Blockchain: []webhooks.ContractSource{{
			ChainID: chainID, Contract: itemsContract, Kind: "EVENT", EventABI: itemTransfer, FromBlock: "1",
		}},
	})
	if err != nil {
		return fmt.Errorf("subscription to a contract: %w", err)
	}
	type object = map[string]any
	since := laurel.Some(laurel.Timestamp{Time: begins})
	for _, r := range []struct {
		id       *laurel.ID // where to store the id of the rule
		metadata object
		in       schema.Input
	}{
		{nil, object{"smartContract": object{
			"contractId": ids[0], "event": "Transfer", "addressMapping": "to",
			"amountMultiplier": object{"valueMapping": "value"},
		}}, schema.Input{
			Name: laurel.Some("Earn beans"), Type: laurel.Some("smart_contract_event"), Interval: laurel.Some("unlimited"),
			Amount: laurel.Some(laurel.One), EffectiveStartTime: since,
		}},
		{&b.result.PotteryRuleID, object{"smartContract": object{
			"contractId": ids[1], "event": "Transfer", "addressMapping": "to",
		}}, schema.Input{
			Name: laurel.Some("Get a piece of pottery"), Type: laurel.Some("smart_contract_event"),
			Interval: laurel.Some("unlimited"), Amount: laurel.Some(10 * laurel.One), EffectiveStartTime: since,
			SubscriptionID: laurel.Some(watching.ID),
		}},
		{nil, object{}, schema.Input{
			Name: laurel.Some("Owners of pottery"), Type: laurel.Some("token_hold"), Interval: laurel.Some("once"),
			Amount: laurel.Some(25 * laurel.One), Frequency: laurel.Some("once"),
			Collections: laurel.Some([]schema.Collection{{Address: itemsContract, Network: Network}}),
		}},
	} {
		text, err := json.Marshal(r.metadata)
		if err != nil {
			return err
		}
		r.in.Metadata, r.in.LoyaltyCurrencyID = laurel.Some(json.RawMessage(text)), laurel.Some(b.pointsID)
		r.in.HideInUI = laurel.Some(true) // the shop's page is for customers without wallets, too
		made, err := b.Rules.Create(ctx, b.program.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		if r.id != nil {
			*r.id = made.ID
		}
		err = errors.Join(err, b.logActivity(ctx, "created a rule", "/rules/"+made.ID.String()))
		if err != nil {
			return err
		}
	}
	return b.runSchedule(ctx)
}

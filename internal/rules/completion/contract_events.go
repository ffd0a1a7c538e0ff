package completion

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// contractEvent is an event or a call of a contract (contract 7.1).
type contractEvent struct {
	ChainID          uint64           `json:"chainId"`
	Contract         string           `json:"contractAddress"`
	EventName        string           `json:"eventName"`
	EventSelector    string           `json:"eventSelector"`
	FunctionName     string           `json:"functionName"`
	FunctionSelector string           `json:"functionSelector"`
	Args             map[string]any   `json:"args"`
	BlockTimestamp   laurel.Timestamp `json:"blockTimestamp"`
	TxHash           string           `json:"txHash"`
	TxFrom           string           `json:"txFrom"`
	EventKey         string           `json:"eventKey"`
	IsRemoved        bool             `json:"removed"`
	publishedAt      time.Time
}

// readContractEvent returns the event of a contract in the body of an event of a subscription; nil if it is of a
// platform table.
func readContractEvent(body json.RawMessage, publishedAt time.Time) (*contractEvent, error) {
	var e struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &e); err != nil || !strings.HasPrefix(e.Type, "contract.") {
		return nil, nil //nolint:nilerr,nilnil // events of tables may have another form
	}
	out := &contractEvent{publishedAt: publishedAt}
	return out, json.Unmarshal(e.Data, out)
}

// trigger returns what the completion needs to know of the event. factor multiplies the rule's amount; nil: nothing
// does.
func (e *contractEvent) trigger(factor *laurel.Amount) *ruletypes.ContractEvent {
	return &ruletypes.ContractEvent{
		Key: e.EventKey, TxHash: e.TxHash, PublishedAt: store.Micros(e.publishedAt), Factor: factor,
	}
}

// window returns the key of the window of the event itself. It does not name the block: a transaction that is included
// again, in another block, is paid once.
func (e *contractEvent) window() string {
	place := e.EventKey[strings.LastIndex(e.EventKey, ":")+1:]
	return "event " + strings.Join([]string{new(big.Int).SetUint64(e.ChainID).String(), e.TxHash, place}, ":")
}

// DecideOnContractEvent lets a rule of type smart_contract_event decide on an event of the contract that it watches, or
// takes back what it has paid for one that a reorganization took back. publishedAt is when the reader has published
// the event. A refused payment counts as handled. An error is a fault: the event may be decided again, and pays once.
func (s *Service) DecideOnContractEvent(
	ctx context.Context, scope laurel.Scope, ruleID laurel.ID, data json.RawMessage, publishedAt time.Time,
) error {
	current, err := s.rules.GetCached(ctx, scope, ruleID, true)
	if laurel.CodeOf(err) == laurel.NotFound {
		return nil
	} else if err != nil {
		return err
	}
	e := &contractEvent{publishedAt: publishedAt}
	if err := json.Unmarshal(data, e); err != nil {
		return err
	}
	if e.IsRemoved {
		return s.takeBackEvent(ctx, scope, current.Rule, e)
	}
	return s.payForEvent(ctx, scope, current.Rule, e)
}

// ListEventPayments returns a page of the events that a rule has given points for, the latest payment first.
func (s *Service) ListEventPayments(
	ctx context.Context, scope laurel.Scope, rule laurel.ID, page laurel.PageRequest,
) (laurel.Page[progress.EventPayment], error) {
	return progress.ListEventPayments(ctx, s.db, scope, rule, page)
}

// payForEvent completes a rule of type smart_contract_event for the wallet of an event, as of the time of its block, if
// the rule names the event and its conditions hold.
func (s *Service) payForEvent(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, e *contractEvent) error {
	if e == nil || rule.Type != schema.TypeContractEvent || !rule.DeletedAt.IsZero() || !isEffective(rule, e) {
		return nil
	}
	wanted := rule.Meta().Contract
	isFunction, name, selector := e.FunctionName != "", e.EventName, e.EventSelector
	if isFunction {
		name, selector = e.FunctionName, e.FunctionSelector
	}
	if !wanted.Names(isFunction, name, selector) || !wanted.Accepts(e.Args) {
		return nil
	}
	if isKept, err := s.hasKept(ctx, rule, e); err != nil || isKept {
		return err
	}
	wallet := e.wallet(&wanted)
	if rule.IsDappRule {
		var err error
		if wallet, err = s.deployerOf(ctx, e.ChainID, e.Contract); err != nil {
			return err
		}
	}
	if wallet == "" {
		return nil
	}
	factor, err := s.factorOf(ctx, scope, &wanted, e)
	if err != nil {
		return err
	}
	at := e.BlockTimestamp.Time
	if now := s.db.Now(); at.After(now) { // the clocks of blocks may be ahead
		at = now
	}
	window := e.window()
	if key := schema.WindowKey(rule.Interval, at); key != "" && !rule.Meta().ResetProgressOnClaim {
		window = key
	}
	event := &EventOrRun{Kind: decision.TriggerEvent, At: at, Window: window, Event: e.trigger(factor)}
	r := request{
		scope: scope, in: CompleteInput{RuleID: rule.ID, User: identity.Ref{Wallet: wallet}}, trigger: event.trigger(),
	}
	r.trigger.CountsRefusals = true
	a := s.newAttempt(r)
	err = a.submit(ctx)
	a.countRefusal(err)
	return ignoreRefusal(err)
}

// hasKept reports whether the rule keeps points for the transaction of an event, though the block that it was in before
// has left the chain: as the rule has said then, or since they could not be taken back. Then the transaction is paid:
// in another block its events may have other places.
func (s *Service) hasKept(ctx context.Context, rule *catalog.Rule, e *contractEvent) (bool, error) {
	return progress.HasKeptPayment(ctx, s.db, progress.EventKey{Rule: rule.ID, Key: e.EventKey})
}

// isEffective reports whether the block of an event is in the rule's window of counted events.
func isEffective(rule *catalog.Rule, e *contractEvent) bool {
	from, until := rule.EffectiveStartTime, rule.EffectiveEndTime
	at := e.BlockTimestamp.Time
	return (from == nil || !at.Before(from.Truncate(time.Second))) && (until == nil || !at.After(until.Time))
}

// noWallet is the address to which and from which tokens are created and destroyed.
const noWallet = "0x0000000000000000000000000000000000000000"

// wallet returns the wallet that the rule pays: that of an argument, or the sender of the transaction; "" if there is
// none.
func (e *contractEvent) wallet(wanted *schema.ContractEvent) string {
	wallet := e.TxFrom
	if wanted.AddressMapping != "" {
		wallet, _ = e.Args[wanted.AddressMapping].(string)
	}
	var f laurel.Faults
	identity.Ref{Wallet: wallet}.Validate(&f)
	if wallet == noWallet || f.Err() != nil {
		return ""
	}
	return wallet
}

// factorOf returns what multiplies the amount: the value of an argument, in whole tokens if the contract is a fungible
// one. It is nil if the rule names no argument.
func (s *Service) factorOf(
	ctx context.Context, scope laurel.Scope, wanted *schema.ContractEvent, e *contractEvent,
) (*laurel.Amount, error) {
	if wanted.Factor() == "" {
		return nil, nil //nolint:nilnil // nothing multiplies the amount
	}
	text, _ := e.Args[wanted.Factor()].(string)
	value, isNumber := new(big.Int).SetString(text, 10)
	if !isNumber || value.Sign() < 0 {
		return new(laurel.Amount), nil
	}
	decimals := 0
	if wanted.ContractID != nil {
		var err error
		if decimals, err = s.decimals(ctx, scope, *wanted.ContractID); err != nil {
			return nil, err
		}
	}
	return new(inWholeUnits(value, decimals)), nil
}

// inWholeUnits returns a value divided by 10^decimals, rounded half up; the largest amount if it is larger.
func inWholeUnits(value *big.Int, decimals int) laurel.Amount {
	millionths := new(big.Int).Mul(value, big.NewInt(int64(laurel.One)))
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	millionths.Add(millionths, new(big.Int).Rsh(unit, 1)).Div(millionths, unit)
	if !millionths.IsInt64() || laurel.Amount(millionths.Int64()) >= laurel.MaxAmount {
		return laurel.MaxAmount - 1
	}
	return laurel.Amount(millionths.Int64())
}

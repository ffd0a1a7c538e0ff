package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoTraces means that the node does not trace transactions.
var ErrNoTraces = errors.New("the node does not trace transactions (debug_traceTransaction)")

// frame is a call within a transaction, as the tracer callTracer shows it.
type frame struct {
	Type  string  `json:"type"`
	To    string  `json:"to"`
	Error string  `json:"error"`
	Calls []frame `json:"calls"`
}

// creates reports whether the frame, or one within it, has created a contract and was not taken back.
func (f frame) creates(account string) bool {
	if f.Error != "" {
		return false
	}
	if strings.HasPrefix(f.Type, "CREATE") && strings.EqualFold(f.To, account) {
		return true
	}
	for _, inner := range f.Calls {
		if inner.creates(account) {
			return true
		}
	}
	return false
}

// Creates reports whether a transaction has created a contract, itself or by another contract. Errors: ErrNoTraces.
func (c *Client) Creates(ctx context.Context, txHash, account string) (bool, error) {
	var f frame
	r := newRequest("debug_traceTransaction", txHash, map[string]any{"tracer": "callTracer"})
	err := c.ask(ctx, r, &f)
	if answer := (*RPCError)(nil); errors.As(err, &answer) && answer.Code == codeUnknownMethod {
		err = fmt.Errorf("%w: %s", ErrNoTraces, answer.Message)
	}
	return f.creates(account), err
}

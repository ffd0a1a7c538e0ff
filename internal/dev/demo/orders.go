package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/rules/completion"
)

const (
	movedMembers = 3 // how many members bring points from the shop's program of before
	importedOn   = 3 // the day on which they do
	refundedOn   = 16
	refunded     = 2              // the number of the member who sends an order back
	refundedKey  = "order-refund" // the idempotency key of the order
)

// importBalances imports the file of members who bring points from the shop's program of before.
func (b *builder) importBalances(ctx context.Context) error {
	rows := []string{"walletAddress,displayName,joinedAt,balance"}
	for i := 1; i <= movedMembers; i++ {
		rows = append(rows, fmt.Sprintf("%s,%s,2024-0%d-01,%d", memberID(i), name(i), i, 40*i))
	}
	list, err := b.storeFile(ctx, "members.csv", "loyalty", []byte(strings.Join(rows, "\n")+"\n"))
	if err != nil {
		return err
	}
	in := memberimports.Input{AssetURL: list, CurrencyID: b.pointsID}
	if _, err := b.Imports.Create(ctx, b.program.scope, in); err != nil {
		return fmt.Errorf("import of members: %w", err)
	}
	for busy := 1; busy > 0; {
		if busy, err = b.Imports.RunDue(ctx); err != nil {
			return fmt.Errorf("import of members: %w", err)
		}
	}
	return b.logActivity(ctx, "imported members", "/members/imports")
}

// refundOrder has a member order and send the order back: the points for it are reversed.
func (b *builder) refundOrder(ctx context.Context) error {
	total := 35 * laurel.One
	_, err := b.Completions.Complete(ctx, b.scope, completion.CompleteInput{
		RuleID: b.result.PurchaseID, User: identity.Ref{Wallet: memberID(refunded)}, RangeValue: &total,
		Key: refundedKey,
	})
	if err != nil {
		return fmt.Errorf("order: %w", err)
	}
	b.completions.Add(1)
	order, err := b.Reversals.TransactionOfKey(ctx, b.scope, refundedKey)
	if err == nil {
		_, err = b.Reversals.Reverse(ctx, b.scope, reversals.Input{
			ID: order, Description: "Order sent back", Policy: reversals.WithinBalance,
		})
	}
	return errors.Join(err, b.logActivity(ctx, "reversed a transaction", "/ledger/"+order.String()))
}

package demo

import (
	"context"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
)

const (
	walletsEvery      = 5    // one member of so many is known by a wallet, the others by a customer number
	customers         = 1000 // a customer number is this and the number of the member
	memberWithWallets = 5    // the number of the member who has three wallets
	furtherWallets    = 9000 // the numbers of wallets that are no members of their own begin here
)

// wallet returns an address by number.
func wallet(n int) string { return fmt.Sprintf("0x%040x", 0x1a_0000+n*7919) }

// connectWallets gives one member two further wallets, a cold wallet, a device and an attribute.
func (b *builder) connectWallets(ctx context.Context) error {
	own, err := b.connectWallet(ctx, memberID(memberWithWallets), laurel.ID{})
	if err != nil {
		return err
	}
	for i := range 2 {
		if _, err := b.connectWallet(ctx, wallet(furtherWallets+i), own.ID); err != nil {
			return err
		}
	}
	member := identity.Ref{UserID: own.ID}
	_, err = b.Delegations.Delegate(ctx, b.scope, delegations.Input{Delegator: wallet(furtherWallets + 2), User: member})
	if err != nil {
		return fmt.Errorf("delegation: %w", err)
	}
	_, err = b.Devices.Record(ctx, b.scope, devices.Input{User: member, Address: "192.0.2.14", Identifier: "Phone"})
	if err != nil {
		return fmt.Errorf("device: %w", err)
	}
	defined, err := b.Attributes.Write(ctx, b.scope, []attributes.Item{{Label: "Shirt size"}})
	if err != nil {
		return fmt.Errorf("attribute: %w", err)
	}
	_, err = b.Attributes.WriteValues(ctx, b.scope, []attributes.ValueItem{
		{UserID: own.ID, AttributeID: defined[0].ID, Value: "M"},
	})
	return err
}

// connectWallet connects a wallet, and joins it with a user unless the id is zero.
func (b *builder) connectWallet(ctx context.Context, address string, user laurel.ID) (identity.WalletUser, error) {
	connected, err := b.Identity.ConnectWallet(ctx, b.scope, identity.WalletConnection{
		Wallet: address, Type: "evm", UserID: user, IsVouched: true,
	})
	if err != nil {
		return connected, fmt.Errorf("wallet %s: %w", address, err)
	}
	return connected, nil
}

package app

import (
	"fmt"
	"os"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/evm/holdings"
	"laurel/internal/outbound"
	"laurel/internal/rules/providers"
)

// head returns the newest block of the network with a chain id that this node has seen; 0 if it has seen none.
func (a *App) head(chainID int64) uint64 {
	if client := a.Networks.ByChainID(uint64(chainID)); client != nil { //nolint:gosec // chain ids are checked before
		return client.State().Head
	}
	return 0
}

// readNetworks returns the registry of networks with those in the file of --networks; that of contract 2.1 without a
// file. It calls no node. The guard decides which addresses nodes may have.
func (c Config) readNetworks(guard *outbound.Guard) (*evm.Registry, error) {
	if c.Networks == "" {
		return evm.Shipped(), nil
	}
	text, err := os.ReadFile(c.Networks)
	if err != nil {
		return nil, fmt.Errorf("--networks: %w", err)
	}
	var f laurel.Faults
	registry := evm.ReadConfig(&f, "--networks ", text, guard)
	return registry, f.Err()
}

// holdingsVerifier returns the provider that reads what members' wallets hold.
func (a *App) holdingsVerifier() *providers.Holdings {
	return providers.NewHoldings(providers.HoldingsConfig{
		Reader: holdings.New(a.Networks, a.db.Now), DelegatorsOf: a.Delegations.DelegatorsOf,
		DelegatesOf: a.Delegations.DelegatesOf,
	})
}

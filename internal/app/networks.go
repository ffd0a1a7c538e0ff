package app

import (
	"fmt"
	"os"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/outbound"
)

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

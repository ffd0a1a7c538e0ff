package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/evm/pools"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/evm/usage"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/contractrules"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
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

// wireVerifiers makes the providers that verify members, beside the operator's partners. It returns the one that ranks
// contracts.
func (a *App) wireVerifiers() *providers.Dapps {
	a.Usage = usage.New(usage.Config{DB: a.db, Networks: a.Networks, Logger: a.log})
	a.holdings = holdings.New(a.Networks, a.db.Now)
	blocks := a.holdings
	past, inPools := history.New(a.Networks), pools.New(a.Networks, blocks)
	dapps := a.dappsVerifier(blocks)
	a.verifiers[schema.FunctionProvider] = providers.NewFunctions(a.Functions)
	a.verifiers[schema.PlatformProvider] = a.platformVerifier()
	a.verifiers[schema.ChainProvider], a.verifiers[schema.UsageProvider] = a.holdingsVerifier(past, blocks), dapps
	ofWallets := a.historyVerifier(blocks, past)
	a.verifiers[schema.HistoryProvider] = ofWallets
	a.verifiers[schema.PoolProvider] = a.liquidityVerifier(inPools, blocks)
	a.verifiers[schema.PartnerProvider] = providers.ChainFirst{
		Partners: a.partners,
		Chains: map[schema.Type]providers.ChainReader{
			schema.TypeListing: ofWallets,
			schema.TypeGovernanceVote: providers.NewVotes(providers.VotesConfig{
				Reader: past, Chains: blocks, Networks: a.readNetworks,
			}),
			schema.TypeSwap: providers.NewSwaps(providers.SwapsConfig{
				Reader: past, Chains: blocks, Pools: inPools, Networks: a.readNetworks,
			}),
		},
	}
	return dapps
}

// dappsVerifier returns the provider that ranks contracts.
func (a *App) dappsVerifier(blocks *holdings.Reader) *providers.Dapps {
	return providers.NewDapps(providers.DappsConfig{
		Networks: a.Networks, Blocks: blocks, Usage: a.Usage, Now: a.db.Now,
		Contracts: func(ctx context.Context, scope laurel.Scope, chainID uint64, ids []laurel.ID) ([]string, error) {
			return a.Contracts.AddressesOn(ctx, scope, chainID, ids)
		},
	})
}

// ResumeNetwork lets what reads a network go on after it has stopped. Errors: Refused if nothing has.
func (a *App) ResumeNetwork(ctx context.Context, network string) error {
	resumed, err := a.Usage.Resume(ctx, network)
	if err != nil {
		return err
	}
	err = a.Reader.Resume(ctx, network)
	if resumed && laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}

// holdingsVerifier returns the provider that reads what members' wallets hold.
func (a *App) holdingsVerifier(past *history.Reader, blocks *holdings.Reader) *providers.Holdings {
	return providers.NewHoldings(providers.HoldingsConfig{Reader: blocks, Past: past, Delegations: a.delegations()})
}

// historyVerifier returns the provider that reads what members' wallets did.
func (a *App) historyVerifier(blocks *holdings.Reader, past *history.Reader) *providers.History {
	return providers.NewHistory(providers.HistoryConfig{
		Reader: past, Chains: blocks, Delegations: a.delegations(), CollectionOf: a.websiteCollection,
	})
}

// liquidityVerifier returns the provider that reads what members' wallets have put into pools.
func (a *App) liquidityVerifier(inPools *pools.Reader, blocks *holdings.Reader) *providers.Liquidity {
	return providers.NewLiquidity(providers.LiquidityConfig{
		Reader: inPools, Chains: blocks, Delegations: a.delegations(),
		Network: func(name string) evm.Network { return a.Networks.Find(name).Network() },
	})
}

// readNetworks returns the networks that are read.
func (a *App) readNetworks() []evm.Network {
	var out []evm.Network
	for _, c := range a.Networks.Clients() {
		out = append(out, c.Network())
	}
	return out
}

// wireReader makes the reader of networks, and what lets rules decide on what it finds.
func (a *App) wireReader() {
	a.ContractRules = contractrules.New(contractrules.Config{
		DB: a.db, Decide: a.Completions.DecideOnContractEvent, Find: contractOf, Logger: a.log,
	})
	a.Reader = reader.New(reader.Config{
		DB: a.db, Networks: a.Networks, Watches: []reader.Watches{a.Webhooks, a.ContractRules}, Logger: a.log,
	})
}

// decimalsIn returns a function that returns the decimals of the token whose registered contract has an id; 0 if it is
// no fungible token.
func decimalsIn(
	db *store.DB, networks *node.Networks, tokens *holdings.Reader,
) func(context.Context, laurel.Scope, laurel.ID) (int, error) {
	return func(ctx context.Context, scope laurel.Scope, id laurel.ID) (int, error) {
		found, _, err := contracts.WithABI(ctx, db, scope, id)
		c := found.Contract
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && (c.Type != contracts.ERC20 || c.ChainID == nil) {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
		client := networks.ByChainID(uint64(*c.ChainID)) //nolint:gosec // chain ids are checked before
		if client == nil {
			return 0, fmt.Errorf("no node of the network with the chain id %d is configured", *c.ChainID)
		}
		network := client.Network().Name
		head, err := tokens.Head(ctx, network)
		if err != nil {
			return 0, err
		}
		token, err := tokens.Contract(ctx, network, head, strings.ToLower(c.Address))
		if wrong := (*holdings.ContractError)(nil); errors.As(err, &wrong) {
			return 0, nil
		}
		return token.Decimals, err
	}
}

// deployersIn returns a function that returns who has deployed a contract; "" if it is part of the first block. Errors
// of it: Unanswered until it is known; others if no node of its network is configured, which another server may have.
func deployersIn(networks *node.Networks, reader *usage.Reader) func(context.Context, uint64, string) (string, error) {
	return func(ctx context.Context, chainID uint64, address string) (string, error) {
		client := networks.ByChainID(chainID)
		if client == nil {
			return "", fmt.Errorf("no node of the network with the chain id %d is configured", chainID)
		}
		found, err := reader.Contracts(ctx, client.Network(), []string{address})
		if err != nil {
			return "", err
		}
		if c := found[0]; c.IsDeployed {
			return c.Deployer, nil
		}
		return "", laurel.Errorf(laurel.Unanswered, "Nobody knows yet who has deployed %s", address)
	}
}

func (a *App) delegations() providers.Delegations {
	return providers.Delegations{DelegatorsOf: a.Delegations.DelegatorsOf, DelegatesOf: a.Delegations.DelegatesOf}
}

// websiteCollection returns what the website of the scope says of a collection; the zero value if it has none.
func (a *App) websiteCollection(
	ctx context.Context, scope laurel.Scope, network, address string,
) (out providers.WebsiteCollection, err error) {
	c, found, err := a.Collections.FindByAddress(ctx, scope, network, address)
	if err != nil || !found {
		return out, err
	}
	if c.StakingAddress != nil {
		out.StakingAddress = *c.StakingAddress
	}
	if c.RoyaltyFeeAddress != nil {
		out.RoyaltyAddress = *c.RoyaltyFeeAddress
	}
	out.RoyaltyFee = c.RoyaltyFee
	return out, nil
}

// Package minting owns minting contracts, their assets and stock, allowlists and mints (contract 3.24 to 3.26, 5.19):
// who may mint what, at which price, and the outcome of a mint. It calls no blockchain itself; the operator's minting
// driver does.
package minting

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// OwnsToken reports whether one of the wallets owns a token of the collection on its blockchain.
type OwnsToken func(ctx context.Context, collection GatingCollection, wallets []string) (bool, error)

// TokenExists reports whether the collection has the token on its blockchain.
type TokenExists func(ctx context.Context, collection GatingCollection, tokenID string) (bool, error)

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    transactions.People
	Identity  *identity.Service
	Driver    Driver      // mints on blockchains; nil: nothing is minted there
	Owns      OwnsToken   // nil: blockchains cannot be read, and no token counts as owned
	Exists    TokenExists // nil: blockchains cannot be read, and no token exists
	Logger    *slog.Logger
}

// Service implements the operations on minting.
type Service struct {
	Config
	assets    store.Loader[laurel.ID, *Asset]
	contracts store.Loader[laurel.ID, *Contract]
	queue     worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c, assets: assets.Loader(c.DB), contracts: contracts.Loader(c.DB)}
	s.queue = s.newQueue()
	return s
}

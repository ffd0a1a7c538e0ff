// Package minting owns minting contracts, their assets and stock, allowlists and mints (contract 3.24 to 3.26, 5.19): who
// may mint what, what it costs, and what becomes of a mint. It calls no blockchain: the operator's minting driver does.
package minting

import (
	"laurel/internal/store"
)

// Config is what a Service is made of.
type Config struct {
	DB *store.DB
}

// Service carries out the operations on minting.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{Config: c} }

// Package websites holds the operations on websites and their files. It shapes requests and responses and decides
// nothing.
package websites

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds what the operations need.
type Config struct {
	Caller *caller.Resolver

	Tenancy  *tenancy.Service
	Identity *identity.Service
	Content  *content.Service

	Collections *collections.Service
	Minting     *minting.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

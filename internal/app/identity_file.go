package app

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/schema"
)

// readIdentity returns the configuration in the file of --identity; the defaults without a file. The guard decides
// which addresses drivers may have.
func (c Config) readIdentity(guard *outbound.Guard) (connect.Config, error) {
	if c.Identity == "" {
		return connect.DefaultConfig(), nil
	}
	text, err := os.ReadFile(c.Identity)
	if err != nil {
		return connect.Config{}, fmt.Errorf("--identity: %w", err)
	}
	var f laurel.Faults
	read := connect.ReadConfig(&f, "--identity ", text, guard, typesOfPlatform)
	return read, f.Err()
}

// typesOfPlatform returns the rule types that a platform verifies.
func typesOfPlatform(platform string) []string {
	return slices.DeleteFunc(schema.TypeNames(), func(t string) bool {
		kind := schema.Type(t).Kind()
		return kind.Provider != schema.PlatformProvider || kind.Platform != platform
	})
}

// platformVerifier returns the provider that verifies members by the platforms of the configuration.
func (a *App) platformVerifier() *providers.Platforms {
	own := outbound.New(outbound.Options{Trusted: true, Connections: ownConnections})
	a.PlatformClient = platforms.NewClient(own, a.db.Now)
	return providers.NewPlatforms(providers.PlatformsConfig{
		Client: a.PlatformClient, Drivers: platforms.NewRegistry(a.identityFile.Drivers),
		IsHeldByOther: a.Identity.IsAccountHeldByOther,
		StoreStats: func(
			ctx context.Context, scope laurel.Scope, rule laurel.ID, stats platforms.ReactionStats,
		) error {
			return a.Rules.StoreReactionStats(ctx, scope, rule, catalog.ReactionStats{
				Likes: stats.Likes, Comments: stats.Comments, Reposts: stats.Reposts,
			})
		},
	})
}

// identityOptions returns the options of the identity service. The labels of --platform-labels win over those of
// drivers.
func (c Config) identityOptions(file connect.Config) identity.Options {
	labels := platforms.NewRegistry(file.Drivers).Labels()
	maps.Copy(labels, c.PlatformLabels)
	return identity.Options{
		MaxAccountsPerPlatformID: file.MaxAccountsPerPlatformID, Labels: labels, AccountLinkLife: file.Lifetimes.AccountLink,
		Follower: memberFollower{},
	}
}

package app

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/identity/connect"
	"laurel/internal/outbound"
	"laurel/internal/platforms"
	"laurel/internal/rules/schema"
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
		return t == "microblog_like" || !strings.HasPrefix(t, platform+"_") &&
			(platform != schema.Microblog || t != "post_impressions")
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

package demo

import (
	"context"
	"fmt"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/schema"
)

const (
	linksAccountsAfter = 7 // days after joining
	linkersEvery       = 5 // one member of so many links accounts
)

// createAccountRules creates the rules that reward linked accounts.
func (b *builder) createAccountRules(ctx context.Context, p Program) error {
	for _, r := range []struct{ name, kind string }{
		{"Link your code host account", "connected_code_host"},
		{"Link your forum account", "connected_forum_platform"},
	} {
		made, err := b.Rules.Create(ctx, b.scope, schema.Input{
			Name: laurel.Some(r.name), Type: laurel.Some(r.kind), Interval: laurel.Some("once"),
			Amount: laurel.Some(15 * laurel.One), LoyaltyCurrencyID: laurel.Some(p.CurrencyID),
			LoyaltyRuleGroupID: laurel.Some(b.program.startedGroup.String()),
		})
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.name, err)
		}
		b.accountRules = append(b.accountRules, made.ID)
	}
	return nil
}

// linkAccounts returns the actions of a member with accounts elsewhere. Of five members one has three accounts, which
// the website's own server vouches for, and claims the rewards; one claims them without any account and is refused;
// the others skip it.
func (b *builder) linkAccounts(i int) []action {
	switch i % linkersEvery {
	case 0:
		return []action{func(ctx context.Context) error {
			user := fmt.Sprintf("member%d", i)
			_, err := b.Identity.WriteMetadata(ctx, b.scope, identity.MetadataInput{
				Ref:          identity.Ref{Wallet: wallet(i)},
				CodeHostUser: laurel.Some(user), CodeHostUserID: laurel.Some(fmt.Sprint(410_000 + i)),
				ForumPlatformUser: laurel.Some(user), ForumPlatformUserID: laurel.Some(fmt.Sprint(7_000 + i)),
				ChatServerUser: laurel.Some(user), ChatServerUserID: laurel.Some(fmt.Sprint(9_200_000 + i)),
			})
			if err != nil {
				return fmt.Errorf("accounts of member %d: %w", i, err)
			}
			return b.claimForAccounts(ctx, i)
		}}
	case 1:
		return []action{func(ctx context.Context) error { return b.claimForAccounts(ctx, i) }}
	}
	return nil
}

// claimForAccounts completes the rules for linked accounts as a member.
func (b *builder) claimForAccounts(ctx context.Context, i int) error {
	for _, rule := range b.accountRules {
		if err := b.complete(i, rule, nil)(ctx); err != nil {
			return err
		}
	}
	return nil
}

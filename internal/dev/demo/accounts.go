package demo

import (
	"context"
	"fmt"
	"strings"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/identity/connect"
	"laurel/internal/messages"
	"laurel/internal/rules/schema"
)

const (
	linksAccountsAfter = 7 // days after joining
	linkersEvery       = 5 // one member of so many links accounts
	contactVerifiers   = 3 // how many members verify a phone number and an e-mail address; one more only asks for it
)

// createAccountRules creates the rules that reward linked accounts.
func (b *builder) createAccountRules(ctx context.Context, p Program) error {
	for _, r := range []struct{ name, kind string }{
		{"Link your code host account", "connected_code_host"},
		{"Link your forum account", "connected_forum_platform"},
		{"Verify your phone number", "connected_phone"},
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
			return b.claimForAccounts(i)(ctx)
		}}
	case 1:
		return []action{b.claimForAccounts(i)}
	}
	return nil
}

// claimForAccounts returns the action by which a member claims the rewards of all linked accounts.
func (b *builder) claimForAccounts(i int) action {
	return func(ctx context.Context) error {
		for _, rule := range b.accountRules {
			if err := b.complete(i, rule, nil)(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// verifyPhones lets some members verify phone numbers by codes from the outbox, and claim the reward. The last one has
// asked for a code, and has not entered it. Nothing happens where the operator's gateway would send the codes.
func (b *builder) verifyPhones(ctx context.Context) error {
	if !b.Messages.HasOutboxOf(messages.SMS) {
		return nil
	}
	for i := range contactVerifiers + 1 {
		user, number := identity.Ref{Wallet: wallet(i)}, fmt.Sprintf("+1555555010%d", i)
		if _, err := b.Phones.SendCode(ctx, b.scope, user, number); err != nil {
			return fmt.Errorf("code for member %d: %w", i, err)
		}
		if i == contactVerifiers {
			continue
		}
		text, err := b.newestMessage(ctx)
		if err != nil {
			return err
		}
		code, _, _ := strings.Cut(text, " ")
		if out, err := b.Phones.Connect(ctx, b.scope, user, number, code); err != nil || out.Error != "" {
			return fmt.Errorf("phone of member %d: %s %w", i, out.Message, err)
		}
		if err := b.claimForAccounts(i)(ctx); err != nil {
			return err
		}
	}
	return nil
}

// confirmEmailAddresses lets some members confirm e-mail addresses by links from the outbox. The last one has not
// opened the link. Nothing happens where the operator's server would send the links.
func (b *builder) confirmEmailAddresses(ctx context.Context) error {
	if !b.Messages.HasOutboxOf(messages.Email) {
		return nil
	}
	for i := range contactVerifiers + 1 {
		in := connect.EmailInput{User: identity.Ref{Wallet: wallet(i)}, EmailAddress: fmt.Sprintf("member%d@example.com", i)}
		if _, err := b.Emails.SendLink(ctx, b.scope, in); err != nil {
			return fmt.Errorf("link for member %d: %w", i, err)
		}
		if i == contactVerifiers {
			continue
		}
		text, err := b.newestMessage(ctx)
		if err != nil {
			return err
		}
		_, link, _ := strings.Cut(text, "?token=")
		token, _, _ := strings.Cut(link, "\n")
		if state, err := b.Emails.Confirm(ctx, token); err != nil || state.Error != "" {
			return fmt.Errorf("address of member %d: %s %w", i, state.Message, err)
		}
	}
	return nil
}

// newestMessage returns the text of the newest message in the outbox.
func (b *builder) newestMessage(ctx context.Context) (string, error) {
	newest, err := b.Messages.ListOutbox(ctx, b.scope, laurel.PageRequest{Limit: 1})
	if err != nil {
		return "", err
	}
	return newest.Data[0].Content, nil
}

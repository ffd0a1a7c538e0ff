package demo

import (
	"context"
	"fmt"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/rules/schema"
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

// linkAccounts returns the actions of a member with accounts elsewhere. Of five members one connects three accounts,
// and claims the rewards; one claims them without any account and is refused; the others skip it.
func (b *builder) linkAccounts(i int) []action {
	switch i % linkersEvery {
	case 0:
		return []action{b.connectAccounts(i), b.claimForAccounts(i)}
	case 1:
		return []action{b.claimForAccounts(i)}
	}
	return nil
}

// connectAccounts returns the action by which a member connects accounts, as members do: by logging in at two platforms
// and by a public profile on a third one. With providers of the operator the website's server vouches for the accounts.
func (b *builder) connectAccounts(i int) action {
	member, name := identity.Ref{Wallet: memberID(i)}, fmt.Sprintf("member%d", i)
	if b.Elsewhere == nil {
		return func(ctx context.Context) error {
			_, err := b.Identity.WriteMetadata(ctx, b.scope, identity.MetadataInput{
				Ref: member, CodeHostUser: laurel.Some(name), CodeHostUserID: laurel.Some(name),
				ForumPlatformUser: laurel.Some(name), ForumPlatformUserID: laurel.Some(name),
				ChatServerUser: laurel.Some(name), ChatServerUserID: laurel.Some(name),
			})
			return err
		}
	}
	return func(ctx context.Context) error {
		for _, platform := range loginPlatforms {
			started, err := b.Flows.Start(ctx, b.scope, connect.StartInput{Platform: platform, User: member})
			if err != nil {
				return fmt.Errorf("%s of %s: %w", platform, name, err)
			}
			back, err := b.Elsewhere.logIn(started.URL, name)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", platform, name, err)
			}
			out, _, err := b.Flows.Finish(ctx, connect.Return{Platform: platform, Query: back})
			if err != nil || out.Error != "" {
				return fmt.Errorf("%s of %s: %s %w", platform, name, out.Message, err)
			}
		}
		started, err := b.Flows.Start(ctx, b.scope, connect.StartInput{Platform: forumPlatform, User: member})
		if err != nil {
			return fmt.Errorf("%s of %s: %w", forumPlatform, name, err)
		}
		b.Elsewhere.publish(name, "Member of a loyalty program. "+started.Code)
		out, _, err := b.Flows.CheckProof(ctx, b.scope, connect.ProofInput{
			Platform: forumPlatform, State: started.State, Account: name,
		})
		if err != nil || out.Error != "" {
			return fmt.Errorf("%s of %s: %s %w", forumPlatform, name, out.Message, err)
		}
		return nil
	}
}

// claimForAccounts returns the action by which a member claims the rewards of all linked accounts.
func (b *builder) claimForAccounts(i int) action {
	return func(ctx context.Context) error {
		for _, rule := range b.accountRules {
			if err := b.complete(i, rule)(ctx); err != nil {
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
		user, number := identity.Ref{Wallet: memberID(i)}, fmt.Sprintf("+1555555010%d", i)
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
		in := connect.EmailInput{User: identity.Ref{Wallet: memberID(i)}, EmailAddress: fmt.Sprintf("member%d@example.com", i)}
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

package providers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// Platforms verifies members by the platforms on which they have accounts. It is a Provider.
type Platforms struct {
	PlatformsConfig
	slots slots
}

// PlatformsConfig holds what NewPlatforms needs.
type PlatformsConfig struct {
	Client  *platforms.Client
	Drivers *platforms.Registry
	// IsHeldByOther reports whether a user outside a list has connected the account with an id of a platform.
	IsHeldByOther func(ctx context.Context, scope laurel.Scope, users []laurel.ID, platform, id string) (bool, error)
	// StoreStats stores how often others have reacted to the post of a rule.
	StoreStats func(ctx context.Context, scope laurel.Scope, rule laurel.ID, stats platforms.ReactionStats) error
}

// NewPlatforms returns a provider.
func NewPlatforms(c PlatformsConfig) *Platforms { return &Platforms{PlatformsConfig: c} }

// maxVerification bounds the time that the verification of one member takes, whatever the platform does (contract 5.1).
const maxVerification = 9 * time.Second

// IsAvailable reports whether the platform of the rule's type has a driver that can answer for the rule.
func (p *Platforms) IsAvailable(_ context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	d := p.Drivers.Find(rule.Type.Kind().Platform, scope.WebsiteID)
	return d != nil && isComplete(rule) && p.Client.Answers(d, string(rule.Type), metadataOf(rule)), nil
}

// isComplete reports whether the rule says what is looked for, for types that look for a text.
func isComplete(rule *schema.Properties) bool {
	meta := rule.Meta()
	switch rule.Type {
	case "microblog_text_in_bio", "microblog_text_in_name", "microblog_text_in_comment":
		return len(meta.CheckText) > 0
	case "microblog_post_hashtag":
		return meta.Hashtag != ""
	case "microblog_reaction":
		return meta.CheckLike || meta.CheckRepost || meta.CheckComment
	}
	return true
}

// metadataOf returns the metadata of a rule by property.
func metadataOf(rule *schema.Properties) map[string]json.RawMessage {
	var metadata map[string]json.RawMessage
	_ = json.Unmarshal(rule.Metadata, &metadata) // absent, or checked when it was stored
	return metadata
}

// Verify asks the platform about the account of the member, and then about those of its group: the first that has
// earned the rule counts (contract 5.16). If there is no valid response, the error has the code laurel.Unanswered.
func (p *Platforms) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	platform := q.Rule.Type.Kind().Platform
	d := p.Drivers.Find(platform, scope.WebsiteID)
	if d == nil {
		return Verification{}, fmt.Errorf("providers: no driver for %s", platform)
	}
	limited, cancel := context.WithTimeout(ctx, maxVerification) // also of the wait for a slot
	defer cancel()
	done, err := p.slots.acquire(limited, scope.WebsiteID)
	if err != nil {
		return Verification{}, unansweredError(outbound.ProviderBusy, fmt.Errorf("%w: %w", ErrBusy, err))
	}
	defer done()
	v := &platformVerification{Platforms: p, scope: scope, request: q, driver: d, rule: q.Rule, meta: q.Rule.Meta()}
	out, err := v.verify(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = &outbound.Fault{Sent: true, Err: context.DeadlineExceeded}
	}
	return out, platformError(err)
}

// platformError returns the error for a platform without a valid response, with the texts of contract 5.1; nil for nil.
func platformError(err error) error {
	var fault *outbound.Fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		message := outbound.PlatformMessage(fault)
		if isLimitReached(err) {
			err = fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return unansweredError(message, err)
	case errors.Is(err, platforms.ErrNoAnswer):
		return unansweredError(outbound.ProviderInvalid, err)
	}
	return err
}

// platformVerification is the verification of one member by a platform.
type platformVerification struct {
	*Platforms
	scope   laurel.Scope
	request VerificationRequest
	driver  *platforms.Driver
	rule    *schema.Properties
	meta    schema.Meta
}

// verify asks about one account after the other until one has earned the rule. If none has, it returns the result of
// the first. Of values that the platform measures, the highest counts.
func (v *platformVerification) verify(ctx context.Context) (Verification, error) {
	accounts := v.accounts()
	if len(accounts) == 0 { // the content url stands for an account
		accounts = []identity.PlatformAccount{{}}
	}
	var best Verification
	for i, account := range accounts {
		one, err := v.verifyAccount(ctx, account)
		if err != nil {
			return Verification{}, err
		}
		if i == 0 || isBetter(one, best) {
			best = one
		}
		if best.Fulfilled && best.Value == nil {
			break
		}
	}
	return best, nil
}

// isBetter reports whether the member earns more by the first verification.
func isBetter(a, b Verification) bool {
	if a.Fulfilled != b.Fulfilled {
		return a.Fulfilled
	}
	return a.Value != nil && (b.Value == nil || *a.Value > *b.Value)
}

// maxAccounts bounds the accounts of a group that a platform is asked about.
const maxAccounts = 10

// accounts returns the connected accounts of the member and its group.
func (v *platformVerification) accounts() []identity.PlatformAccount {
	var list []identity.PlatformAccount
	for _, m := range v.request.Members {
		if m.Profile == nil || len(list) == maxAccounts {
			continue
		}
		a, ok := identity.Connections{Profile: *m.Profile}.PlatformAccount(v.rule.Type.Kind().Platform)
		if ok {
			list = append(list, a)
		}
	}
	return list
}

// question returns the question about an account.
func (v *platformVerification) question(ruleType string, a identity.PlatformAccount) platforms.Question {
	return platforms.Question{
		RuleType: ruleType, Account: platforms.Account{ID: a.ID, Name: a.Name, Followers: a.Followers},
		ContentURL: v.request.Request.ContentURL, Metadata: metadataOf(v.rule), Since: v.request.Since,
		Until: v.request.Until, Texts: v.meta.CheckText, Hashtag: v.meta.Hashtag, DryRun: v.request.DryRun,
		Tenant: v.scope.WebsiteID.String(),
	}
}

// verifyAccount asks about one account and judges what the platform has found.
func (v *platformVerification) verifyAccount(
	ctx context.Context, a identity.PlatformAccount,
) (Verification, error) {
	finding, err := v.Client.Ask(ctx, v.driver, v.question(string(v.rule.Type), a))
	if err != nil {
		return Verification{}, err
	}
	if finding.Stats != nil && v.StoreStats != nil && !v.request.DryRun {
		if err := v.StoreStats(ctx, v.scope, v.request.RuleID, *finding.Stats); err != nil {
			return Verification{}, err
		}
	}
	out := Verification{AccountNames: a.Names, Value: finding.Value}
	out.Fulfilled, out.Refusal = v.judge(finding, a)
	if finding.Post != nil && len(a.Names) == 0 && finding.Post.AuthorID != "" {
		out.AccountNames = identity.AccountNames(v.rule.Type.Kind().Platform, finding.Post.AuthorID)
		isOther, err := v.isOfOther(ctx, finding.Post.AuthorID)
		if err != nil {
			return Verification{}, err
		}
		if isOther {
			out.Fulfilled, out.Refusal = false, decision.MsgPostOfOther
		}
	}
	v.claimPost(finding.Post, &out)
	if out.Fulfilled && v.rule.Type == "microblog_post" && v.meta.MinimumFollowers != nil {
		err = v.checkFollowers(ctx, a, &out)
	}
	return out, err
}

// claimPost sets the post that earns the rule, so that it earns it once. It refuses a content url that names no single
// post, and one whose views count if nobody says whose post it is.
func (v *platformVerification) claimPost(post *platforms.Post, out *Verification) {
	contentURL := v.request.Request.ContentURL
	isOfViews := v.rule.Type == typePostImpressions
	switch {
	case !out.Fulfilled:
	case isOfViews && contentURL != "" && len(out.AccountNames) == 0:
		out.Fulfilled, out.Refusal = false, decision.MsgPostOfOther
	case claimsPost(v.rule.Type), isOfViews && len(v.meta.Range) == 0:
		// A tier of views is a window of its own; without tiers the post itself is what is paid once.
		if out.PostID = v.postID(post); out.PostID == "" && contentURL != "" {
			out.Fulfilled, out.Refusal = false, decision.MsgPostMissing
		}
	}
}

// typePostImpressions is the type that counts the views of posts.
const typePostImpressions schema.Type = "post_impressions"

// isOfOther reports whether the author of a post is a connected account of somebody else.
func (v *platformVerification) isOfOther(ctx context.Context, author string) (bool, error) {
	if v.IsHeldByOther == nil {
		return false, nil
	}
	var users []laurel.ID
	for _, m := range v.request.Members {
		users = append(users, m.UserID)
	}
	return v.IsHeldByOther(ctx, v.scope, users, v.rule.Type.Kind().Platform, author)
}

// checkFollowers refuses if the account has fewer followers than the rule requires: as the platform says, or as the
// member's profile shows.
func (v *platformVerification) checkFollowers(
	ctx context.Context, a identity.PlatformAccount, out *Verification,
) error {
	const countsFollowers = "microblog_followers"
	followers := a.Followers
	if v.Client.Answers(v.driver, countsFollowers, metadataOf(v.rule)) && a.ID != "" {
		found, err := v.Client.Ask(ctx, v.driver, v.question(countsFollowers, a))
		if err != nil {
			return err
		}
		if found.Value != nil {
			n := int64(*found.Value / laurel.One)
			followers = &n
		}
	}
	if followers == nil || identity.AmountOfCount(*followers) < *v.meta.MinimumFollowers {
		out.Fulfilled, out.Refusal = false, decision.MsgNotCompleted
	}
	return nil
}

// claimsPost reports whether each post earns a rule of the type only once.
func claimsPost(t schema.Type) bool {
	return slices.Contains([]schema.Type{
		"microblog_post", "microblog_post_hashtag", "microblog_text_in_comment", "microblog_comment",
		"photo_platform_post", "short_video_post", "forum_platform_comment",
	}, t)
}

// postID identifies the post that earns a rule: by its id, else by what the check looks at. That is the last segment of
// the content url, or all of it but its fragment, since some addresses have the id in the query. It is "" if there is
// no single post.
func (v *platformVerification) postID(post *platforms.Post) string {
	contentURL := v.request.Request.ContentURL
	if post != nil {
		return post.ID
	}
	if v.driver.FindsByContentID(string(v.rule.Type)) {
		return platforms.ContentID(contentURL)
	}
	u, err := url.Parse(contentURL)
	if err != nil || strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
		return ""
	}
	return strings.ToLower(u.Host) + u.EscapedPath() + "?" + u.RawQuery
}

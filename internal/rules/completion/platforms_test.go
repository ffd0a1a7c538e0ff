package completion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/schema"
)

// platformCase is how a type is earned whose platform verifies members.
type platformCase struct {
	metadata object
	byURL    bool // the check names the content url, and that may stand for a connected account
	needsURL bool
	value    func(account string) any // what the platform knows of who has earned it
	unmet    any                      // what it knows of others; nil: nothing
	missing  string                   // the outcome of others
}

// sign is the value of types of which the platform says yes.
func sign(string) any { return true }

// post is the value of types about posts.
func post(account string) any {
	return object{
		"id": "post-" + account, "authorId": account, "text": "I like LAUREL very much, #laurel", "hasMedia": true,
		"createdAt": apptest.Noon.Add(-time.Minute),
	}
}

// platformCases are the cases of all types; a new type needs one.
var platformCases = map[string]platformCase{
	"microblog_follow":            {value: sign, missing: "Follow not found"},
	"microblog_post":              {value: post, byURL: true, missing: "Post not found"},
	"microblog_post_hashtag":      {metadata: object{"microblogHashtag": "#Laurel"}, value: post, byURL: true, missing: "Post not found"},
	"microblog_text_in_bio":       {metadata: object{"checkText": "laurel"}, value: text, unmet: "nothing", missing: "Text not found"},
	"microblog_text_in_name":      {metadata: object{"checkText": []string{"x", "laurel"}}, value: text, missing: "Text not found"},
	"microblog_text_in_comment":   {metadata: object{"checkText": "laurel"}, value: post, needsURL: true, missing: "Comment not found"},
	"microblog_reaction":          {metadata: object{"checkComment": true}, value: sign, needsURL: true, missing: "Quest not completed"},
	"microblog_comment":           {value: sign, needsURL: true, missing: "Comment not found"},
	"microblog_repost":            {value: sign, unmet: false, missing: "Repost not found"},
	"microblog_followers":         {metadata: tiers, value: number, unmet: 9, missing: "Quest not achieved, please try again."},
	"microblog_liked_by_project":  {value: sign},
	"post_impressions":            {metadata: tiers, value: number, unmet: 1, byURL: true, missing: "Quest not achieved, please try again."},
	"photo_platform_post":         {metadata: object{"checkText": "laurel"}, value: post, byURL: true, missing: "Post not found"},
	"photo_platform_follow":       {value: sign, missing: "Follow not found"},
	"short_video_post":            {metadata: object{"checkText": "laurel"}, value: post, byURL: true, missing: "Post not found"},
	"short_video_follow":          {value: sign, missing: "Follow not found"},
	"video_platform_subscribe":    {value: sign, unmet: object{}, missing: "Quest not completed"},
	"video_platform_comment":      {value: sign, missing: "Comment not found"},
	"chat_server_member":          {value: sign, missing: "Quest not completed"},
	"chat_server_join":            {value: sign, missing: "Quest not completed"},
	"chat_server_messages":        {metadata: tiers, value: number, unmet: 0, missing: "Quest not achieved, please try again."},
	"chat_server_role_grant":      {value: sign, missing: "Invalid Verification, try again"},
	"messenger_join":              {value: sign, missing: "Quest not completed"},
	"messenger_messages":          {metadata: tiers, value: number, missing: "Quest not achieved, please try again."},
	"forum_platform_comment":      {value: sign, missing: "Comment not found"},
	"code_host_repo_star":         {value: sign, missing: "Quest not completed"},
	"code_host_repo_fork":         {value: sign, missing: "Quest not completed"},
	"code_host_repo_collaborator": {value: sign, missing: "Quest not completed"},
	"code_host_merge_request":     {value: sign, missing: "Quest not completed"},
	"game_store_wishlist":         {value: sign, missing: "Quest not completed"},
}

var tiers = object{"range": []object{{"startRange": 10, "endRange": 99, "amount": 10}}}

func text(string) any   { return "Likes Laurel" }
func number(string) any { return 12 }

// contentTypes are the types whose checks name the content url.
func contentTypes() []string {
	var list []string
	for ruleType, c := range platformCases {
		if c.byURL {
			list = append(list, ruleType)
		}
	}
	return list
}

// platformTest is a server with a platform, and one rule type of it.
type platformTest struct {
	platformCase
	*apptest.Server
	t        *testing.T
	platform *apptest.Platform
	ruleType string
	label    string
	users    int
}

// eachPlatformType runs the test for every type whose platform verifies members, on both engines.
func eachPlatformType(t *testing.T, test func(p *platformTest)) {
	t.Helper()
	eachPlatformTypeWith(t, nil, contentTypes(), test)
}

// eachPlatformTypeWith is eachPlatformType with further properties of the operator's file, and the types whose checks
// name the content url.
func eachPlatformTypeWith(t *testing.T, more object, byContent []string, test func(p *platformTest)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		platform := apptest.NewPlatform(t)
		config := app.Config{NoRateLimits: true, Dev: true, Identity: platform.ConfigFile(t, more, byContent...)}
		s := apptest.OpenAtNoon(t, address, config)
		for _, ruleType := range apptest.PlatformTypes() {
			c, ok := platformCases[ruleType]
			if !ok {
				t.Errorf("%s has no case", ruleType)
				continue
			}
			label := ""
			for _, connection := range apptest.Connections {
				if connection.Kind == "connected_"+schema.Type(ruleType).Kind().Platform {
					label = strings.TrimSuffix(connection.Missing, " not connected")
				}
			}
			c.byURL = c.byURL && slices.Contains(byContent, ruleType)
			test(&platformTest{platformCase: c, Server: s, t: t, platform: platform, ruleType: ruleType, label: label})
		}
		s.Sound()
	})
}

// create creates a rule of the type.
func (p *platformTest) create(properties object) string {
	metadata, _ := properties["metadata"].(object)
	return p.Rule(p.ruleType, apptest.Over(properties, object{"metadata": apptest.Over(object{}, p.metadata, metadata)}))
}

// connect gives a wallet the account, as a connect flow does, or takes it away with "".
func (p *platformTest) connect(wallet, account string) {
	p.t.Helper()
	platform, user := schema.Type(p.ruleType).Kind().Platform, identity.Ref{Wallet: wallet}
	p.User(wallet, nil)
	if account == "" {
		if err := p.App.Identity.DisconnectAccount(p.t.Context(), p.WebsiteScope(), user, platform); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	link, err := p.App.Identity.ConnectAccount(p.t.Context(), p.WebsiteScope(), user,
		identity.VerifiedAccount{Platform: platform, ID: account, Name: "name-" + account})
	if err != nil || link != "" {
		p.t.Fatalf("%q: %v", link, err)
	}
}

// newMember returns a wallet with a connected account, and the account.
func (p *platformTest) newMember() (wallet, account string) {
	p.users++
	wallet, account = fmt.Sprint("w-", p.ruleType, p.users), fmt.Sprint("a-", p.ruleType, p.users)
	p.connect(wallet, account)
	return wallet, account
}

// earn makes the platform know that the account has done what the type asks for.
func (p *platformTest) earn(account string) { p.know(account, p.value(account)) }

func (p *platformTest) know(account string, value any) {
	if p.byURL {
		account = "post-" + account
	}
	p.platform.Know(p.ruleType, account, value)
}

// body returns the body of a call for an account.
func (p *platformTest) body(wallet, account string) object {
	body := object{"walletAddress": wallet}
	if p.byURL || p.needsURL {
		body["contentUrl"] = "https://posts.example/a/post-" + account
	}
	return body
}

// outcome completes the rule and returns the outcome of the job.
func (p *platformTest) outcome(rule, wallet, account string) string {
	p.t.Helper()
	o := p.Complete(rule, p.body(wallet, account)).OK()
	if data := o["data"].(object); o["message"] != "Completion request added to queue" || data["status"] != "pending" ||
		len(data["rewards"].([]any)) != 0 {
		p.t.Errorf("%s: %v", p.ruleType, o)
	}
	if got := processingStatus(p.Server, rule, wallet); got != "pending: Completion request added to queue" {
		p.t.Errorf("%s: %s", p.ruleType, got)
	}
	p.RunCompletionJobs()
	return processingStatus(p.Server, rule, wallet)
}

// expect checks an outcome and the balance of the wallet.
func (p *platformTest) expect(got, want, wallet, balance string) {
	p.t.Helper()
	if b := p.Balance(wallet); got != want || b != balance {
		p.t.Errorf("%s: %s with %q, not %s with %q", p.ruleType, got, b, want, balance)
	}
}

func TestEveryPlatformTypePaysWhoHasEarnedIt(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		rule := p.create(nil)
		wallet, account := p.newMember()
		if !schema.Type(p.ruleType).Kind().OnCall {
			p.Complete(rule, p.body(wallet, account)).Refused(400, apptest.Undone)
			return
		}
		p.know(account, p.unmet)
		p.Complete(rule, apptest.Over(p.body(wallet, account), object{"verifyOnly": true})).Refused(400, p.missing)
		p.expect(p.outcome(rule, wallet, account), "failed: "+p.missing, wallet, "")
		p.earn(account)
		p.Simulate(rule, p.body(wallet, account)).OK()
		o := p.Complete(rule, apptest.Over(p.body(wallet, account), object{"verifyOnly": true})).OK()
		if data := o["data"].(object); data["status"] != "completed" || len(data["rewards"].([]any)) != 0 {
			p.t.Errorf("%s: %v", p.ruleType, o)
		}
		p.expect(p.outcome(rule, wallet, account), "completed: Completed", wallet, "10")
		if p.ruleType != "post_impressions" { // it may measure the next tier
			p.Complete(rule, p.body(wallet, account)).Refused(400, apptest.PaidAlready)
		}
		p.platform.TakeCalls()
	})
}

func TestEveryPlatformTypeNeedsAnAccountAndItsBody(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule, other := p.create(nil), "w-none-"+p.ruleType
		if p.byURL {
			refusal := "Connect your Microblog account or provide a content url"
			p.Complete(rule, object{"walletAddress": other}).Refused(400, strings.Replace(refusal, "Microblog", p.label, 1))
		} else {
			p.Complete(rule, p.body(other, "x")).Refused(400, p.label+" not connected")
		}
		if p.needsURL {
			wallet, _ := p.newMember()
			p.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Comment link is required")
		}
		if calls := p.platform.TakeCalls(); len(calls) > 0 {
			p.t.Errorf("%s: asked %v", p.ruleType, calls)
		}
	})
}

func TestASilentPlatformFailsTheJobAfterFiveAttempts(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		p.earn(account)
		p.platform.Fail(429)
		defer p.platform.Fail(0)
		// one host stands for all platforms here: after some failures it is left alone, as if it did not answer
		outcomes := []string{
			"failed: Provider is rate limited, please try again later", "failed: Provider did not answer in time",
		}
		if a := p.Complete(rule, apptest.Over(p.body(wallet, account), object{"verifyOnly": true})); a.Status != 503 {
			p.t.Errorf("%s: %d %s", p.ruleType, a.Status, a.Body)
		}
		got := p.outcome(rule, wallet, account)
		for _, pause := range []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute} {
			p.expect(got, "pending: Completion request added to queue", wallet, "")
			p.Clock.Advance(pause)
			p.RunCompletionJobs()
			got = processingStatus(p.Server, rule, wallet)
		}
		if !slices.Contains(outcomes, got) || p.Balance(wallet) != "" {
			p.t.Errorf("%s: %s", p.ruleType, got)
		}
		p.Clock.Advance(time.Minute)
	})
}

func TestAnAccountThatIsDisconnectedMeanwhileEarnsNothing(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall || p.byURL {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		p.earn(account)
		p.Complete(rule, p.body(wallet, account)).OK()
		p.connect(wallet, "")
		p.RunCompletionJobs()
		p.expect(processingStatus(p.Server, rule, wallet), "failed: "+p.label+" not connected", wallet, "")
	})
}

func TestAnAccountEarnsOnceWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		second := "second-" + wallet
		p.earn(account)
		p.expect(p.outcome(rule, wallet, account), "completed: Completed", wallet, "10")
		p.connect(wallet, "")
		p.connect(second, account)
		refusal := "The same " + p.label + " account was already used by another user"
		if p.ruleType == "post_impressions" { // only the value says which tier it is about
			p.expect(p.outcome(rule, second, account), "failed: "+refusal, second, "")
			return
		}
		p.Complete(rule, p.body(second, account)).Refused(400, refusal)
		p.expect("", "", second, "")
	})
}

func TestAPostEarnsARuleOnceWhoeverClaimsIt(t *testing.T) {
	t.Parallel()
	const ofOther, claimed = "Post was made by another account", "Post already claimed"
	eachPlatformType(t, func(p *platformTest) {
		if !p.byURL || p.ruleType == "post_impressions" {
			return
		}
		rule := p.create(object{"interval": "unlimited"})
		wallet, account := p.newMember()
		thief, _ := p.newMember()
		p.earn(account)
		p.expect(p.outcome(rule, thief, account), "failed: "+ofOther, thief, "")
		none := "none-" + wallet
		p.expect(p.outcome(rule, none, account), "failed: "+ofOther, none, "")
		p.expect(p.outcome(rule, wallet, account), "completed: Completed", wallet, "10")
		p.expect(p.outcome(rule, wallet, account), "failed: "+claimed, wallet, "10")
		stranger := "stranger-" + account
		p.earn(stranger) // an account that nobody has connected: the content url stands for it
		p.expect(p.outcome(rule, none, stranger), "completed: Completed", none, "10")
		p.connect(wallet, "")
		p.expect(p.outcome(rule, wallet, account), "failed: "+claimed, wallet, "10")
	})
}

// TestAPostIsTheSameHoweverItsAddressIsSpelled claims posts again by addresses that lead a check by {contentId} to the
// same post, which it describes by a text or a yes, without an id.
func TestAPostIsTheSameHoweverItsAddressIsSpelled(t *testing.T) {
	t.Parallel()
	const address = "https://posts.example/a/post-"
	eachPlatformType(t, func(p *platformTest) {
		if !p.byURL || p.ruleType == "post_impressions" {
			return
		}
		rule := p.create(object{"interval": "unlimited"})
		wallet, account := p.newMember()
		for i := range 2 {
			value := any("I like LAUREL, #laurel")
			if i == 1 {
				p.Clock.Advance(time.Minute)
				value = apptest.Over(post(account).(object), object{"createdAt": p.Clock.Now()})
			}
			claim := func(contentURL string) string {
				p.t.Helper()
				p.Complete(rule, object{"walletAddress": wallet, "contentUrl": contentURL}).OK()
				p.RunCompletionJobs()
				return processingStatus(p.Server, rule, wallet)
			}
			id := fmt.Sprint(account, "-", i)
			p.know(id, value)
			balance := fmt.Sprint(10 * (i + 1))
			p.expect(claim(address+id), "completed: Completed", wallet, balance)
			for _, other := range []string{"?x=1", "?x=2#y", "/", "/?"} {
				p.expect(claim(address+id+other), "failed: Post already claimed", wallet, balance)
			}
			p.expect(claim("https://www.posts.example/b/post-"+id), "failed: Post already claimed", wallet, balance)
		}
	})
}

func TestPostsAreJudged(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if p.ruleType != "microblog_post" {
			return
		}
		for i, c := range []struct {
			properties, metadata object
			changed              object
			want                 string
		}{
			{object{"startTime": apptest.Noon}, nil, nil, "failed: " + "Post was made before the rule started"},
			{object{"startTime": apptest.Noon.Add(-time.Hour)}, nil, nil, "completed: Completed"},
			{nil, object{"requirePostMediaLink": true}, object{"hasMedia": false}, "failed: " + "Post has no media"},
			{nil, object{"requirePostMediaLink": true}, nil, "completed: Completed"},
			{nil, object{"checkText": []string{"nowhere", "else"}}, nil, "failed: " + "Text not found"},
			{nil, object{"checkText": []string{"nowhere", "laurel VERY"}}, nil, "completed: Completed"},
			{nil, object{"minimumFollowerCount": 5}, nil, "failed: " + apptest.Undone},
		} {
			rule := p.create(apptest.Over(object{"metadata": c.metadata}, c.properties))
			wallet, account := p.newMember()
			p.know(account, apptest.Over(post(account).(object), c.changed))
			if got := p.outcome(rule, wallet, account); got != c.want {
				t.Errorf("%d: %s, not %s", i, got, c.want)
			}
		}
		rule := p.create(object{"metadata": object{"requirePostLink": true}})
		wallet, account := p.newMember()
		p.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Invalid Verification, try again")
		p.Complete(rule, p.body(wallet, account)).OK()
		p.Complete(rule, p.body(wallet, account)).OK()
		p.Complete(rule, p.body(wallet, "other")).
			Refused(400, "Another completion request for this rule is still in the queue")
	})
}

func TestTiersOfImpressionsAreWindows(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if p.ruleType != "post_impressions" {
			return
		}
		rule := p.create(object{"metadata": object{"range": []object{
			{"startRange": 10, "endRange": 99, "amount": 1}, {"startRange": 100, "endRange": 999, "amount": 5},
		}}})
		wallet, account := p.newMember()
		for i, c := range []struct {
			impressions int
			want        string
			balance     string
		}{
			{5, "failed: Quest not achieved, please try again.", ""}, {20, "completed: Completed", "1"},
			{30, "failed: You have already been rewarded", "1"}, {500, "completed: Completed", "6"},
			{50, "failed: You have already been rewarded", "6"},
		} {
			p.know(account, c.impressions)
			if got := p.outcome(rule, wallet, account); got != c.want || p.Balance(wallet) != c.balance {
				t.Errorf("%d: %s with %s", i, got, p.Balance(wallet))
			}
		}
		perView := p.create(object{"amount": 2, "metadata": object{"range": nil, "rewardPerImpression": true}})
		p.know(account, 50)
		p.expect(p.outcome(perView, wallet, account), "completed: Completed", wallet, "106")
	})
}

func TestPlatformRulesWithoutADriverAreNotSetUp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, ruleType := range apptest.PlatformTypes() {
			if !schema.Type(ruleType).Kind().OnCall {
				continue
			}
			rule := s.Rule(ruleType, nil)
			s.Complete(rule, object{"walletAddress": "w"}).Refused(400, "Rule is not setup")
			simulated := s.Simulate(rule, object{"walletAddress": "w"}).OK()
			if !slices.Contains(apptest.FailedChecks(simulated), "setup") {
				t.Errorf("%s: %v", ruleType, simulated)
			}
		}
	})
}

func TestAnAccountOfTheGroupEarnsWhereTheFirstHas(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if p.ruleType != "code_host_repo_star" && p.ruleType != "microblog_followers" {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		p.earn(account)
		p.expect(p.outcome(rule, wallet, account), "completed: Completed", wallet, "10")
		p.connect(wallet, "")
		first, second := "first-"+wallet, "second-"+wallet
		for _, mate := range []string{first, second} {
			p.User(mate, object{"userGroupExternalIdentifier": "group-" + wallet})
		}
		p.connect(first, account)
		p.connect(second, "new-"+account) // before joining, the group would have kept the first account alone
		p.expect(p.outcome(rule, first, account), "failed: "+p.missing, first, "")
		p.earn("new-" + account)
		p.expect(p.outcome(rule, first, account), "completed: Completed", first, "10")
	})
}

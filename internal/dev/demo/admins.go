package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/webhooks"
)

const (
	codeUsedAfter        = 6  // days after joining on which a member enters a promo code
	promoCodeCount       = 40 // every fifth member uses one
	anniversaryMembers   = 36 // how many members are on the list of the anniversary gift
	blockedMember        = 90 // the number of the member who is blocked
	memberWithMultiplier = 5  // the number of the member who has a multiplier
	ticketHolders        = 5  // how many members get seasonal tickets
)

// program is the admin who changes the program, and what the admin created.
type program struct {
	admin                                   laurel.ID
	scope                                   laurel.Scope // its actor is the admin's user, which the history of rules shows
	startedGroup, everyDayGroup             laurel.ID    // rule groups
	codesRule, airdropRule, ticketsCurrency laurel.ID
	upcomingPoll                            laurel.ID // a poll that has not begun
	openingRule, regularBadge               laurel.ID // the rule that gives a badge, and a badge that one member lost
}

// createAdminAndGroups makes the admin of the program an owner of the organization, and creates the two rule groups. It
// stores their ids in b.program.
func (b *builder) createAdminAndGroups(ctx context.Context, p Program) error {
	admin, err := b.Admins.FindOrCreateOwner(ctx, b.scope.OrganizationID, p.AdminEmail, p.AdminName)
	if err != nil {
		return err
	}
	memberships, err := b.Admins.Memberships(ctx, admin.ID)
	if err != nil {
		return err
	}
	b.program.admin, b.program.scope = admin.ID, b.scope
	for _, m := range memberships { // oldest first: the last one is the membership in the demo's new organization
		b.program.scope.ActorID = m.UserID
	}
	for _, g := range []struct {
		id       *laurel.ID // where to store the id of the group
		name     string
		subTitle string
	}{
		{&b.program.startedGroup, "Getting started", "One-time rewards for new members"},
		{&b.program.everyDayGroup, "Day by day", "Rewards for coming back"},
	} {
		made, err := b.Rules.CreateGroup(ctx, b.program.scope, catalog.GroupPatch{}.
			With("name", g.name).With("subTitle", g.subTitle).With("isCollapsible", true))
		if err != nil {
			return fmt.Errorf("group %s: %w", g.name, err)
		}
		*g.id = made.ID
	}
	return nil
}

// createListRules creates a rule with promo codes from a list, a poll that has not begun, and an airdrop to the wallets
// of a list, with two invalid rows. It imports both lists. It also creates the currency of the seasonal tickets, and a
// chain that locks the airdrop for members who have not done the tutorial or have few points.
func (b *builder) createListRules(ctx context.Context, p Program) error {
	codes := []string{"code"}
	for i := range promoCodeCount {
		codes = append(codes, summerCode(i))
	}
	gifts := []string{"walletAddress,amount"}
	for i := range anniversaryMembers {
		gifts = append(gifts, fmt.Sprintf("%s,%d", memberID(i), 10+i%3*5))
	}
	gifts = append(gifts, ",25", memberID(anniversaryMembers)+",a lot")
	codesURL, err := b.storeList(ctx, "summer-codes.csv", codes)
	if err != nil {
		return err
	}
	giftsURL, err := b.storeList(ctx, "anniversary.csv", gifts)
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(map[string]string{"promoCodeType": "csv", "promoCodeCsvUrl": codesURL})
	if err != nil {
		return err
	}
	later := laurel.Timestamp{Time: b.Clock.present().UTC().AddDate(0, 0, 7)}
	for _, r := range []struct {
		id *laurel.ID // where to store the id of the rule
		in schema.Input
	}{
		{&b.program.codesRule, schema.Input{Name: laurel.Some("Summer codes"), Type: laurel.Some("code_entry"), Interval: laurel.Some("once"),
			Amount: laurel.Some(40 * laurel.One), Metadata: laurel.Some(json.RawMessage(metadata))}},
		{&b.program.upcomingPoll, schema.Input{Name: laurel.Some("Where should we meet?"), Type: laurel.Some("poll"),
			Interval: laurel.Some("once"), Amount: laurel.Some(5 * laurel.One), StartTime: laurel.Some(later)}},
		{&b.program.airdropRule, schema.Input{Name: laurel.Some("Anniversary gift"), Type: laurel.Some("points_airdrop"), Interval: laurel.Some("once"),
			Amount: laurel.Some(10 * laurel.One), UserAllotmentCSVURL: laurel.Some(giftsURL)}},
	} {
		r.in.LoyaltyCurrencyID = laurel.Some(p.CurrencyID)
		made, err := b.Rules.Create(ctx, b.program.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		*r.id = made.ID
	}
	_, err = b.Engagement.CreateQuestion(ctx, b.program.scope, engagement.QuestionInput{
		RuleID: b.program.upcomingPoll, Text: "Where should we meet?",
		Choices: []engagement.ChoiceInput{{Text: "At the harbour"}, {Text: "In the shop"}},
	})
	if err != nil {
		return err
	}
	if err := b.importLists(ctx); err != nil {
		return err
	}
	season, err := b.Ledger.CreateCurrency(
		ctx, b.program.scope, ledger.CurrencyPatch{}.With("name", "Tickets").With("symbol", "TIX").With("decimals", int64(0)),
	)
	if err != nil {
		return err
	}
	b.program.ticketsCurrency = season.ID
	enoughPoints := 200 * laurel.One
	chain := record.All(chains.Chain{Name: "Tutorial done and 200 points", RuleID: b.program.airdropRule})
	_, err = b.Chains.Create(ctx, b.program.scope, chain, chains.Conditions{List: []conditions.Input{
		{Type: conditions.TypeRule, RuleIDs: []laurel.ID{b.result.TutorialID}},
		{Type: conditions.TypePoints, Amount: &enoughPoints, CurrencyIDs: []laurel.ID{p.CurrencyID}},
	}})
	return err
}

// summerCode returns the promo code with a number, such as SUMMER-07.
func summerCode(i int) string { return fmt.Sprintf("SUMMER-%02d", i) }

// storeList uploads a list as a CSV file of the website and returns its address.
func (b *builder) storeList(ctx context.Context, name string, lines []string) (string, error) {
	return b.storeFile(ctx, name, "loyalty", []byte(strings.Join(lines, "\n")+"\n"))
}

// storeFile uploads a file of the website and returns its address.
func (b *builder) storeFile(ctx context.Context, name, folder string, file []byte) (string, error) {
	announced, err := b.Content.Create(ctx, b.scope, content.CreateInput{
		FileName: name, FileSize: laurel.Some(int64(len(file))), FilePath: folder,
	})
	if err != nil {
		return "", err
	}
	return b.Content.Upload(ctx, path.Base(announced.SignedURL), int64(len(file)), bytes.NewReader(file))
}

// importLists runs imports of lists until none is due.
func (b *builder) importLists(ctx context.Context) error {
	for {
		if n, err := b.Lists.RunDue(ctx); err != nil || n == 0 {
			return err
		}
	}
}

// enterCode returns the action by which every fifth member redeems a promo code of their own. It returns nil for the
// other members.
func (b *builder) enterCode(i int) []action {
	if i%5 != 0 {
		return nil
	}
	return []action{b.completeWith(completion.CompleteInput{
		RuleID: b.program.codesRule, User: identity.Ref{Wallet: memberID(i)}, VerificationCode: summerCode(i / 5),
	})}
}

// makeAdminsChanges makes the changes that the admin makes on a day of the month, counted from 0, before members come.
// On most days there are none.
func (b *builder) makeAdminsChanges(ctx context.Context, day int) error {
	program := &b.program
	switch day {
	case openingDay:
		return b.grantOpeningBadge(ctx)
	case importedOn:
		return b.importBalances(ctx)
	case 4:
		return b.editRule(ctx, b.reviewRule, schema.Input{
			Amount: laurel.Some(15 * laurel.One), EditComment: laurel.Some("Fewer points while we review what people write"),
		})
	case 11:
		return b.editRule(ctx, b.reviewRule, schema.Input{
			Amount: laurel.Some(25 * laurel.One), EditComment: laurel.Some("Reviews are getting longer"),
		})
	case 14:
		return errors.Join(
			b.adjustBalance(ctx, 7, ledger.Credit, 50, "Sorry for the late delivery"),
			b.grantMultiplier(ctx),
			b.creditTickets(ctx),
		)
	case refundedOn:
		return b.refundOrder(ctx)
	case 18:
		return b.editRule(ctx, b.result.CheckInID, schema.Input{
			Description: laurel.Some("Check in once a day. Streaks of three and seven days pay more."),
			EditComment: laurel.Some("Explains the streak bonuses"),
		})
	case pagesCreatedOn:
		return errors.Join(b.createPages(ctx), b.createTokenClaim(ctx))
	case 22:
		return errors.Join(
			b.blockMember(ctx),
			b.connectWallets(ctx),
			b.adjustBalance(ctx, 12, ledger.Debit, 5, "Counted twice"),
		)
	case badgesCreatedOn:
		return b.createBadges(ctx)
	case badgesCreatedOn + 1:
		return b.revokeBadge(ctx)
	case 26:
		tickets := reset.Input{CurrencyID: program.ticketsCurrency, Kind: string(reset.ResetBalances)}
		_, err := b.Clearing.Reset(ctx, program.scope, tickets)
		return errors.Join(err, b.logActivity(ctx, "reset a currency", "/currencies/"+program.ticketsCurrency.String()))
	case 27:
		return b.runAirdrop(ctx)
	case 28:
		_, _, err := b.Admins.NewLink(ctx, admins.Link{
			Kind: admins.InviteLink, OrganizationID: program.scope.OrganizationID, WebsiteID: program.scope.WebsiteID,
			Role: tenancy.RoleModerator, Email: "support@example.com", CreatedByID: program.admin,
		})
		err = errors.Join(err, b.logActivity(ctx, "invited an admin", "/team"))
		return errors.Join(err, b.createChainRules(ctx))
	case 29:
		welcome, err := b.createFunction(ctx)
		if err != nil {
			return err
		}
		return b.subscribe(ctx, welcome)
	}
	return nil
}

// subscribe creates a subscription that runs the function on its events, and sends it a test event. The subscription
// has no address, as a demo calls no other system.
func (b *builder) subscribe(ctx context.Context, function laurel.ID) error {
	made, err := b.Webhooks.Create(ctx, b.scope, webhooks.CreateInput{
		Input: webhooks.Input{
			Name: laurel.Some("CRM"), FunctionIDs: laurel.Some([]string{function.String()}),
		},
		Platform: []webhooks.TableSource{{Tables: []string{"LoyaltyTransactionEntry", "LoyaltyRuleStatus"}}},
	})
	if err != nil {
		return fmt.Errorf("subscription: %w", err)
	}
	if _, err := b.Webhooks.Test(ctx, b.scope, made.ID, ""); err != nil { // "": an event of the first type
		return fmt.Errorf("test event: %w", err)
	}
	return b.logActivity(ctx, "created a subscription", "/subscriptions")
}

// welcomeCode is the code of the demo's function.
const welcomeCode = `module.exports.handler = async (input, output) => {
  const event = input.event;
  console.log("called by", input.trigger, event ? event.type : input.input);
  const name = event ? event.data.loyaltyAccount?.user?.walletAddress ?? "member" : input.input.name;
  output.setResult({ greeting: ` + "`Welcome, ${name}!`" + ` });
  return output.buildOutput();
};
`

// createFunction creates a function, saves a second version of its code and invokes it once. It returns the id of the
// function.
func (b *builder) createFunction(ctx context.Context) (laurel.ID, error) {
	first := strings.Replace(welcomeCode, "Welcome", "Hello", 1)
	made, err := b.Functions.Create(ctx, b.scope, functions.Input{
		Name: laurel.Some("welcome"), Code: laurel.Some(first),
	})
	if err == nil {
		_, err = b.Functions.Update(ctx, b.scope, made.ID, functions.Input{Code: laurel.Some(welcomeCode)})
	}
	if err == nil {
		_, err = b.Functions.Invoke(ctx, b.scope, made.ID, json.RawMessage(`{"name": "Alice"}`))
	}
	if err != nil {
		return laurel.ID{}, fmt.Errorf("function: %w", err)
	}
	return made.ID, b.logActivity(ctx, "created a function", "/functions")
}

// runAirdrop makes the airdrop rule run once, now, and waits until its run is done, by doing all work that is due in
// the schedule. The run pays the members on the rule's list who meet the conditions of its chain.
func (b *builder) runAirdrop(ctx context.Context) error {
	if err := b.editRule(ctx, b.program.airdropRule, schema.Input{
		Frequency: laurel.Some("once"), EditComment: laurel.Some("Today is the day"),
	}); err != nil {
		return err
	}
	return b.runSchedule(ctx)
}

// runSchedule does all work that is due in the schedule.
func (b *builder) runSchedule(ctx context.Context) error {
	for {
		if busy, err := b.Schedule.RunOnce(ctx); err != nil || !busy {
			return err
		}
	}
}

// logActivity records in the activity log that the admin did something. The subject is the path of the dashboard page
// on which it was done.
func (b *builder) logActivity(ctx context.Context, action, subject string) error {
	id, err := b.Admins.BeginActivity(ctx, b.scope, b.program.admin, action, subject)
	if err != nil {
		return err
	}
	return b.Admins.EndActivity(ctx, id, true)
}

// editRule changes a rule as the admin, and records that in the activity log.
func (b *builder) editRule(ctx context.Context, rule laurel.ID, in schema.Input) error {
	if _, err := b.Rules.Update(ctx, b.program.scope, rule, in); err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	return b.logActivity(ctx, "changed a rule", "/rules/"+rule.String())
}

// adjustBalance credits or debits a member, by number, with whole points, as an admin does by hand, and records that in
// the activity log. The reason becomes the description of the transaction.
func (b *builder) adjustBalance(
	ctx context.Context, i int, direction ledger.Direction, points laurel.Amount, reason string,
) error {
	member, err := b.Identity.Person(ctx, b.scope, identity.Ref{Wallet: memberID(i)})
	if err != nil {
		return err
	}
	err = b.post(transactions.Input{Description: reason, Entries: []transactions.Entry{
		{Member: transactions.MemberRef{UserID: member.UserID}, Amount: points * laurel.One, Direction: direction},
	}}, &b.pointsID)(ctx)
	return errors.Join(err, b.logActivity(ctx, "adjusted a balance", "/members/"+member.UserID.String()+"/adjust"))
}

// grantMultiplier grants one member a multiplier of two for points, and records that in the activity log.
func (b *builder) grantMultiplier(ctx context.Context) error {
	made, err := b.Engagement.GrantMultiplier(ctx, b.program.scope, engagement.GrantMultiplierInput{
		User: identity.Ref{Wallet: memberID(memberWithMultiplier)},
		MultiplierPatch: record.All(engagement.Multiplier{
			Value: 2 * laurel.One, Title: new("Helper of the month"), CurrencyIDs: []laurel.ID{b.pointsID},
		}),
	})
	if err != nil {
		return fmt.Errorf("multiplier: %w", err)
	}
	return b.logActivity(ctx, "granted a multiplier", "/members/"+made.UserID.String()+"/multipliers")
}

// creditTickets credits each of the first members with three seasonal tickets. The reset of the currency debits them
// later.
func (b *builder) creditTickets(ctx context.Context) error {
	var acts []action
	for i := range ticketHolders {
		acts = append(acts, b.post(transactions.Input{
			Description: "Tickets for this season",
			Entries:     []transactions.Entry{{Member: transactions.MemberRef{Wallet: memberID(i)}, Amount: 3 * laurel.One}},
		}, &b.program.ticketsCurrency))
	}
	return runConcurrently(ctx, acts)
}

// blockMember blocks one member for having several accounts, and records that in the activity log.
func (b *builder) blockMember(ctx context.Context) error {
	m, err := b.Identity.WriteMetadata(ctx, b.program.scope, identity.MetadataInput{
		Ref: identity.Ref{Wallet: memberID(blockedMember)}, IsBlocked: laurel.Some(true),
		BlockStatusReason: laurel.Some("sybil_and_multi_account"),
		InternalNotes:     laurel.Some("Three wallets with the same activity. Contacted by e-mail, no reply."),
	})
	if err != nil {
		return fmt.Errorf("block: %w", err)
	}
	return b.logActivity(ctx, "blocked or unblocked a member", "/members/"+m.UserID.String()+"/block")
}

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/content"
	"laurel/internal/engagement"
	"laurel/internal/engagement/conditions"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schema"
	"laurel/internal/tenancy"
	"laurel/internal/webhooks"
)

const (
	codeUsedAfter = 6  // days after joining
	codesMade     = 40 // of which every fifth member uses one
	onTheList     = 36 // members of the list of the anniversary
	blocked       = 90 // a member
	favoured      = 5  // a member with a multiplier
)

// office is who changes the program, and what they made.
type office struct {
	admin                laurel.ID
	scope                laurel.Scope // of the admin, as history tells it
	started, everyDay    laurel.ID    // groups of rules
	codes, gift, tickets laurel.ID
	next                 laurel.ID // a poll that has not begun
	opening, regular     laurel.ID // the rule that gives a badge, and a badge that one member lost
}

// open makes the admin and the groups of rules.
func (t *teller) open(ctx context.Context, p Program) error {
	admin, err := t.Admins.Owner(ctx, t.scope.OrganizationID, p.AdminEmail, p.AdminName)
	if err != nil {
		return err
	}
	roles, err := t.Admins.Memberships(ctx, admin.ID)
	if err != nil {
		return err
	}
	t.office.admin, t.office.scope = admin.ID, t.scope
	for _, m := range roles {
		t.office.scope.ActorID = m.UserID
	}
	for _, g := range []struct {
		id   *laurel.ID
		name string
		sub  string
	}{
		{&t.office.started, "Getting started", "Once, in the first days"},
		{&t.office.everyDay, "Day by day", "What members come back for"},
	} {
		made, err := t.Rules.CreateGroup(ctx, t.office.scope, catalog.GroupInput{
			Name: laurel.Some(g.name), SubTitle: laurel.Some(g.sub), IsCollapsible: laurel.Some(true),
		})
		if err != nil {
			return fmt.Errorf("group %s: %w", g.name, err)
		}
		*g.id = made.ID
	}
	return nil
}

// furnish makes the rules with lists, a chain before one of them, and a currency of the season.
func (t *teller) furnish(ctx context.Context, p Program) error {
	codes := []string{"code"}
	for i := range codesMade {
		codes = append(codes, summerCode(i))
	}
	gifts := []string{"walletAddress,amount"}
	for i := range onTheList {
		gifts = append(gifts, fmt.Sprintf("%s,%d", wallet(i), 10+i%3*5))
	}
	gifts = append(gifts, ",25", wallet(onTheList)+",a lot")
	codesURL, err := t.file(ctx, "summer-codes.csv", codes)
	if err != nil {
		return err
	}
	giftsURL, err := t.file(ctx, "anniversary.csv", gifts)
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(map[string]string{"promoCodeType": "csv", "promoCodeCsvUrl": codesURL})
	if err != nil {
		return err
	}
	later := laurel.Timestamp{Time: t.Clock.present().UTC().AddDate(0, 0, 7)}
	for _, r := range []struct {
		id *laurel.ID
		in schema.Input
	}{
		{&t.office.codes, schema.Input{Name: laurel.Some("Summer codes"), Type: laurel.Some("code_entry"), Interval: laurel.Some("once"),
			Amount: laurel.Some(40 * laurel.One), Metadata: laurel.Some(json.RawMessage(metadata))}},
		{&t.office.next, schema.Input{Name: laurel.Some("Where shall we meet?"), Type: laurel.Some("poll"), Interval: laurel.Some("once"),
			Amount: laurel.Some(5 * laurel.One), StartTime: laurel.Some(later)}},
		{&t.office.gift, schema.Input{Name: laurel.Some("Anniversary gift"), Type: laurel.Some("points_airdrop"), Interval: laurel.Some("once"),
			Amount: laurel.Some(10 * laurel.One), UserAllotmentCSVURL: laurel.Some(giftsURL)}},
	} {
		r.in.LoyaltyCurrencyID = laurel.Some(p.CurrencyID)
		made, err := t.Rules.Create(ctx, t.office.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		*r.id = made.ID
	}
	_, err = t.Engagement.CreateQuestion(ctx, t.office.scope, engagement.QuestionInput{
		RuleID: t.office.next, Text: "Where shall we meet?",
		Choices: []engagement.ChoiceInput{{Text: "At the harbour"}, {Text: "In the shop"}},
	})
	if err != nil {
		return err
	}
	if err := t.readLists(ctx); err != nil {
		return err
	}
	season, err := t.Ledger.CreateCurrency(
		ctx, t.office.scope, ledger.CurrencyInput{Name: laurel.Some("Tickets"), Symbol: laurel.Some("TIX"), Decimals: laurel.Some(int64(0))},
	)
	if err != nil {
		return err
	}
	t.office.tickets = season.ID
	enough := 200 * laurel.One
	_, err = t.Chains.Create(ctx, t.office.scope, chains.Input{
		Name: "After the tutorial, with some points", RuleID: t.office.gift, Operator: conditions.And,
		Conditions: []conditions.Input{
			{Type: conditions.Rule, RuleIDs: []laurel.ID{t.story.TutorialID}},
			{Type: conditions.Points, Amount: &enough, CurrencyIDs: []laurel.ID{p.CurrencyID}},
		},
	})
	return err
}

func summerCode(i int) string { return fmt.Sprintf("SUMMER-%02d", i) }

// file keeps a list among the files of the website and returns its address.
func (t *teller) file(ctx context.Context, name string, lines []string) (string, error) {
	return t.keep(ctx, name, "loyalty", []byte(strings.Join(lines, "\n")+"\n"))
}

// keep keeps a file among those of the website and returns its address.
func (t *teller) keep(ctx context.Context, name, folder string, file []byte) (string, error) {
	announced, err := t.Content.Create(ctx, t.scope, content.CreateInput{
		FileName: name, FileSize: laurel.Some(int64(len(file))), FilePath: folder,
	})
	if err != nil {
		return "", err
	}
	return t.Content.Upload(ctx, path.Base(announced.SignedURL), int64(len(file)), bytes.NewReader(file))
}

// readLists reads the lists that wait.
func (t *teller) readLists(ctx context.Context) error {
	for {
		if n, err := t.Lists.RunDue(ctx); err != nil || n == 0 {
			return err
		}
	}
}

// useCode: every fifth member enters a code of its own.
func (t *teller) useCode(i int) []act {
	if i%5 != 0 {
		return nil
	}
	return []act{t.call(completion.CompleteInput{
		RuleID: t.office.codes, User: identity.Ref{Wallet: wallet(i)}, VerificationCode: summerCode(i / 5),
	})}
}

// work is what admins do on a day, before members come.
func (t *teller) work(ctx context.Context, day int) error {
	o := &t.office
	switch day {
	case openingDay:
		return t.opens(ctx)
	case 4:
		return t.edit(ctx, t.review, schema.Input{
			Amount: laurel.Some(15 * laurel.One), EditComment: laurel.Some("Fewer points while we look at what people write"),
		})
	case 11:
		return t.edit(ctx, t.review, schema.Input{
			Amount: laurel.Some(25 * laurel.One), EditComment: laurel.Some("Reviews have become longer"),
		})
	case 14:
		return errors.Join(t.give(ctx, 7, ledger.Credit, 50, "Sorry for the late parcel"), t.favour(ctx), t.seasonBegins(ctx))
	case 18:
		return t.edit(ctx, t.story.CheckInID, schema.Input{
			Description: laurel.Some("Come by once a day. Three and seven days in a row pay more."),
			EditComment: laurel.Some("Says what streaks pay"),
		})
	case composedOn:
		return errors.Join(t.compose(ctx), t.distribute(ctx))
	case 22:
		return errors.Join(t.block(ctx), t.give(ctx, 12, ledger.Debit, 5, "Counted twice"))
	case judgedFrom:
		return t.honour(ctx)
	case judgedFrom + 1:
		return t.revoke(ctx)
	case 26:
		_, err := t.Clearing.Reset(ctx, o.scope, reset.Input{CurrencyID: o.tickets, Kind: string(reset.ResetBalances)})
		return errors.Join(err, t.note(ctx, "reset a currency", "/currencies/"+o.tickets.String()))
	case 27:
		return t.runGift(ctx)
	case 28:
		_, _, err := t.Admins.NewLink(ctx, admins.Link{
			Kind: admins.Invite, OrganizationID: o.scope.OrganizationID, WebsiteID: o.scope.WebsiteID,
			Role: tenancy.RoleModerator, Email: "support@example.com", CreatedByID: o.admin,
		})
		return errors.Join(err, t.note(ctx, "invited an admin", "/team"))
	case 29:
		welcome, err := t.write(ctx)
		if err != nil {
			return err
		}
		return t.subscribe(ctx, welcome)
	}
	return nil
}

// subscribe has a function told of the last day. There is no address: a demo calls nobody.
func (t *teller) subscribe(ctx context.Context, function laurel.ID) error {
	made, err := t.Webhooks.Create(ctx, t.scope, webhooks.CreateInput{
		Input: webhooks.Input{
			Name: laurel.Some("CRM"), FunctionIDs: laurel.Some([]string{function.String()}),
		},
		Platform: []webhooks.TableSource{{Tables: []string{"LoyaltyTransactionEntry", "LoyaltyRuleStatus"}}},
	})
	if err != nil {
		return fmt.Errorf("subscription: %w", err)
	}
	if _, err := t.Webhooks.Test(ctx, t.scope, made.ID, ""); err != nil {
		return fmt.Errorf("test event: %w", err)
	}
	return t.note(ctx, "created a subscription", "/subscriptions")
}

// welcomeCode is the demo's function.
const welcomeCode = `module.exports.handler = async (input, output) => {
  const event = input.event;
  console.log("called by", input.trigger, event ? event.type : input.input);
  const name = event ? event.data.loyaltyAccount?.user?.walletAddress ?? "member" : input.input.name;
  output.setResult({ greeting: ` + "`Welcome, ${name}!`" + ` });
  return output.buildOutput();
};
`

// write makes a function, corrects it and runs it.
func (t *teller) write(ctx context.Context) (laurel.ID, error) {
	first := strings.Replace(welcomeCode, "Welcome", "Hello", 1)
	made, err := t.Functions.Create(ctx, t.scope, functions.Input{
		Name: laurel.Some("welcome"), Code: laurel.Some(first),
	})
	if err == nil {
		_, err = t.Functions.Update(ctx, t.scope, made.ID, functions.Input{Code: laurel.Some(welcomeCode)})
	}
	if err == nil {
		_, err = t.Functions.Invoke(ctx, t.scope, made.ID, json.RawMessage(`{"name": "Alice"}`))
	}
	if err != nil {
		return laurel.ID{}, fmt.Errorf("function: %w", err)
	}
	return made.ID, t.note(ctx, "created a function", "/functions")
}

// runGift has the members of the list paid, as far as they meet the chain.
func (t *teller) runGift(ctx context.Context) error {
	err := t.edit(ctx, t.office.gift, schema.Input{
		Frequency: laurel.Some("once"), EditComment: laurel.Some("Today is the day"),
	})
	for busy := true; busy && err == nil; {
		busy, err = t.Schedule.Once(ctx)
	}
	return err
}

// note writes into the activity log.
func (t *teller) note(ctx context.Context, action, subject string) error {
	id, err := t.Admins.Begin(ctx, t.scope, t.office.admin, action, subject)
	if err != nil {
		return err
	}
	return t.Admins.End(ctx, id, true)
}

func (t *teller) edit(ctx context.Context, rule laurel.ID, in schema.Input) error {
	if _, err := t.Rules.Update(ctx, t.office.scope, rule, in); err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	return t.note(ctx, "changed a rule", "/rules/"+rule.String())
}

// give adjusts a balance.
func (t *teller) give(ctx context.Context, i int, way ledger.Direction, amount laurel.Amount, why string) error {
	who, err := t.Identity.Person(ctx, t.scope, identity.Ref{Wallet: wallet(i)})
	if err != nil {
		return err
	}
	err = t.post(transactions.Input{Description: why, Entries: []transactions.Entry{
		{Member: transactions.MemberRef{UserID: who.UserID}, Amount: amount * laurel.One, Direction: way},
	}}, &t.points)(ctx)
	return errors.Join(err, t.note(ctx, "adjusted a balance", "/members/"+who.UserID.String()+"/adjust"))
}

// favour gives a member a multiplier.
func (t *teller) favour(ctx context.Context) error {
	made, err := t.Engagement.GrantMultiplier(ctx, t.office.scope, engagement.GrantMultiplierInput{
		User: identity.Ref{Wallet: wallet(favoured)},
		MultiplierInput: engagement.MultiplierInput{
			Multiplier: laurel.Some(2 * laurel.One), Title: laurel.Some("Helper of the month"),
			CurrencyIDs: laurel.Some([]laurel.ID{t.points}),
		},
	})
	if err != nil {
		return fmt.Errorf("multiplier: %w", err)
	}
	return t.note(ctx, "granted a multiplier", "/members/"+made.UserID.String()+"/multipliers")
}

// seasonBegins gives the first members tickets, which a reset takes back later.
func (t *teller) seasonBegins(ctx context.Context) error {
	var acts []act
	for i := range favoured {
		acts = append(acts, t.post(transactions.Input{
			Description: "Tickets of the season",
			Entries:     []transactions.Entry{{Member: transactions.MemberRef{Wallet: wallet(i)}, Amount: 3 * laurel.One}},
		}, &t.office.tickets))
	}
	return together(ctx, acts)
}

func (t *teller) block(ctx context.Context) error {
	m, err := t.Identity.WriteMetadata(ctx, t.office.scope, identity.MetadataInput{
		Ref: identity.Ref{Wallet: wallet(blocked)}, IsBlocked: laurel.Some(true),
		BlockStatusReason: laurel.Some("sybil_and_multi_account"),
		InternalNotes:     laurel.Some("Three wallets with one habit. Asked by e-mail, no answer."),
	})
	if err != nil {
		return fmt.Errorf("block: %w", err)
	}
	return t.note(ctx, "blocked or unblocked a member", "/members/"+m.UserID.String()+"/block")
}

package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

// tryForm is the form of a dry run, next to the rule's form.
type tryForm struct {
	web.Refusal
	Member, At, Code, Value, Amount, Choice string
	New                                     bool         // a new member, instead of the typed one
	Choices                                 []formOption // of a quiz or poll
	Offers                                  struct{ Code, Value, NeedsValue, Amount bool }
	Result                                  *tryResult

	labels map[string]string // of the rule's fields that are wrong
}

// Label names a field of the dry run, or of the rule.
func (t tryForm) Label(path string) string {
	if label, rule := t.labels[path]; rule {
		return label
	}
	return labels.Of(path)
}

// tryResult is the result of a dry run.
type tryResult struct {
	OK       bool
	Verdict  string
	Why      string    // what is missing
	Opens    time.Time // when to try again; zero: no time helps
	OpensRaw string    // Opens as the input of the form takes it
	Draft    bool      // it is of the typed changes
	Message  string
	Calls    string // number of transactions that its function requests; empty: none
	Checks   []tryCheck
}

type tryCheck struct {
	Label, Value, Why string
	Field             string // of the form, which decides it; empty: none
	Saved             string // reward of the saved rule; empty: there are no changes
	OK, IsReward      bool
}

// lastTriedMemberKey is the session's name for the member of the last dry run.
const lastTriedMemberKey = "tried"

// readTryForm returns the posted inputs of the dry run. Without a posted form, or with one that has no member, the
// member is that of the session's last dry run on the website.
func (c *call) readTryForm() tryForm {
	form := tryForm{Member: c.Sessions.GetString(c.Session, lastTriedMemberKey+c.Site.ID.String())}
	if c.IsPost() {
		form.At, form.Code, form.Value = c.PostFormValue("tryAt"), c.PostFormValue("tryCode"), c.PostFormValue("tryValue")
		form.Amount, form.Choice = c.PostFormValue("tryAmount"), c.PostFormValue("tryChoice")
		if c.PostForm.Has("tryMember") {
			form.Member, form.New = strings.TrimSpace(c.PostFormValue("tryMember")), c.PostFormValue("tryNew") != ""
		}
	}
	return form
}

// readTryFields sets which inputs the dry run of the rule offers: a code, an amount, a value, or the choices of its
// question.
func (c *call) readTryFields(f *ruleForm) error {
	ruleType := f.Rule.Type
	f.Try.Offers.Code = ruleType == schema.TypeCodeEntry || ruleType == schema.TypeTextInput
	f.Try.Offers.Amount = ruleType == schema.TypeExternal
	f.Try.Offers.NeedsValue = f.paysPerRangeValue()
	f.Try.Offers.Value = f.Kind.PerRangeValue || f.typed.Get("metadata.range.0.startRange") != ""
	if ruleType != schema.TypeQuiz && ruleType != schema.TypePoll {
		return nil
	}
	question, _, err := c.Engagement.QuestionOf(c.Context(), c.Scope, f.Rule.ID)
	for _, choice := range question.Choices {
		id := choice.ID.String()
		f.Try.Choices = append(f.Try.Choices, formOption{schema.Option{Value: id, Label: choice.Text}, id == f.Try.Choice})
	}
	return err
}

// tryRule simulates a completion of the rule with the typed changes, and shows the form with the result. Nothing is
// saved except the member, for the next dry run.
func tryRule(c *call) (web.View, error) {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return web.View{}, err
	}
	if c.PostForm.Has("version") && c.May(admins.ChangeProgram) { // the rule's form was posted, too
		c.readPostedRule(f)
	}
	title := f.Rule.Name + ", rule"
	if err := c.simulate(f); err != nil {
		refused := web.AsRefusal(err)
		if refused == nil && laurel.CodeOf(err) != laurel.NotFound {
			return web.View{}, err
		}
		f.Try.Error = web.Sentence(err.Error())
		if refused != nil {
			f.Try.Faults, f.Try.labels = web.FaultTexts(refused), map[string]string{}
			for path := range f.Try.Faults {
				if label := f.faultLabel(path); label != path {
					f.Try.labels[path] = label
				}
			}
		}
		return web.Refused("rule", title, f), nil
	}
	c.Sessions.Put(c.Session, lastTriedMemberKey+c.Site.ID.String(), f.Try.Member)
	return web.Show("rule", title, f)
}

// readTryInput parses the inputs of the dry run. Without a member, the dry run is for a new one with a made-up wallet.
// Malformed inputs are returned as an error.
func (c *call) readTryInput(f *ruleForm) (completion.SimulateInput, error) {
	var faults laurel.Faults
	typed := &f.Try
	in := completion.SimulateInput{CompleteInput: ruletypes.Input{RuleID: f.Rule.ID, VerificationCode: typed.Code}}
	if later := c.PostFormValue("tryThen"); later != "" { // the button that tries again at the time that opens the rule
		typed.At = later
	}
	if typed.At != "" {
		parsed, err := form.ParseTime(typed.At)
		if err != nil {
			faults.Add("tryAt", "%s", err)
		}
		in.At = parsed
	}
	if typed.New {
		in.User = identity.Ref{Wallet: "a-new-member-" + c.NewID().String()}
	} else if id, err := laurel.ParseID(typed.Member); err == nil {
		in.User = identity.Ref{UserID: id}
	} else {
		in.User = identity.Ref{Wallet: cmp.Or(typed.Member, "a-new-member-"+c.NewID().String())}
	}
	if typed.Choice != "" {
		in.QuestionChoiceID, _ = laurel.ParseID(typed.Choice) // an invalid id means no choice
	}
	for _, number := range []struct {
		field, text string
		target      **laurel.Amount
	}{{"tryValue", typed.Value, &in.RangeValue}, {"tryAmount", typed.Amount, &in.Amount}} {
		if number.text == "" {
			continue
		}
		amount, err := laurel.ParseAmount(number.text)
		if err != nil {
			faults.Add(number.field, "must be a number")
		}
		*number.target = &amount
	}
	return in, faults.Err()
}

// simulate runs the dry run and stores its result in the form. If the form has changes, they are checked and simulated,
// and what the saved rule would pay is shown as well.
func (c *call) simulate(f *ruleForm) error {
	in, err := c.readTryInput(f)
	if err != nil {
		return err
	}
	draft, err := f.serviceInput()
	if err != nil {
		return err
	}
	if f.changes > 0 {
		in.Draft = &draft
		if err := c.Rules.CheckDraft(c.Context(), c.Scope, f.Rule, draft); err != nil {
			return err
		}
	}
	simulated, err := c.Completions.Simulate(c.Context(), c.Scope, in)
	if err != nil {
		return err
	}
	savedReward, err := c.describeSavedReward(f, in)
	if err != nil {
		return err
	}
	f.Try.Result = f.newTryResult(simulated, savedReward)
	f.Try.Result.Draft = in.Draft != nil
	return nil
}

// newTryResult returns the result of a dry run as its card shows it: the verdict, and for each check whether it passed,
// why not, and the field of the form that decides it. savedReward says what the saved rule would pay; it is empty if
// the form has no changes.
func (f *ruleForm) newTryResult(simulated completion.Simulation, savedReward string) *tryResult {
	out := &tryResult{OK: simulated.Refusal == nil, Verdict: "Would be rewarded"}
	if !out.OK {
		out.Verdict, out.Message = "Would be refused", simulated.Refusal.Error()
	}
	if count := len(simulated.Transactions); count > 0 {
		out.Calls = web.Plural(count, "transaction", "transactions")
	}
	if missing := simulated.Missing; missing != nil && missing.OpensAt != nil {
		out.Opens = missing.OpensAt.Time
		out.OpensRaw = missing.OpensAt.UTC().Add(59 * time.Second).Format(form.DateTimeLayout) // rounded up to a minute
	}
	isSetup := func(check decision.Check) bool { return check.Name == "setup" }
	setupIndex := slices.IndexFunc(simulated.Checks, isSetup)
	for _, check := range simulated.Checks {
		shown := tryCheck{Label: f.checkLabel(check.Name), OK: check.Refusal == nil}
		if !shown.OK {
			shown.Why, shown.Field = f.explainRefusal(check, simulated.Missing), f.fieldOfCheck(check)
			if out.Why == "" {
				out.Why = shown.Why
			}
			failSetupCheck(out.Checks, setupIndex, check.Refusal.Error(), shown.Why)
		}
		if check.Name == "reward" {
			shown.IsReward, shown.Value, shown.Saved = true, f.describeRewards(simulated.Rewards), savedReward
		}
		out.Checks = append(out.Checks, shown)
	}
	if asksQuestion(f.Rule.Type) && len(f.Try.Choices) == 0 { // without a question, no choice can be right
		out.Why = refusalTexts[decision.MsgNoQuestion]
		failSetupCheck(out.Checks, setupIndex, decision.MsgNoQuestion, out.Why)
	}
	return out
}

// checkLabels are the checks of a decision in words.
var checkLabels = map[string]string{
	"overrides": "API request", "idempotencyKey": "Idempotency key", "currency": "Currency",
	"setup": "Rule setup",
	"time":  "Start and end", "blocked": "Member is not blocked", "audience": "Audience",
	"required": "Required rules and chains",
	"progress": "Progress", "account": "Connected account", "verification": "What the member does", "reward": "Reward",
}

// checkLabel returns the label of a check of a completion. The check of the time window has the label of the typed
// interval.
func (f *ruleForm) checkLabel(name string) string {
	if name != "window" {
		return cmp.Or(checkLabels[name], name)
	}
	index := slices.IndexFunc(f.fields, func(field schema.Field) bool { return field.Path == "interval" })
	return f.fields[index].OptionLabel(f.typed.Get("interval"))
}

// describeRewards writes the rewards of a completion in words, such as "10 Gold and a multiplier of 2".
func (f *ruleForm) describeRewards(rewards []completion.Paid) string {
	var out []string
	for _, reward := range rewards {
		switch {
		case reward.Multiplier != nil:
			out = append(out, "a multiplier of "+web.Number(*reward.Multiplier))
		case reward.Amount != nil:
			text := web.Number(*reward.Amount) + " " + cmp.Or(f.names.Currency(reward.CurrencyID), reward.RewardType)
			if reward.Waiting {
				text += ", pending first"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " and ")
}

// explainRefusal says in words why a check failed. missing has the numbers that the member lacks, as far as they are
// known; it may be nil.
func (f *ruleForm) explainRefusal(check decision.Check, missing *decision.Missing) string {
	if missing == nil {
		missing = &decision.Missing{}
	}
	message := check.Refusal.Error()
	haveOfNeed := func(lack *decision.Lack, what string) string {
		if lack == nil {
			return web.Sentence(message) + "."
		}
		return fmt.Sprintf("%s of %s%s.", web.Number(lack.Have), web.Number(lack.Need), what)
	}
	switch check.Name {
	case "required":
		if len(missing.Conditions) > 0 {
			return fmt.Sprintf("%s of a chain not met yet.", web.Plural(len(missing.Conditions), "condition", "conditions"))
		}
		return haveOfNeed(missing.Required, " done")
	case "progress":
		return haveOfNeed(missing.Progress, "")
	case "reward":
		if missing.Value != nil {
			return fmt.Sprintf("Value %s is below the lowest range, %s.", web.Number(missing.Value.Have), web.Number(missing.Value.Need))
		}
	case "verification":
		switch {
		case missing.Characters != nil:
			return haveOfNeed(missing.Characters, " characters")
		case missing.Followers != nil:
			return haveOfNeed(missing.Followers, " followers")
		case missing.Fields != nil:
			return haveOfNeed(missing.Fields, " fields filled")
		}
	case "window":
		if missing.CapLeft != nil {
			return "The member has reached the maximum for this period."
		}
	case "setup":
		if message == decision.MsgNotCompleted {
			return "Rules of this type can’t be completed through the API."
		}
		return f.missingSetupText()
	}
	return cmp.Or(refusalTexts[message], web.Sentence(message)+".")
}

// missingSetupText says what a rule of the type needs if it is not set up.
func (f *ruleForm) missingSetupText() string {
	switch f.Rule.Type {
	case schema.TypeCodeEntry:
		return "Add a code."
	case schema.TypeLinkClick:
		return "Add a link."
	case schema.TypeProfileCompleted:
		return "Choose a field to fill."
	case schema.TypeAirdrop, schema.TypeUpload:
		return "Add a list."
	}
	return cmp.Or(f.Needs, "The reward settings are incomplete.")
}

// msgNoRangeValue is the refusal of a call without the value that the reward depends on.
const msgNoRangeValue = "rangeValue is required"

// refusalTexts are refusals in words for admins. Members see other texts.
var refusalTexts = map[string]string{
	decision.MsgCurrencyNotFound: "The currency was deleted.", decision.MsgExpired: "The rule has ended.",
	decision.MsgBlocked: "The member is blocked.", decision.MsgNotListed: "The member isn’t on the list.",
	decision.MsgNewUsersOnly: "The member joined before the rule’s start.",
	decision.MsgRewarded:     "The member was already rewarded in this period.",
	decision.MsgCheckInZero:  "The amount is 0 and no streak bonus applies.",
	decision.MsgCode:         "The code isn’t valid for this rule or has already been used.",
	decision.MsgNoChoice:     "No answer was selected.", decision.MsgNoQuestion: "The rule has no question yet.",
	decision.MsgWrongChoice: "The answer is wrong.", decision.MsgNoWallet: "The member has no wallet for token payouts.",
	decision.MsgNotCompleted:    "There is no proof yet that the member has done this.",
	decision.MsgAmountOverride:  "Only rules of the type External rule accept an amount.",
	decision.MsgClickWaiting:    "The member already clicked; the reward is pending.",
	decision.MsgEmail:           "The member has no verified e-mail address.",
	decision.MsgEmailUnverified: "The e-mail address isn’t verified.",
	decision.MsgPhone:           "The member has no verified phone number.",
	decision.MsgVerification:    "The text is missing or too short.",
	msgNoRangeValue:             "Enter a value: the reward is multiplied by it.",
}

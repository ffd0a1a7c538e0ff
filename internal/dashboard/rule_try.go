package dashboard

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/identity"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
)

// tryForm is the form of a dry run, next to the rule's form.
type tryForm struct {
	Member, At, Code, Value, Amount, Choice string
	New                                     bool         // a new member, instead of the typed one
	Choices                                 []formOption // of a quiz or poll
	Asks                                    struct{ Code, Value, Amount bool }
	Faults                                  map[string]string
	Error                                   string
	Result                                  *tryResult

	labels map[string]string // of the rule's fields that are wrong
}

// Label names a field of the dry run, or of the rule.
func (t tryForm) Label(path string) string {
	if label, rule := t.labels[path]; rule {
		return label
	}
	return faultLabel(path)
}

// tryResult is the result of a dry run.
type tryResult struct {
	OK       bool
	Verdict  string
	Why      string    // what is missing
	Opens    time.Time // when to try again; zero: no time helps
	OpensRaw string
	Draft    bool // it is of the typed changes
	Message  string
	Calls    string // number of transactions that its function requests; empty: none
	Checks   []tryCheck
}

type tryCheck struct {
	Label, Value, Why string
	Field             string // of the form, which decides it; empty: none
	Saved             string // reward of the saved rule; empty: there are no changes
	OK, Pays          bool
}

// lastTriedMemberKey is the session's name for the member of the last dry run.
const lastTriedMemberKey = "tried"

// readTryForm returns the posted inputs of the dry run, and the member of the last one.
func (c *request) readTryForm() tryForm {
	t := tryForm{Member: c.d.sessions.GetString(c.session, lastTriedMemberKey+c.site.ID.String())}
	if c.Method == http.MethodPost {
		t.At, t.Code, t.Value = c.PostFormValue("tryAt"), c.PostFormValue("tryCode"), c.PostFormValue("tryValue")
		t.Amount, t.Choice = c.PostFormValue("tryAmount"), c.PostFormValue("tryChoice")
		if c.PostForm.Has("tryMember") {
			t.Member, t.New = strings.TrimSpace(c.PostFormValue("tryMember")), c.PostFormValue("tryNew") != ""
		}
	}
	return t
}

// readTryFields sets which inputs the dry run of the rule offers: a code, an amount, a value or choices.
func (c *request) readTryFields(f *ruleForm) error {
	t := f.Rule.Type
	f.Try.Asks.Code = t == schema.TypeCodeEntry || t == schema.TypeTextInput
	f.Try.Asks.Amount = t == schema.TypeExternal
	f.Try.Asks.Value = f.typed.Get("metadata.range.0.startRange") != ""
	if t != schema.TypeQuiz && t != schema.TypePoll {
		return nil
	}
	q, _, err := c.d.Engagement.QuestionOf(c.Context(), c.scope, f.Rule.ID)
	for _, choice := range q.Choices {
		id := choice.ID.String()
		f.Try.Choices = append(f.Try.Choices, formOption{schema.Option{Value: id, Label: choice.Text}, id == f.Try.Choice})
	}
	return err
}

// tryRule simulates a completion of the rule with the typed changes, and shows the form with the result.
func tryRule(c *request) (view, error) {
	f, err := pathRuleForm(c)
	if err != nil {
		return view{}, err
	}
	if c.PostForm.Has("version") && c.may(admins.ChangeProgram) { // the rule's form was posted, too
		c.readRuleForm(f)
	}
	title := f.Rule.Name + ", rule"
	if err := c.simulate(f); err != nil {
		refused := asRefusal(err)
		if refused == nil && laurel.CodeOf(err) != laurel.NotFound {
			return view{}, err
		}
		f.Try.Error = sentence(err.Error())
		if refused != nil {
			f.Try.Faults, f.Try.labels = faultTexts(refused), map[string]string{}
			for path := range f.Try.Faults {
				if label := f.faultLabel(path); label != path {
					f.Try.labels[path] = label
				}
			}
		}
		return view{template: "rule", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
	}
	c.d.sessions.Put(c.session, lastTriedMemberKey+c.site.ID.String(), f.Try.Member)
	return pageView("rule", title, f)
}

// readTryInput parses the inputs of the dry run. An unnamed member is a new one.
func (c *request) readTryInput(f *ruleForm) (completion.SimulateInput, error) {
	var faults laurel.Faults
	t := &f.Try
	in := completion.SimulateInput{CompleteInput: ruletypes.Input{RuleID: f.Rule.ID, VerificationCode: t.Code}}
	if then := c.PostFormValue("tryThen"); then != "" {
		t.At = then
	}
	if t.At != "" {
		at, err := time.Parse(dateTimeLayout, t.At)
		if err != nil {
			faults.Add("tryAt", "must be a date with a time, such as 2026-11-23T14:00")
		}
		in.At = at
	}
	if t.New {
		in.User = identity.Ref{Wallet: "a-new-member-" + c.d.NewID().String()}
	} else if id, err := laurel.ParseID(t.Member); err == nil {
		in.User = identity.Ref{UserID: id}
	} else {
		in.User = identity.Ref{Wallet: cmp.Or(t.Member, "a-new-member-"+c.d.NewID().String())}
	}
	if t.Choice != "" {
		in.QuestionChoiceID, _ = laurel.ParseID(t.Choice) // an invalid id means no choice
	}
	for _, number := range []struct {
		name, text string
		to         **laurel.Amount
	}{{"tryValue", t.Value, &in.RangeValue}, {"tryAmount", t.Amount, &in.Amount}} {
		if number.text == "" {
			continue
		}
		n, err := laurel.ParseAmount(number.text)
		if err != nil {
			faults.Add(number.name, "must be a number")
		}
		*number.to = &n
	}
	return in, faults.Err()
}

// simulate runs the dry run and stores its result in the form. If the form has changes, they are checked and simulated,
// and what the saved rule would pay is shown as well. For each check it stores whether it passed, why not, and the
// field that decides it.
func (c *request) simulate(f *ruleForm) error {
	in, err := c.readTryInput(f)
	if err != nil {
		return err
	}
	out := &tryResult{}
	draft, err := f.serviceInput()
	if err != nil {
		return err
	}
	if f.changes > 0 {
		in.Draft, out.Draft = &draft, true
		if err := c.d.Rules.CheckDraft(c.Context(), c.scope, f.Rule, draft); err != nil {
			return err
		}
	}
	done, err := c.d.Completions.Simulate(c.Context(), c.scope, in)
	if err != nil {
		return err
	}
	saved, err := c.describeSavedReward(f, in)
	if err != nil {
		return err
	}
	if n := len(done.Transactions); n > 0 {
		out.Calls = plural(n, "transaction", "transactions")
	}
	out.OK, out.Verdict = done.Refusal == nil, "Would be rewarded"
	if !out.OK {
		out.Verdict, out.Message = "Would be refused", done.Refusal.Error()
	}
	if m := done.Missing; m != nil && m.OpensAt != nil {
		out.Opens, out.OpensRaw = m.OpensAt.Time, m.OpensAt.UTC().Add(59*time.Second).Format(dateTimeLayout)
	}
	setUp := slices.IndexFunc(done.Checks, func(check decision.Check) bool { return check.Name == "setup" })
	for _, check := range done.Checks {
		made := tryCheck{Label: f.checkLabel(check.Name), OK: check.Refusal == nil}
		if !made.OK {
			made.Why, made.Field = f.explainRefusal(check, done.Missing), f.fieldOfCheck(check)
			if out.Why == "" {
				out.Why = made.Why
			}
			failSetupCheck(out.Checks, setUp, check.Refusal.Error(), made.Why)
		}
		if check.Name == "reward" {
			made.Pays, made.Value, made.Saved = true, f.describeRewards(done.Rewards), saved
		}
		out.Checks = append(out.Checks, made)
	}
	if asksQuestion(f.Rule.Type) && len(f.Try.Choices) == 0 { // whatever was chosen
		out.Why = refusalTexts[decision.MsgNoQuestion]
		failSetupCheck(out.Checks, setUp, decision.MsgNoQuestion, out.Why)
	}
	f.Try.Result = out
	return nil
}

// checkLabels are the checks of a decision in words.
var checkLabels = map[string]string{
	"overrides": "API request", "idempotencyKey": "Idempotency key", "currency": "Currency",
	"setup": "Rule setup",
	"time":  "Start and end", "blocked": "Member is not blocked", "audience": "Audience",
	"required": "Required rules and chains",
	"progress": "Progress", "account": "Connected account", "verification": "What the member does", "reward": "Reward",
}

// checkLabel returns the label of a check; that of the window by the chosen interval.
func (f *ruleForm) checkLabel(name string) string {
	if name != "window" {
		return cmp.Or(checkLabels[name], name)
	}
	i := slices.IndexFunc(f.fields, func(field schema.Field) bool { return field.Path == "interval" })
	return f.fields[i].OptionLabel(f.typed.Get("interval"))
}

// describeRewards writes rewards in words.
func (f *ruleForm) describeRewards(rewards []completion.Paid) string {
	var out []string
	for _, r := range rewards {
		switch {
		case r.Multiplier != nil:
			out = append(out, "a multiplier of "+number(*r.Multiplier))
		case r.Amount != nil:
			text := number(*r.Amount) + " " + cmp.Or(f.names.Currency(r.CurrencyID), r.RewardType)
			if r.Waiting {
				text += ", pending first"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " and ")
}

// explainRefusal says in words why a check failed, with the numbers that are missing where they are known.
func (f *ruleForm) explainRefusal(check decision.Check, m *decision.Missing) string {
	if m == nil {
		m = &decision.Missing{}
	}
	message := check.Refusal.Error()
	haveOfNeed := func(l *decision.Lack, of string) string {
		if l == nil {
			return sentence(message) + "."
		}
		return fmt.Sprintf("%s of %s%s.", number(l.Have), number(l.Need), of)
	}
	switch check.Name {
	case "required":
		if len(m.Conditions) > 0 {
			return fmt.Sprintf("%s of a chain not met yet.", plural(len(m.Conditions), "condition", "conditions"))
		}
		return haveOfNeed(m.Required, " done")
	case "progress":
		return haveOfNeed(m.Progress, "")
	case "reward":
		if m.Value != nil {
			return fmt.Sprintf("Value %s is below the lowest range, %s.", number(m.Value.Have), number(m.Value.Need))
		}
	case "verification":
		switch {
		case m.Characters != nil:
			return haveOfNeed(m.Characters, " characters")
		case m.Followers != nil:
			return haveOfNeed(m.Followers, " followers")
		case m.Fields != nil:
			return haveOfNeed(m.Fields, " fields filled")
		}
	case "window":
		if m.CapLeft != nil {
			return "The member has reached the maximum for this period."
		}
	case "setup":
		if message == decision.MsgNotCompleted {
			return "Rules of this type can’t be completed by API requests."
		}
		return f.missingSetupText()
	}
	return cmp.Or(refusalTexts[message], sentence(message)+".")
}

// missingSetupText says what a rule that is not set up needs.
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

// refusalTexts are refusals in words for admins. Members see other texts.
var refusalTexts = map[string]string{
	decision.MsgCurrencyNotFound: "The currency was deleted.", decision.MsgExpired: "The rule has ended.",
	decision.MsgBlocked: "The member is blocked.", decision.MsgNotListed: "The member is not on the list.",
	decision.MsgNewUsersOnly: "The member joined before the rule’s start.",
	decision.MsgRewarded:     "The member was already rewarded in this period.",
	decision.MsgCheckInZero:  "The amount is 0 and no streak bonus applies.",
	decision.MsgCode:         "The code is not valid for this rule or was already used.",
	decision.MsgNoChoice:     "No answer was selected.", decision.MsgNoQuestion: "The rule has no question yet.",
	decision.MsgWrongChoice: "The answer is wrong.", decision.MsgNoWallet: "The member has no wallet for token payouts.",
	decision.MsgNotCompleted:    "There is no proof yet that the member has done this.",
	decision.MsgAmountOverride:  "Only rules of type External rule accept an amount.",
	decision.MsgClickWaiting:    "The member already clicked; the reward is pending.",
	decision.MsgEmail:           "The member has no verified e-mail address.",
	decision.MsgEmailUnverified: "The e-mail address is not verified.",
	decision.MsgPhone:           "The member has no verified phone number.",
	decision.MsgVerification:    "The text is missing or too short.",
}

package rules

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/replay"
)

var replayRoutes = []route{
	web.Post("/rules/{rule}/replay", admins.ChangeProgram, "rules", "", replayRule),
	web.Get("/rules/{rule}/replays/{replay}", admins.SeeMembers, "rules", replayPage),
}

const (
	replayDays         = 30
	replayPatience     = 1500 * time.Millisecond // before an answer says that the replay is under way
	replayPollInterval = 100 * time.Millisecond
)

// replayCard is the result of a replay as a card shows it.
type replayCard struct {
	replay.Job
	Days     int
	Error    string
	Unit     string
	Examples []replayedMember
}

// replayedMember is a member whose completion the changed rule decides differently.
type replayedMember struct {
	parts.Person
	replay.Replayed
}

// Stay returns how many completions would still succeed.
func (r replayCard) Stay() int { return r.Result.Total.Completions - r.Result.Total.Refused }

// replayRule decides the completions of the last replayDays days again with the typed changes of the rule. It shows the
// form with the result, or with the progress if that takes longer.
func replayRule(c *call) (web.View, error) {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return web.View{}, err
	}
	if c.PostForm.Has("version") { // the rule's form was posted, too
		c.readPostedRule(f)
	}
	title := f.Rule.Name + ", rule"
	if f.Replay, err = c.startReplay(f); err != nil {
		refused := web.AsRefusal(err)
		if refused == nil {
			return web.View{}, err
		}
		f.Replay = &replayCard{Error: web.Sentence(refused.Message) + "."}
		for path, text := range web.FaultTexts(refused) {
			f.Replay.Error = f.faultLabel(path) + ": " + text + "."
		}
		return web.Refused("rule", title, f), nil
	}
	return web.Show("rule", title, f)
}

// startReplay starts a replay of the form's changes and waits a moment for its result. The end of the replayed time is
// rounded to a minute, so that a form that is sent again within that minute gets the same replay.
func (c *call) startReplay(f *ruleForm) (*replayCard, error) {
	in, err := f.serviceInput()
	if err != nil {
		return nil, err
	}
	end := c.Now().Truncate(time.Minute).Add(time.Minute)
	job, err := c.Replay.Enqueue(c.Context(), c.Scope.At(c.Site.ID), replay.Input{
		RuleID: f.Rule.ID, Changes: in, From: end.AddDate(0, 0, -replayDays), To: end,
	})
	if err != nil {
		return nil, err
	}
	if job, err = c.awaitReplay(job); err != nil {
		return nil, err
	}
	return c.newReplayCard(f.Rule, job)
}

// awaitReplay waits up to replayPatience for a replay to end, and returns it as it is then.
func (c *call) awaitReplay(job replay.Job) (replay.Job, error) {
	late := time.After(replayPatience)
	tick := time.NewTicker(replayPollInterval)
	defer tick.Stop()
	for job.IsOpen() {
		select {
		case <-late:
			return job, nil
		case <-c.Context().Done():
			return job, nil
		case <-tick.C:
		}
		var err error
		if job, err = c.Replay.Job(c.Context(), c.Scope.At(c.Site.ID), job.ID); err != nil {
			return job, err
		}
	}
	return job, nil
}

// newReplayCard returns the card of a replay of a rule. If the replay has ended, the card includes examples of members
// whose completion the changed rule decides differently.
func (c *call) newReplayCard(rule catalog.Rule, job replay.Job) (*replayCard, error) {
	out := &replayCard{Job: job, Days: int(job.To.Sub(job.From.Time).Round(web.Day) / web.Day)}
	if job.Result == nil {
		return out, nil
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return nil, err
	}
	out.Unit = currencies.Name(rule.Currency())
	examples := job.Result.Examples
	userOf := func(example replay.MemberReplayed) laurel.ID { return example.UserID }
	people, err := c.ReadPeople(web.UniqueIDs(examples, userOf))
	for _, example := range examples {
		out.Examples = append(out.Examples, replayedMember{people[example.UserID], example.Replayed})
	}
	return out, err
}

// replayData is the data of a replay's own page.
type replayData struct {
	ruleHead
	Replay *replayCard
}

// replayPage shows a replay of a rule. A replay of another rule is not found.
func replayPage(c *call) (web.View, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("replay", "Replay")
	if err != nil {
		return web.View{}, err
	}
	job, err := c.Replay.Job(c.Context(), c.Scope.At(c.Site.ID), id)
	if err != nil {
		return web.View{}, err
	}
	if job.RuleID != head.Rule.ID {
		return web.View{}, laurel.Missing("Replay")
	}
	card, err := c.newReplayCard(head.Rule, job)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-replay", head.Rule.Name+", replay", replayData{head, card})
}

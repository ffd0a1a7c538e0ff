package completion

import (
	"time"

	"laurel"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
)

// trigger is what asks for a completion. The pipeline goes by its properties and never asks which one it has.
type trigger struct {
	ruletypes.Trigger
	manner
	settled   bool         // the payment was decided before: nobody is asked about it again
	notes     bool         // it is only noted that the member is eligible, where members are to claim (contract 5.3)
	follows   bool         // the completion is made along with what sets it off, and is told to nobody
	counts    bool         // a refusal of it is counted: somebody asked
	explains  bool         // every check is told, also behind one that refuses
	locks     []store.Lock // further rows
	claimants []laurel.ID  // of what is settled: the members of the group for whom it was claimed
	given     *told        // what a function has said before it was known about whom; nil: it is asked
}

// manner is what triggers do differently.
type manner interface {
	// over reports whether another transaction has ended what asked for the completion.
	over(b *store.Batch, w *completion) bool
	// decide judges the facts.
	decide(f *decision.Facts) (decision.Reward, error)
	// pays changes what is posted, and reports whether the caller's key is used by it.
	pays(b *store.Batch, w *completion, p *ledger.Posting) (keyed bool)
	// ends is called when the payment is staged.
	ends(b *store.Batch, w *completion)
	// keeps writes into what an external ledger is asked for how the completion goes on when it has accepted.
	keeps(a *agreement)
}

// called is the manner of completion calls. Others embed it for what they share with calls.
type called struct{}

func (called) over(*store.Batch, *completion) bool               { return false }
func (called) decide(f *decision.Facts) (decision.Reward, error) { return decision.Decide(*f) }
func (called) pays(_ *store.Batch, w *completion, _ *ledger.Posting) (keyed bool) {
	return w.In.Key != ""
}
func (called) ends(*store.Batch, *completion) {}
func (called) keeps(*agreement)               {}

// call is a member's call.
func call() trigger {
	return trigger{Trigger: ruletypes.Trigger{Name: "completion"}, manner: called{}, counts: true}
}

// onBehalf is a call that a function gives to somebody else.
func onBehalf(given *told) trigger {
	t := call()
	t.given = given
	return t
}

// dryRun tells what a call would come to, as if it were another time; zero: now.
func dryRun(at time.Time) trigger {
	t := call()
	t.Moment, t.explains = at, true
	return t
}

// deed is something that checks a member in besides a call: the completion of another rule, or an entry of the member's
// (contract 5.9).
func deed() trigger {
	return trigger{Trigger: ruletypes.Trigger{Name: "check-in", By: decision.ByDeed}, manner: checkingIn{}, follows: true}
}

type checkingIn struct{ called }

func (checkingIn) keeps(a *agreement) { a.Deed = true }

// aged is a click that is decided for its own moment, which lies in the past, so that neither the window nor the rule's
// end moves while it ages.
func aged(j *completionjobs.Job) trigger {
	of := ruletypes.Trigger{Name: "completion by a job", Moment: store.Time(j.CreatedAt), Job: j}
	return trigger{Trigger: of, manner: aging{job: j}, counts: true}
}

type aging struct {
	called
	job *completionjobs.Job
}

func (m aging) over(b *store.Batch, w *completion) bool {
	return !ruletypes.JobWaits(b, &w.Case, m.job)
}
func (m aging) keeps(a *agreement) { a.Job = m.job }

// Occasion completes rules where nobody calls: an event that a rule waits for, or a run on its schedule.
type Occasion struct {
	By     decision.Occasion
	At     time.Time // what is decided is decided as of this moment
	Since  time.Time // of a run: the one before; zero in the first one
	Window string    // the key of the window that a payment closes, in place of the interval's
}

func (o *Occasion) trigger() trigger {
	name, run := "completion by an event", o.By == decision.ByRun
	if run {
		name = "completion by a run"
	}
	of := ruletypes.Trigger{Name: name, By: o.By, Moment: o.At, Since: o.Since, Window: o.Window, Fixed: true}
	return trigger{Trigger: of, manner: occurring{of: o}, notes: run}
}

type occurring struct {
	called
	of *Occasion
}

func (m occurring) keeps(a *agreement) { a.Fed = m.of }

// trigger is that of a payment which an external ledger has accepted. It is written as it was decided then, whatever
// has changed since.
func (a *agreement) trigger() trigger {
	t := call()
	switch {
	case a.Fed != nil:
		t = a.Fed.trigger()
	case a.Job != nil:
		t = aged(a.Job)
	}
	t.manner, t.settled, t.notes = accepted{of: a}, true, false
	t.Moment, t.Window, t.Fixed = a.At, a.Window, true
	t.locks, t.claimants = a.post.Locks(), a.Claimants
	if a.Said != nil {
		t.given = &told{answer: *a.Said}
	}
	return t
}

type accepted struct {
	called
	of *agreement
}

func (m accepted) over(b *store.Batch, _ *completion) bool { return !external.IsOpen(b, m.of.post.ID) }

func (m accepted) decide(f *decision.Facts) (decision.Reward, error) {
	f.CurrencyLive = true // when it was agreed to
	return m.of.Reward, nil
}

// pays makes a posting one that was agreed to. A key that something in another currency has used meanwhile cannot be
// its entry's.
func (m accepted) pays(b *store.Batch, w *completion, p *ledger.Posting) (keyed bool) {
	p.Mirror, p.AtOnce = true, true
	if p.Facts != nil { // a lump sum alone is decided by no facts of its own
		p.Facts = m.of.Facts
	}
	keyed = w.In.Key != "" && !ledger.Keys.Row(b, w.key()).Used()
	if !keyed {
		p.Lines[0].Key = ""
	}
	return keyed
}

func (m accepted) ends(b *store.Batch, w *completion) {
	external.End(b, m.of.post, *w.answer.TransactionID, string(store.JSON(w.answer)))
}

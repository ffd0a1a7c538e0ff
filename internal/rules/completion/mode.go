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

// mode is what asks for a completion. The pipeline goes by its properties and never asks which one it has.
type mode struct {
	ruletypes.Trigger
	modeHooks
	isDecided        bool          // the payment was decided before: nobody is asked about it again
	notesEligibility bool          // where members must claim, it only notes that the member is eligible (contract 5.3)
	isAutoCheckIn    bool          // the completion is made along with what sets it off, and is told to nobody
	countsRefusals   bool          // a refusal of it is counted: somebody asked
	isSimulation     bool          // every check is told, also behind one that refuses
	extraLocks       []store.Lock  // further rows
	claimants        []laurel.ID   // of what is settled: the members of the group for whom it was claimed
	verification     *verification // what a function has said before it was known about whom; nil: it is asked
}

// modeHooks is what triggers do differently.
type modeHooks interface {
	// isDone reports whether another transaction has ended what asked for the completion.
	isDone(b *store.Batch, w *completion) bool
	// decide judges the facts.
	decide(f *decision.Facts) (decision.Reward, error)
	// adjustPosting changes what is posted, and reports whether the caller's key is used by it.
	adjustPosting(b *store.Batch, w *completion, p *ledger.Posting) (keyed bool)
	// finish is called when the payment is staged.
	finish(b *store.Batch, w *completion)
	// record writes into what an external ledger is asked for how the completion goes on when it has accepted.
	record(a *acceptedPayment)
}

// callHooks is the manner of completion calls. Others embed it for what they share with calls.
type callHooks struct{}

func (callHooks) isDone(*store.Batch, *completion) bool             { return false }
func (callHooks) decide(f *decision.Facts) (decision.Reward, error) { return decision.Decide(*f) }
func (callHooks) adjustPosting(_ *store.Batch, w *completion, _ *ledger.Posting) (keyed bool) {
	return w.In.Key != ""
}
func (callHooks) finish(*store.Batch, *completion) {}
func (callHooks) record(*acceptedPayment)          {}

// callMode is a member's call.
func callMode() mode {
	return mode{Trigger: ruletypes.Trigger{Name: "completion"}, modeHooks: callHooks{}, countsRefusals: true}
}

// onBehalfMode is a call that a function gives to somebody else.
func onBehalfMode(given *verification) mode {
	t := callMode()
	t.verification = given
	return t
}

// simulationMode tells what a call would come to, as if it were another time; zero: now.
func simulationMode(at time.Time) mode {
	t := callMode()
	t.Moment, t.isSimulation = at, true
	return t
}

// autoCheckInMode is something that checks a member in besides a call: the completion of another rule, or an entry of
// the member's (contract 5.9).
func autoCheckInMode() mode {
	return mode{Trigger: ruletypes.Trigger{Name: "check-in", Kind: decision.ByAutoCheckIn}, modeHooks: autoCheckInHooks{}, isAutoCheckIn: true}
}

type autoCheckInHooks struct{ callHooks }

func (autoCheckInHooks) record(a *acceptedPayment) { a.AutoCheckIn = true }

// jobMode is a click that is decided for its own moment, which lies in the past, so that neither the window nor the
// rule's end moves while it ages.
func jobMode(j *completionjobs.Job) mode {
	of := ruletypes.Trigger{Name: "completion by a job", Moment: store.Time(j.CreatedAt), Job: j}
	return mode{Trigger: of, modeHooks: jobHooks{job: j}, countsRefusals: true}
}

type jobHooks struct {
	callHooks
	job *completionjobs.Job
}

func (m jobHooks) isDone(b *store.Batch, w *completion) bool {
	return !ruletypes.JobIsPending(b, &w.Case, m.job)
}
func (m jobHooks) record(a *acceptedPayment) { a.Job = m.job }

// EventOrRun completes rules where nobody calls: an event that a rule waits for, or a run on its schedule.
type EventOrRun struct {
	By     decision.TriggerKind
	At     time.Time // what is decided is decided as of this moment
	Since  time.Time // of a run: the one before; zero in the first one
	Window string    // the key of the window that a payment closes, in place of the interval's
}

func (o *EventOrRun) mode() mode {
	name, run := "completion by an event", o.By == decision.ByRun
	if run {
		name = "completion by a run"
	}
	of := ruletypes.Trigger{
		Name: name, Kind: o.By, Moment: o.At, PreviousRunAt: o.Since, Window: o.Window, HasFixedWindow: true,
	}
	return mode{Trigger: of, modeHooks: eventOrRunHooks{trigger: o}, notesEligibility: run}
}

type eventOrRunHooks struct {
	callHooks
	trigger *EventOrRun
}

func (m eventOrRunHooks) record(a *acceptedPayment) { a.EventOrRun = m.trigger }

// mode is that of a payment which an external ledger has accepted. It is written as it was decided then, whatever
// has changed since.
func (a *acceptedPayment) mode() mode {
	t := callMode()
	switch {
	case a.EventOrRun != nil:
		t = a.EventOrRun.mode()
	case a.Job != nil:
		t = jobMode(a.Job)
	}
	t.modeHooks, t.isDecided, t.notesEligibility = acceptedHooks{payment: a}, true, false
	t.Moment, t.Window, t.HasFixedWindow = a.At, a.Window, true
	t.extraLocks, t.claimants = a.post.Locks(), a.Claimants
	if a.Verification != nil {
		t.verification = &verification{answer: *a.Verification}
	}
	return t
}

type acceptedHooks struct {
	callHooks
	payment *acceptedPayment
}

func (m acceptedHooks) isDone(b *store.Batch, _ *completion) bool {
	return !external.IsOpen(b, m.payment.post.ID)
}

func (m acceptedHooks) decide(f *decision.Facts) (decision.Reward, error) {
	f.CurrencyLive = true // when it was agreed to
	return m.payment.Reward, nil
}

// adjustPosting makes a posting one that was agreed to. A key that something in another currency has used meanwhile
// cannot be its entry's.
func (m acceptedHooks) adjustPosting(b *store.Batch, w *completion, p *ledger.Posting) (keyed bool) {
	p.Mirror, p.AtOnce = true, true
	if p.Facts != nil { // a lump sum alone is decided by no facts of its own
		p.Facts = m.payment.Facts
	}
	keyed = w.In.Key != "" && !ledger.Keys.Row(b, w.keyID()).Used()
	if !keyed {
		p.Lines[0].Key = ""
	}
	return keyed
}

func (m acceptedHooks) finish(b *store.Batch, w *completion) {
	external.End(b, m.payment.post, *w.result.TransactionID, string(store.JSON(w.result)))
}

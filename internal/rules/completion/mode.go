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

// mode says how a completion goes, by what triggers it. The pipeline looks at these properties and never at the trigger
// itself.
type mode struct {
	ruletypes.Trigger
	modeHooks
	isDecided        bool // an external ledger has accepted the payment, so nothing is verified or decided again
	notesEligibility bool // where members must claim, it only notes that the member is eligible (contract 5.3)
	isAutoCheckIn    bool // it is committed with the completion or entry that triggers it, and has no caller
	countsRefusals   bool // refusals are counted, because a caller asked
	isSimulation     bool // every check is shown, also behind one that refuses
	extraLocks       []store.Lock
	claimants        []laurel.ID   // if isDecided: the members of the group when the reward was claimed
	verification     *verification // what a function said before the member was known; nil: it is asked
}

// modeHooks are the actions that differ by mode.
type modeHooks interface {
	// isDone reports whether another transaction has already done what triggered the completion.
	isDone(b *store.Batch, w *completion) bool
	// decide returns the reward or the refusal. It may change the facts.
	decide(f *decision.Facts) (decision.Reward, error)
	// adjustPosting changes the posting before it is staged, and reports whether the posting uses the caller's key.
	adjustPosting(b *store.Batch, w *completion, p *ledger.Posting) (usesKey bool)
	// finish stages what follows the payment.
	finish(b *store.Batch, w *completion)
	// record notes in the payment that an external ledger is asked to accept how to resume it in the same mode.
	record(a *acceptedPayment)
}

// callHooks are the hooks of completion calls. Other modes embed them.
type callHooks struct{}

func (callHooks) isDone(*store.Batch, *completion) bool             { return false }
func (callHooks) decide(f *decision.Facts) (decision.Reward, error) { return decision.Decide(*f) }
func (callHooks) adjustPosting(_ *store.Batch, w *completion, _ *ledger.Posting) (usesKey bool) {
	return w.In.Key != ""
}
func (callHooks) finish(*store.Batch, *completion) {}
func (callHooks) record(*acceptedPayment)          {}

// callMode returns the mode of a completion call.
func callMode() mode {
	return mode{Trigger: ruletypes.Trigger{Name: "completion"}, modeHooks: callHooks{}, countsRefusals: true}
}

// onBehalfMode returns the mode of a call whose function has named another member, with what the function said.
func onBehalfMode(v *verification) mode {
	m := callMode()
	m.verification = v
	return m
}

// simulationMode returns the mode of a call that is only tried, as if it came at a moment; zero: now.
func simulationMode(at time.Time) mode {
	m := callMode()
	m.Moment, m.isSimulation = at, true
	return m
}

// autoCheckInMode returns the mode of a check-in that no call asks for: the completion of another rule, or an entry of
// the member, triggers it (contract 5.9).
func autoCheckInMode() mode {
	trigger := ruletypes.Trigger{Name: "check-in", Kind: decision.TriggerAutoCheckIn}
	return mode{Trigger: trigger, modeHooks: autoCheckInHooks{}, isAutoCheckIn: true}
}

type autoCheckInHooks struct{ callHooks }

func (autoCheckInHooks) record(a *acceptedPayment) { a.AutoCheckIn = true }

// jobMode returns the mode of a completion job. It is decided as of the moment of the call, so that neither the window
// nor the rule's end moves while the job waits.
func jobMode(j *completionjobs.Job) mode {
	trigger := ruletypes.Trigger{Name: "completion by a job", Moment: store.Time(j.CreatedAt), Job: j}
	return mode{Trigger: trigger, modeHooks: jobHooks{job: j}, countsRefusals: true}
}

type jobHooks struct {
	callHooks
	job *completionjobs.Job
}

func (m jobHooks) isDone(b *store.Batch, w *completion) bool {
	return !ruletypes.JobIsPending(b, &w.Case, m.job)
}
func (m jobHooks) record(a *acceptedPayment) { a.Job = m.job }

// EventOrRun triggers completions that no call asks for: an event that a rule waits for, or a run on its schedule. It
// is stored with payments that external ledgers are asked to accept.
type EventOrRun struct {
	Kind          decision.TriggerKind `json:"By"`
	At            time.Time            // the moment as of which the completion is decided
	PreviousRunAt time.Time            `json:"Since"` // zero: events, and the first run of a rule
	Window        string               // the key of the window that a payment closes, in place of the interval's
}

// mode returns the mode of completions by the event or run: their trigger, and what they do differently from a call.
func (o *EventOrRun) mode() mode {
	name, isRun := "completion by an event", o.Kind == decision.TriggerRun
	if isRun {
		name = "completion by a run"
	}
	trigger := ruletypes.Trigger{
		Name: name, Kind: o.Kind, Moment: o.At, PreviousRunAt: o.PreviousRunAt, Window: o.Window, HasFixedWindow: true,
	}
	return mode{Trigger: trigger, modeHooks: eventOrRunHooks{trigger: o}, notesEligibility: isRun}
}

type eventOrRunHooks struct {
	callHooks
	trigger *EventOrRun
}

func (m eventOrRunHooks) record(a *acceptedPayment) { a.EventOrRun = m.trigger }

// mode returns the mode of a payment that an external ledger has accepted. The payment is written as it was decided
// before the ledger was asked, by the same trigger, whatever has changed since.
func (a *acceptedPayment) mode() mode {
	m := callMode()
	switch {
	case a.EventOrRun != nil:
		m = a.EventOrRun.mode()
	case a.Job != nil:
		m = jobMode(a.Job)
	}
	m.modeHooks, m.isDecided, m.notesEligibility = acceptedHooks{payment: a}, true, false
	m.Moment, m.Window, m.HasFixedWindow = a.At, a.Window, true
	m.extraLocks, m.claimants = a.post.Locks(), a.Claimants
	if a.Verification != nil {
		m.verification = &verification{answer: *a.Verification}
	}
	return m
}

type acceptedHooks struct {
	callHooks
	payment *acceptedPayment
}

func (m acceptedHooks) isDone(b *store.Batch, _ *completion) bool {
	return !external.IsOpen(b, m.payment.post.ID)
}

func (m acceptedHooks) decide(f *decision.Facts) (decision.Reward, error) {
	f.CurrencyLive = true // it was when the external ledger was asked
	return m.payment.Reward, nil
}

// adjustPosting turns the posting into a mirror of the transaction that the external ledger has accepted. It reports
// whether the posting uses the caller's key: if a posting in another currency has used the key meanwhile, it removes
// the key from the entry and returns false.
func (m acceptedHooks) adjustPosting(b *store.Batch, w *completion, p *ledger.Posting) (usesKey bool) {
	p.IsMirror, p.CreditNow = true, true
	if p.Facts != nil { // a referrer bonus alone has no facts
		p.Facts = m.payment.Facts
	}
	usesKey = w.In.Key != "" && !ledger.Keys.Row(b, w.keyID()).IsUsed()
	if !usesKey {
		p.Lines[0].Key = ""
	}
	return usesKey
}

func (m acceptedHooks) finish(b *store.Batch, w *completion) {
	external.End(b, m.payment.post, *w.result.TransactionID, string(store.JSON(w.result)))
}

package dashboard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/panics"
	"laurel/internal/rules/replay"
)

var replayRoutes = []route{
	{ofWebsite, admins.SeeMembers, "rules", post, "/rules/{rule}/replay", replayRule},
}

const (
	replayDays     = 30
	replayWaits    = 1500 * time.Millisecond // before an answer says how far it is
	replayUnasked  = 30 * time.Second        // after which a replay that nobody asks for ends
	replayKept     = 2 * time.Minute         // after which an outcome that nobody asks for is forgotten
	replayFailed   = 10 * time.Second        // after which a failure is forgotten
	replaysAtOnce  = 4                       // of a node
	replayExamples = 8
)

// errReplays refuses a replay while others run.
var errReplays = laurel.Errorf(laurel.Refused, "Other replays are under way. Try again in a minute")

// replays are the replays of this node. The form is sent with each question, so that another node that is asked begins
// its own.
type replays struct {
	now  func() time.Time
	mu   sync.Mutex
	runs map[string]*replaying
}

// replaying is a replay under way, or done.
type replaying struct {
	judged atomic.Int64
	asked  time.Time // guarded by replays.mu
	done   chan struct{}
	out    replay.Replay // once done is closed
	err    error
}

func (r *replaying) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// ask returns the replay of the key, which it begins where there is none. Errors: errReplays.
func (r *replays) ask(
	ctx context.Context,
	key string,
	run func(context.Context, *replaying) error,
) (*replaying, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, open := r.now(), 0
	for k, other := range r.runs {
		switch {
		case !other.over():
			open++
		case now.Sub(other.asked) > replayKept:
			delete(r.runs, k)
		}
	}
	if known := r.runs[key]; known != nil {
		if !known.over() || known.err == nil { // a failure is not kept for longer by asking
			known.asked = now
		}
		return known, nil
	}
	if open >= replaysAtOnce {
		return nil, errReplays
	}
	if r.runs == nil {
		r.runs = map[string]*replaying{}
	}
	made := &replaying{asked: now, done: make(chan struct{})}
	r.runs[key] = made
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the request ends before
	go r.watch(made, cancel)
	go func() {
		defer cancel()
		made.err = panics.Safely(func() error { return run(ctx, made) })
		close(made.done)
		if made.err == nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if made.asked = r.now().Add(replayFailed - replayKept); errors.Is(made.err, context.Canceled) {
			delete(r.runs, key) // the next question begins anew
		}
	}()
	return made, nil
}

// watch ends a replay that nobody asks for any more.
func (r *replays) watch(one *replaying, cancel func()) {
	tick := time.NewTicker(replayUnasked / 6)
	defer tick.Stop()
	for {
		select {
		case <-one.done:
			return
		case <-tick.C:
			r.mu.Lock()
			late := r.now().Sub(one.asked) > replayUnasked
			r.mu.Unlock()
			if late {
				cancel()
				return
			}
		}
	}
}

// replayed is what the card of a replay shows.
type replayed struct {
	Days     int
	Draft    bool // it judged what is typed
	Running  bool
	Judged   int64
	Error    string
	Total    replay.Replayed
	Stay     int // completions that would still be completed
	Unit     string
	Unknown  int
	Fixed    int // completions whose amount the caller named
	Members  int // for whom something would differ
	Examples []replayedMember
}

// replayedMember is a member for whom the changed rule would have differed.
type replayedMember struct {
	person
	replay.Replayed
}

// replayRule decides the completions of the last days again by what is typed, and shows the form with what came of it.
func replayRule(c *call) (view, error) {
	f, err := ruleForID(c)
	if err != nil {
		return view{}, err
	}
	if c.PostForm.Has("version") && c.may(admins.ChangeProgram) { // the form came along
		c.take(f)
	}
	title := f.Rule.Name + ", rule"
	if err := c.replay(f); err != nil {
		refused := refusalOf(err)
		if refused == nil {
			return view{}, err
		}
		f.Replay = &replayed{Error: sentence(refused.Message) + "."}
		for path, text := range faultsOf(refused) {
			f.Replay.Error = f.labelOf(path) + ": " + text + "."
		}
		return view{page: "rule", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
	}
	return show("rule", title, f)
}

func (c *call) replay(f *ruleForm) error {
	in, err := f.input()
	if err != nil {
		return err
	}
	now := c.d.Now()
	asked := replay.Input{RuleID: f.Rule.ID, Changes: in, From: now.AddDate(0, 0, -replayDays), To: now}
	scope, service := c.scope.At(c.site.ID), c.d.Replay
	key := c.replayKey(f, encoded(in))
	run, err := c.d.replays.ask(c.Context(), key, func(ctx context.Context, r *replaying) (err error) {
		asked.Judged = func() { r.judged.Add(1) }
		r.out, err = service.Replay(ctx, scope, asked)
		return err
	})
	if err != nil {
		return err
	}
	wait := time.NewTimer(replayWaits)
	defer wait.Stop()
	select {
	case <-run.done:
	case <-wait.C:
	case <-c.Context().Done():
	}
	f.Replay = &replayed{Days: replayDays, Draft: f.changes > 0, Judged: run.judged.Load()}
	if !run.over() {
		f.Replay.Running = true
		return nil
	}
	if errors.Is(run.err, context.Canceled) {
		return laurel.Errorf(laurel.Refused, "The replay ended, as nobody asked for it any more. Start it again")
	}
	if run.err != nil && refusalOf(run.err) == nil { // in words: the card would ask again and again
		c.d.Logger.Error("a replay failed", slog.String("request", c.id), slog.Any("error", run.err))
		return laurel.Errorf(laurel.Refused, "Something broke on our side. Tell your operator this id: %s", c.id)
	}
	if run.err != nil {
		return run.err
	}
	return c.tellReplay(f, run.out)
}

// replayKey names a replay: who asks, of which rule, and with what changes.
func (c *call) replayKey(f *ruleForm, changes []byte) string {
	sum := sha256.Sum256(changes)
	return fmt.Sprint(c.admin.ID, " ", f.Rule.ID, " ", f.Rule.Version, " ", hex.EncodeToString(sum[:]))
}

// tellReplay puts an outcome into the form: the sums, and the members for whom most would differ.
func (c *call) tellReplay(f *ruleForm, out replay.Replay) error {
	r := f.Replay
	r.Total, r.Unknown, r.Fixed, r.Stay = out.Total, out.Unknown, out.Overridden, out.Total.Completions-out.Total.Refused
	r.Unit = f.names.currencies[f.Rule.Currency()]
	differ := slices.DeleteFunc(slices.Clone(out.Members), func(m replay.MemberReplayed) bool { return m.Differing == 0 })
	r.Members = len(differ)
	slices.SortStableFunc(differ, func(a, b replay.MemberReplayed) int {
		return cmp.Compare(max(b.Difference(), -b.Difference()), max(a.Difference(), -a.Difference()))
	})
	differ = differ[:min(len(differ), replayExamples)]
	who, err := c.people(idsOf(differ, func(m replay.MemberReplayed) laurel.ID { return m.UserID }))
	for _, m := range differ {
		r.Examples = append(r.Examples, replayedMember{who[m.UserID], m.Replayed})
	}
	return err
}

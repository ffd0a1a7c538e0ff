package external

import (
	"bytes"
	"cmp"
	"encoding/json"

	"laurel"
	"laurel/internal/store"
)

// The places in the lock order of the service (docs/ARCHITECTURE.md).
const (
	rankHolds = 42
	rankPosts = 43
)

// row is a post as it is stored.
type row struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	Kind           string    `db:"kind"`
	Entries        string    `db:"entries"`
	Record         string    `db:"record"`
	Holds          string    `db:"holds"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Answer         string    `db:"answer"`
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	InDoubt        bool      `db:"in_doubt"`
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	FinishedAt     *int64    `db:"finished_at"`
	fresh          bool
}

// kept is the record with the request that asked for the post.
type kept struct {
	Record  json.RawMessage `json:"record"`
	Request *Request        `json:"request,omitempty"`
}

func (r row) post() (Post, error) {
	p := Post{ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, CurrencyID: r.CurrencyID, Kind: r.Kind, Status: r.Status,
		Message: r.Message, Answer: r.Answer, TransactionID: r.TransactionID, InDoubt: r.InDoubt, Attempts: r.Attempts, DueAt: store.Time(r.DueAt),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt)}
	if r.FinishedAt != nil {
		p.FinishedAt = store.Time(*r.FinishedAt)
	}
	var k kept
	for text, to := range map[string]any{r.Entries: &p.Entries, r.Record: &k, r.Holds: &p.Holds} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			return p, err
		}
	}
	p.Record, p.Request = k.Record, k.Request
	return p, nil
}

// posts are posts as Works lock them.
var posts = &store.Table[laurel.ID, row]{
	Name: "outside posts", Rank: rankPosts,
	Compare: func(a, b laurel.ID) int { return bytes.Compare(a[:], b[:]) },
	Query:   selectPost,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *row) laurel.ID { return r.ID },
	New:     func(id laurel.ID) *row { return &row{ID: id, fresh: true} },
	Mode:    store.LockUpdate,
	Save:    savePosts,
}

// hold keeps something from being paid for twice while a post is open.
type hold struct {
	Hold           string    `db:"hold"`
	PostID         laurel.ID `db:"post_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	gone           bool
}

var holds = &store.Table[string, hold]{
	Name: "outside holds", Rank: rankHolds,
	Compare: cmp.Compare[string],
	Query:   selectHold,
	Key:     store.Columns("hold text"),
	Args:    func(h string) []any { return []any{h} },
	KeyOf:   func(h *hold) string { return h.Hold },
	New:     func(h string) *hold { return &hold{Hold: h} },
	Mode:    store.LockNone, // unique; a concurrent insert makes the batch run again
	Save:    saveHolds,
}

// Locks are the rows by which Met, Stage and End go. Those of End name the post.
func Locks(post laurel.ID, named []string) []store.Lock {
	locks := []store.Lock{posts.Lock(post)}
	for _, h := range named {
		locks = append(locks, holds.Lock(h))
	}
	return locks
}

// Met answers the open post that holds one of these things, or the zero id.
func Met(b *store.Batch, named []string) laurel.ID {
	for _, h := range named {
		if id := holds.Row(b, h).PostID; !id.IsZero() {
			return id
		}
	}
	return laurel.ID{}
}

// Stage writes a new post with its holds; its id was named in the Locks.
func Stage(b *store.Batch, p Post) error {
	now := store.Micros(b.Now())
	r := posts.Changed(b, p.ID)
	*r = row{ID: p.ID, OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID, CurrencyID: p.CurrencyID, Kind: p.Kind, Status: Open, DueAt: now,
		CreatedAt: now, UpdatedAt: now, fresh: true}
	for to, value := range map[*string]any{&r.Entries: p.Entries, &r.Record: kept{p.Record, p.Request}, &r.Holds: p.Holds} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		*to = string(text)
	}
	for _, name := range p.Holds {
		h := holds.Changed(b, name)
		h.PostID, h.OrganizationID, h.WebsiteID = p.ID, p.OrganizationID, p.WebsiteID
	}
	return nil
}

// IsOpen reports whether a locked post still waits to be ended: another node may have been first.
func IsOpen(b *store.Batch, id laurel.ID) bool {
	r := posts.Row(b, id)
	return !r.fresh && r.FinishedAt == nil
}

// End ends a post as done, with what the transaction answered.
func End(b *store.Batch, p Post, transaction laurel.ID, answer string) {
	now := store.Micros(b.Now())
	r := posts.Changed(b, p.ID)
	r.Status, r.Message, r.Answer, r.TransactionID, r.UpdatedAt, r.FinishedAt = Done, "", answer, transaction, now, &now
	for _, name := range p.Holds {
		holds.Changed(b, name).gone = true
	}
}

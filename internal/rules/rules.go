// Package rules owns rules, their groups and history, what they remember of each member, and completion: the decision whether a member
// has earned a rule's reward, and exactly one payment for it. What a rule may say is the business of rulebook; points belong to ledger, users
// to identity.
package rules

import (
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/decision"
	"laurel/internal/identity"
	"laurel/internal/jobs"
	"laurel/internal/ledger"
	"laurel/internal/rulebook"
	"laurel/internal/store"
)

// Rule is one rule with everything that callers see of it (contract 3.12).
type Rule struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	rulebook.Properties
	Version              int64 // raised by every change
	CreatedAt, UpdatedAt time.Time
	DeletedAt            time.Time      // zero while live
	meta                 *rulebook.Meta // what Meta answers, of a rule that is read often and never changed
}

// byCode reports whether each code is a window of its own (contract 5.3).
func (r *Rule) byCode() bool { return r.Type == rulebook.TypeCodeEntry && r.Meta().AllowMultiple }

// Meta is the metadata that completion goes by.
func (r *Rule) Meta() rulebook.Meta {
	if r.meta != nil {
		return *r.meta
	}
	return r.Properties.Meta()
}

// Service carries out the operations on rules.
type Service struct {
	db        *store.DB
	committer *store.Committer
	people    *identity.Service
	ledger    *ledger.Service
	reads     *reads
	log       *slog.Logger
	jobs      *jobs.Queue
	parts     []concern
	// codesWanted wakes Run when a rule asks for more codes than its own transaction made.
	codesWanted chan struct{}
}

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Logger    *slog.Logger
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, committer: c.Committer, people: c.People, ledger: c.Ledger, reads: newReads(c.DB), log: c.Logger, codesWanted: make(chan struct{}, 1)}
	s.jobs = &jobs.Queue{DB: c.DB, Logger: c.Logger, Decide: s.decideJob, Fault: decision.MsgFault}
	s.parts = s.concerns()
	return s
}

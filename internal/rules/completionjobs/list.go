package completionjobs

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Service reads jobs.
type Service struct{ db *store.DB }

// NewService returns a service on the database.
func NewService(db *store.DB) *Service { return &Service{db} }

// Filter limits a list of jobs. All conditions that are set must hold.
type Filter struct{ Status string }

// Statuses lists the statuses of jobs.
func Statuses() []string { return []string{Pending, Completed, Failed} }

// List returns jobs of the scope, newest first. Jobs that have ended are removed after an hour. Errors: Invalid for an
// unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, f Filter, page laurel.PageRequest,
) (laurel.Page[Job], error) {
	return table.Page(ctx, s.db, newest(scope, f), page)
}

// Created returns when the completion was called.
func (j Job) Created() time.Time { return store.Time(j.CreatedAt) }

// Due returns when the next attempt of a pending job begins, at the earliest.
func (j Job) Due() time.Time { return store.Time(j.DueAt) }

// Shown returns the text that admins see: why the last attempt of a pending job decided nothing, or the job's message.
func (j Job) Shown() string {
	if j.Status == Pending && j.Fault != "" {
		return j.Fault
	}
	return j.Message
}

// Ended returns when the job was decided, or when the pending one was written.
func (j Job) Ended() time.Time { return store.Time(j.UpdatedAt) }

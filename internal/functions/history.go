package functions

import (
	"context"
	"maps"
	"slices"
	"time"

	"laurel"
)

// Version is one state of the code of a function.
type Version struct {
	Number    int64
	CreatedAt time.Time
}

// Recent is what a function did lately.
type Recent struct {
	Status string    // of the last run; empty: there was none in 30 days
	At     time.Time // when the last run began
	Runs   int64     // since the moment that was asked for
}

// versionsListed bounds the list of versions: older ones are opened by their number.
const versionsListed = 50

// SecretNames returns the names of a function's secrets, sorted.
func (s *Service) SecretNames(f Function) ([]string, error) {
	secrets, err := s.secrets(f)
	return slices.Sorted(maps.Keys(secrets)), err
}

// Versions returns the latest versions of a function, newest first. Errors: NotFound "Function".
func (s *Service) Versions(ctx context.Context, scope laurel.Scope, id laurel.ID) ([]Version, error) {
	f, err := s.Get(ctx, scope, id, 0)
	if err != nil {
		return nil, err
	}
	return listVersions(ctx, s.DB, f, versionsListed)
}

// RunOf returns one run of a function. Errors: NotFound "Function", "Function run".
func (s *Service) RunOf(ctx context.Context, scope laurel.Scope, function, run laurel.ID) (Run, error) {
	f, err := s.Get(ctx, scope, function, 0)
	if err != nil {
		return Run{}, err
	}
	return findRun(ctx, s.DB, f, run)
}

// Recent returns what functions did lately, by their ids, with their runs since a moment counted.
func (s *Service) Recent(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	since time.Time,
) (map[laurel.ID]Recent, error) {
	if len(ids) == 0 {
		return map[laurel.ID]Recent{}, nil
	}
	return selectRecent(ctx, s.DB, scope, ids, since)
}

package functions

import (
	"context"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
)

// Version identifies one version of a function's code.
type Version struct {
	Number    int64
	CreatedAt time.Time
}

// Activity sums up the latest runs of a function.
type Activity struct {
	Status string    // of the last run; "": none in 30 days
	At     time.Time // when the last run began
	Runs   int64     // the number of runs since the requested moment
}

// maxListedVersions bounds the list of versions. Older ones can be opened by number.
const maxListedVersions = 50

// SecretNames returns the names of a function's secrets, sorted.
func (s *Service) SecretNames(f Function) ([]string, error) {
	secrets, err := s.secrets(f)
	return slices.Sorted(maps.Keys(secrets)), err
}

// Versions returns the latest versions of a function, up to maxListedVersions, newest first. Errors: NotFound
// "Function".
func (s *Service) Versions(ctx context.Context, scope laurel.Scope, id laurel.ID) ([]Version, error) {
	f, err := s.Get(ctx, scope, id, 0)
	if err != nil {
		return nil, err
	}
	return listVersions(ctx, s.DB, f, maxListedVersions)
}

// GetRun returns one run of a function. Errors: NotFound "Function", "Function run".
func (s *Service) GetRun(ctx context.Context, scope laurel.Scope, function, run laurel.ID) (Run, error) {
	f, err := s.Get(ctx, scope, function, 0)
	if err != nil {
		return Run{}, err
	}
	return findRun(ctx, s.DB, f, run)
}

// RecentActivity returns, by function id, the last run of each function and the number of its runs since a moment.
// Functions without runs are left out.
func (s *Service) RecentActivity(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	since time.Time,
) (map[laurel.ID]Activity, error) {
	if len(ids) == 0 {
		return map[laurel.ID]Activity{}, nil
	}
	return selectActivity(ctx, s.DB, scope, ids, since)
}

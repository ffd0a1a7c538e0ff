package report

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// CountChosen returns how often each choice of the questions was chosen. Choices that were never chosen are left out.
func (s *Service) CountChosen(
	ctx context.Context,
	scope laurel.Scope,
	questions []laurel.ID,
) (map[laurel.ID]int64, error) {
	out := map[laurel.ID]int64{}
	if len(questions) == 0 {
		return out, nil
	}
	var w store.Where
	whereTenant(&w, s.db.Engine().NoIndexPrefix()+"s.", scope)
	store.In(&w, "s.loyalty_question_id", questions)
	var rows []struct {
		ID laurel.ID `db:"id"`
		N  int64     `db:"n"`
	}
	err := s.db.Select(
		ctx,
		&rows,
		"SELECT s.loyalty_question_choice_id AS id, COUNT(*) AS n FROM loyalty_question_responses s"+w.String()+
			" GROUP BY s.loyalty_question_choice_id",
		w.Args...)
	for _, row := range rows {
		out[row.ID] = row.N
	}
	return out, err
}

// CreatedAt is when the answer was given.
func (r Response) CreatedAt() time.Time { return store.Time(r.CreatedMicros) }

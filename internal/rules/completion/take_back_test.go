package completion_test

import (
	"testing"
	"time"

	"laurel/internal/dev/apptest"
)

// TestWhatWasToldLateOfABlockTakesNothingBack: the block of an event left its chain and came back, and the first is told
// after the second.
func TestWhatWasToldLateOfABlockTakesNothingBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateContractEventRule()
		at := func(minute int) time.Time { return apptest.Noon.Add(time.Duration(minute) * time.Minute) }
		for _, told := range []struct {
			minute    int
			isRemoved bool
			want      string
		}{
			{0, false, "15"}, {2, false, "15"}, {1, true, "15"}, {3, true, "0"}, {1, true, "0"}, {0, false, "0"}, {4, false, "15"},
			{3, true, "15"},
		} {
			s.TellOfContractEvent(rule, at(told.minute), told.isRemoved)
			if got := s.Balance(apptest.Alice); got != told.want {
				t.Errorf("after what was told at minute %d: balance %s, want %s", told.minute, got, told.want)
			}
		}
		s.Sound()
	})
}

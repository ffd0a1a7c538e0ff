package members

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dashboard/web"
)

func TestSpansAreCountedFrom1970(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 14, 12, 30, 0, 0, time.UTC)
	for _, days := range []int64{1, 2, 3, 7, 11} {
		span := time.Duration(days) * web.Day
		begin := spanStart(at, span)
		if begin.After(at) || at.Sub(begin) >= span || begin.Unix()%(days*24*3600) != 0 {
			t.Errorf("a span of %d days begins at %s", days, begin)
		}
		if before := spanStart(time.Unix(-1, 0), span); before != time.Unix(0, 0).Add(-span).UTC() {
			t.Errorf("before 1970, a span of %d days begins at %s", days, before)
		}
	}
}

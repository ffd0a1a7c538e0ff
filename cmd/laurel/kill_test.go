package main_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

func TestKillUnderLoadLosesNoAcknowledgedEffectAndPaysNoneTwice(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		l := begin(t, s.site(p))
		l.reach(500)
		s.kill()
		l.end()
		again := serve(t, database)
		l.check(database)
		if len(l.unanswered) == 0 {
			t.Error("the server was killed while nobody waited: this shows nothing")
		}
		l.retry(again.site(p), database)
		green(t, database)
	})
}

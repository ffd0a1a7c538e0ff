package pages_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// version returns the updatedAt of a section.
func version(s *apptest.Server, id laurel.ID) string {
	s.T.Helper()
	return s.Get("/api/page_sections/" + id.String()).OK()["updatedAt"].(string)
}

// The clock of the node is behind: what a reordering moves is a later version all the same.
func TestAReorderingMakesLaterVersionsOfWhatItMoves(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]laurel.ID{}
		versions := map[string]string{}
		for i, title := range []string{"a", "b", "c"} {
			ids[title] = section(s, object{"title": title, "sortId": i + 1})
			versions[title] = version(s, ids[title])
		}
		save := func(title string) apptest.Response {
			return s.Call(s.WebsiteAPIKey, "POST", "/api/page_sections/"+ids[title].String(), object{"pageSectionType": "all_items"},
				"If-Match", fmt.Sprintf("%q", versions[title]))
		}
		s.Clock.Advance(-time.Hour)
		if err := s.App.Pages.MoveSection(t.Context(), s.WebsiteScope(), ids["a"], false); err != nil {
			t.Fatal(err)
		}
		for _, title := range []string{"a", "b"} {
			save(title).Refused(400, "Record was changed meanwhile")
			if now := version(s, ids[title]); now <= versions[title] {
				t.Errorf("%s was %s and is %s", title, versions[title], now)
			}
		}
		save("c").OK()
	})
}

// A save that has locked its row is under way when the reordering begins.
func TestAReorderingSeesTheSaveThatIsUnderWay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	nodes, address := apptest.NodesWith(t, app.Config{NoRateLimits: true})
	s := nodes[0]
	a, _ := section(s, object{"title": "a", "sortId": 1}), section(s, object{"title": "b", "sortId": 2})
	before, err := laurel.ParseTimestamp(version(s, a))
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(-time.Hour) // each change is a millisecond later than the one before
	db := storetest.Open(t, address, s.Clock.Now)
	reached, release := make(chan struct{}), make(chan struct{})
	pause := sync.OnceFunc(func() { close(reached); <-release })
	saving := pages.New(db, func(context.Context, store.Queryer, laurel.Scope, []laurel.ID) (map[laurel.ID]string, error) {
		pause()
		return nil, nil
	})
	var calls sync.WaitGroup
	calls.Go(func() {
		if _, err := saving.UpdateSection(ctx, s.WebsiteScope(), a, pages.SectionInput{SectionPatch: pages.SectionPatch{}.With("title", "A")}); err != nil {
			t.Error(err)
		}
	})
	<-reached
	calls.Go(func() {
		if err := s.App.Pages.MoveSection(ctx, s.WebsiteScope(), a, false); err != nil {
			t.Error(err)
		}
	})
	for waits := 0; waits == 0; time.Sleep(5 * time.Millisecond) {
		err := db.Get(ctx, &waits,
			"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
		if err != nil {
			t.Fatal(err)
		}
	}
	close(release)
	calls.Wait()
	if got := titles(s, pages.Place{Placement: "page", PageID: "home"}); got != "b A" {
		t.Errorf("the order is %s", got)
	}
	want := laurel.Timestamp{Time: before.Add(2 * time.Millisecond)} // two changes, two versions
	if got := version(s, a); got != want.String() {
		t.Errorf("updatedAt is %s, want %s", got, want)
	}
}

package pages_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dev/apptest"
)

func section(s *apptest.Server, properties object) laurel.ID {
	s.T.Helper()
	body := apptest.Over(object{"placement": "page", "pageId": "home", "durationStart": opened}, properties)
	id, err := laurel.ParseID(s.Post("/api/page_sections", body).OK()["id"].(string))
	if err != nil {
		s.T.Fatal(err)
	}
	return id
}

// titles are those of the sections of a place, in their order.
func titles(s *apptest.Server, p pages.Place) string {
	s.T.Helper()
	list, err := s.App.Pages.SectionsOfPlace(s.T.Context(), s.WebsiteScope(), p)
	if err != nil {
		s.T.Fatal(err)
	}
	var out []string
	for _, one := range list {
		out = append(out, *one.Title)
	}
	return strings.Join(out, " ")
}

func TestSectionsOfAPlaceAreOrderedAmongThemselves(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		home := pages.Place{Placement: "page", PageID: "home"}
		a := section(s, object{"title": "a", "sortId": 7})
		b := section(s, object{"title": "b", "sortId": 7})
		c := section(s, object{"title": "c", "sortId": 9})
		section(s, object{"title": "other", "pageId": "shop", "sortId": 8})
		section(s, object{"title": "all", "placement": "global", "pageId": "x", "sortId": 1})
		section(s, object{"title": "every", "placement": "global", "pageId": nil})
		places, err := s.App.Pages.Places(t.Context(), s.WebsiteScope())
		want := []pages.Place{{"global", "", 2, 1}, {"page", "home", 3, 9}, {"page", "shop", 1, 8}}
		if err != nil || !slices.Equal(places, want) {
			t.Fatalf("places are %v, want %v; %v", places, want, err)
		}
		for _, step := range []struct {
			id   laurel.ID
			up   bool
			want string
		}{{a, true, "a b c"}, {c, false, "a b c"}, {c, true, "a c b"}, {a, false, "c a b"}} {
			if err := s.App.Pages.MoveSection(t.Context(), s.WebsiteScope(), step.id, step.up); err != nil {
				t.Fatal(err)
			}
			if got := titles(s, home); got != step.want {
				t.Errorf("the order is %s, want %s", got, step.want)
			}
		}
		order := []laurel.ID{b, a, c}
		if err := s.App.Pages.OrderSections(t.Context(), s.WebsiteScope(), a, []laurel.ID{c, a, b}, order); err != nil {
			t.Fatal(err)
		}
		if got := titles(s, home); got != "b a c" {
			t.Errorf("the order is %s", got)
		}
		for _, late := range [][2][]laurel.ID{{{c, a, b}, order}, {order, {b, a}}, {order, {b, a, a}}, {nil, nil}} {
			err := s.App.Pages.OrderSections(t.Context(), s.WebsiteScope(), a, late[0], late[1])
			if !errors.Is(err, pages.ErrOrderChanged) {
				t.Errorf("%v: %v", late, err)
			}
		}
		if got := titles(s, pages.Place{Placement: "global"}); got != "every all" {
			t.Errorf("on every page: %s", got)
		}
		strange := s.NewProgram("Other")
		elsewhere := laurel.Scope{OrganizationID: strange.OrganizationID, WebsiteID: strange.WebsiteID, Role: laurel.RoleWebsite}
		if err := s.App.Pages.MoveSection(t.Context(), elsewhere, a, true); laurel.CodeOf(err) != laurel.NotFound {
			t.Errorf("a section of others: %v", err)
		}
	})
}

func TestBlocksAreAddedChangedMovedAndRemovedOneByOne(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ctx, here := t.Context(), s.WebsiteScope()
		add := func(kind string) laurel.ID {
			b, err := s.App.Pages.AddBlock(ctx, here, pages.BlockInput{Type: laurel.Some(kind), Title: laurel.Some("Of " + kind)})
			if err != nil || b.Type != kind {
				t.Fatal(b, err)
			}
			return b.ID
		}
		is := func(want string) {
			t.Helper()
			var got []string
			for _, b := range s.Get("/api/loyalty/website_page_sections").Data() {
				got = append(got, b["type"].(string)+":"+b["title"].(string))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the blocks are %s, want %s", got, want)
			}
		}
		hero, rules, board := add("hero"), add("rules"), add("board")
		is("hero:Of hero rules:Of rules board:Of board")
		move := func(id laurel.ID, up bool) {
			t.Helper()
			if err := s.App.Pages.MoveBlock(ctx, here, id, up); err != nil {
				t.Fatal(err)
			}
		}
		move(hero, true)
		move(board, true)
		is("hero:Of hero board:Of board rules:Of rules")
		if err := s.App.Pages.UpdateBlock(ctx, here, board, pages.BlockInput{Type: laurel.Some("leaders")}); err != nil {
			t.Fatal(err)
		}
		is("hero:Of hero leaders:Of board rules:Of rules")
		was := []laurel.ID{hero, board, rules}
		if err := s.App.Pages.OrderBlocks(ctx, here, was, []laurel.ID{rules, hero, board}); err != nil {
			t.Fatal(err)
		}
		is("rules:Of rules hero:Of hero leaders:Of board")
		if err := s.App.Pages.OrderBlocks(ctx, here, was, was); !errors.Is(err, pages.ErrOrderChanged) {
			t.Errorf("an order that comes late: %v", err)
		}
		if err := s.App.Pages.RemoveBlock(ctx, here, hero); err != nil {
			t.Fatal(err)
		}
		is("rules:Of rules leaders:Of board")
		gone := []error{
			s.App.Pages.RemoveBlock(ctx, here, hero), s.App.Pages.MoveBlock(ctx, here, hero, true),
			s.App.Pages.UpdateBlock(ctx, here, hero, pages.BlockInput{Type: laurel.Some("x")}),
		}
		for _, err := range gone {
			if laurel.CodeOf(err) != laurel.NotFound {
				t.Errorf("a block that is gone: %v", err)
			}
		}
	})
}

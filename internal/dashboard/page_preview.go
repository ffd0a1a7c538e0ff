package dashboard

import (
	"time"

	"laurel"
	layout "laurel/internal/content/pages"
	"laurel/internal/rules/catalog"
)

// preview is a part of a page as members see it, in cards that do nothing.
type preview struct {
	Kind, Title, Text string
	From, Until       time.Time // zero: no window
	Later             bool      // it is not shown yet
	Shelves           []shelf
}

// shelf is a row of cards.
type shelf struct {
	Kind  string
	Wide  bool // its cards take a row each
	Cards []card
}

// card is one thing on a shelf.
type card struct {
	Title, Text, Button string
	Picture             string // an address; empty: none
}

// sectionPreview returns the preview of a page section: its banner, carousel, grid and discovery items as shelves of
// cards.
func sectionPreview(s sectionRow, names *websiteNames) preview {
	out := preview{Title: textCell(s.Title), From: s.Start, Until: s.End, Later: s.State == sectionLater}
	if s.Type != nil {
		out.Kind = choiceLabel(sectionTypes, *s.Type)
	}
	if b := s.Banner; b != nil {
		if len(b.Collections) > 0 {
			out.Shelves = append(out.Shelves, shelf{"Banner", true, collectionCards(b.Collections)})
		}
		if b.Carousel != nil && len(b.Carousel.Items) > 0 {
			turns := card{Title: plural(len(b.Carousel.Items), "item", "items") + " in rotation"}
			out.Shelves = append(out.Shelves, shelf{"Carousel", true, []card{turns}})
		}
	}
	if len(s.ItemsGrids) > 0 {
		out.Shelves = append(out.Shelves, shelf{"Grid", false, collectionCards(s.ItemsGrids)})
	}
	wide := shelf{Kind: "Discovery", Wide: true}
	rows := shelf{Kind: "Discovery"}
	for _, d := range s.Discovery {
		shelf := &rows
		if d.Layout != nil && *d.Layout == "full_width_hero" {
			shelf = &wide
		}
		shelf.Cards = append(shelf.Cards, discoveryCard(d, names))
	}
	for _, one := range []shelf{wide, rows} {
		if len(one.Cards) > 0 {
			out.Shelves = append(out.Shelves, one)
		}
	}
	return out
}

// collectionCards returns a card for each collection of a section.
func collectionCards(list []layout.Shown) []card {
	out := make([]card, len(list))
	for i, s := range list {
		switch {
		case s.Collection != nil:
			out[i] = card{Title: s.Collection.Name, Picture: textCell(s.Collection.ImageURL)}
		case s.CollectionID.IsZero():
			out[i] = card{Title: "Empty"}
		default:
			out[i] = card{Title: "A deleted collection"}
		}
	}
	return out
}

// discoveryCard returns the card of a discovery item.
func discoveryCard(d layout.Discovery, names *websiteNames) card {
	out := card{
		Title: textCell(d.Title), Text: textCell(d.Description), Button: textCell(d.ButtonText),
		Picture: textCell(d.MediaLink),
	}
	if !d.HideQuestInfo && !d.GroupID.IsZero() {
		if group := names.Group(&d.GroupID); group != "" && out.Text == "" {
			out.Text = "Rules of " + group
		}
	}
	if out.Title == "" && out.Text == "" {
		out.Title = "Untitled"
	}
	return out
}

// rulesInPreview is how many rules of a group a preview names.
const rulesInPreview = 4

// blockPreview returns the preview of a block of the loyalty page, with the first rules of its group.
func blockPreview(b layout.Block, groups map[laurel.ID]catalog.Group) preview {
	out := preview{Kind: b.Type, Title: textCell(b.Title), Text: textCell(b.SubTitle)}
	g, ok := groups[b.GroupID]
	if !ok {
		return out
	}
	rules := shelf{Kind: "Rules of " + g.Name}
	for i, r := range g.Rules {
		if i == rulesInPreview {
			rules.Cards = append(rules.Cards, card{Title: "and more"})
			break
		}
		rules.Cards = append(rules.Cards, card{Title: r.Name, Picture: textCell(r.MediaURL)})
	}
	if len(rules.Cards) == 0 {
		rules.Cards = []card{{Title: "No rules"}}
	}
	out.Shelves = []shelf{rules}
	return out
}

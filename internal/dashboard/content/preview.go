package content

import (
	"time"

	"laurel.example/laurel"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
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
	Wide  bool // each of its cards is as wide as the page
	Cards []card
}

// card is one thing on a shelf.
type card struct {
	Title, Text, Button string
	Picture             string // an address; empty: none
}

// sectionPreview returns the preview of a page section: its banner, carousel, grid and discovery items as shelves,
// which are rows of cards. Discovery items that are as wide as the page come before the others.
func sectionPreview(section sectionRow, names *parts.Names) preview {
	out := preview{
		Title: web.TextCell(section.Title), From: section.Start.Time, Until: section.End.Time,
		Later: section.State == sectionLater,
	}
	if section.Type != nil {
		out.Kind = web.ChoiceLabel(sectionTypes, *section.Type)
	}
	if banner := section.Banner; banner != nil {
		if len(banner.Collections) > 0 {
			out.Shelves = append(out.Shelves, shelf{Kind: "Banner", Wide: true, Cards: collectionCards(banner.Collections)})
		}
		if banner.Carousel != nil && len(banner.Carousel.Items) > 0 {
			rotation := card{Title: "Rotates through " + web.Plural(len(banner.Carousel.Items), "item", "items")}
			out.Shelves = append(out.Shelves, shelf{Kind: "Carousel", Wide: true, Cards: []card{rotation}})
		}
	}
	if len(section.ItemsGrids) > 0 {
		out.Shelves = append(out.Shelves, shelf{Kind: "Grid", Cards: collectionCards(section.ItemsGrids)})
	}
	wideItems := shelf{Kind: "Cards", Wide: true}
	otherItems := shelf{Kind: "Cards"}
	for _, item := range section.Discovery {
		shelf := &otherItems
		if item.Layout != nil && *item.Layout == "full_width_hero" {
			shelf = &wideItems
		}
		shelf.Cards = append(shelf.Cards, discoveryCard(item, names))
	}
	for _, discovery := range []shelf{wideItems, otherItems} {
		if len(discovery.Cards) > 0 {
			out.Shelves = append(out.Shelves, discovery)
		}
	}
	return out
}

// collectionCards returns a card for each collection that a section shows. An empty place and a deleted collection have
// a card that says so.
func collectionCards(list []layout.Shown) []card {
	out := make([]card, len(list))
	for i, shown := range list {
		switch {
		case shown.Collection != nil:
			out[i] = card{Title: shown.Collection.Name, Picture: web.TextCell(shown.Collection.ImageURL)}
		case shown.CollectionID.IsZero():
			out[i] = card{Title: "Empty"}
		default:
			out[i] = card{Title: "A deleted collection"}
		}
	}
	return out
}

// discoveryCard returns the card of a discovery item. Without a text, the card names the rule group whose rules the
// item shows, unless the item hides that.
func discoveryCard(item layout.Discovery, names *parts.Names) card {
	out := card{
		Title: web.TextCell(item.Title), Text: web.TextCell(item.Description), Button: web.TextCell(item.ButtonText),
		Picture: web.TextCell(item.MediaLink),
	}
	if !item.HideQuestInfo && !item.GroupID.IsZero() {
		if group := names.Group(&item.GroupID); group != "" && out.Text == "" {
			out.Text = "Rules in " + group
		}
	}
	if out.Title == "" && out.Text == "" {
		out.Title = "Untitled"
	}
	return out
}

// rulesInPreview is how many rules of a group a preview names.
const rulesInPreview = 4

// blockPreview returns the preview of a block of the loyalty page, with the first rulesInPreview rules of its group if
// it has one.
func blockPreview(block layout.Block, groups map[laurel.ID]catalog.Group) preview {
	out := preview{Kind: block.Type, Title: web.TextCell(block.Title), Text: web.TextCell(block.SubTitle)}
	group, ok := groups[block.GroupID.ID]
	if !ok {
		return out
	}
	rules := shelf{Kind: "Rules in " + group.Name}
	for i, rule := range group.Rules {
		if i == rulesInPreview {
			rules.Cards = append(rules.Cards, card{Title: "and more"})
			break
		}
		rules.Cards = append(rules.Cards, card{Title: rule.Name, Picture: web.TextCell(rule.MediaURL)})
	}
	if len(rules.Cards) == 0 {
		rules.Cards = []card{{Title: "No rules"}}
	}
	out.Shelves = []shelf{rules}
	return out
}

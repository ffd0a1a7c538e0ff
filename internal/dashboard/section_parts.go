package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	layout "laurel/internal/content/pages"
)

// The lists of parts of a section, as the service calls them.
const (
	bannerList    = "banner.websiteCollectionBanners"
	gridList      = "itemsGrids"
	discoveryList = "discoveryItems"
)

// maxSectionParts is how many parts of a kind the form takes. Sections of more are written over the API.
const maxSectionParts = 100

// collectionLine is a row of the form for a collection.
type collectionLine struct {
	List           string
	At             int
	ID, Collection string
}

// Path is where faults of a property of the line are noted.
func (l collectionLine) Path(property string) string { return partPath(l.List, l.At, property) }

// Ref names the line for the buttons that move and remove it.
func (l collectionLine) Ref() string { return l.List + "#" + strconv.Itoa(l.At) }

func partPath(list string, at int, property string) string {
	return list + "." + strconv.Itoa(at) + "." + property
}

// collectionLines returns the collections of a list as rows of the form.
func collectionLines(list string, places []layout.Shown) []collectionLine {
	out := make([]collectionLine, len(places))
	for i, p := range places {
		out[i] = collectionLine{list, i, p.ID.String(), idCell(p.CollectionID)}
	}
	return out
}

// discoveryLine is a discovery item in the form.
type discoveryLine struct {
	At    int
	Input map[string]string
}

// discoveryFields are the properties of a discovery item.
var discoveryFields = []string{
	"id", "title", "buttonText", "description", "externalLink", "hideQuestInfo", "layout", "loyaltyRuleGroupId",
	"mediaLink", "pageMediaLink", "microblog", "website",
}

// discoveryLayouts are the words for the layouts of discovery items.
var discoveryLayouts = []choice{{"container_style", "In a column"}, {"full_width_hero", "Full width"}}

// Layouts lists the layouts to choose from.
func (discoveryLine) Layouts() []choice { return discoveryLayouts }

// Path is where faults of a property of the line are noted.
func (l discoveryLine) Path(property string) string { return partPath(discoveryList, l.At, property) }

// Ref names the line for the buttons that move and remove it.
func (l discoveryLine) Ref() string { return discoveryList + "#" + strconv.Itoa(l.At) }

// Has returns the typed value of a property.
func (l discoveryLine) Has(property string) string { return l.Input[property] }

// More reports whether a field of the folded part is set.
func (l discoveryLine) More() bool {
	for _, name := range []string{"pageMediaLink", "microblog", "website", "hideQuestInfo"} {
		if l.Input[name] != "" {
			return true
		}
	}
	return false
}

// words writes the item in one line, for a comparison.
func (l discoveryLine) words() string {
	var out []string
	for _, name := range discoveryFields[1:] {
		if l.Input[name] != "" {
			out = append(out, l.Input[name])
		}
	}
	return strings.Join(out, ", ")
}

// discoveryLines returns discovery items as rows of the form.
func discoveryLines(items []layout.Discovery) []discoveryLine {
	out := make([]discoveryLine, len(items))
	for i, d := range items {
		hide := ""
		if d.HideQuestInfo {
			hide = "on"
		}
		out[i] = discoveryLine{i, map[string]string{
			"id": d.ID.String(), "title": textCell(d.Title), "buttonText": textCell(d.ButtonText),
			"description": normalizeLineEnds(textCell(d.Description)), "externalLink": textCell(d.ExternalLink), "hideQuestInfo": hide,
			"layout": textCell(d.Layout), "loyaltyRuleGroupId": idCell(d.GroupID), "mediaLink": textCell(d.MediaLink),
			"pageMediaLink": textCell(d.PageMediaLink), "microblog": textCell(d.Microblog), "website": textCell(d.Website),
		}}
	}
	return out
}

// partOrder returns the row numbers of a list in the order of the form, which dragging changes; without the removed
// row, and with one moved by its button. adds reports whether a new row is requested; redraw, whether the form was sent
// only to change rows.
func (c *request) partOrder(list string) (order []int, adds, redraw bool) {
	for _, text := range c.PostForm["order."+list] {
		at, err := strconv.Atoi(text)
		if err == nil && at >= 0 && at < maxSectionParts && !slices.Contains(order, at) {
			order = append(order, at)
		}
	}
	pressedOn := func(button string) int {
		buttonList, at, _ := strings.Cut(c.PostFormValue(button), "#")
		n, err := strconv.Atoi(at)
		if buttonList != list || err != nil {
			return -1
		}
		redraw = true
		return slices.Index(order, n)
	}
	if at := pressedOn("up"); at > 0 {
		order[at-1], order[at] = order[at], order[at-1]
	}
	if at := pressedOn("down"); at >= 0 && at < len(order)-1 {
		order[at+1], order[at] = order[at], order[at+1]
	}
	if at := pressedOn("drop"); at >= 0 {
		order = slices.Delete(order, at, at+1)
	}
	adds = c.PostFormValue("add") == list && len(order) < maxSectionParts
	return order, adds, redraw || adds
}

// readPostedCollections reads the rows of collections of a list. redraw reports whether the form was sent only to
// change rows.
func (c *request) readPostedCollections(list string) (out []collectionLine, redraw bool) {
	order, adds, redraw := c.partOrder(list)
	for _, at := range order {
		l := collectionLine{List: list, At: at}
		l.ID, l.Collection = c.PostFormValue(l.Path("id")), c.PostFormValue(l.Path("websiteCollectionId"))
		l.At = len(out)
		out = append(out, l)
	}
	if adds {
		out = append(out, collectionLine{List: list, At: len(out)})
	}
	return out, redraw
}

// readPostedDiscovery reads the rows of discovery items. redraw reports whether the form was sent only to change rows.
func (c *request) readPostedDiscovery() (out []discoveryLine, redraw bool) {
	order, adds, redraw := c.partOrder(discoveryList)
	for _, at := range order {
		l := discoveryLine{at, map[string]string{}}
		for _, name := range discoveryFields {
			l.Input[name] = strings.TrimSpace(normalizeLineEnds(c.PostFormValue(l.Path(name))))
		}
		l.At = len(out)
		out = append(out, l)
	}
	if adds {
		out = append(out, discoveryLine{len(out), map[string]string{}})
	}
	return out, redraw
}

// optionalID returns an id for the service; absent if the text is no id.
func optionalID(text string) (out laurel.Optional[laurel.ID]) {
	if id, err := laurel.ParseID(text); err == nil {
		return laurel.Some(id)
	}
	return out
}

// collectionInputs returns rows of collections for the service.
func (*sectionForm) collectionInputs(lines []collectionLine) []layout.ShownInput {
	out := make([]layout.ShownInput, len(lines))
	for i, l := range lines {
		out[i] = layout.ShownInput{ID: optionalID(l.ID), CollectionID: optionalID(l.Collection)}
	}
	return out
}

// banner returns the banner for the service; null if it has neither collections nor carousel items.
func (f *sectionForm) banner(faults *laurel.Faults) laurel.Optional[layout.BannerInput] {
	turns := 0
	if text := f.Input["carousel"]; text != "" {
		var err error
		if turns, err = strconv.Atoi(text); err != nil || turns < 0 || turns > maxSectionParts {
			faults.Add("carousel", "must be a whole number up to %d", maxSectionParts)
			turns = 0
		}
	}
	if len(f.Banner) == 0 && turns == 0 {
		return laurel.Null[layout.BannerInput]()
	}
	in := layout.BannerInput{Collections: laurel.Some(f.collectionInputs(f.Banner))}
	had := f.Section.Banner
	if had != nil {
		in.ID = laurel.Some(had.ID)
	}
	if turns > 0 {
		in.Carousel = laurel.Some(f.carousel(turns))
	}
	return laurel.Some(in)
}

// carousel returns a carousel with this number of items for the service. The first existing items keep their ids.
func (f *sectionForm) carousel(turns int) layout.CarouselInput {
	var in layout.CarouselInput
	items := make([]layout.CarouselItemInput, turns)
	if had := f.Section.Banner; had != nil && had.Carousel != nil {
		in.ID = laurel.Some(had.Carousel.ID)
		for i, item := range had.Carousel.Items[:min(turns, len(had.Carousel.Items))] {
			items[i].ID = laurel.Some(item.ID)
		}
	}
	in.Items = laurel.Some(items)
	return in
}

// discoveryInputs returns the rows of discovery items for the service.
func (f *sectionForm) discoveryInputs() []layout.DiscoveryInput {
	out := make([]layout.DiscoveryInput, len(f.Discovery))
	for i, l := range f.Discovery {
		text := func(name string) laurel.Optional[string] {
			if l.Input[name] == "" {
				return laurel.Null[string]()
			}
			return laurel.Some(l.Input[name])
		}
		out[i] = layout.DiscoveryInput{
			ID: optionalID(l.Input["id"]), Title: text("title"), ButtonText: text("buttonText"), Description: text("description"),
			ExternalLink: text("externalLink"), HideQuestInfo: laurel.Some(l.Input["hideQuestInfo"] != ""),
			Layout: text("layout"), GroupID: optionalID(l.Input["loyaltyRuleGroupId"]), MediaLink: text("mediaLink"),
			PageMediaLink: text("pageMediaLink"), Microblog: text("microblog"), Website: text("website"),
		}
	}
	return out
}

// typedParts returns the parts as they are typed, for the preview.
func (f *sectionForm) typedParts() layout.Parts {
	out := layout.Parts{ItemsGrids: f.collectionPlaces(f.Grid)}
	turns, _ := strconv.Atoi(f.Input["carousel"])
	if turns = min(turns, maxSectionParts); len(f.Banner) > 0 || turns > 0 {
		out.Banner = &layout.Banner{Collections: f.collectionPlaces(f.Banner)}
		if turns > 0 {
			out.Banner.Carousel = &layout.Carousel{Items: make([]layout.CarouselItem, turns)}
		}
	}
	for _, l := range f.Discovery {
		text := func(name string) *string {
			typed := l.Input[name]
			return &typed
		}
		out.Discovery = append(out.Discovery, layout.Discovery{
			Title: text("title"), ButtonText: text("buttonText"), Description: text("description"),
			HideQuestInfo: l.Input["hideQuestInfo"] != "", Layout: text("layout"),
			GroupID: optionalID(l.Input["loyaltyRuleGroupId"]).Value, MediaLink: text("mediaLink"),
		})
	}
	return out
}

// collectionPlaces returns rows of collections for the preview.
func (f *sectionForm) collectionPlaces(lines []collectionLine) []layout.Shown {
	out := make([]layout.Shown, len(lines))
	for i, l := range lines {
		out[i].CollectionID = optionalID(l.Collection).Value
		if one, exists := f.live[out[i].CollectionID]; exists {
			out[i].Collection = &one
		}
	}
	return out
}

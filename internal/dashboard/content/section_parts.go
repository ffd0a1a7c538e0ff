package content

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
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

// collectionLines returns the collections of a list as rows of the form. list is the property that holds them.
func collectionLines(list string, places []layout.Shown) []collectionLine {
	out := make([]collectionLine, len(places))
	for i, place := range places {
		out[i] = collectionLine{list, i, place.ID.String(), web.IdCell(place.CollectionID)}
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
var discoveryLayouts = web.Choices("container_style", "In a column", "full_width_hero", "Full width")

// Layouts lists the layouts to choose from.
func (discoveryLine) Layouts() []web.Choice { return discoveryLayouts }

// Path is where faults of a property of the line are noted.
func (l discoveryLine) Path(property string) string { return partPath(discoveryList, l.At, property) }

// Ref names the line for the buttons that move and remove it.
func (l discoveryLine) Ref() string { return discoveryList + "#" + strconv.Itoa(l.At) }

// Has returns the typed value of a property.
func (l discoveryLine) Has(property string) string { return l.Input[property] }

// More reports whether a field of the item's folded part is set.
func (l discoveryLine) More() bool {
	for _, name := range []string{"pageMediaLink", "microblog", "website", "hideQuestInfo"} {
		if l.Input[name] != "" {
			return true
		}
	}
	return false
}

// words writes the values of the item as one line, without its id, to find changes and conflicts.
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
	for i, item := range items {
		hidesQuestInfo := ""
		if item.HideQuestInfo {
			hidesQuestInfo = "on"
		}
		out[i] = discoveryLine{i, map[string]string{
			"id": item.ID.String(), "title": web.TextCell(item.Title), "buttonText": web.TextCell(item.ButtonText),
			"description": form.NormalizeLineEnds(web.TextCell(item.Description)), "externalLink": web.TextCell(item.ExternalLink),
			"hideQuestInfo": hidesQuestInfo, "layout": web.TextCell(item.Layout), "loyaltyRuleGroupId": web.IdCell(item.GroupID),
			"mediaLink": web.TextCell(item.MediaLink), "pageMediaLink": web.TextCell(item.PageMediaLink),
			"microblog": web.TextCell(item.Microblog), "website": web.TextCell(item.Website),
		}}
	}
	return out
}

// partOrder returns the row numbers of a list in the order of the form, which the admin may have changed by dragging.
// The row that the admin removed is left out, and a row that a button moved has its new place. adds reports whether the
// admin asked for a new row; redraw, whether the form was sent only to change rows of the list, not to be saved.
func (c *call) partOrder(list string) (order []int, adds, redraw bool) {
	for _, text := range c.PostForm["order."+list] {
		row, err := strconv.Atoi(text)
		if err == nil && row >= 0 && row < maxSectionParts && !slices.Contains(order, row) {
			order = append(order, row)
		}
	}
	// pressedOn returns the place in order of the row whose button was pressed, and sets redraw; -1 if none was.
	pressedOn := func(button string) int {
		buttonList, rowText, _ := strings.Cut(c.PostFormValue(button), "#")
		row, err := strconv.Atoi(rowText)
		if buttonList != list || err != nil {
			return -1
		}
		redraw = true
		return slices.Index(order, row)
	}
	if place := pressedOn("up"); place > 0 {
		order[place-1], order[place] = order[place], order[place-1]
	}
	if place := pressedOn("down"); place >= 0 && place < len(order)-1 {
		order[place+1], order[place] = order[place], order[place+1]
	}
	if place := pressedOn("drop"); place >= 0 {
		order = slices.Delete(order, place, place+1)
	}
	adds = c.PostFormValue("add") == list && len(order) < maxSectionParts
	return order, adds, redraw || adds
}

// readPostedCollections reads the posted rows of collections of a list, in their order. redraw reports whether the form
// was sent only to change rows.
func (c *call) readPostedCollections(list string) (out []collectionLine, redraw bool) {
	order, adds, redraw := c.partOrder(list)
	for _, at := range order {
		line := collectionLine{List: list, At: at}
		line.ID, line.Collection = c.PostFormValue(line.Path("id")), c.PostFormValue(line.Path("websiteCollectionId"))
		line.At = len(out)
		out = append(out, line)
	}
	if adds {
		out = append(out, collectionLine{List: list, At: len(out)})
	}
	return out, redraw
}

// readPostedDiscovery reads the posted rows of discovery items, in their order. redraw reports whether the form was
// sent only to change rows.
func (c *call) readPostedDiscovery() (out []discoveryLine, redraw bool) {
	order, adds, redraw := c.partOrder(discoveryList)
	for _, at := range order {
		line := discoveryLine{at, map[string]string{}}
		for _, name := range discoveryFields {
			line.Input[name] = strings.TrimSpace(form.NormalizeLineEnds(c.PostFormValue(line.Path(name))))
		}
		line.At = len(out)
		out = append(out, line)
	}
	if adds {
		out = append(out, discoveryLine{len(out), map[string]string{}})
	}
	return out, redraw
}

// optionalID parses an id for the service; absent if the text is empty or malformed.
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

// banner returns the banner of the section for the service; null if it has neither collections nor carousel items. A
// malformed number of carousel items is added to faults.
func (f *sectionForm) banner(faults *laurel.Faults) laurel.Optional[layout.BannerInput] {
	carouselItems := 0
	if text := f.Input["carousel"]; text != "" {
		var err error
		if carouselItems, err = strconv.Atoi(text); err != nil || carouselItems < 0 || carouselItems > maxSectionParts {
			faults.Add("carousel", "must be a whole number up to %d", maxSectionParts)
			carouselItems = 0
		}
	}
	if len(f.Banner) == 0 && carouselItems == 0 {
		return laurel.Null[layout.BannerInput]()
	}
	in := layout.BannerInput{Collections: laurel.Some(f.collectionInputs(f.Banner))}
	saved := f.Section.Banner
	if saved != nil {
		in.ID = laurel.Some(saved.ID)
	}
	if carouselItems > 0 {
		in.Carousel = laurel.Some(f.carousel(carouselItems))
	}
	return laurel.Some(in)
}

// carousel returns a carousel with count items for the service. Items that exist already, in their order, keep their
// ids.
func (f *sectionForm) carousel(count int) layout.CarouselInput {
	var in layout.CarouselInput
	items := make([]layout.CarouselItemInput, count)
	if banner := f.Section.Banner; banner != nil && banner.Carousel != nil {
		in.ID = laurel.Some(banner.Carousel.ID)
		for i, item := range banner.Carousel.Items[:min(count, len(banner.Carousel.Items))] {
			items[i].ID = laurel.Some(item.ID)
		}
	}
	in.Items = laurel.Some(items)
	return in
}

// discoveryInputs returns the rows of discovery items for the service. Empty texts are null.
func (f *sectionForm) discoveryInputs() []layout.DiscoveryInput {
	out := make([]layout.DiscoveryInput, len(f.Discovery))
	for i, line := range f.Discovery {
		text := func(name string) laurel.Optional[string] {
			if line.Input[name] == "" {
				return laurel.Null[string]()
			}
			return laurel.Some(line.Input[name])
		}
		out[i] = layout.DiscoveryInput{
			ID: optionalID(line.Input["id"]), Title: text("title"), ButtonText: text("buttonText"),
			Description: text("description"), ExternalLink: text("externalLink"),
			HideQuestInfo: laurel.Some(line.Input["hideQuestInfo"] != ""), Layout: text("layout"),
			GroupID: optionalID(line.Input["loyaltyRuleGroupId"]), MediaLink: text("mediaLink"), PageMediaLink: text("pageMediaLink"),
			Microblog: text("microblog"), Website: text("website"),
		}
	}
	return out
}

// typedParts returns the parts of the section as they are typed, for the preview.
func (f *sectionForm) typedParts() layout.Parts {
	out := layout.Parts{ItemsGrids: f.collectionPlaces(f.Grid)}
	carouselItems, _ := strconv.Atoi(f.Input["carousel"])
	if carouselItems = min(carouselItems, maxSectionParts); len(f.Banner) > 0 || carouselItems > 0 {
		out.Banner = &layout.Banner{Collections: f.collectionPlaces(f.Banner)}
		if carouselItems > 0 {
			out.Banner.Carousel = &layout.Carousel{Items: make([]layout.CarouselItem, carouselItems)}
		}
	}
	for _, line := range f.Discovery {
		text := func(name string) *string {
			typed := line.Input[name]
			return &typed
		}
		out.Discovery = append(out.Discovery, layout.Discovery{
			Title: text("title"), ButtonText: text("buttonText"), Description: text("description"),
			HideQuestInfo: line.Input["hideQuestInfo"] != "", Layout: text("layout"),
			GroupID: optionalID(line.Input["loyaltyRuleGroupId"]).Value, MediaLink: text("mediaLink"),
		})
	}
	return out
}

// collectionPlaces returns rows of collections as the places of a section, for the preview. If the collection of a
// place was deleted, the place has its id only.
func (f *sectionForm) collectionPlaces(lines []collectionLine) []layout.Shown {
	out := make([]layout.Shown, len(lines))
	for i, line := range lines {
		out[i].CollectionID = optionalID(line.Collection).Value
		if collection, exists := f.live[out[i].CollectionID]; exists {
			out[i].Collection = &collection
		}
	}
	return out
}

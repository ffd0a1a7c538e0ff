package content

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel/internal/admins"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/web"
)

var pageRoutes = []route{
	web.Get("/pages", admins.SeeProgram, "pages", pagesPage),
}

// pagesData is the data of the page about content: the blocks of the loyalty page, or the sections of a place.
type pagesData struct {
	OfSections bool
	Blocks     []layout.Block
	Places     []placeLink
	Place      layout.Place
	Sections   []sectionRow
	Full       bool // the place has more sections than are read
	Preview    []preview
	Note       string // why an order was not saved
}

// placeLink leads to the sections of a place.
type placeLink struct {
	layout.Place
	IsChosen bool
}

// Label returns the name of the place.
func (p placeLink) Label() string { return placeName(p.Place) }

// Value is the place as an address names it.
func (p placeLink) Value() string { return formatPlace(p.Place) }

const onEveryPage = "global" // the placement

// placeName returns the name of a place in words. A place is where the website shows page sections: on every page, or
// on one page.
func placeName(p layout.Place) string {
	switch {
	case p.Placement == onEveryPage:
		return "Every page"
	case p.PageID == "":
		return "Unnamed page"
	}
	return "Page “" + p.PageID + "”"
}

// formatPlace writes a place as a query parameter, which parsePlace reads.
func formatPlace(p layout.Place) string {
	if p.Placement == onEveryPage {
		return p.Placement
	}
	return p.Placement + ":" + p.PageID
}

// parsePlace parses a place as formatPlace writes it.
func parsePlace(text string) layout.Place {
	placement, page, _ := strings.Cut(text, ":")
	return layout.Place{Placement: placement, PageID: page}
}

// sectionRow is a section with its state for members.
type sectionRow struct {
	layout.Section
	State string // one of the states below
}

// The states of a section.
const (
	sectionShown = "shown"
	sectionLater = "later"
	sectionOver  = "over"
)

// sectionState returns whether a section is shown at a moment, is not shown yet, or has ended: sectionShown,
// sectionLater or sectionOver.
func sectionState(section layout.Section, now time.Time) string {
	switch {
	case !section.End.IsZero() && !now.Before(section.End.Time):
		return sectionOver
	case now.Before(section.Start.Time):
		return sectionLater
	}
	return sectionShown
}

// Name returns the name of the section.
func (r sectionRow) Name() string { return sectionName(r.Section) }

// sectionName returns the title of a section, else its type in words.
func sectionName(section layout.Section) string {
	if section.Title != nil && strings.TrimSpace(*section.Title) != "" {
		return *section.Title
	}
	if section.Type != nil {
		return web.ChoiceLabel(sectionTypes, *section.Type)
	}
	return "Untitled section"
}

// sectionTypes are the words for the types of sections.
var sectionTypes = web.Choices(
	"all_items", "All items", "discovery_item", "Single card", "discovery_items_grid", "Grid of cards",
)

// Holds lists the parts of the section in words, such as "Banner with 2 collections, carousel with 3 items".
func (r sectionRow) Holds() string {
	var out []string
	if banner := r.Banner; banner != nil {
		if n := len(banner.Collections); n > 0 {
			out = append(out, "banner with "+web.Plural(n, "collection", "collections"))
		}
		if banner.Carousel != nil {
			out = append(out, "carousel with "+web.Plural(len(banner.Carousel.Items), "item", "items"))
		}
	}
	if n := len(r.ItemsGrids); n > 0 {
		out = append(out, "grid with "+web.Plural(n, "collection", "collections"))
	}
	if n := len(r.Discovery); n > 0 {
		out = append(out, web.Plural(n, "card", "cards"))
	}
	if len(out) == 0 {
		return "no content"
	}
	return web.Sentence(strings.Join(out, ", "))
}

// Order returns the ids of the listed blocks or sections in the order that the page shows, with spaces between them.
// The page sends it with a new order, which is refused if this one has changed meanwhile.
func (d pagesData) Order() string {
	var ids []string
	for _, block := range d.Blocks {
		ids = append(ids, block.ID.String())
	}
	for _, section := range d.Sections {
		ids = append(ids, section.ID.String())
	}
	return strings.Join(ids, " ")
}

// PlaceValue is the place as an address names it.
func (d pagesData) PlaceValue() string { return formatPlace(d.Place) }

// PlaceName returns the name of the place as it stands within a sentence, such as "every page".
func (d pagesData) PlaceName() string {
	switch {
	case d.Place.Placement == onEveryPage:
		return "every page"
	case d.Place.PageID == "":
		return "an unnamed page"
	}
	return "the “" + d.Place.PageID + "” page"
}

// Last reports whether a place in the list is its last one.
func (d pagesData) Last(i int) bool { return i == len(d.Blocks)+len(d.Sections)-1 }

// Movable reports whether there is an order to change.
func (d pagesData) Movable() bool { return len(d.Blocks)+len(d.Sections) > 1 && !d.Full }

// Over returns how many of the listed sections have ended.
func (d pagesData) Over() (n int) {
	for _, s := range d.Sections {
		if s.State == sectionOver {
			n++
		}
	}
	return n
}

// pagesPage shows the blocks of the loyalty page, or the sections of a place, with a preview.
func pagesPage(c *call) (web.View, error) {
	data, err := c.readPages(c.URL.Query().Get("tab") == "sections", c.URL.Query().Get("place"))
	if err != nil {
		return web.View{}, err
	}
	return web.Show("pages", "Pages", data)
}

// readPages reads the blocks of the loyalty page, or, if ofSections is true, the sections of a place. An empty place
// means the one with the most sections.
func (c *call) readPages(ofSections bool, place string) (pagesData, error) {
	data := pagesData{OfSections: ofSections}
	read := c.readBlocks
	if ofSections {
		read = func(d *pagesData) error { return c.readSections(d, place) }
	}
	err := read(&data)
	return data, err
}

// readSections reads into d all places that have sections, the sections of the chosen place, and a preview of those
// that have not ended. An empty place means the one with the most sections.
func (c *call) readSections(d *pagesData, chosen string) error {
	scope := c.Scope.At(c.Site.ID)
	places, err := c.Pages.Places(c.Context(), scope)
	if err != nil {
		return err
	}
	if d.Place = parsePlace(chosen); chosen == "" && len(places) > 0 {
		d.Place = slices.MaxFunc(places, func(a, b layout.Place) int { return cmp.Compare(a.Sections, b.Sections) })
	}
	for _, place := range places {
		isChosen := formatPlace(place) == formatPlace(d.Place)
		// Full: the place has more sections than the page lists
		d.Full = d.Full || isChosen && place.Sections > layout.MaxSectionsPerPlace
		d.Places = append(d.Places, placeLink{place, isChosen})
	}
	list, err := c.Pages.SectionsOfPlace(c.Context(), scope, d.Place)
	if err != nil {
		return err
	}
	names, err := c.ReadNames()
	if err != nil {
		return err
	}
	for _, section := range list {
		row := sectionRow{section, sectionState(section, c.Now())}
		d.Sections = append(d.Sections, row)
		if row.State != sectionOver {
			d.Preview = append(d.Preview, sectionPreview(row, names))
		}
	}
	return nil
}

// showOrderRefused shows the blocks or sections in their current order, and says why the new order was not saved. err
// must be a refusal.
func (c *call) showOrderRefused(err error, ofSections bool, place string) (web.View, error) {
	data, readErr := c.readPages(ofSections, place)
	if readErr != nil {
		return web.View{}, readErr
	}
	data.Note = web.Sentence(web.AsRefusal(err).Message) + ". The current order is shown below."
	return web.Refused("pages", "Pages", data), nil
}

// sectionsPath returns the path of the page with the sections of a place. parameters are further query parameters:
// names and values in turn.
func (c *call) sectionsPath(place layout.Place, parameters ...string) string {
	query := url.Values{"tab": {"sections"}, "place": {formatPlace(place)}}
	for i := 0; i+1 < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	return c.SitePath("pages", "?"+query.Encode())
}

// moveDirection returns "up" or "down", as the posted form says. Any other text means down.
func (c *call) moveDirection() string {
	if c.PostFormValue("to") == "up" {
		return "up"
	}
	return "down"
}

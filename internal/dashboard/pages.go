package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel/internal/admins"
	layout "laurel/internal/content/pages"
)

var pageRoutes = []route{
	{onWebsite, admins.SeeProgram, "pages", get, "/pages", pagesPage},
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
	On bool
}

// Label returns the name of the place.
func (p placeLink) Label() string { return placeName(p.Place) }

// Value is the place as an address names it.
func (p placeLink) Value() string { return formatPlace(p.Place) }

const onEveryPage = "global" // the placement

// placeName returns the name of a place in words.
func placeName(p layout.Place) string {
	switch {
	case p.Placement == onEveryPage:
		return "Every page"
	case p.PageID == "":
		return "Unnamed page"
	}
	return "Page " + p.PageID
}

// formatPlace writes a place as a query parameter, which parsePlace reads.
func formatPlace(p layout.Place) string {
	if p.Placement == onEveryPage {
		return p.Placement
	}
	return p.Placement + ":" + p.PageID
}

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

// sectionState returns whether a section is shown at a moment, not yet or no more.
func sectionState(s layout.Section, now time.Time) string {
	switch {
	case !s.End.IsZero() && !now.Before(s.End):
		return sectionOver
	case now.Before(s.Start):
		return sectionLater
	}
	return sectionShown
}

// Name returns the name of the section.
func (r sectionRow) Name() string { return sectionName(r.Section) }

// sectionName returns the title of a section, else its type.
func sectionName(s layout.Section) string {
	if s.Title != nil && strings.TrimSpace(*s.Title) != "" {
		return *s.Title
	}
	if s.Type != nil {
		return choiceLabel(sectionTypes, *s.Type)
	}
	return "Untitled section"
}

// sectionTypes are the words for the types of sections.
var sectionTypes = []choice{
	{"all_items", "All items"}, {"discovery_item", "Discovery item"}, {"discovery_items_grid", "Grid of discovery items"},
}

// Holds lists the parts of the section in words.
func (r sectionRow) Holds() string {
	var out []string
	if b := r.Banner; b != nil {
		if n := len(b.Collections); n > 0 {
			out = append(out, "banner of "+plural(n, "collection", "collections"))
		}
		if b.Carousel != nil {
			out = append(out, "carousel of "+number(len(b.Carousel.Items)))
		}
	}
	if n := len(r.ItemsGrids); n > 0 {
		out = append(out, "grid of "+plural(n, "collection", "collections"))
	}
	if n := len(r.Discovery); n > 0 {
		out = append(out, plural(n, "discovery item", "discovery items"))
	}
	if len(out) == 0 {
		return "no content"
	}
	return sentence(strings.Join(out, ", "))
}

// Order returns the ids of the list in the order that the page shows. A dragged order is refused if this one has
// changed meanwhile.
func (d pagesData) Order() string {
	var ids []string
	for _, b := range d.Blocks {
		ids = append(ids, b.ID.String())
	}
	for _, s := range d.Sections {
		ids = append(ids, s.ID.String())
	}
	return strings.Join(ids, " ")
}

// PlaceValue is the place as an address names it.
func (d pagesData) PlaceValue() string { return formatPlace(d.Place) }

// PlaceName returns the name of the place.
func (d pagesData) PlaceName() string { return placeName(d.Place) }

// Last reports whether a place in the list is its last one.
func (d pagesData) Last(i int) bool { return i == len(d.Blocks)+len(d.Sections)-1 }

// Movable reports whether there is an order to change.
func (d pagesData) Movable() bool { return len(d.Blocks)+len(d.Sections) > 1 && !d.Full }

// Over returns how many sections have ended.
func (d pagesData) Over() (n int) {
	for _, s := range d.Sections {
		if s.State == sectionOver {
			n++
		}
	}
	return n
}

// pagesPage shows the blocks of the loyalty page, or the sections of a place, with a preview.
func pagesPage(c *request) (view, error) {
	data, err := c.readPages(c.URL.Query().Get("tab") == "sections", c.URL.Query().Get("place"))
	if err != nil {
		return view{}, err
	}
	return pageView("pages", "Pages", data)
}

// readPages reads the blocks of the loyalty page, or the sections of a place. Without a place, that with the most
// sections is read.
func (c *request) readPages(ofSections bool, place string) (pagesData, error) {
	data := pagesData{OfSections: ofSections}
	read := c.readBlocks
	if ofSections {
		read = func(d *pagesData) error { return c.readSections(d, place) }
	}
	err := read(&data)
	return data, err
}

// readSections reads all places, the sections of the chosen one, and a preview of those that have not ended.
func (c *request) readSections(d *pagesData, place string) error {
	scope := c.scope.At(c.site.ID)
	places, err := c.d.Pages.Places(c.Context(), scope)
	if err != nil {
		return err
	}
	if d.Place = parsePlace(place); place == "" && len(places) > 0 {
		d.Place = slices.MaxFunc(places, func(a, b layout.Place) int { return cmp.Compare(a.Sections, b.Sections) })
	}
	for _, p := range places {
		on := formatPlace(p) == formatPlace(d.Place)
		d.Full = d.Full || on && p.Sections > layout.MaxSectionsPerPlace
		d.Places = append(d.Places, placeLink{p, on})
	}
	list, err := c.d.Pages.SectionsOfPlace(c.Context(), scope, d.Place)
	if err != nil {
		return err
	}
	names, err := c.readNames()
	if err != nil {
		return err
	}
	for _, s := range list {
		row := sectionRow{s, sectionState(s, c.d.Now())}
		d.Sections = append(d.Sections, row)
		if row.State != sectionOver {
			d.Preview = append(d.Preview, sectionPreview(row, names))
		}
	}
	return nil
}

// showOrderRefused shows the list in its present order, and why the new one was not saved.
func (c *request) showOrderRefused(err error, ofSections bool, place string) (view, error) {
	data, readErr := c.readPages(ofSections, place)
	if readErr != nil {
		return view{}, readErr
	}
	data.Note = sentence(asRefusal(err).Message) + ". This is the order now."
	return view{template: "pages", title: "Error: Pages", status: http.StatusBadRequest, data: data}, nil
}

// sectionsPath returns the path of the sections of a place. more are further query parameters, names and values in
// turn.
func (c *request) sectionsPath(p layout.Place, more ...string) string {
	query := url.Values{"tab": {"sections"}, "place": {formatPlace(p)}}
	for i := 0; i+1 < len(more); i += 2 {
		query.Set(more[i], more[i+1])
	}
	return c.sitePath("pages", "?"+query.Encode())
}

// moveDirection returns "up" or "down", as the posted form says.
func (c *request) moveDirection() string {
	if c.PostFormValue("to") == "up" {
		return "up"
	}
	return "down"
}

// SectionPlace is where the page of a section leads back to.
func (s screen) SectionPlace(of layout.Section) string {
	return s.sectionsPath(layout.Place{Placement: of.Placement, PageID: of.PageID})
}

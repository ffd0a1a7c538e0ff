package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/content/collections"
	"laurel/internal/store"
	"laurel/internal/weburl"
)

const global = "global" // the placement on every page

// Placements, SectionTypes and Layouts list what the enumerations of sections hold (contract 2).
func Placements() []string { return []string{global, "page"} }

// SectionTypes lists the types of sections.
func SectionTypes() []string { return []string{"all_items", "discovery_item", "discovery_items_grid"} }

// Layouts lists the layouts of discovery items.
func Layouts() []string { return []string{"container_style", "full_width_hero"} }

// SectionInput is a section as a caller writes it. On creation placement and durationStart are needed.
type SectionInput struct {
	Placement  laurel.Optional[string]           `json:"placement,omitzero"`
	PageID     laurel.Optional[string]           `json:"pageId,omitzero" doc:"The page, for placement page"`
	Type       laurel.Optional[string]           `json:"pageSectionType,omitzero"`
	Title      laurel.Optional[string]           `json:"title,omitzero"`
	SortID     laurel.Optional[int64]            `json:"sortId,omitzero" doc:"Lists go by it, the lowest first. Default 0"`
	Start      laurel.Optional[laurel.Timestamp] `json:"durationStart,omitzero"`
	End        laurel.Optional[laurel.Timestamp] `json:"durationEnd,omitzero"`
	Banner     laurel.Optional[BannerInput]      `json:"banner,omitzero"`
	ItemsGrids laurel.Optional[[]ShownInput]     `json:"itemsGrids,omitzero" doc:"Replaces the former ones"`
	Discovery  laurel.Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero" doc:"Replaces the former ones"`
}

// BannerInput is a banner as a caller writes it: it replaces the former one.
type BannerInput struct {
	ID          laurel.Optional[laurel.ID]     `json:"id,omitzero"`
	Collections laurel.Optional[[]ShownInput]  `json:"websiteCollectionBanners,omitzero"`
	Carousel    laurel.Optional[CarouselInput] `json:"carousel,omitzero"`
}

// ShownInput is a place for a collection.
type ShownInput struct {
	ID           laurel.Optional[laurel.ID] `json:"id,omitzero" doc:"Of a part that the section has; on creation ignored"`
	CollectionID laurel.Optional[laurel.ID] `json:"websiteCollectionId,omitzero"`
}

// CarouselInput is a carousel as a caller writes it.
type CarouselInput struct {
	ID    laurel.Optional[laurel.ID]           `json:"id,omitzero"`
	Items laurel.Optional[[]CarouselItemInput] `json:"carouselItems,omitzero"`
}

// CarouselItemInput is one item of it.
type CarouselItemInput struct {
	ID     laurel.Optional[laurel.ID] `json:"id,omitzero"`
	SortID laurel.Optional[int64]     `json:"sortId,omitzero" doc:"Default: its place in the list, from 0"`
}

// DiscoveryInput is a discovery item as a caller writes it. It is written whole: an absent property is null or false.
type DiscoveryInput struct {
	ID            laurel.Optional[laurel.ID] `json:"id,omitzero" doc:"Of a part that the section has; on creation ignored"`
	Title         laurel.Optional[string]    `json:"title,omitzero"`
	ButtonText    laurel.Optional[string]    `json:"buttonText,omitzero"`
	Description   laurel.Optional[string]    `json:"description,omitzero"`
	ExternalLink  laurel.Optional[string]    `json:"externalLink,omitzero"`
	HideQuestInfo laurel.Optional[bool]      `json:"hideQuestInfo,omitzero"`
	Layout        laurel.Optional[string]    `json:"layout,omitzero"`
	GroupID       laurel.Optional[laurel.ID] `json:"loyaltyRuleGroupId,omitzero"`
	MediaLink     laurel.Optional[string]    `json:"mediaLink,omitzero"`
	PageMediaLink laurel.Optional[string]    `json:"pageMediaLink,omitzero"`
	SortID        laurel.Optional[int64]     `json:"sortId,omitzero" doc:"Default: its place in the list, from 0"`
	Microblog     laurel.Optional[string]    `json:"microblog,omitzero"`
	Website       laurel.Optional[string]    `json:"website,omitzero"`
}

// Bounds returns what the properties of a section accept.
func (SectionInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"placement", "durationStart"},
		NotNull:  []string{"placement", "durationStart", "sortId", "itemsGrids", "discoveryItems"},
		Keywords: map[string]laurel.Keywords{
			"placement":       {"enum": Placements()},
			"pageId":          {"maxLength": maxPageID},
			"pageSectionType": {"enum": SectionTypes()},
			"title":           {"maxLength": maxName},
			"itemsGrids":      {"maxItems": maxParts},
			"discoveryItems":  {"maxItems": maxParts},
		},
	}
}

// Bounds returns what the properties of a banner accept.
func (BannerInput) Bounds() laurel.Bounds {
	return laurel.Bounds{NotNull: []string{"websiteCollectionBanners"}, Keywords: map[string]laurel.Keywords{
		"websiteCollectionBanners": {"maxItems": maxParts},
	}}
}

// Bounds returns what the properties of a carousel accept.
func (CarouselInput) Bounds() laurel.Bounds {
	return laurel.Bounds{NotNull: []string{"carouselItems"}, Keywords: map[string]laurel.Keywords{
		"carouselItems": {"maxItems": maxParts},
	}}
}

// Bounds returns what the properties of a discovery item accept.
func (DiscoveryInput) Bounds() laurel.Bounds {
	link := laurel.Keywords{"format": "uri-reference", "maxLength": weburl.MaxLength}
	return laurel.Bounds{NotNull: []string{"hideQuestInfo", "sortId"}, Keywords: map[string]laurel.Keywords{
		"title":         {"maxLength": maxName},
		"buttonText":    {"maxLength": maxName},
		"description":   {"maxLength": maxText},
		"layout":        {"enum": Layouts()},
		"externalLink":  {"format": "uri", "maxLength": weburl.MaxLength},
		"mediaLink":     link,
		"pageMediaLink": link,
		"microblog":     {"maxLength": maxName},
		"website":       {"format": "uri", "maxLength": weburl.MaxLength},
	}}
}

// applyInput writes the input over a section. What it names newly must be there; what the section named before may be gone.
func (s *Service) applyInput(ctx context.Context, tx *store.Tx, in SectionInput, section *Section) error {
	w := partsBuilder{newID: tx.NewID, existingIDs: idsInParts(section.Parts), isNewSection: section.Placement == ""}
	section.Parts = w.build(in, section.Parts)
	in.assignFields(&w.faults, section)
	if err := w.faults.Err(); err != nil {
		return err
	}
	scope := laurel.Scope{OrganizationID: section.OrganizationID, WebsiteID: section.WebsiteID}
	if err := s.checkReferences(ctx, tx, scope, &w); err != nil {
		return err
	}
	encoded, err := json.Marshal(section.Parts)
	if err == nil && len(encoded) > maxSection {
		err = laurel.Faults{{Path: "discoveryItems", Message: fmt.Sprintf(
			"banner, itemsGrids and discoveryItems must be at most %d bytes together", maxSection)}}.Err()
	}
	if err != nil {
		return err
	}
	return s.loadReferences(ctx, tx, scope, []*Section{section})
}

// assignFields writes what is not a part.
func (in SectionInput) assignFields(f *laurel.Faults, section *Section) {
	assignOneOf(f, "placement", in.Placement, Placements(), &section.Placement)
	if in.PageID.Set {
		f.Text("pageId", in.PageID.Value, 0, maxPageID)
		section.PageID = in.PageID.Value
	}
	assignOneOfOrNull(f, "pageSectionType", in.Type, SectionTypes(), &section.Type)
	laurel.AssignText(f, "title", in.Title, maxName, &section.Title)
	laurel.Assign(f, "sortId", in.SortID, "an integer", &section.SortID)
	switch {
	case in.Start.Set && in.Start.Null, !in.Start.Set && section.Start.IsZero():
		f.Add("durationStart", "is required")
	case in.Start.Set:
		section.Start = in.Start.Value.Time
	}
	if in.End.Set {
		section.End = in.End.Value.Time // zero for null
	}
	if !section.End.IsZero() && !section.End.After(section.Start) {
		f.Add("durationEnd", "must be after durationStart")
	}
}

func assignOneOf(f *laurel.Faults, path string, in laurel.Optional[string], allowed []string, to *string) {
	switch {
	case in.Set && in.Null, !in.Set && *to == "":
		f.Add(path, "is required")
	case in.Set && !slices.Contains(allowed, in.Value):
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	case in.Set:
		*to = in.Value
	}
}

func assignOneOfOrNull(f *laurel.Faults, path string, in laurel.Optional[string], allowed []string, to **string) {
	if in.Ptr() != nil && !slices.Contains(allowed, in.Value) {
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	} else if in.Set {
		*to = in.Ptr()
	}
}

// checkReferences checks that what the writer has named newly is live.
func (s *Service) checkReferences(ctx context.Context, tx *store.Tx, scope laurel.Scope, w *partsBuilder) error {
	live, err := collections.FindLive(ctx, tx, scope, w.collections.ids())
	if err != nil {
		return err
	}
	for _, n := range w.collections {
		if _, ok := live[n.id]; !ok {
			w.faults.AddText(n.path, msgNoCollection)
		}
	}
	groups, err := s.groupNames(ctx, tx, scope, w.groups.ids())
	if err != nil {
		return err
	}
	for _, n := range w.groups {
		if _, ok := groups[n.id]; !ok {
			w.faults.AddText(n.path, msgNoGroup)
		}
	}
	return w.faults.Err()
}

// references are ids with where the input names them.
type references []struct {
	id   laurel.ID
	path string
}

func (n references) ids() []laurel.ID {
	out := make([]laurel.ID, len(n))
	for i := range n {
		out[i] = n[i].id
	}
	return out
}

func itemPath(path string, i int, name string) string {
	return path + "." + strconv.Itoa(i) + "." + name
}

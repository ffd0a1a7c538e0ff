package pages

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content/pages"
)

// pageSection is contract 3.29.
type pageSection struct {
	ID              laurel.ID            `json:"id"`
	OrganizationID  laurel.ID            `json:"organizationId"`
	WebsiteID       laurel.ID            `json:"websiteId"`
	Placement       string               `json:"placement"`
	PageID          *string              `json:"pageId,omitempty"`
	PageSectionType *string              `json:"pageSectionType"`
	Title           *string              `json:"title"`
	SortID          int64                `json:"sortId"`
	DurationStart   laurel.Timestamp     `json:"durationStart"`
	DurationEnd     laurel.NullTimestamp `json:"durationEnd"`
	Banner          *sectionBanner       `json:"banner"`
	ItemsGrids      []shownCollection    `json:"itemsGrids"`
	DiscoveryItems  []discoveryItem      `json:"discoveryItems"`
	CreatedAt       laurel.Timestamp     `json:"createdAt"`
	UpdatedAt       laurel.Timestamp     `json:"updatedAt"`
	DeletedAt       laurel.NullTimestamp `json:"deletedAt,omitzero"`
}

type sectionBanner struct {
	ID                       laurel.ID         `json:"id"`
	WebsiteCollectionBanners []shownCollection `json:"websiteCollectionBanners"`
	Carousel                 *sectionCarousel  `json:"carousel"`
}

type shownCollection struct {
	ID                  laurel.ID          `json:"id"`
	WebsiteCollectionID *laurel.ID         `json:"websiteCollectionId,omitempty"`
	WebsiteCollection   *collectionSummary `json:"websiteCollection" doc:"null without one, and once it is deleted"`
}

type collectionSummary struct {
	ID                laurel.ID  `json:"id"`
	Name              string     `json:"name"`
	ImageURL          *string    `json:"imageUrl"`
	MintingContractID *laurel.ID `json:"mintingContractId"`
}

type sectionCarousel struct {
	ID            laurel.ID             `json:"id"`
	CarouselItems []sectionCarouselItem `json:"carouselItems"`
}

type sectionCarouselItem struct {
	ID     laurel.ID `json:"id"`
	SortID int64     `json:"sortId"`
}

type discoveryItem struct {
	ID                 laurel.ID      `json:"id"`
	Title              *string        `json:"title"`
	ButtonText         *string        `json:"buttonText"`
	Description        *string        `json:"description"`
	ExternalLink       *string        `json:"externalLink"`
	HideQuestInfo      bool           `json:"hideQuestInfo"`
	Layout             *string        `json:"layout"`
	LoyaltyRuleGroupID *laurel.ID     `json:"loyaltyRuleGroupId"`
	LoyaltySection     *loyaltyHeader `json:"loyaltySection" doc:"The rule group; null without one, and once it is deleted"`
	MediaLink          *string        `json:"mediaLink"`
	PageMediaLink      *string        `json:"pageMediaLink"`
	SortID             int64          `json:"sortId"`
	Microblog          *string        `json:"microblog"`
	Website            *string        `json:"website"`
}

// loyaltyHeader is a rule group, by its name.
type loyaltyHeader struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

// shapeSection returns a page section as responses show it, with its banner, grids and discovery items.
func shapeSection(s pages.Section) pageSection {
	out := pageSection{
		ID: s.ID, OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, Placement: s.Placement, PageID: s.PageID,
		PageSectionType: s.Type, Title: s.Title, SortID: s.SortID, DurationStart: s.Start, DurationEnd: s.End,
		ItemsGrids: shapeSlots(s.ItemsGrids), DiscoveryItems: []discoveryItem{}, CreatedAt: s.CreatedAt,
		UpdatedAt: s.UpdatedAt, DeletedAt: s.DeletedAt,
	}
	if b := s.Banner; b != nil {
		out.Banner = &sectionBanner{ID: b.ID, WebsiteCollectionBanners: shapeSlots(b.Collections)}
		if b.Carousel != nil {
			out.Banner.Carousel = &sectionCarousel{ID: b.Carousel.ID, CarouselItems: []sectionCarouselItem{}}
			for _, item := range b.Carousel.Items {
				out.Banner.Carousel.CarouselItems = append(out.Banner.Carousel.CarouselItems, sectionCarouselItem(item))
			}
		}
	}
	for _, d := range s.Discovery {
		item := discoveryItem{
			ID: d.ID, Title: d.Title, ButtonText: d.ButtonText, Description: d.Description, ExternalLink: d.ExternalLink,
			HideQuestInfo: d.HideQuestInfo, Layout: d.Layout, LoyaltyRuleGroupID: d.GroupID.Ptr(), MediaLink: d.MediaLink,
			PageMediaLink: d.PageMediaLink, SortID: d.SortID, Microblog: d.Microblog, Website: d.Website,
		}
		if d.Group != nil {
			item.LoyaltySection = &loyaltyHeader{ID: d.GroupID, Name: *d.Group}
		}
		out.DiscoveryItems = append(out.DiscoveryItems, item)
	}
	return out
}

// shapeSlots returns slots, which are places for one collection each, as responses show them. Each has a summary of its
// collection, if there is one.
func shapeSlots(slots []pages.Shown) []shownCollection {
	out := []shownCollection{}
	for _, p := range slots {
		slot := shownCollection{ID: p.ID, WebsiteCollectionID: p.CollectionID.Ptr()}
		if c := p.Collection; c != nil {
			slot.WebsiteCollection = &collectionSummary{
				ID: c.ID, Name: c.Name, ImageURL: c.ImageURL, MintingContractID: c.MintingContractID.Ptr(),
			}
		}
		out = append(out, slot)
	}
	return out
}

// sectionsInPlace is a list of sections that also has the fields of its first section (contract 4.7).
type sectionsInPlace struct{ sections []pageSection }

// sectionList is the part of sectionsInPlace that does not need a section.
type sectionList struct {
	Data        []pageSection `json:"data"`
	HasNextPage bool          `json:"hasNextPage"`
}

// MarshalJSON writes the list in data and, before it, the fields of the first section, if there is one, as properties
// of the response itself.
func (s sectionsInPlace) MarshalJSON() ([]byte, error) {
	list := sectionList{Data: s.sections}
	if len(s.sections) == 0 {
		return json.Marshal(list)
	}
	return json.Marshal(struct {
		*pageSection
		sectionList
	}{&s.sections[0], list})
}

// Schema describes a list with the optional fields of a section.
func (sectionsInPlace) Schema(r huma.Registry) *huma.Schema {
	return rest.MergedSchema[sectionList, pageSection](r)
}

type listSectionsInput struct {
	rest.Tenant
	Placement       string `query:"placement" required:"true" enum:"global,page"`
	PageID          string `query:"pageId"`
	PageSectionType string `query:"pageSectionType" enum:"all_items,discovery_item,discovery_items_grid"`
	All             string `query:"all" enum:"1" doc:"1: sections whose window is not open, too"`
}

// maxSections is how many sections a response has at most (contract 4.7).
const maxSections = 100

// listSections returns the sections of a placement, at most maxSections. Unless all is 1, it leaves out those whose
// time has not come or is over.
func (h *handlers) listSections(ctx context.Context, in *listSectionsInput) (*rest.Response[sectionsInPlace], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	found, err := h.Pages.Sections(ctx, scope, pages.SectionFilter{
		Placement: in.Placement, PageID: in.PageID, Type: in.PageSectionType, OpenOnly: in.All != "1",
	}, laurel.PageRequest{Limit: maxSections})
	if err != nil {
		return nil, err
	}
	out := sectionsInPlace{laurel.MapPage(found, shapeSection).Data}
	return &rest.Response[sectionsInPlace]{Body: out}, nil
}

type createSectionBody struct {
	rest.TenantBody
	rest.RecordBody[pages.Section]
	pages.PartsInput
}

// Creates marks the properties that a new section needs as required.
func (createSectionBody) Creates() {}

type createSectionInput struct {
	Body createSectionBody
}

// createSection creates a page section in a website.
func (h *handlers) createSection(ctx context.Context, in *createSectionInput) (*rest.Response[pageSection], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	input := pages.SectionInput{SectionPatch: in.Body.Patch, PartsInput: in.Body.PartsInput}
	s, err := h.Pages.CreateSection(ctx, scope, input)
	return rest.ResponseOf(s, err, shapeSection)
}

type updateSectionBody struct {
	rest.TenantBody
	rest.RecordBody[pages.Section]
	pages.PartsInput
}

type updateSectionInput struct {
	rest.PathID
	Body updateSectionBody
}

// updateSection changes the properties of a page section that the body sets.
func (h *handlers) updateSection(ctx context.Context, in *updateSectionInput) (*rest.Response[pageSection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	input := pages.SectionInput{SectionPatch: in.Body.Patch, PartsInput: in.Body.PartsInput}
	s, err := h.Pages.UpdateSection(ctx, scope, in.ID.ID, input)
	return rest.ResponseOf(s, err, shapeSection)
}

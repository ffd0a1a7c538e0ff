package pages

import (
	"context"
	"database/sql/driver"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/store"
)

// Section is a page section: parts that are shown at a place, from Start until End. It is a row of page_sections.
type Section struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	Placement      string               `db:"placement" json:"placement" in:"required placement"`
	PageID         *string              `db:"page_id" json:"pageId,omitempty" in:"max=255" hint:"The page, for placement page"` // never ""
	Type           *string              `db:"page_section_type" json:"pageSectionType" in:"sectiontype"`
	Title          *string              `db:"title" json:"title" in:"max=1000"`
	SortID         int64                `db:"sort_id" json:"sortId" in:"notnull" hint:"Lists go by it, the lowest first. Default 0"`
	Start          laurel.Timestamp     `db:"duration_start" json:"durationStart" in:"required"`
	End            laurel.NullTimestamp `db:"duration_end" json:"durationEnd" in:""`
	Parts
	CreatedAt laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt laurel.NullTimestamp `db:"deleted_at" json:"deletedAt,omitzero"`
}

// Place returns where the section is shown.
func (s Section) Place() Place {
	p := Place{Placement: s.Placement}
	if s.PageID != nil {
		p.PageID = *s.PageID
	}
	return p
}

// Parts are the contents of a section. Their JSON is what the database stores; responses show the records that they
// refer to as well.
type Parts struct {
	Banner     *Banner                `db:"banner" json:"banner"`
	ItemsGrids laurel.List[Shown]     `db:"items_grids" json:"itemsGrids"`
	Discovery  laurel.List[Discovery] `db:"discovery_items" json:"discoveryItems"`
}

// Banner shows collections, and may have a carousel.
type Banner struct {
	ID          laurel.ID `json:"id"`
	Collections []Shown   `json:"websiteCollectionBanners"`
	Carousel    *Carousel `json:"carousel"`
}

// Value stores the banner as JSON.
func (b Banner) Value() (driver.Value, error) { return string(store.JSON(b)), nil }

// Scan reads what Value stores.
func (b *Banner) Scan(src any) error { return laurel.ScanJSON(src, b) }

// Shown is a slot in which one collection is shown.
type Shown struct {
	ID           laurel.ID               `json:"id"`
	CollectionID laurel.ID               `json:"websiteCollectionId,omitzero"` // zero: none
	Collection   *collections.Collection `json:"-"`                            // nil: none, or deleted
}

// Carousel is an ordered list of items that a page rotates through.
type Carousel struct {
	ID    laurel.ID      `json:"id"`
	Items []CarouselItem `json:"carouselItems"`
}

// CarouselItem is one item of a carousel.
type CarouselItem struct {
	ID     laurel.ID `json:"id"`
	SortID int64     `json:"sortId"`
}

// Discovery is a discovery item: a card with texts and media that leads to a link or a rule group.
type Discovery struct {
	ID            laurel.ID `json:"id"`
	Title         *string   `json:"title"`
	ButtonText    *string   `json:"buttonText"`
	Description   *string   `json:"description"`
	ExternalLink  *string   `json:"externalLink"`
	HideQuestInfo bool      `json:"hideQuestInfo"`
	Layout        *string   `json:"layout"`
	GroupID       laurel.ID `json:"loyaltyRuleGroupId,omitzero"` // zero: none
	Group         *string   `json:"-"`                           // the name; nil: none, or deleted
	MediaLink     *string   `json:"mediaLink"`
	PageMediaLink *string   `json:"pageMediaLink"`
	SortID        int64     `json:"sortId"`
	Microblog     *string   `json:"microblog"`
	Website       *string   `json:"website"`
}

// collectionSlots returns pointers to all slots for collections: those of the banner, then those of the grids.
func (p *Parts) collectionSlots() []*Shown {
	var all []*Shown
	if p.Banner != nil {
		for i := range p.Banner.Collections {
			all = append(all, &p.Banner.Collections[i])
		}
	}
	for i := range p.ItemsGrids {
		all = append(all, &p.ItemsGrids[i])
	}
	return all
}

// CreateSection adds a section to the scope's website. Errors: Invalid.
func (s *Service) CreateSection(ctx context.Context, scope laurel.Scope, in SectionInput) (Section, error) {
	made := Section{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		section := made // a copy, as the transaction may run again
		section.ID, section.CreatedAt.Time, section.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if err := s.applyInput(ctx, tx, in, &section); err != nil {
			return err
		}
		made = section
		_, err := sectionTable.Insert(ctx, tx, &section, "")
		return err
	})
	return made, err
}

// UpdateSection changes the properties that the input sets; a list replaces the former one. Errors: NotFound "Page
// section", Invalid.
func (s *Service) UpdateSection(
	ctx context.Context, scope laurel.Scope, id laurel.ID, in SectionInput,
) (Section, error) {
	return sectionTable.EditLive(ctx, s.db, scope, id, func(tx *store.Tx, section *Section) error {
		return s.applyInput(ctx, tx, in, section)
	})
}

// DeleteSection marks a section as deleted and returns it. Errors: NotFound "Page section".
func (s *Service) DeleteSection(ctx context.Context, scope laurel.Scope, id laurel.ID) (Section, error) {
	return sectionTable.EditLive(ctx, s.db, scope, id, func(tx *store.Tx, section *Section) error {
		section.DeletedAt.Time = tx.Now()
		return s.loadReferences(ctx, tx, scope, []Section{*section})
	})
}

// Section returns a live section. Errors: NotFound "Page section".
func (s *Service) Section(ctx context.Context, scope laurel.Scope, id laurel.ID) (Section, error) {
	section, err := sectionTable.Get(ctx, s.db, store.LiveByID(scope, id), "")
	if err != nil {
		return Section{}, err
	}
	err = s.loadReferences(ctx, s.db, scope, []Section{section})
	return section, err
}

// SectionFilter narrows a list of sections. Empty properties do not filter.
type SectionFilter struct {
	Placement string
	PageID    string
	Type      string
	OpenOnly  bool // only those whose window is open
}

// Sections returns a page of the live sections by sortId. Errors: Invalid for a page id that is too long and for an
// unknown cursor.
func (s *Service) Sections(
	ctx context.Context, scope laurel.Scope, filter SectionFilter, page laurel.PageRequest,
) (laurel.Page[Section], error) {
	var none laurel.Page[Section]
	var f laurel.Faults
	f.Text("pageId", filter.PageID, 0, maxPageID)
	if err := f.Err(); err != nil {
		return none, err
	}
	found, err := listSections(ctx, s.db, scope, filter, page)
	if err != nil {
		return none, err
	}
	return found, s.loadReferences(ctx, s.db, scope, found.Data)
}

// loadReferences loads the collections and the names of rule groups that sections refer to, and sets them in their
// parts.
func (s *Service) loadReferences(ctx context.Context, q store.Queryer, scope laurel.Scope, sections []Section) error {
	var collectionIDs, groupIDs []laurel.ID
	for i := range sections {
		for _, slot := range sections[i].collectionSlots() {
			if !slot.CollectionID.IsZero() {
				collectionIDs = append(collectionIDs, slot.CollectionID)
			}
		}
		for _, d := range sections[i].Discovery {
			if !d.GroupID.IsZero() {
				groupIDs = append(groupIDs, d.GroupID)
			}
		}
	}
	names, err := s.groupNames(ctx, q, scope, groupIDs)
	if err != nil {
		return err
	}
	live, err := collections.FindLive(ctx, q, scope, collectionIDs)
	if err != nil {
		return err
	}
	for i := range sections {
		for _, slot := range sections[i].collectionSlots() {
			if c, ok := live[slot.CollectionID]; ok {
				slot.Collection = &c
			}
		}
		for j := range sections[i].Discovery {
			if name, ok := names[sections[i].Discovery[j].GroupID]; ok {
				sections[i].Discovery[j].Group = &name
			}
		}
	}
	return nil
}

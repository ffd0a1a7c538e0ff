-- +goose Up
-- Page sections (contract 3.29): banners, grids and discovery items in a window of time. What they hold is JSON.
CREATE TABLE page_sections (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    placement TEXT NOT NULL,
    page_id TEXT,
    page_section_type TEXT,
    title TEXT,
    sort_id BIGINT NOT NULL,
    duration_start BIGINT NOT NULL,
    duration_end BIGINT,
    banner TEXT,
    items_grids TEXT NOT NULL,
    discovery_items TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX page_sections_order ON page_sections (website_id, placement, sort_id, created_at, id) WHERE deleted_at IS NULL;

-- The blocks of a website's loyalty page (contract 3.30).
CREATE TABLE website_page_sections (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    type TEXT NOT NULL,
    title TEXT,
    sub_title TEXT,
    is_hidden BOOLEAN NOT NULL,
    sort_id BIGINT NOT NULL,
    loyalty_rule_group_id UUID,
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, loyalty_rule_group_id) REFERENCES loyalty_rule_groups (website_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX website_page_sections_order ON website_page_sections (website_id, sort_id, created_at, id) WHERE deleted_at IS NULL;

-- +goose Down
DROP TABLE website_page_sections;
DROP TABLE page_sections;

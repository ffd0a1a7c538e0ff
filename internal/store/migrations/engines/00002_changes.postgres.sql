-- The number of a change orders the feed. PostgreSQL takes it from a sequence, SQLite from the row number.
CREATE TABLE changes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID,
    table_name TEXT NOT NULL,
    entity_id UUID NOT NULL,
    action TEXT NOT NULL,
    data TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

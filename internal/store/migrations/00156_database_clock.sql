-- +goose Up
-- A database for tests has a clock of its own, which callers set: how far it is ahead of the system's, in microseconds.
-- Other databases have no row.
CREATE TABLE database_clock (
    id BIGINT PRIMARY KEY, -- 1
    ahead BIGINT NOT NULL
);

-- +goose Down
DROP TABLE database_clock;

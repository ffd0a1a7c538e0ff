-- +goose Up
-- From when on what referees earn is shared, of a rule that has begun to run while it was there: shares of the time without a frequency are never paid.
ALTER TABLE rule_cadences ADD COLUMN counts_from BIGINT;

-- +goose Down
ALTER TABLE rule_cadences DROP COLUMN counts_from;

-- +goose Up
-- Imports that are due are looked for website by website: none waits behind another one's.
CREATE INDEX list_imports_of_website ON list_imports (website_id, due_at, id) WHERE finished_at IS NULL;
DROP INDEX list_imports_due;

-- +goose Down
CREATE INDEX list_imports_due ON list_imports (due_at) WHERE finished_at IS NULL;
DROP INDEX list_imports_of_website;

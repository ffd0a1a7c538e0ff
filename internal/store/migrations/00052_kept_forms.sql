-- +goose Up
-- Browsers in which an admin has signed in, also after the session is over. The token itself is in a cookie only.
CREATE TABLE admin_browsers (
    hash TEXT PRIMARY KEY,
    admin_id UUID NOT NULL REFERENCES admins (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX admin_browsers_over ON admin_browsers (expires_at);

-- Forms that were sent after a session was over. They are shown again after signing in, and nothing else is done.
CREATE TABLE admin_kept_forms (
    id UUID PRIMARY KEY,
    browser TEXT NOT NULL REFERENCES admin_browsers (hash) ON DELETE CASCADE,
    page TEXT NOT NULL, -- that held the form, below the dashboard's root
    action TEXT NOT NULL, -- where the form went, likewise
    fields TEXT NOT NULL, -- JSON: lists of texts by name
    expires_at BIGINT NOT NULL
);
CREATE INDEX admin_kept_forms_of_browser ON admin_kept_forms (browser, expires_at);
CREATE INDEX admin_kept_forms_over ON admin_kept_forms (expires_at);

-- +goose Down
DROP TABLE admin_kept_forms;
DROP TABLE admin_browsers;

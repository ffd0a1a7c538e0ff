-- Makes a row of the feed hold several changes (docs/decisions/0020). What was there becomes rows of one change each, marked as telling of any table.
-- They are read once: PostgreSQL's own packing costs more than room.
ALTER TABLE changes ADD COLUMN size BIGINT NOT NULL DEFAULT 1;
	ALTER TABLE changes ADD COLUMN tables BIGINT NOT NULL DEFAULT -1;
	ALTER TABLE changes ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';
	UPDATE changes SET changes = json_build_array(json_build_object('t', table_name, 'a', action, 'e', entity_id, 'd', CAST(data AS json)))::text;
	ALTER TABLE changes DROP COLUMN table_name;
	ALTER TABLE changes DROP COLUMN entity_id;
	ALTER TABLE changes DROP COLUMN action;
	ALTER TABLE changes DROP COLUMN data;
		ALTER TABLE changes ALTER COLUMN changes SET STORAGE EXTERNAL

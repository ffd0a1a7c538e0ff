-- Packs long rows of the feed where PostgreSQL was built with lz4, which is fast enough to pay for itself in pages not written.
DO $$ BEGIN
IF EXISTS (SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
	ALTER TABLE changes ALTER COLUMN changes SET STORAGE EXTENDED, ALTER COLUMN changes SET COMPRESSION lz4;
END IF;
END $$

-- The largest width that was made of a photo
-- Oldest build: 0008_originals

ALTER TABLE photos ADD COLUMN widest bigint;

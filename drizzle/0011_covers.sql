-- Covers that were chosen in the studio remember where they come from
-- Oldest build: 0010_encoding

ALTER TABLE media ADD COLUMN cover_source jsonb;

-- The facts of an item as the last import had them
-- Oldest build: 0004_collected

ALTER TABLE "media" ADD COLUMN "imported" jsonb;

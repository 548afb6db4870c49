-- Oldest build: 0020_announced_changes
-- The tags that filters offer were counted for each reader of the menu. rank-media counts them now, every ten minutes:
-- until its first run, tags are offered by name. No count exceeds a thousand.
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE "tags" ADD COLUMN "video_uses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE "tags" ADD COLUMN "photo_set_uses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Listed media with a term, newest first; the caller checks their dates. PostgreSQL expects few rows of a term that it
-- does not know when it plans, and would read and sort all of a common one.
CREATE FUNCTION "newest_of_term"(term bigint, type media_type, most integer) RETURNS SETOF uuid
LANGUAGE sql STABLE SET enable_bitmapscan = off SET enable_sort = off AS $$
	SELECT t.media_id FROM media_terms t WHERE t.term = $1 AND t.type = $2
	ORDER BY t.publish_at DESC, t.media_id DESC LIMIT $3
$$;

CREATE TABLE "catalog_totals" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"videos" integer NOT NULL,
	"video_seconds" double precision NOT NULL,
	"photo_sets" integer NOT NULL,
	"photos" integer NOT NULL,
	"creators" integer NOT NULL,
	CONSTRAINT "catalog_totals_one_row" CHECK (id)
);
--> statement-breakpoint
INSERT INTO "catalog_totals" ("videos", "video_seconds", "photo_sets", "photos", "creators")
SELECT count(*) FILTER (WHERE type = 'video'), coalesce(sum(duration_seconds), 0),
  count(*) FILTER (WHERE type = 'photoSet'), coalesce(sum(photo_count), 0),
  (SELECT count(*) FROM creators WHERE video_count + photo_set_count > 0)
FROM media WHERE status = 'published' AND publish_at <= now() AND (expire_at IS NULL OR expire_at > now());

CREATE TABLE "media_terms" (
	"media_id" uuid NOT NULL,
	"term" bigint NOT NULL,
	"type" "media_type" NOT NULL,
	"publish_at" timestamp with time zone NOT NULL,
	"expire_at" timestamp with time zone,
	"play_count" integer NOT NULL,
	"extent" double precision NOT NULL,
	"title" text NOT NULL,
	CONSTRAINT "media_terms_media_id_term_pk" PRIMARY KEY("media_id","term")
);
--> statement-breakpoint
ALTER TABLE "media_terms" ADD CONSTRAINT "media_terms_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_terms_newest" ON "media_terms" USING btree ("term","type","publish_at","media_id");--> statement-breakpoint
CREATE INDEX "media_terms_watched" ON "media_terms" USING btree ("term","type","play_count","media_id");--> statement-breakpoint
CREATE INDEX "media_terms_longest" ON "media_terms" USING btree ("term","type","extent","media_id");--> statement-breakpoint
CREATE INDEX "media_terms_title" ON "media_terms" USING btree ("term","type","title","media_id");--> statement-breakpoint
CREATE INDEX "media_terms_expiring" ON "media_terms" USING btree ("expire_at") WHERE expire_at IS NOT NULL;--> statement-breakpoint
-- So that what is known of common terms is known of all that matter.
ALTER TABLE "media_terms" ALTER COLUMN "term" SET STATISTICS 1000;--> statement-breakpoint
-- What a term is stored as: eight bytes in every index instead of its name.
CREATE FUNCTION list_term(name text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT hashtextextended(name, 0) $$;--> statement-breakpoint
CREATE FUNCTION length_band(given media_type, extent double precision) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN extent < CASE given WHEN 'video' THEN 300 ELSE 12 END THEN 'short'
    WHEN extent < CASE given WHEN 'video' THEN 1200 ELSE 40 END THEN 'medium' ELSE 'long' END
$$;--> statement-breakpoint
-- Reads the clock only to leave out what has expired; what is not due yet is kept and left out by the lists themselves.
CREATE FUNCTION refresh_media_terms(given uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM media_terms WHERE media_id = ANY (given);
  INSERT INTO media_terms (media_id, term, type, publish_at, expire_at, play_count, extent, title)
  SELECT m.id, list_term(named.name), m.type, m.publish_at, m.expire_at, m.play_count, m.extent,
    left(lower(f_unaccent(m.title)), 100)
  FROM (SELECT *, COALESCE(duration_seconds, photo_count, 0)::float8 AS extent FROM media) m
  CROSS JOIN LATERAL (
    SELECT 'all' AS name
    UNION ALL SELECT 'access ' || m.access
    UNION ALL SELECT 'length ' || length_band(m.type, m.extent)
    UNION ALL SELECT 'access ' || m.access || ' length ' || length_band(m.type, m.extent)
    UNION ALL SELECT 'creator ' || creator_id FROM media_creators WHERE media_id = m.id
    UNION ALL SELECT 'tag ' || tag_id FROM media_tags WHERE media_id = m.id
    UNION ALL SELECT 'creator ' || creator_id || ' tag ' || tag_id
      FROM media_creators mc JOIN media_tags mt USING (media_id) WHERE mc.media_id = m.id
    UNION ALL SELECT 'word ' || lexeme FROM unnest(m.search)
  ) named
  WHERE m.id = ANY (given) AND m.status = 'published' AND (m.expire_at IS NULL OR m.expire_at > now())
  ON CONFLICT DO NOTHING
$$;--> statement-breakpoint
CREATE FUNCTION media_terms_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_media_terms(ARRAY[NEW.id]);
  RETURN NULL;
END $$;--> statement-breakpoint
-- Joining and leaving creators and tags touches the title (media_search_on_join), and so comes by here as well.
CREATE TRIGGER media_terms_on_write AFTER INSERT OR UPDATE OF type, title, description, status, access, publish_at,
  expire_at, duration_seconds, photo_count ON media FOR EACH ROW EXECUTE FUNCTION media_terms_on_write();--> statement-breakpoint
CREATE TRIGGER media_creators_search_changed AFTER UPDATE ON media_creators REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
CREATE TRIGGER media_tags_search_changed AFTER UPDATE ON media_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
-- Lists walk media_terms now; without an index on it, counting a play is a cheap write.
DROP INDEX media_list_watched;--> statement-breakpoint
DROP INDEX media_list_longest;--> statement-breakpoint
DROP INDEX media_list_title;--> statement-breakpoint
SELECT refresh_media_terms(ARRAY(SELECT id FROM media));

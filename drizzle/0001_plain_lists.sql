-- Lists read the items themselves, along ordinary indexes (decision 190), instead of a row for each item and term.

DROP TRIGGER media_search_on_write ON media;--> statement-breakpoint
DROP TRIGGER media_terms_on_write ON media;--> statement-breakpoint
DROP TRIGGER studio_terms_on_write ON media;--> statement-breakpoint
DROP TRIGGER media_creators_search_added ON media_creators;--> statement-breakpoint
DROP TRIGGER media_creators_search_changed ON media_creators;--> statement-breakpoint
DROP TRIGGER media_creators_search_removed ON media_creators;--> statement-breakpoint
DROP TRIGGER media_tags_search_added ON media_tags;--> statement-breakpoint
DROP TRIGGER media_tags_search_changed ON media_tags;--> statement-breakpoint
DROP TRIGGER media_tags_search_removed ON media_tags;--> statement-breakpoint
DROP TRIGGER media_files_studio_added ON media_files;--> statement-breakpoint
DROP TRIGGER media_files_studio_removed ON media_files;--> statement-breakpoint
DROP TRIGGER videos_studio ON videos;--> statement-breakpoint
DROP FUNCTION media_search_on_write, media_search_on_join, media_search_vector, remember_search_terms,
  media_terms_on_write, refresh_media_terms, newest_of_term, studio_terms_on_write, studio_terms_on_files,
  studio_terms_on_sound, refresh_studio_terms, media_problems, list_term, length_band;--> statement-breakpoint
DROP TABLE media_terms;--> statement-breakpoint
DROP TABLE studio_terms;--> statement-breakpoint

-- A phrase is found inside one of the texts. The names are qualified, because a restore by pg_restore has no search path.
CREATE FUNCTION search_vector(VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT to_tsvector('simple', to_jsonb(ARRAY(SELECT public.f_unaccent(given) FROM unnest(texts) given))) $$;--> statement-breakpoint
ALTER TABLE media DROP COLUMN search,
  ADD COLUMN search tsvector NOT NULL
    GENERATED ALWAYS AS (search_vector(left(title, 1000), left(description, 100000))) STORED,
  ADD COLUMN sort_title text NOT NULL GENERATED ALWAYS AS (left(lower(f_unaccent(title)), 100)) STORED,
  ADD COLUMN ranked_plays integer NOT NULL DEFAULT 0;--> statement-breakpoint
UPDATE media SET ranked_plays = play_count WHERE play_count > 0;--> statement-breakpoint
ALTER TABLE creators ADD COLUMN search tsvector NOT NULL
  GENERATED ALWAYS AS (search_vector(VARIADIC name || aliases)) STORED;--> statement-breakpoint
ALTER TABLE tags ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (search_vector(name)) STORED;--> statement-breakpoint
CREATE INDEX media_search ON media USING gin (search);--> statement-breakpoint
CREATE INDEX creators_search ON creators USING gin (search);--> statement-breakpoint
CREATE INDEX tags_search ON tags USING gin (search);--> statement-breakpoint

-- Published, and between its dates: what visitors may see. Written so that the indexes of published items serve it.
CREATE FUNCTION is_live(m media) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT m.status = 'published' AND m.publish_at <= now() AND (m.expire_at IS NULL OR m.expire_at > now())
$$;--> statement-breakpoint
-- Published, and past its last day; NULL without one.
CREATE FUNCTION has_expired(m media) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT m.status = 'published' AND m.expire_at <= now()
$$;--> statement-breakpoint

-- Read backwards, each serves the opposite order.
DROP INDEX media_list_newest;--> statement-breakpoint
CREATE INDEX media_newest ON media (type, publish_at, id, expire_at) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_most_watched ON media (type, ranked_plays, id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_longest ON media (type, COALESCE(duration_seconds, photo_count, 0), id)
  WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_by_title ON media (type, sort_title, id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_expiring ON media (expire_at) WHERE status = 'published' AND expire_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX media_studio_changed ON media (updated_at, id) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX media_studio_planned ON media (COALESCE(publish_at, '-infinity'::timestamptz), id) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX media_studio_title ON media (sort_title, id) WHERE status <> 'deleted';--> statement-breakpoint
-- For the problems of items and their counts, which look at all items.
CREATE INDEX media_open ON media (produced_on, id) WHERE status NOT IN ('takenDown', 'deleted');--> statement-breakpoint
CREATE INDEX media_publish_failed ON media (id) WHERE publish_problem IS NOT NULL;--> statement-breakpoint
CREATE INDEX media_deleted ON media (id) WHERE status = 'deleted';--> statement-breakpoint
CREATE INDEX media_files_covers ON media_files (media_id) WHERE name = 'cover-480.avif' AND retired_at IS NULL;--> statement-breakpoint
CREATE INDEX media_files_captions ON media_files (media_id)
  WHERE name LIKE 'captions-%' AND retired_at IS NULL;--> statement-breakpoint

-- Words that a misspelled one can be corrected to, of items once they are published, and of all names.
CREATE FUNCTION remember_search_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two writers never wait for each other in a circle.
  INSERT INTO search_terms SELECT lexeme FROM unnest(NEW.search)
    WHERE length(lexeme) BETWEEN 3 AND 64 ORDER BY lexeme ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER media_search_terms AFTER INSERT OR UPDATE OF title, description, status ON media
  FOR EACH ROW WHEN (NEW.status = 'published') EXECUTE FUNCTION remember_search_terms();--> statement-breakpoint
CREATE TRIGGER creators_search_terms AFTER INSERT OR UPDATE OF name, aliases ON creators
  FOR EACH ROW EXECUTE FUNCTION remember_search_terms();--> statement-breakpoint
CREATE TRIGGER tags_search_terms AFTER INSERT OR UPDATE OF name ON tags
  FOR EACH ROW EXECUTE FUNCTION remember_search_terms();--> statement-breakpoint
INSERT INTO search_terms SELECT DISTINCT lexeme
  FROM (SELECT search FROM creators UNION ALL SELECT search FROM tags) named, unnest(named.search)
  WHERE length(lexeme) BETWEEN 3 AND 64 ON CONFLICT DO NOTHING;--> statement-breakpoint

-- A rename is one row now, and a merge one transaction. What was being merged or deleted stays as far as it came, and can be
-- merged or deleted again. The id of a name that was merged leads to the one that it is part of, past those merged later.
INSERT INTO former_slugs (kind, slug, target_id)
  WITH RECURSIVE merged AS (
    SELECT kind, subject_id, target_id FROM name_changes WHERE action = 'merge' AND done_at IS NOT NULL
  ), led AS (
    SELECT * FROM merged
    UNION SELECT led.kind, led.subject_id, merged.target_id
      FROM led JOIN merged ON merged.kind = led.kind AND merged.subject_id = led.target_id
  )
  SELECT kind, subject_id::text, target_id FROM led
  WHERE target_id IN (SELECT id FROM creators UNION ALL SELECT id FROM tags)
  ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE name_changes;--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
      WHERE t.id = j.task_id AND t.identifier = 'change-names';
  END IF;
END $$;

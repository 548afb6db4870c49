-- The studio's list (decision 149): every item by each of its terms, with the columns that the orders sort by.
CREATE TABLE studio_terms (
  media_id uuid NOT NULL CONSTRAINT studio_terms_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  term bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  publish_at timestamptz NOT NULL,
  title text NOT NULL,
  CONSTRAINT studio_terms_media_id_term_pk PRIMARY KEY (media_id, term)
);--> statement-breakpoint
CREATE INDEX studio_terms_changed ON studio_terms (term, changed_at, media_id);--> statement-breakpoint
CREATE INDEX studio_terms_planned ON studio_terms (term, publish_at, media_id);--> statement-breakpoint
CREATE INDEX studio_terms_title ON studio_terms (term, title, media_id);--> statement-breakpoint
-- So that what is known of common terms is known of all that matter.
ALTER TABLE studio_terms ALTER COLUMN term SET STATISTICS 1000;--> statement-breakpoint

-- What an item lacks. What was taken down or deleted has nothing left to mend.
CREATE FUNCTION media_problems(m media) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN m.status IN ('takenDown', 'deleted') THEN '{}' ELSE array_remove(ARRAY[
    CASE WHEN NOT EXISTS (SELECT FROM media_creators mc WHERE mc.media_id = m.id) THEN 'noCredit' END,
    CASE WHEN NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'cover-%') THEN 'noCover' END,
    CASE WHEN m.produced_on IS NULL THEN 'noProductionDate' END,
    CASE WHEN EXISTS (SELECT FROM videos v WHERE v.media_id = m.id AND v.has_audio)
      AND NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'captions-%')
      THEN 'missingCaptions' END,
    CASE WHEN m.publish_problem IS NOT NULL THEN 'publishFailed' END
  ], NULL) END
$$;--> statement-breakpoint

-- Terms of deleted items begin with "deleted", so that no list but theirs shows them. What is past its expiry is a state of
-- its own here; it is reached by the clock, so that the job which takes expired items out of the lists calls this as well.
CREATE FUNCTION refresh_studio_terms(given uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM studio_terms WHERE media_id = ANY (given);
  INSERT INTO studio_terms (media_id, term, changed_at, publish_at, title)
  SELECT m.id, list_term(CASE WHEN m.status = 'deleted' THEN 'deleted ' ELSE '' END || named.name), m.updated_at,
    COALESCE(m.publish_at, '-infinity'), left(lower(f_unaccent(m.title)), 100)
  FROM media m CROSS JOIN LATERAL (
    SELECT 'all' AS name
    UNION ALL SELECT 'state ' || CASE WHEN m.status = 'published' AND m.expire_at <= now() THEN 'expired' ELSE m.status::text END
    UNION ALL SELECT 'type ' || m.type
    UNION ALL SELECT 'access ' || m.access
    UNION ALL SELECT 'creator ' || creator_id FROM media_creators WHERE media_id = m.id
    UNION ALL SELECT 'tag ' || tag_id FROM media_tags WHERE media_id = m.id
    UNION ALL SELECT 'problem ' || problem FROM unnest(media_problems(m)) problem
    UNION ALL SELECT 'word ' || lexeme FROM unnest(m.search)
  ) named
  WHERE m.id = ANY (given)
  ON CONFLICT DO NOTHING
$$;--> statement-breakpoint

CREATE FUNCTION studio_terms_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_studio_terms(ARRAY[NEW.id]);
  RETURN NULL;
END $$;--> statement-breakpoint
-- Joining and leaving creators and tags touches the title (media_search_on_join), and so comes by here as well.
CREATE TRIGGER studio_terms_on_write AFTER INSERT OR UPDATE OF type, title, description, status, access, publish_at,
  expire_at, produced_on, publish_problem, updated_at ON media FOR EACH ROW EXECUTE FUNCTION studio_terms_on_write();--> statement-breakpoint

-- Covers, captions and sound decide problems. The lock keeps two writers of one item from missing
-- each other's rows; it lets viewers store their progress meanwhile, and only the first report of a play waits.
CREATE FUNCTION studio_terms_on_files() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched uuid[] := ARRAY(SELECT DISTINCT media_id FROM changed WHERE name LIKE 'cover-%' OR name LIKE 'captions-%');
BEGIN
  IF touched = '{}' THEN RETURN NULL; END IF;
  PERFORM FROM media WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
  PERFORM refresh_studio_terms(touched);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER media_files_studio_added AFTER INSERT ON media_files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION studio_terms_on_files();--> statement-breakpoint
CREATE TRIGGER media_files_studio_removed AFTER DELETE ON media_files REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION studio_terms_on_files();--> statement-breakpoint
CREATE FUNCTION studio_terms_on_sound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM media WHERE id = NEW.media_id FOR NO KEY UPDATE;
  PERFORM refresh_studio_terms(ARRAY[NEW.media_id]);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER videos_studio AFTER INSERT OR UPDATE OF has_audio ON videos
  FOR EACH ROW EXECUTE FUNCTION studio_terms_on_sound();--> statement-breakpoint
SELECT refresh_studio_terms(ARRAY(SELECT id FROM media));--> statement-breakpoint

-- Changes of many items at once. No foreign keys to accounts and media: what was done to them outlives both.
CREATE TABLE bulk_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  actor_id uuid,
  actor text NOT NULL,
  actor_role text NOT NULL,
  change jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);--> statement-breakpoint
CREATE TABLE bulk_change_items (
  bulk_change_id uuid NOT NULL
    CONSTRAINT bulk_change_items_bulk_change_id_bulk_changes_id_fk REFERENCES bulk_changes (id) ON DELETE CASCADE,
  position integer NOT NULL,
  media_id uuid NOT NULL,
  title text NOT NULL,
  done_at timestamptz,
  is_changed boolean NOT NULL DEFAULT false,
  problem text,
  CONSTRAINT bulk_change_items_bulk_change_id_position_pk PRIMARY KEY (bulk_change_id, position)
);--> statement-breakpoint
CREATE INDEX bulk_change_items_open ON bulk_change_items (bulk_change_id, position) WHERE done_at IS NULL;

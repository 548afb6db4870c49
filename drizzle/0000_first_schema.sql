-- The whole schema, grouped by room as db/schema is. Constraints have the names that drizzle-kit gives them.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- unaccent() itself is only STABLE, so it cannot stand in an index; naming its dictionary makes this IMMUTABLE.
CREATE FUNCTION f_unaccent(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT public.unaccent('public.unaccent', $1) $$;

-- People: accounts, sessions and sign-in

CREATE TYPE user_role AS ENUM ('member', 'editor', 'publisher', 'records', 'owner');

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL,
  full_name text,
  billing_address jsonb,
  billing_method text,
  avatar_url text,
  payment_method jsonb,
  role user_role NOT NULL DEFAULT 'member',
  last_seen_at timestamptz,
  previous_visit_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  deletion_requested_at timestamptz
);
CREATE UNIQUE INDEX users_email_unique ON users (lower(email));
CREATE INDEX users_deletion_requested_at ON users (deletion_requested_at) WHERE deletion_requested_at IS NOT NULL;

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash text NOT NULL CONSTRAINT sessions_token_hash_unique UNIQUE,
  user_id uuid NOT NULL CONSTRAINT sessions_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  signed_in_at timestamptz NOT NULL DEFAULT now(),
  renewed_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  device text NOT NULL,
  network text,
  data jsonb NOT NULL DEFAULT '{}',
  is_counted boolean NOT NULL DEFAULT false
);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_uncounted ON sessions (signed_in_at) WHERE NOT is_counted;

CREATE TABLE known_browsers (
  user_id uuid NOT NULL CONSTRAINT known_browsers_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  browser_hash text NOT NULL,
  last_sign_in_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT known_browsers_user_id_browser_hash_pk PRIMARY KEY (user_id, browser_hash)
);
CREATE INDEX known_browsers_last_sign_in_at ON known_browsers (last_sign_in_at);

CREATE TABLE signin_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL,
  token_hash text NOT NULL CONSTRAINT signin_tokens_token_hash_unique UNIQUE,
  code_hash text NOT NULL,
  browser_hash text NOT NULL,
  device text NOT NULL,
  network text,
  next text NOT NULL DEFAULT '/',
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz,
  link_used_at timestamptz,
  link_used_device text,
  is_from_reserve boolean NOT NULL DEFAULT false
);
CREATE INDEX signin_tokens_email ON signin_tokens (lower(email));
CREATE INDEX signin_tokens_browser_hash ON signin_tokens (browser_hash);
CREATE INDEX signin_tokens_expires_at ON signin_tokens (expires_at);

CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL,
  expire timestamptz
);

-- When the visit before the present one ended; a visit is over when nothing was asked for half an hour. Right also before the
-- present visit is noted, because the page that opens it is read first.
CREATE FUNCTION previous_visit(last_seen timestamptz, noted timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN last_seen < now() - interval '30 minutes' THEN last_seen ELSE noted END $$;

-- Catalog

CREATE TYPE media_type AS ENUM ('video', 'photoSet');
CREATE TYPE media_status AS ENUM ('draft', 'scheduled', 'published', 'hidden', 'takenDown', 'deleted');
CREATE TYPE media_access AS ENUM ('free', 'member', 'subscriber');
CREATE TYPE name_kind AS ENUM ('creator', 'tag');
CREATE TYPE media_right AS ENUM ('see', 'preview', 'view', 'download', 'edit');

CREATE TABLE creators (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  slug text NOT NULL CONSTRAINT creators_slug_unique UNIQUE,
  name text NOT NULL,
  aliases text[] NOT NULL DEFAULT '{}',
  bio text NOT NULL DEFAULT '',
  links jsonb NOT NULL DEFAULT '[]',
  portrait_alt text NOT NULL DEFAULT '',
  color text NOT NULL DEFAULT '#8a8088',
  video_count integer NOT NULL DEFAULT 0,
  photo_set_count integer NOT NULL DEFAULT 0,
  newest_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX creators_name ON creators (lower(name), id);
CREATE INDEX creators_newest_at ON creators (COALESCE(newest_at, '-infinity'::timestamptz), id);
CREATE INDEX creators_works ON creators ((video_count + photo_set_count), id);

CREATE TABLE creator_files (
  creator_id uuid NOT NULL CONSTRAINT creator_files_creator_id_creators_id_fk REFERENCES creators (id) ON DELETE CASCADE,
  name text NOT NULL,
  storage_key text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  CONSTRAINT creator_files_creator_id_name_pk PRIMARY KEY (creator_id, name)
);

CREATE TABLE tags (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  slug text NOT NULL CONSTRAINT tags_slug_unique UNIQUE,
  name text NOT NULL,
  video_uses integer NOT NULL DEFAULT 0,
  photo_set_uses integer NOT NULL DEFAULT 0
);

CREATE TABLE media (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  type media_type NOT NULL,
  short_id text NOT NULL CONSTRAINT media_short_id_unique UNIQUE,
  slug text NOT NULL,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  produced_on date,
  publish_at timestamptz,
  expire_at timestamptz,
  status media_status NOT NULL DEFAULT 'draft',
  access media_access NOT NULL DEFAULT 'subscriber',
  allow_download boolean NOT NULL DEFAULT false,
  shoot_id uuid,
  duration_seconds double precision,
  photo_count integer,
  width integer,
  height integer,
  color text NOT NULL DEFAULT '#8a8088',
  play_count integer NOT NULL DEFAULT 0,
  search tsvector NOT NULL DEFAULT '',
  content_hash text CONSTRAINT media_content_hash_unique UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  first_published_at timestamptz,
  hidden_from media_status,
  taken_down_from media_status,
  taken_down_at timestamptz,
  taken_down_reason text,
  deleted_at timestamptz,
  publish_problem text,
  imported jsonb,
  file_version integer NOT NULL DEFAULT 0,
  cover_source jsonb,
  CONSTRAINT media_type_length
    CHECK ((type = 'video' AND photo_count IS NULL) OR (type = 'photoSet' AND duration_seconds IS NULL)),
  CONSTRAINT media_planned CHECK (publish_at IS NOT NULL OR status NOT IN ('scheduled', 'published'))
);
CREATE INDEX media_shoot_id ON media (shoot_id);
CREATE INDEX media_list_newest ON media (type, publish_at, id) WHERE status = 'published';
CREATE INDEX media_search ON media USING gin (search);
CREATE INDEX media_due ON media (publish_at) WHERE status = 'scheduled';

-- Whatever publishes an item, an import or a script of the host too: one that was public once is never deleted without a trace.
CREATE FUNCTION media_first_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'published' THEN NEW.first_published_at := COALESCE(NEW.first_published_at, now()); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER media_first_published BEFORE INSERT OR UPDATE OF status ON media
  FOR EACH ROW EXECUTE FUNCTION media_first_published();

CREATE TABLE draft_links (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  media_id uuid NOT NULL CONSTRAINT draft_links_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  token_hash text NOT NULL CONSTRAINT draft_links_token_hash_unique UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX draft_links_media_id ON draft_links (media_id);

CREATE TABLE videos (
  media_id uuid PRIMARY KEY CONSTRAINT videos_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  markers jsonb NOT NULL DEFAULT '[]',
  has_audio boolean NOT NULL DEFAULT true
);

-- The part of a video that everybody past the gate may see (decision 166)
CREATE TABLE media_trailers (
  media_id uuid PRIMARY KEY CONSTRAINT media_trailers_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  from_seconds double precision NOT NULL,
  to_seconds double precision NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT media_trailers_range CHECK (from_seconds >= 0 AND to_seconds > from_seconds)
);

CREATE TABLE photos (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  media_id uuid NOT NULL CONSTRAINT photos_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  position integer,
  alt text NOT NULL DEFAULT '',
  width integer NOT NULL,
  height integer NOT NULL,
  color text NOT NULL DEFAULT '#8a8088',
  is_preview boolean NOT NULL DEFAULT false,
  left_out_at timestamptz,
  source_hash text NOT NULL,
  number integer NOT NULL,
  widest bigint NOT NULL,
  CONSTRAINT photos_left_out CHECK ((position IS NULL) = (left_out_at IS NOT NULL)),
  CONSTRAINT photos_media_number UNIQUE (media_id, number),
  -- Checked at the end of each statement, so that one statement closes a gap or changes the order.
  CONSTRAINT photos_media_position UNIQUE (media_id, position) DEFERRABLE
);

-- Files of every version (decision 157); those that were replaced are retired.
CREATE TABLE media_files (
  media_id uuid NOT NULL CONSTRAINT media_files_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  name text NOT NULL,
  storage_key text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  needs media_right NOT NULL,
  width integer,
  height integer,
  language text,
  label text,
  version integer NOT NULL DEFAULT 0,
  retired_at timestamptz,
  crc32 bigint NOT NULL,
  bandwidth bigint,
  codecs text,
  CONSTRAINT media_files_media_id_version_name_pk PRIMARY KEY (media_id, version, name)
);
CREATE UNIQUE INDEX media_files_current ON media_files (media_id, name) WHERE retired_at IS NULL;
CREATE INDEX media_files_retired ON media_files (retired_at) WHERE retired_at IS NOT NULL;

-- The files as they were imported, which only the studio serves
CREATE TABLE media_originals (
  storage_key text PRIMARY KEY,
  media_id uuid NOT NULL CONSTRAINT media_originals_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  photo_number bigint,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  file_name text NOT NULL,
  probe jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT media_originals_media_photo UNIQUE NULLS NOT DISTINCT (media_id, photo_number)
);

CREATE TABLE media_creators (
  media_id uuid NOT NULL CONSTRAINT media_creators_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  creator_id uuid NOT NULL CONSTRAINT media_creators_creator_id_creators_id_fk REFERENCES creators (id) ON DELETE CASCADE,
  position integer NOT NULL DEFAULT 0,
  CONSTRAINT media_creators_media_id_creator_id_pk PRIMARY KEY (media_id, creator_id)
);
CREATE INDEX media_creators_creator_id ON media_creators (creator_id, media_id);

CREATE TABLE media_tags (
  media_id uuid NOT NULL CONSTRAINT media_tags_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  tag_id uuid NOT NULL CONSTRAINT media_tags_tag_id_tags_id_fk REFERENCES tags (id) ON DELETE CASCADE,
  CONSTRAINT media_tags_media_id_tag_id_pk PRIMARY KEY (media_id, tag_id)
);
CREATE INDEX media_tags_tag_id ON media_tags (tag_id, media_id);

-- Earlier addresses and changed names of creators and tags. A rename of what thousands of items carry may not refresh their
-- search in its own statement: a job does it (decision 151).
CREATE TABLE former_slugs (
  kind name_kind NOT NULL,
  slug text NOT NULL,
  target_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT former_slugs_kind_slug_pk PRIMARY KEY (kind, slug)
);
CREATE INDEX former_slugs_target ON former_slugs (kind, target_id);

CREATE TABLE name_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind name_kind NOT NULL,
  action text NOT NULL,
  subject_id uuid NOT NULL,
  subject_name text NOT NULL,
  target_id uuid,
  target_name text,
  actor text NOT NULL,
  items bigint NOT NULL,
  done_items bigint NOT NULL DEFAULT 0,
  after_media_id uuid,
  is_walked boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);

-- Changes of many items at once. No foreign keys to accounts and media: what was done to them outlives both.
CREATE TABLE bulk_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  actor_id uuid,
  actor text NOT NULL,
  actor_role text NOT NULL,
  change jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
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
);
CREATE INDEX bulk_change_items_open ON bulk_change_items (bulk_change_id, position) WHERE done_at IS NULL;

-- The site reads and updates its one row, which therefore has to be there from the beginning.
CREATE TABLE catalog_totals (
  id boolean PRIMARY KEY DEFAULT true,
  videos integer NOT NULL,
  video_seconds double precision NOT NULL,
  photo_sets integer NOT NULL,
  photos integer NOT NULL,
  creators integer NOT NULL,
  CONSTRAINT catalog_totals_one_row CHECK (id)
);
INSERT INTO catalog_totals (videos, video_seconds, photo_sets, photos, creators) VALUES (0, 0, 0, 0, 0);

-- Catalog: search

-- Words that a misspelt one can be corrected to, so that the cost of a typo does not grow with the number of media.
CREATE TABLE search_terms (word text PRIMARY KEY);
CREATE INDEX search_terms_trigram ON search_terms USING gin (word gin_trgm_ops);

CREATE FUNCTION media_search_vector(given_id uuid, given_title text, given_description text) RETURNS tsvector
  LANGUAGE sql STABLE AS $$
  SELECT setweight(to_tsvector('simple', f_unaccent(left(given_title, 1000))), 'A')
    || setweight(to_tsvector('simple', f_unaccent(COALESCE((
      SELECT string_agg(c.name || ' ' || array_to_string(c.aliases, ' '), ' ')
      FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = given_id), ''))), 'B')
    || setweight(to_tsvector('simple', f_unaccent(COALESCE((
      SELECT string_agg(t.name, ' ') FROM media_tags mt JOIN tags t ON t.id = mt.tag_id
      WHERE mt.media_id = given_id), ''))), 'B')
    || setweight(to_tsvector('simple', f_unaccent(left(given_description, 100000))), 'C')
$$;

-- Words of descriptions can be misspelt too.
CREATE FUNCTION remember_search_terms(given tsvector) RETURNS void LANGUAGE sql AS $$
  -- In one order, so that two writers never wait for each other in a circle.
  INSERT INTO search_terms SELECT lexeme FROM unnest(given)
  WHERE length(lexeme) BETWEEN 3 AND 64 ORDER BY lexeme ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION media_search_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := media_search_vector(NEW.id, NEW.title, NEW.description);
  IF NEW.status = 'published' THEN PERFORM remember_search_terms(NEW.search); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER media_search_on_write BEFORE INSERT OR UPDATE OF title, description, status ON media
  FOR EACH ROW EXECUTE FUNCTION media_search_on_write();

-- Touching the title makes the trigger above compute the vector anew.
CREATE FUNCTION media_search_on_join() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE media SET title = title WHERE id IN (SELECT media_id FROM changed);
  RETURN NULL;
END $$;
CREATE TRIGGER media_creators_search_added AFTER INSERT ON media_creators REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();
CREATE TRIGGER media_creators_search_changed AFTER UPDATE ON media_creators REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();
CREATE TRIGGER media_creators_search_removed AFTER DELETE ON media_creators REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();
CREATE TRIGGER media_tags_search_added AFTER INSERT ON media_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();
CREATE TRIGGER media_tags_search_changed AFTER UPDATE ON media_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();
CREATE TRIGGER media_tags_search_removed AFTER DELETE ON media_tags REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();

-- Catalog: lists (decision 050). One index for each order of a list; read backwards it serves the opposite order.

CREATE TABLE media_terms (
  media_id uuid NOT NULL CONSTRAINT media_terms_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  term bigint NOT NULL,
  type media_type NOT NULL,
  publish_at timestamptz NOT NULL,
  expire_at timestamptz,
  play_count integer NOT NULL,
  extent double precision NOT NULL,
  title text NOT NULL,
  CONSTRAINT media_terms_media_id_term_pk PRIMARY KEY (media_id, term)
);
CREATE INDEX media_terms_newest ON media_terms (term, type, publish_at, media_id);
CREATE INDEX media_terms_watched ON media_terms (term, type, play_count, media_id);
CREATE INDEX media_terms_longest ON media_terms (term, type, extent, media_id);
CREATE INDEX media_terms_title ON media_terms (term, type, title, media_id);
CREATE INDEX media_terms_expiring ON media_terms (expire_at) WHERE expire_at IS NOT NULL;
-- So that what is known of common terms is known of all that matter.
ALTER TABLE media_terms ALTER COLUMN term SET STATISTICS 1000;

-- A term takes eight bytes in every index instead of its name.
CREATE FUNCTION list_term(name text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT hashtextextended(name, 0) $$;

CREATE FUNCTION length_band(given media_type, extent double precision) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN extent < CASE given WHEN 'video' THEN 300 ELSE 12 END THEN 'short'
    WHEN extent < CASE given WHEN 'video' THEN 1200 ELSE 40 END THEN 'medium' ELSE 'long' END
$$;

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
$$;

CREATE FUNCTION media_terms_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_media_terms(ARRAY[NEW.id]);
  RETURN NULL;
END $$;

-- Joining and leaving creators and tags touches the title (media_search_on_join), and so comes by here as well.
CREATE TRIGGER media_terms_on_write AFTER INSERT OR UPDATE OF type, title, description, status, access, publish_at,
  expire_at, duration_seconds, photo_count ON media FOR EACH ROW EXECUTE FUNCTION media_terms_on_write();

-- Listed media with a term, newest first; the caller checks their dates. PostgreSQL expects few rows of a term that it
-- does not know when it plans, and would read and sort all of a common one.
CREATE FUNCTION newest_of_term(term bigint, type media_type, most integer) RETURNS SETOF uuid
LANGUAGE sql STABLE SET enable_bitmapscan = off SET enable_sort = off AS $$
	SELECT t.media_id FROM media_terms t WHERE t.term = $1 AND t.type = $2
	ORDER BY t.publish_at DESC, t.media_id DESC LIMIT $3
$$;

-- Catalog: the studio's list (decision 149), which has every item by each of its terms, with the columns that the orders sort by

CREATE TABLE studio_terms (
  media_id uuid NOT NULL CONSTRAINT studio_terms_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  term bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  publish_at timestamptz NOT NULL,
  title text NOT NULL,
  CONSTRAINT studio_terms_media_id_term_pk PRIMARY KEY (media_id, term)
);
CREATE INDEX studio_terms_changed ON studio_terms (term, changed_at, media_id);
CREATE INDEX studio_terms_planned ON studio_terms (term, publish_at, media_id);
CREATE INDEX studio_terms_title ON studio_terms (term, title, media_id);
-- So that what is known of common terms is known of all that matter.
ALTER TABLE studio_terms ALTER COLUMN term SET STATISTICS 1000;

-- What an item lacks. What was taken down or deleted has nothing left to mend.
CREATE FUNCTION media_problems(m media) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN m.status IN ('takenDown', 'deleted') THEN '{}' ELSE array_remove(ARRAY[
    CASE WHEN NOT EXISTS (SELECT FROM media_creators mc WHERE mc.media_id = m.id) THEN 'noCredit' END,
    CASE WHEN NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'cover-%'
      AND f.retired_at IS NULL) THEN 'noCover' END,
    CASE WHEN m.produced_on IS NULL THEN 'noProductionDate' END,
    CASE WHEN EXISTS (SELECT FROM videos v WHERE v.media_id = m.id AND v.has_audio)
      AND NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'captions-%'
        AND f.retired_at IS NULL) THEN 'missingCaptions' END,
    CASE WHEN m.publish_problem IS NOT NULL THEN 'publishFailed' END
  ], NULL) END
$$;

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
$$;

CREATE FUNCTION studio_terms_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_studio_terms(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
-- Joining and leaving creators and tags touches the title (media_search_on_join), and so comes by here as well.
CREATE TRIGGER studio_terms_on_write AFTER INSERT OR UPDATE OF type, title, description, status, access, publish_at,
  expire_at, produced_on, publish_problem, updated_at ON media FOR EACH ROW EXECUTE FUNCTION studio_terms_on_write();

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
END $$;
CREATE TRIGGER media_files_studio_added AFTER INSERT ON media_files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION studio_terms_on_files();
CREATE TRIGGER media_files_studio_removed AFTER DELETE ON media_files REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION studio_terms_on_files();
CREATE FUNCTION studio_terms_on_sound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM media WHERE id = NEW.media_id FOR NO KEY UPDATE;
  PERFORM refresh_studio_terms(ARRAY[NEW.media_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER videos_studio AFTER INSERT OR UPDATE OF has_audio ON videos
  FOR EACH ROW EXECUTE FUNCTION studio_terms_on_sound();

-- Encoding (decision 159): the files that the worker makes of a video, step by step

CREATE TYPE media_work_state AS ENUM ('waiting', 'running', 'done', 'failed', 'cancelled');

CREATE TABLE media_encodings (
  media_id uuid PRIMARY KEY CONSTRAINT media_encodings_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  run uuid NOT NULL DEFAULT gen_random_uuid(),
  version bigint,
  drops_original boolean NOT NULL DEFAULT false,
  source jsonb,
  queued_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE media_work (
  media_id uuid NOT NULL
    CONSTRAINT media_work_media_id_media_encodings_media_id_fk REFERENCES media_encodings (media_id) ON DELETE CASCADE,
  step text NOT NULL,
  position bigint NOT NULL,
  after text[] NOT NULL DEFAULT '{}',
  file_group text,
  state media_work_state NOT NULL DEFAULT 'waiting',
  percent bigint NOT NULL DEFAULT 0,
  last_lines text[] NOT NULL DEFAULT '{}',
  attempts bigint NOT NULL DEFAULT 0,
  claimed_by bigint,
  due_at timestamptz NOT NULL DEFAULT now(),
  made jsonb NOT NULL DEFAULT '[]',
  seconds double precision,
  started_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT media_work_media_id_step_pk PRIMARY KEY (media_id, step)
);
CREATE INDEX media_work_open ON media_work (due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX media_work_failed ON media_work (media_id) WHERE state = 'failed';
CREATE INDEX media_work_done ON media_work (updated_at) WHERE state = 'done';

-- Uploads: files that are being uploaded in the studio, until they are taken in

CREATE TYPE upload_state AS ENUM ('uploading', 'complete', 'takenIn', 'present', 'passedOver', 'refused');

CREATE TABLE upload_batches (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT upload_batches_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  attempts bigint NOT NULL DEFAULT 0,
  began_at timestamptz,
  taken_part real NOT NULL DEFAULT 0,
  ended_at timestamptz,
  problem text,
  has_files boolean NOT NULL DEFAULT true
);
CREATE INDEX upload_batches_user ON upload_batches (user_id, created_at);
CREATE INDEX upload_batches_open ON upload_batches (created_at) WHERE ended_at IS NULL;
CREATE INDEX upload_batches_held ON upload_batches (user_id) WHERE has_files;

CREATE TABLE uploads (
  id uuid PRIMARY KEY,
  batch_id uuid NOT NULL CONSTRAINT uploads_batch_id_upload_batches_id_fk REFERENCES upload_batches (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  path text NOT NULL,
  bytes bigint NOT NULL,
  received_bytes bigint NOT NULL DEFAULT 0,
  fingerprint text NOT NULL,
  state upload_state NOT NULL DEFAULT 'uploading',
  note text,
  media_id uuid CONSTRAINT uploads_media_id_media_id_fk REFERENCES media (id) ON DELETE SET NULL,
  lock_token uuid,
  locked_until timestamptz,
  is_lock_wanted boolean NOT NULL DEFAULT false
);
CREATE INDEX uploads_batch ON uploads (batch_id, position);
CREATE INDEX uploads_media ON uploads (media_id);
CREATE INDEX uploads_awaited ON uploads (batch_id) WHERE state = 'uploading';

-- Viewing

CREATE TABLE views (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  media_id uuid NOT NULL CONSTRAINT views_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT views_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  progress double precision NOT NULL DEFAULT 0,
  sequence bigint NOT NULL DEFAULT 0,
  completed_at timestamptz,
  play_count integer NOT NULL DEFAULT 1,
  last_viewed_at timestamptz NOT NULL DEFAULT now(),
  hidden_at timestamptz,
  completed_play integer NOT NULL DEFAULT 0,
  reported_progress double precision NOT NULL DEFAULT 0,
  CONSTRAINT views_user_media UNIQUE (user_id, media_id)
);
CREATE INDEX views_user_last_viewed ON views (user_id, last_viewed_at DESC NULLS LAST, id);
CREATE INDEX views_media_id ON views (media_id);

-- No columns of media: reports of progress would wait for whoever edits the item.
CREATE TABLE media_counts (
  media_id uuid PRIMARY KEY CONSTRAINT media_counts_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  watched_seconds double precision NOT NULL,
  completions integer NOT NULL
);

CREATE UNLOGGED TABLE video_slots (
  holder_id uuid NOT NULL,
  slot smallint NOT NULL,
  lease_id uuid NOT NULL,
  sent text,
  renewed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT video_slots_holder_id_slot_pk PRIMARY KEY (holder_id, slot)
);

-- Favorites

CREATE TABLE favorites (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  is_favorited boolean NOT NULL DEFAULT true,
  media_id uuid NOT NULL CONSTRAINT favorites_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT favorites_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  favorited_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT favorites_user_media UNIQUE (user_id, media_id)
);
CREATE INDEX favorites_user_favorited_at ON favorites (user_id, favorited_at DESC NULLS LAST, id);
CREATE INDEX favorites_media_id ON favorites (media_id);

-- Single photos that a member keeps (decision 173)
CREATE TABLE photo_favorites (
  user_id uuid NOT NULL CONSTRAINT photo_favorites_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  photo_id uuid NOT NULL CONSTRAINT photo_favorites_photo_id_photos_id_fk REFERENCES photos (id) ON DELETE CASCADE,
  favorited_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT photo_favorites_user_id_photo_id_pk PRIMARY KEY (user_id, photo_id)
);
CREATE INDEX photo_favorites_user_favorited_at ON photo_favorites (user_id, favorited_at DESC NULLS LAST, photo_id);
CREATE INDEX photo_favorites_photo_id ON photo_favorites (photo_id);

-- Billing: what is sold

CREATE TYPE price_interval AS ENUM ('day', 'week', 'month', 'year');

CREATE TABLE products (
  id text PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  image text,
  active boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE prices (
  id text PRIMARY KEY,
  product_id text NOT NULL CONSTRAINT prices_product_id_products_id_fk REFERENCES products (id),
  active boolean NOT NULL DEFAULT true,
  description text,
  currency text NOT NULL,
  unit_amount bigint NOT NULL,
  "interval" price_interval NOT NULL,
  interval_count integer NOT NULL DEFAULT 1,
  trial_period_days integer,
  metadata jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX prices_product_id ON prices (product_id);

CREATE TABLE offer_fetches (
  id integer PRIMARY KEY DEFAULT 1,
  fetched_at timestamptz NOT NULL
);

-- Billing: subscriptions

CREATE TYPE subscription_status AS ENUM (
  'trialing', 'active', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused', 'canceled'
);
CREATE TYPE subscription_change AS ENUM ('cancel', 'keep');
CREATE TYPE collection_pause AS ENUM ('keep_as_draft', 'mark_uncollectible', 'void');
CREATE TYPE trial_end_without_card AS ENUM ('cancel', 'pause');

CREATE TABLE customers (
  user_id uuid PRIMARY KEY CONSTRAINT customers_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  provider_customer_id text NOT NULL CONSTRAINT customers_provider_customer_id_unique UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  reconciled_at timestamptz,
  fetched_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT subscriptions_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  status subscription_status NOT NULL,
  price_id text NOT NULL CONSTRAINT subscriptions_price_id_prices_id_fk REFERENCES prices (id),
  quantity integer NOT NULL DEFAULT 1,
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  created timestamptz NOT NULL DEFAULT now(),
  current_period_start timestamptz NOT NULL,
  current_period_end timestamptz NOT NULL,
  trial_start timestamptz,
  trial_end timestamptz,
  cancel_at timestamptz,
  canceled_at timestamptz,
  ended_at timestamptz,
  metadata jsonb NOT NULL DEFAULT '{}',
  next_amount bigint,
  unknown_since timestamptz,
  is_payment_pending boolean NOT NULL DEFAULT false,
  has_begun boolean NOT NULL DEFAULT true,
  requested_change subscription_change,
  requested_at timestamptz,
  is_request_open boolean NOT NULL DEFAULT false,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  collection_pause collection_pause,
  collection_resumes_at timestamptz,
  trial_end_without_card trial_end_without_card,
  is_invoiced boolean NOT NULL DEFAULT false
);
CREATE INDEX subscriptions_user_period_end ON subscriptions (user_id, current_period_end DESC NULLS LAST);

-- The course of each subscription, and why it was cancelled
CREATE TABLE subscription_changes (
  subscription_id text NOT NULL
    CONSTRAINT subscription_changes_subscription_id_subscriptions_id_fk REFERENCES subscriptions (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  at timestamptz NOT NULL,
  status subscription_status NOT NULL,
  price_id text NOT NULL CONSTRAINT subscription_changes_price_id_prices_id_fk REFERENCES prices (id),
  is_cancelled boolean NOT NULL,
  is_counted boolean NOT NULL DEFAULT false,
  CONSTRAINT subscription_changes_subscription_id_number_pk PRIMARY KEY (subscription_id, number)
);
CREATE INDEX subscription_changes_uncounted ON subscription_changes (at) WHERE NOT is_counted;

CREATE TYPE cancellation_reason AS ENUM ('price', 'littleNew', 'notFound', 'technical', 'pause', 'other');
CREATE TABLE cancellation_reasons (
  subscription_id text PRIMARY KEY
    CONSTRAINT cancellation_reasons_subscription_id_subscriptions_id_fk REFERENCES subscriptions (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  written_at timestamptz NOT NULL DEFAULT now(),
  reason cancellation_reason,
  comment text NOT NULL DEFAULT ''
);

CREATE TYPE invoice_status AS ENUM ('draft', 'open', 'paid', 'uncollectible', 'void');

CREATE TABLE invoices (
  id text PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT invoices_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  subscription_id text,
  number text,
  status invoice_status NOT NULL,
  currency text NOT NULL,
  total bigint NOT NULL,
  amount_paid bigint NOT NULL,
  amount_refunded bigint NOT NULL DEFAULT 0,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  hosted_url text,
  pdf_url text,
  amount_remaining bigint NOT NULL DEFAULT 0,
  paid_at timestamptz,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  counted_paid bigint NOT NULL DEFAULT 0,
  counted_refunded bigint NOT NULL DEFAULT 0
);
CREATE INDEX invoices_user_id ON invoices (user_id, created_at DESC NULLS LAST);
CREATE INDEX invoices_uncounted ON invoices (fetched_at)
  WHERE amount_paid <> counted_paid OR amount_refunded <> counted_refunded;

-- Billing: purchases, and what outlives the account as proof of them

CREATE TYPE checkout_status AS ENUM ('open', 'completed', 'expired', 'replaced');

CREATE TABLE checkouts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid CONSTRAINT checkouts_user_id_users_id_fk REFERENCES users (id) ON DELETE SET NULL,
  price_id text NOT NULL CONSTRAINT checkouts_price_id_prices_id_fk REFERENCES prices (id),
  status checkout_status NOT NULL DEFAULT 'open',
  provider text NOT NULL,
  provider_checkout_id text CONSTRAINT checkouts_provider_checkout_id_unique UNIQUE,
  url text,
  subscription_id text,
  currency text NOT NULL,
  unit_amount bigint NOT NULL,
  "interval" price_interval NOT NULL,
  interval_count integer NOT NULL,
  trial_days integer,
  consent_text text NOT NULL,
  consent_hash text NOT NULL,
  consented_at timestamptz NOT NULL DEFAULT now(),
  network text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX checkouts_one_open ON checkouts (user_id) WHERE status = 'open';
CREATE INDEX checkouts_user_id ON checkouts (user_id, created_at DESC NULLS LAST);

CREATE TABLE trials (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subscription_id text NOT NULL CONSTRAINT trials_subscription_id_unique UNIQUE,
  address_hash text NOT NULL CONSTRAINT trials_address_hash_unique UNIQUE,
  card_hash text CONSTRAINT trials_card_hash_unique UNIQUE,
  started_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE withdrawals (
  subscription_id text PRIMARY KEY,
  user_id uuid CONSTRAINT withdrawals_user_id_users_id_fk REFERENCES users (id) ON DELETE SET NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX withdrawals_user_id ON withdrawals (user_id);

-- Billing: events of the provider, and mails

CREATE TABLE billing_events (
  id text PRIMARY KEY,
  provider text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  subject_id text NOT NULL,
  customer_id text,
  created_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  processed_at timestamptz,
  outcome text
);
CREATE INDEX billing_events_received_at ON billing_events (received_at);
CREATE INDEX billing_events_open ON billing_events (received_at) WHERE processed_at IS NULL;

CREATE TABLE billing_mails (
  key text PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT billing_mails_user_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX billing_mails_user_id ON billing_mails (user_id);

-- Mail, jobs and settings of the site

CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  "to" text NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  last_error text
);
CREATE INDEX mail_outbox_created_at ON mail_outbox (created_at);
CREATE INDEX mail_outbox_unsent ON mail_outbox (created_at) WHERE sent_at IS NULL;

CREATE TABLE job_outcomes (
  job text NOT NULL,
  outcome text NOT NULL,
  attempts bigint NOT NULL,
  seconds double precision NOT NULL,
  last_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_outcomes_job_outcome_pk PRIMARY KEY (job, outcome)
);

CREATE TABLE site_settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TYPE site_file_kind AS ENUM ('logo', 'icon', 'share');
CREATE TABLE site_files (
  kind site_file_kind NOT NULL,
  version text NOT NULL,
  name text NOT NULL,
  storage_key text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT site_files_version_name_pk PRIMARY KEY (version, name)
);

-- What is wrong with the site, and which of it was mailed
CREATE TABLE alarms (
  kind text PRIMARY KEY,
  amount bigint NOT NULL,
  since timestamptz NOT NULL,
  well_since timestamptz,
  ended_at timestamptz,
  mailed_at timestamptz
);

-- Totals of each day, and what was counted into them

CREATE TABLE daily_totals (
  day date NOT NULL,
  kind text NOT NULL,
  key text NOT NULL DEFAULT '',
  amount bigint NOT NULL,
  CONSTRAINT daily_totals_kind_day_key_pk PRIMARY KEY (kind, day, key)
);

CREATE TABLE counted_day (
  id boolean PRIMARY KEY DEFAULT true,
  day date NOT NULL,
  CONSTRAINT counted_day_one_row CHECK (id)
);

CREATE TABLE counted_media (
  media_id uuid PRIMARY KEY CONSTRAINT counted_media_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  plays integer NOT NULL,
  completions integer NOT NULL,
  watched_seconds bigint NOT NULL
);

-- Staff: the audit log, which is only added to. No foreign keys: it outlives the accounts and media that it names.

CREATE TABLE audit_log (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  subject_name text,
  before jsonb,
  after jsonb,
  previous_hash text NOT NULL,
  hash text NOT NULL
);
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_actor ON audit_log (lower(actor), id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_subject ON audit_log (subject_id, id);
CREATE INDEX audit_log_person ON audit_log (lower(after ->> 'email'), id) WHERE subject_kind = 'user';

CREATE FUNCTION audit_hash(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(
    entry.previous_hash, entry.id, extract(epoch FROM entry.at), entry.actor_id, entry.actor, entry.action,
    entry.subject_kind, entry.subject_id, entry.subject_name, entry.before, entry.after)::text, 'UTF8')), 'hex')
$$;

-- A sequence would have gaps and another order than the commits, and a restore would have to set it.
CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('audit_log'));
  SELECT id, hash INTO newest FROM audit_log ORDER BY id DESC LIMIT 1;
  NEW.id := COALESCE(newest.id, 0) + 1;
  NEW.at := clock_timestamp();
  NEW.previous_hash := COALESCE(newest.hash, '');
  NEW.hash := audit_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

-- Changes that end what web processes remember sooner than its few seconds: "user <id>", "media <id>" and
-- "site <name>" (decision 101)

CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed jsonb := to_jsonb(COALESCE(NEW, OLD));
BEGIN
	-- The arguments are the kind of subject and the column with its id.
	PERFORM pg_notify('peony_changes', TG_ARGV[0] || ' ' || (changed ->> TG_ARGV[1]));
	RETURN NULL;
END $$;
CREATE TRIGGER users_announce AFTER UPDATE OF role, deleted_at OR DELETE ON users
	FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'id');
CREATE TRIGGER sessions_announce AFTER UPDATE OF revoked_at OR DELETE ON sessions
	FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'user_id');
CREATE TRIGGER subscriptions_announce AFTER INSERT OR UPDATE OR DELETE ON subscriptions
	FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'user_id');
CREATE TRIGGER media_announce AFTER UPDATE OF status, access, publish_at, expire_at, allow_download OR DELETE ON media
	FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'id');
CREATE TRIGGER media_files_announce AFTER UPDATE OF name, version, storage_key, content_type, bytes, sha256, needs,
	retired_at OR DELETE ON media_files FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'media_id');
-- "media <id>" means who may see that item, and a link decides that too.
CREATE TRIGGER draft_links_announce AFTER UPDATE OF revoked_at, expires_at OR DELETE ON draft_links
	FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'media_id');
-- Every process keeps the settings, and reads them again when they change.
CREATE TRIGGER site_settings_announce AFTER INSERT OR UPDATE OR DELETE ON site_settings
	FOR EACH ROW EXECUTE FUNCTION announce_change('site', 'name');

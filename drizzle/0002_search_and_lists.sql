-- One index for each order of a list; read backwards it serves the opposite order.
CREATE INDEX media_list_newest ON media (type, publish_at, id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_list_watched ON media (type, play_count, id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_list_longest ON media (type, (COALESCE(duration_seconds, photo_count, 0)::float8), id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_list_title ON media (type, (left(lower(f_unaccent(title)), 100)), id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_search ON media USING gin (search);--> statement-breakpoint
CREATE INDEX media_due ON media (publish_at) WHERE status = 'scheduled';--> statement-breakpoint
-- Words that a misspelt one can be corrected to, so that the cost of a typo does not grow with the number of media.
CREATE TABLE search_terms (word text PRIMARY KEY);--> statement-breakpoint
CREATE INDEX search_terms_trigram ON search_terms USING gin (word gin_trgm_ops);--> statement-breakpoint
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
$$;--> statement-breakpoint
CREATE FUNCTION remember_search_terms(given tsvector) RETURNS void LANGUAGE sql AS $$
  -- In one order, so that two writers never wait for each other in a circle.
  INSERT INTO search_terms SELECT lexeme FROM unnest(ts_filter(given, '{a,b}'))
  WHERE length(lexeme) BETWEEN 3 AND 64 ORDER BY lexeme ON CONFLICT DO NOTHING
$$;--> statement-breakpoint
CREATE FUNCTION media_search_on_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := media_search_vector(NEW.id, NEW.title, NEW.description);
  IF NEW.status = 'published' THEN PERFORM remember_search_terms(NEW.search); END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER media_search_on_write BEFORE INSERT OR UPDATE OF title, description, status ON media
  FOR EACH ROW EXECUTE FUNCTION media_search_on_write();--> statement-breakpoint
-- Touching the title makes the trigger above compute the vector anew.
CREATE FUNCTION media_search_on_join() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE media SET title = title WHERE id IN (SELECT media_id FROM changed);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER media_creators_search_added AFTER INSERT ON media_creators REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
CREATE TRIGGER media_creators_search_removed AFTER DELETE ON media_creators REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
CREATE TRIGGER media_tags_search_added AFTER INSERT ON media_tags REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
CREATE TRIGGER media_tags_search_removed AFTER DELETE ON media_tags REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION media_search_on_join();--> statement-breakpoint
CREATE FUNCTION media_search_on_rename() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'creators' THEN
    UPDATE media SET title = title WHERE id IN (SELECT media_id FROM media_creators WHERE creator_id = NEW.id);
  ELSE
    UPDATE media SET title = title WHERE id IN (SELECT media_id FROM media_tags WHERE tag_id = NEW.id);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER creators_search_renamed AFTER UPDATE OF name, aliases ON creators
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.aliases IS DISTINCT FROM NEW.aliases)
  EXECUTE FUNCTION media_search_on_rename();--> statement-breakpoint
CREATE TRIGGER tags_search_renamed AFTER UPDATE OF name ON tags
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION media_search_on_rename();--> statement-breakpoint
UPDATE media SET title = title;

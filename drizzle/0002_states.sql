-- States of media (decision 148): a type can lose values only by being made anew, and what names its values cannot be converted with it.
DROP TRIGGER media_search_on_write ON media;--> statement-breakpoint
DROP TRIGGER media_terms_on_write ON media;--> statement-breakpoint
DROP TRIGGER media_announce ON media;--> statement-breakpoint
DROP INDEX media_list_newest;--> statement-breakpoint
DROP INDEX media_due;--> statement-breakpoint
ALTER TABLE media ALTER COLUMN status DROP DEFAULT;--> statement-breakpoint
ALTER TYPE media_status RENAME TO former_media_status;--> statement-breakpoint
CREATE TYPE media_status AS ENUM ('draft', 'scheduled', 'published', 'hidden', 'takenDown', 'deleted');--> statement-breakpoint
ALTER TABLE media
  ALTER COLUMN status TYPE media_status USING CASE status::text
    WHEN 'withdrawn' THEN 'takenDown' WHEN 'processing' THEN 'draft' WHEN 'review' THEN 'draft' ELSE status::text
  END::media_status,
  ALTER COLUMN publish_at DROP DEFAULT,
  ALTER COLUMN publish_at DROP NOT NULL,
  ADD COLUMN first_published_at timestamptz,
  ADD COLUMN hidden_from media_status,
  ADD COLUMN taken_down_from media_status,
  ADD COLUMN taken_down_at timestamptz,
  ADD COLUMN taken_down_reason text,
  ADD COLUMN deleted_at timestamptz,
  ADD COLUMN publish_problem text;--> statement-breakpoint
ALTER TABLE media ALTER COLUMN status SET DEFAULT 'draft';--> statement-breakpoint
DROP TYPE former_media_status;--> statement-breakpoint
UPDATE media SET publish_at = NULL WHERE status = 'draft';--> statement-breakpoint
UPDATE media SET first_published_at = publish_at WHERE status IN ('published', 'takenDown');--> statement-breakpoint
UPDATE media SET taken_down_from = 'published', taken_down_at = updated_at WHERE status = 'takenDown';--> statement-breakpoint
ALTER TABLE media ADD CONSTRAINT media_planned
  CHECK (publish_at IS NOT NULL OR status NOT IN ('scheduled', 'published'));--> statement-breakpoint
CREATE INDEX media_list_newest ON media (type, publish_at, id) WHERE status = 'published';--> statement-breakpoint
CREATE INDEX media_due ON media (publish_at) WHERE status = 'scheduled';--> statement-breakpoint
CREATE TRIGGER media_search_on_write BEFORE INSERT OR UPDATE OF title, description, status ON media
  FOR EACH ROW EXECUTE FUNCTION media_search_on_write();--> statement-breakpoint
CREATE TRIGGER media_terms_on_write AFTER INSERT OR UPDATE OF type, title, description, status, access, publish_at,
  expire_at, duration_seconds, photo_count ON media FOR EACH ROW EXECUTE FUNCTION media_terms_on_write();--> statement-breakpoint
CREATE TRIGGER media_announce AFTER UPDATE OF status, access, publish_at, expire_at, allow_download OR DELETE ON media
  FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'id');--> statement-breakpoint
-- Whatever publishes an item, an import or a script of the host too: one that was public once is never deleted without a trace.
CREATE FUNCTION media_first_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'published' THEN NEW.first_published_at := COALESCE(NEW.first_published_at, now()); END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER media_first_published BEFORE INSERT OR UPDATE OF status ON media
  FOR EACH ROW EXECUTE FUNCTION media_first_published();--> statement-breakpoint
CREATE TABLE draft_links (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  media_id uuid NOT NULL CONSTRAINT draft_links_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  token_hash text NOT NULL CONSTRAINT draft_links_token_hash_unique UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);--> statement-breakpoint
CREATE INDEX draft_links_media_id ON draft_links (media_id);--> statement-breakpoint
-- "media <id>" means who may see that item, and a link decides that too.
CREATE TRIGGER draft_links_announce AFTER UPDATE OF revoked_at, expires_at OR DELETE ON draft_links
  FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'media_id');

-- Versions of files, and photos that keep their number (decision 157). It excludes every build before it: they would serve
-- files that were replaced, and photos that are left out.
ALTER TYPE "public"."media_right" ADD VALUE 'edit';--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "file_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "media_files" DROP CONSTRAINT "media_files_media_id_name_pk";--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "crc32" bigint;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_media_id_version_name_pk" PRIMARY KEY("media_id","version","name");--> statement-breakpoint
CREATE UNIQUE INDEX "media_files_current" ON "media_files" USING btree ("media_id","name") WHERE retired_at IS NULL;--> statement-breakpoint
CREATE INDEX "media_files_retired" ON "media_files" USING btree ("retired_at") WHERE retired_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "media_files_unsummed" ON "media_files" USING btree ("media_id") WHERE crc32 IS NULL;--> statement-breakpoint
ALTER TABLE "photos" ALTER COLUMN "position" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "photos" ADD COLUMN "left_out_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "photos" ADD COLUMN "source_hash" text;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_left_out" CHECK ((position IS NULL) = (left_out_at IS NOT NULL));--> statement-breakpoint

-- By hand, from here to the end: what drizzle-kit does not know.
ALTER TABLE "photos" ADD COLUMN "number" integer;--> statement-breakpoint
UPDATE "photos" SET "number" = "position";--> statement-breakpoint
ALTER TABLE "photos" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_media_number" UNIQUE("media_id","number");--> statement-breakpoint
-- Checked at the end of each statement, so that one statement closes a gap or changes the order.
ALTER TABLE "photos" DROP CONSTRAINT "photos_media_position";--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_media_position" UNIQUE("media_id","position") DEFERRABLE;--> statement-breakpoint
-- Not of crc32: the job that fills it in changes what nobody has remembered.
DROP TRIGGER media_files_announce ON media_files;--> statement-breakpoint
CREATE TRIGGER media_files_announce AFTER UPDATE OF name, version, storage_key, content_type, bytes, sha256, needs,
  retired_at OR DELETE ON media_files FOR EACH ROW EXECUTE FUNCTION announce_change('media', 'media_id');--> statement-breakpoint
CREATE OR REPLACE FUNCTION media_problems(m media) RETURNS text[] LANGUAGE sql STABLE AS $$
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

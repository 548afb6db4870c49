-- The owner's site: earlier addresses and changed names of creators and tags, pictures of the site, and what an import had
-- Oldest build: 0004_collected

CREATE TYPE "public"."name_kind" AS ENUM('creator', 'tag');--> statement-breakpoint
CREATE TABLE "former_slugs" (
	"kind" "name_kind" NOT NULL,
	"slug" text NOT NULL,
	"target_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "former_slugs_kind_slug_pk" PRIMARY KEY("kind","slug")
);
--> statement-breakpoint
CREATE TABLE "name_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "name_kind" NOT NULL,
	"action" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"subject_name" text NOT NULL,
	"target_id" uuid,
	"target_name" text,
	"actor" text NOT NULL,
	"items" bigint NOT NULL,
	"done_items" bigint DEFAULT 0 NOT NULL,
	"after_media_id" uuid,
	"is_walked" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "former_slugs_target" ON "former_slugs" USING btree ("kind","target_id");--> statement-breakpoint
-- A rename of what thousands of items carry may not refresh their search in its own statement: a job does it (decision 151).
DROP TRIGGER "creators_search_renamed" ON "creators";--> statement-breakpoint
DROP TRIGGER "tags_search_renamed" ON "tags";--> statement-breakpoint
DROP FUNCTION "media_search_on_rename"();--> statement-breakpoint
CREATE TYPE "public"."site_file_kind" AS ENUM('logo', 'icon', 'share');--> statement-breakpoint
CREATE TABLE "site_files" (
	"kind" "site_file_kind" NOT NULL,
	"version" text NOT NULL,
	"name" text NOT NULL,
	"storage_key" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" bigint NOT NULL,
	"height" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_files_version_name_pk" PRIMARY KEY("version","name")
);
--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- Every process keeps the settings, and reads them again when they change
CREATE TRIGGER site_settings_announce AFTER INSERT OR UPDATE OR DELETE ON site_settings
  FOR EACH ROW EXECUTE FUNCTION announce_change('site', 'name');--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "imported" jsonb;

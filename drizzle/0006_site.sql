-- Pictures of the site itself, and the time of each setting
-- Oldest build: 0004_collected

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
  FOR EACH ROW EXECUTE FUNCTION announce_change('site', 'name');

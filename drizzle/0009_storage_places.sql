CREATE TABLE "moved_files" (
	"storage_key" text NOT NULL,
	"storage" text DEFAULT 'folder' NOT NULL,
	"moved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "moved_files_storage_key_storage_pk" PRIMARY KEY("storage_key","storage")
);
--> statement-breakpoint
ALTER TABLE "creator_files" ADD COLUMN "storage" text DEFAULT 'folder' NOT NULL;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "storage" text DEFAULT 'folder' NOT NULL;--> statement-breakpoint
ALTER TABLE "media_originals" ADD COLUMN "storage" text DEFAULT 'folder' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_files" ADD COLUMN "storage" text DEFAULT 'folder' NOT NULL;
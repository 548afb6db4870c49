-- Oldest build: 0021_tag_uses
ALTER TABLE "signin_tokens" ADD COLUMN "link_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "signin_tokens" ADD COLUMN "link_used_device" text;

-- Oldest build: 0024_plain_names_only
ALTER TABLE "signin_tokens" ADD COLUMN "link_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "signin_tokens" ADD COLUMN "link_used_device" text;

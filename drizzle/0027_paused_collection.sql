-- Oldest build: 0021_tag_uses
-- Rows that are stored already have their values from the next sync, at the latest that of the night.
CREATE TYPE "public"."collection_pause" AS ENUM('keep_as_draft', 'mark_uncollectible', 'void');--> statement-breakpoint
CREATE TYPE "public"."trial_end_without_card" AS ENUM('cancel', 'pause');--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "collection_pause" "collection_pause", ADD COLUMN "collection_resumes_at" timestamp with time zone,
	ADD COLUMN "trial_end_without_card" "trial_end_without_card", ADD COLUMN "is_invoiced" boolean DEFAULT false NOT NULL;

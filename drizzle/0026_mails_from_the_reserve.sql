-- Oldest build: 0025_used_links
ALTER TABLE "signin_tokens" ADD COLUMN "is_from_reserve" boolean DEFAULT false NOT NULL;

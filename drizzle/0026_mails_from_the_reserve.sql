-- Oldest build: 0021_tag_uses
ALTER TABLE "signin_tokens" ADD COLUMN "is_from_reserve" boolean DEFAULT false NOT NULL;

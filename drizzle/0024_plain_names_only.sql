-- Oldest build: 0021_tag_uses
-- Every build since 0019_plain_names uses only the new names (decision 116). Its triggers have kept each pair equal at
-- every write, so nothing is left to copy. In the order in which a sync locks these tables.
LOCK TABLE "customers", "subscriptions", "invoices" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
DROP TRIGGER "copy_fetched_at" ON "customers";--> statement-breakpoint
DROP TRIGGER "copy_fetched_at" ON "subscriptions";--> statement-breakpoint
DROP TRIGGER "copy_requested_change" ON "subscriptions";--> statement-breakpoint
DROP TRIGGER "copy_fetched_at" ON "invoices";--> statement-breakpoint
DROP FUNCTION "copy_fetched_at"();--> statement-breakpoint
DROP FUNCTION "copy_requested_change"();--> statement-breakpoint
ALTER TABLE "customers" DROP COLUMN "read_at", ALTER COLUMN "fetched_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "subscriptions" DROP COLUMN "wish", DROP COLUMN "wished_at", DROP COLUMN "is_wish_open", DROP COLUMN "read_at",
	ALTER COLUMN "is_request_open" SET DEFAULT false, ALTER COLUMN "fetched_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "invoices" DROP COLUMN "read_at", ALTER COLUMN "fetched_at" SET DEFAULT now();--> statement-breakpoint
DROP VIEW "offer_reads";--> statement-breakpoint
DROP VIEW "billing_notices";

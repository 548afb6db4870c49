-- Columns and tables get plain names while processes of the version before still run (decision 100): the old columns
-- stay and a trigger keeps each pair equal; renamed tables have a view with the old name. A later release drops both.
-- In the order in which a sync of the version before locks them: another order would be a deadlock with it.
LOCK TABLE "customers", "subscriptions", "invoices", "offer_reads", "billing_notices" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TYPE "subscription_wish" RENAME TO "subscription_change";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "requested_change" "subscription_change";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_request_open" boolean;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "fetched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "fetched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "fetched_at" timestamp with time zone;--> statement-breakpoint
CREATE FUNCTION "copy_fetched_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Only this version's processes name the new column, which has no default.
	IF TG_OP = 'INSERT' AND NEW.fetched_at IS NULL
		OR TG_OP = 'UPDATE' AND NEW.fetched_at IS NOT DISTINCT FROM OLD.fetched_at
	THEN NEW.fetched_at := NEW.read_at;
	ELSE NEW.read_at := NEW.fetched_at;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "copy_requested_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' AND NEW.is_request_open IS NULL
		OR TG_OP = 'UPDATE' AND (NEW.requested_change, NEW.requested_at, NEW.is_request_open)
			IS NOT DISTINCT FROM (OLD.requested_change, OLD.requested_at, OLD.is_request_open)
	THEN
		NEW.requested_change := NEW.wish;
		NEW.requested_at := NEW.wished_at;
		NEW.is_request_open := NEW.is_wish_open;
	ELSE
		NEW.wish := NEW.requested_change;
		NEW.wished_at := NEW.requested_at;
		NEW.is_wish_open := NEW.is_request_open;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "copy_fetched_at" BEFORE INSERT OR UPDATE ON "subscriptions" FOR EACH ROW EXECUTE FUNCTION "copy_fetched_at"();--> statement-breakpoint
CREATE TRIGGER "copy_fetched_at" BEFORE INSERT OR UPDATE ON "customers" FOR EACH ROW EXECUTE FUNCTION "copy_fetched_at"();--> statement-breakpoint
CREATE TRIGGER "copy_fetched_at" BEFORE INSERT OR UPDATE ON "invoices" FOR EACH ROW EXECUTE FUNCTION "copy_fetched_at"();--> statement-breakpoint
CREATE TRIGGER "copy_requested_change" BEFORE INSERT OR UPDATE ON "subscriptions" FOR EACH ROW EXECUTE FUNCTION "copy_requested_change"();--> statement-breakpoint
UPDATE "subscriptions" SET "id" = "id";--> statement-breakpoint
UPDATE "customers" SET "provider" = "provider";--> statement-breakpoint
UPDATE "invoices" SET "id" = "id";--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "is_request_open" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "fetched_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "customers" ALTER COLUMN "fetched_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ALTER COLUMN "fetched_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "offer_reads" RENAME TO "offer_fetches";--> statement-breakpoint
ALTER TABLE "offer_fetches" RENAME COLUMN "read_at" TO "fetched_at";--> statement-breakpoint
ALTER INDEX "offer_reads_pkey" RENAME TO "offer_fetches_pkey";--> statement-breakpoint
CREATE VIEW "offer_reads" AS SELECT "id", "fetched_at" AS "read_at" FROM "offer_fetches";--> statement-breakpoint
ALTER VIEW "offer_reads" ALTER COLUMN "id" SET DEFAULT 1;--> statement-breakpoint
ALTER TABLE "billing_notices" RENAME TO "billing_mails";--> statement-breakpoint
ALTER TABLE "billing_mails" RENAME CONSTRAINT "billing_notices_user_id_users_id_fk" TO "billing_mails_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "billing_notices_user_id" RENAME TO "billing_mails_user_id";--> statement-breakpoint
ALTER INDEX "billing_notices_pkey" RENAME TO "billing_mails_pkey";--> statement-breakpoint
CREATE VIEW "billing_notices" AS SELECT "key", "user_id", "created_at" FROM "billing_mails";--> statement-breakpoint
ALTER VIEW "billing_notices" ALTER COLUMN "created_at" SET DEFAULT now();

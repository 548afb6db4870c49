ALTER TABLE "invoices" ADD COLUMN "amount_remaining" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_payment_pending" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "has_begun" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE "invoices" SET "amount_remaining" = "total" - "amount_paid" WHERE "status" IN ('draft', 'open', 'uncollectible');--> statement-breakpoint
UPDATE "subscriptions" SET "has_begun" = false WHERE "status" IN ('incomplete', 'incomplete_expired');

-- A first period may have a price of its own, and a free trial is one that costs nothing.

ALTER TABLE "checkouts" ADD COLUMN "first_period" jsonb;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "first_period" jsonb;--> statement-breakpoint
UPDATE "checkouts" SET "first_period" = jsonb_build_object('days', "trial_days", 'amount', 0) WHERE "trial_days" IS NOT NULL;--> statement-breakpoint
UPDATE "prices" SET "first_period" = jsonb_build_object('days', "trial_period_days", 'amount', 0) WHERE "trial_period_days" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" DROP COLUMN "trial_days";--> statement-breakpoint
ALTER TABLE "prices" DROP COLUMN "trial_period_days";

-- Periods that are paid beforehand, and payments of which only a part has come, or that came late.

ALTER TABLE "checkouts" ADD COLUMN "is_payment_pending" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "part_paid" bigint;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "is_late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_prepaid" boolean DEFAULT false NOT NULL;
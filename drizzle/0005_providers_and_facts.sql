-- A person can buy from several payment providers, and some of them can only be listened to.

CREATE TABLE "billing_facts" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"subscription_id" text,
	"checkout_id" text,
	"at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fact" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customers" DROP CONSTRAINT "customers_provider_customer_id_unique";--> statement-breakpoint
DROP INDEX "invoices_uncounted";--> statement-breakpoint
ALTER TABLE "customers" DROP CONSTRAINT "customers_pkey";--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_provider_pk" PRIMARY KEY("user_id","provider");--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "amount_disputed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "counted_disputed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "billing_facts_subscription_id" ON "billing_facts" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "billing_facts_checkout_id" ON "billing_facts" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_provider_id" ON "customers" USING btree ("provider","provider_customer_id");--> statement-breakpoint
CREATE INDEX "invoices_uncounted" ON "invoices" USING btree ("fetched_at") WHERE amount_paid <> counted_paid OR amount_refunded <> counted_refunded OR amount_disputed <> counted_disputed;
CREATE TYPE "public"."subscription_wish" AS ENUM('cancel', 'keep');--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "wish" "subscription_wish";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "wished_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_wish_open" boolean DEFAULT false NOT NULL;
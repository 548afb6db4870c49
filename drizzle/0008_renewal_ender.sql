-- Whose end it is when the renewals of a former payment provider are ended.

CREATE TYPE "public"."renewal_ender" AS ENUM('site', 'member');--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "renewal_ended_by" "renewal_ender";
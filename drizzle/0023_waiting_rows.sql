-- Oldest build: 0020_announced_changes
-- Without a transaction
DROP INDEX CONCURRENTLY IF EXISTS "billing_events_open";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "billing_events_open" ON "billing_events" USING btree ("received_at") WHERE "billing_events"."processed_at" IS NULL;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mail_outbox_unsent";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mail_outbox_unsent" ON "mail_outbox" USING btree ("created_at") WHERE "mail_outbox"."sent_at" IS NULL;

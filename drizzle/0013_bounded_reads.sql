-- Metrics and the quota of uploads read a few rows, however many there have been
-- Oldest build: 0012_uploads
-- Without a transaction

DROP INDEX CONCURRENTLY IF EXISTS media_work_failed;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_work_failed ON media_work (media_id) WHERE state = 'failed';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS media_work_done;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_work_done ON media_work (updated_at) WHERE state = 'done';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS upload_batches_held;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS upload_batches_held ON upload_batches (user_id) WHERE has_files;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS uploads_awaited;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS uploads_awaited ON uploads (batch_id) WHERE state = 'uploading';

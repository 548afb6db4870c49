-- Imports used to publish what has a date to come, and what is not scheduled is never counted when its date comes.
UPDATE media SET status = 'scheduled' WHERE status = 'published' AND publish_at > now();

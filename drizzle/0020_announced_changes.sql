-- Web processes remember decisions about small media files for at most five seconds (decision 101). These triggers
-- announce what ends them sooner: "user <id>" and "media <id>". Older processes do not listen.
LOCK TABLE "users", "sessions", "subscriptions", "media", "media_files" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE FUNCTION "announce_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed jsonb := to_jsonb(COALESCE(NEW, OLD));
BEGIN
	-- The arguments are the kind of subject and the column with its id.
	PERFORM pg_notify('peony_changes', TG_ARGV[0] || ' ' || (changed ->> TG_ARGV[1]));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "users_announce" AFTER UPDATE OF "role", "deleted_at" OR DELETE ON "users"
	FOR EACH ROW EXECUTE FUNCTION "announce_change"('user', 'id');--> statement-breakpoint
CREATE TRIGGER "sessions_announce" AFTER UPDATE OF "revoked_at" OR DELETE ON "sessions"
	FOR EACH ROW EXECUTE FUNCTION "announce_change"('user', 'user_id');--> statement-breakpoint
CREATE TRIGGER "subscriptions_announce" AFTER INSERT OR UPDATE OR DELETE ON "subscriptions"
	FOR EACH ROW EXECUTE FUNCTION "announce_change"('user', 'user_id');--> statement-breakpoint
CREATE TRIGGER "media_announce" AFTER UPDATE OF "status", "access", "publish_at", "expire_at", "allow_download" OR DELETE ON "media"
	FOR EACH ROW EXECUTE FUNCTION "announce_change"('media', 'id');--> statement-breakpoint
CREATE TRIGGER "media_files_announce" AFTER UPDATE OR DELETE ON "media_files"
	FOR EACH ROW EXECUTE FUNCTION "announce_change"('media', 'media_id');

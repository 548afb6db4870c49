-- The row of a deleted account is deleted, and nothing marked one.

DROP TRIGGER users_announce ON users;--> statement-breakpoint
ALTER TABLE users DROP COLUMN deleted_at;--> statement-breakpoint
CREATE TRIGGER users_announce AFTER UPDATE OF role OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'id');

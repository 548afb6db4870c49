-- A draft link ends when its maker may no longer edit items.

ALTER TABLE draft_links ADD COLUMN maker_id uuid
  CONSTRAINT draft_links_maker_id_users_id_fk REFERENCES users (id) ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX draft_links_maker_id ON draft_links (maker_id);--> statement-breakpoint
-- The audit log knows who made the links that are in use. Those of deleted accounts end.
UPDATE draft_links SET maker_id = users.id FROM audit_log JOIN users ON users.id = audit_log.actor_id
  WHERE audit_log.action = 'draftLink.made' AND audit_log.after ->> 'link' = draft_links.id::text;--> statement-breakpoint
UPDATE draft_links SET revoked_at = now() WHERE maker_id IS NULL AND revoked_at IS NULL;

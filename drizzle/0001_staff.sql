-- The audit log, which is only added to. No foreign keys: it outlives the accounts and media that it names.

CREATE TABLE audit_log (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  subject_name text,
  before jsonb,
  after jsonb,
  previous_hash text NOT NULL,
  hash text NOT NULL
);
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_actor ON audit_log (lower(actor), id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_subject ON audit_log (subject_id, id);
CREATE INDEX audit_log_person ON audit_log (lower(after ->> 'email'), id) WHERE subject_kind = 'user';

CREATE FUNCTION audit_hash(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(
    entry.previous_hash, entry.id, extract(epoch FROM entry.at), entry.actor_id, entry.actor, entry.action,
    entry.subject_kind, entry.subject_id, entry.subject_name, entry.before, entry.after)::text, 'UTF8')), 'hex')
$$;

-- A sequence would have gaps and another order than the commits, and a restore would have to set it.
CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('audit_log'));
  SELECT id, hash INTO newest FROM audit_log ORDER BY id DESC LIMIT 1;
  NEW.id := COALESCE(newest.id, 0) + 1;
  NEW.at := clock_timestamp();
  NEW.previous_hash := COALESCE(newest.hash, '');
  NEW.hash := audit_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

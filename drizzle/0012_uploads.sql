-- Files that are being uploaded in the studio, until they are taken in
-- Oldest build: 0011_covers

CREATE TYPE upload_state AS ENUM ('uploading', 'complete', 'takenIn', 'present', 'passedOver', 'refused');
--> statement-breakpoint

CREATE TABLE upload_batches (
  id uuid PRIMARY KEY NOT NULL,
  user_id uuid NOT NULL
    CONSTRAINT upload_batches_user_id_users_id_fk REFERENCES users (id) ON DELETE cascade,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  attempts bigint DEFAULT 0 NOT NULL,
  began_at timestamp with time zone,
  taken_part real DEFAULT 0 NOT NULL,
  ended_at timestamp with time zone,
  problem text,
  has_files boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE INDEX upload_batches_user ON upload_batches (user_id, created_at);
--> statement-breakpoint
CREATE INDEX upload_batches_open ON upload_batches (created_at) WHERE ended_at IS NULL;
--> statement-breakpoint

CREATE TABLE uploads (
  id uuid PRIMARY KEY NOT NULL,
  batch_id uuid NOT NULL
    CONSTRAINT uploads_batch_id_upload_batches_id_fk REFERENCES upload_batches (id) ON DELETE cascade,
  position bigint NOT NULL,
  path text NOT NULL,
  bytes bigint NOT NULL,
  received_bytes bigint DEFAULT 0 NOT NULL,
  fingerprint text NOT NULL,
  state upload_state DEFAULT 'uploading' NOT NULL,
  note text,
  media_id uuid
    CONSTRAINT uploads_media_id_media_id_fk REFERENCES media (id) ON DELETE SET NULL,
  lock_token uuid,
  locked_until timestamp with time zone,
  is_lock_wanted boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX uploads_batch ON uploads (batch_id, position);
--> statement-breakpoint
CREATE INDEX uploads_media ON uploads (media_id);

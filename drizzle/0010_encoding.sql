-- The files that the worker makes of a video, step by step (decision 159)
-- Oldest build: 0009_photo_sizes

CREATE TYPE media_work_state AS ENUM ('waiting', 'running', 'done', 'failed', 'cancelled');--> statement-breakpoint
CREATE TABLE media_encodings (
  media_id uuid PRIMARY KEY NOT NULL
    CONSTRAINT media_encodings_media_id_media_id_fk REFERENCES media (id) ON DELETE cascade,
  run uuid DEFAULT gen_random_uuid() NOT NULL,
  version bigint,
  drops_original boolean DEFAULT false NOT NULL,
  source jsonb,
  queued_at timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE media_work (
  media_id uuid NOT NULL
    CONSTRAINT media_work_media_id_media_encodings_media_id_fk REFERENCES media_encodings (media_id) ON DELETE cascade,
  step text NOT NULL,
  position bigint NOT NULL,
  after text[] DEFAULT '{}' NOT NULL,
  file_group text,
  state media_work_state DEFAULT 'waiting' NOT NULL,
  percent bigint DEFAULT 0 NOT NULL,
  last_lines text[] DEFAULT '{}' NOT NULL,
  attempts bigint DEFAULT 0 NOT NULL,
  claimed_by bigint,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  made jsonb DEFAULT '[]'::jsonb NOT NULL,
  seconds double precision,
  started_at timestamp with time zone,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT media_work_media_id_step_pk PRIMARY KEY (media_id, step)
);--> statement-breakpoint
CREATE INDEX media_work_open ON media_work (due_at) WHERE state IN ('waiting', 'running');--> statement-breakpoint
ALTER TABLE media_files ADD COLUMN bandwidth bigint;--> statement-breakpoint
ALTER TABLE media_files ADD COLUMN codecs text;

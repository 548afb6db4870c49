-- The files as they were imported, which only the studio serves
-- Oldest build: 0007_file_versions

CREATE TABLE media_originals (
  storage_key text PRIMARY KEY NOT NULL,
  media_id uuid NOT NULL
    CONSTRAINT media_originals_media_id_media_id_fk REFERENCES media (id) ON DELETE cascade,
  photo_number bigint,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  file_name text NOT NULL,
  probe jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT media_originals_media_photo UNIQUE NULLS NOT DISTINCT (media_id, photo_number)
);

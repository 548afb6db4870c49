-- The part of a video that everybody past the gate may see (decision 166). It excludes every build before it: their
-- workers would fail the steps of trailers and of separate sounds, and cannot read what the steps of this one find.

CREATE TABLE media_trailers (
  media_id uuid PRIMARY KEY NOT NULL
    CONSTRAINT media_trailers_media_id_media_id_fk REFERENCES media (id) ON DELETE cascade,
  from_seconds double precision NOT NULL,
  to_seconds double precision NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT media_trailers_range CHECK (from_seconds >= 0 AND to_seconds > from_seconds)
);

-- Single photos that a member keeps as favorites (decision 173)
-- Oldest build: 0014_trailers

CREATE TABLE photo_favorites (
  user_id uuid NOT NULL
    CONSTRAINT photo_favorites_user_id_users_id_fk REFERENCES users (id) ON DELETE cascade,
  photo_id uuid NOT NULL
    CONSTRAINT photo_favorites_photo_id_photos_id_fk REFERENCES photos (id) ON DELETE cascade,
  favorited_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT photo_favorites_user_id_photo_id_pk PRIMARY KEY (user_id, photo_id)
);
--> statement-breakpoint
CREATE INDEX photo_favorites_user_favorited_at ON photo_favorites (user_id, favorited_at DESC NULLS LAST, photo_id);
--> statement-breakpoint
CREATE INDEX photo_favorites_photo_id ON photo_favorites (photo_id);

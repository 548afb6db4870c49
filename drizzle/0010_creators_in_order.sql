CREATE INDEX "creators_name" ON "creators" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "creators_newest_at" ON "creators" USING btree (COALESCE("newest_at", '-infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "creators_works" ON "creators" USING btree (("video_count" + "photo_set_count"),"id");
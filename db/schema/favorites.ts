import { boolean, index, pgTable, primaryKey, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { media, photos } from "./catalog.ts";

export const favorites = pgTable(
  "favorites",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    isFavorited: boolean("is_favorited").notNull().default(true),
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    favoritedAt: timestamp("favorited_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    unique("favorites_user_media").on(table.userId, table.mediaId),
    index("favorites_user_favorited_at").on(table.userId, table.favoritedAt.desc(), table.id),
    index("favorites_media_id").on(table.mediaId),
  ],
);

/** Single photos of sets. */
export const photoFavorites = pgTable(
  "photo_favorites",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    photoId: uuid("photo_id")
      .notNull()
      .references(() => photos.id, { onDelete: "cascade" }),
    favoritedAt: timestamp("favorited_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.photoId] }),
    index("photo_favorites_user_favorited_at").on(table.userId, table.favoritedAt.desc(), table.photoId),
    index("photo_favorites_photo_id").on(table.photoId),
  ],
);

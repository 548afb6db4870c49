import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./auth.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const mediaType = pgEnum("media_type", ["video", "photoSet"]);
export const mediaStatus = pgEnum("media_status", [
  "draft",
  "scheduled",
  "published",
  "hidden",
  "takenDown",
  "deleted",
]);
export const mediaAccess = pgEnum("media_access", ["free", "member", "subscriber"]);
export interface Marker {
  atSeconds: number;
  title: string;
}

/** The origin of a cover that somebody chose in the studio. A "picture" is kept nowhere but as the cover itself. */
export type CoverSource =
  | { kind: "moment"; seconds: number }
  /** The number of the photo. */
  | { kind: "photo"; number: number }
  | { kind: "picture" };

export interface CreatorLink {
  label: string;
  url: string;
}

export const creators = pgTable(
  "creators",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    slug: text("slug").notNull().unique(),
    name: text("name").notNull(),
    aliases: text("aliases").array().notNull().default([]),
    bio: text("bio").notNull().default(""),
    links: jsonb("links").$type<CreatorLink[]>().notNull().default([]),
    portraitAlt: text("portrait_alt").notNull().default(""),
    /** "#rrggbb" shown until the portrait has loaded. */
    color: text("color").notNull().default("#8a8088"),
    /** Published media only; maintained by domain/catalog/media/counts.server.ts. */
    videoCount: integer("video_count").notNull().default(0),
    photoSetCount: integer("photo_set_count").notNull().default(0),
    newestAt: timestamp("newest_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** The words of the name and each alias. */
    search: tsvector("search").notNull().generatedAlwaysAs(sql`search_vector(VARIADIC name || aliases)`),
  },
  (table) => [
    index("creators_search").using("gin", table.search),
    // Match the sort orders of the creators list.
    index("creators_name").on(sql`lower(${table.name})`, table.id),
    index("creators_newest_at").on(sql`COALESCE(${table.newestAt}, '-infinity'::timestamptz)`, table.id),
    index("creators_works").on(sql`(${table.videoCount} + ${table.photoSetCount})`, table.id),
  ],
);

/** Videos and photo sets share one id space, because favorites and views hold one mediaId. */
export const media = pgTable(
  "media",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    type: mediaType("type").notNull(),
    /** First eight base32 characters of the id's own randomness; the stable tail of the slug. */
    shortId: text("short_id").notNull().unique(),
    slug: text("slug").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    producedOn: date("produced_on"),
    /** When it goes out or went out; null without a plan. */
    publishAt: timestamp("publish_at", { withTimezone: true }),
    expireAt: timestamp("expire_at", { withTimezone: true }),
    /** Changed by domain/catalog/edit/states/transitions.server.ts. */
    status: mediaStatus("status").notNull().default("draft"),
    /** Written by a trigger; null as long as nobody but the staff could see it. */
    firstPublishedAt: timestamp("first_published_at", { withTimezone: true }),
    /** The status that a hidden item comes back to. */
    hiddenFrom: mediaStatus("hidden_from"),
    /** The status that an item comes back to when it was taken down. */
    takenDownFrom: mediaStatus("taken_down_from"),
    takenDownAt: timestamp("taken_down_at", { withTimezone: true }),
    takenDownReason: text("taken_down_reason"),
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
    /** A sentence: why its date could not publish it. */
    publishProblem: text("publish_problem"),
    access: mediaAccess("access").notNull().default("subscriber"),
    allowDownload: boolean("allow_download").notNull().default(false),
    /** Shared by videos and photo sets of one shoot. */
    shootId: uuid("shoot_id"),
    durationSeconds: doublePrecision("duration_seconds"),
    photoCount: integer("photo_count"),
    width: integer("width"),
    height: integer("height"),
    /** "#rrggbb" shown until the cover has loaded. */
    color: text("color").notNull().default("#8a8088"),
    /** Null for the cover that the import made. */
    coverSource: jsonb("cover_source").$type<CoverSource>(),
    /** The last version that was given to files which replace others; none is given twice. */
    fileVersion: integer("file_version").notNull().default(0),
    /** Maintained by domain/viewing. */
    playCount: integer("play_count").notNull().default(0),
    /** The same at the last ranking, by which "most watched" sorts. */
    rankedPlays: integer("ranked_plays").notNull().default(0),
    /** The words of the title and the description. */
    search: tsvector("search")
      .notNull()
      .generatedAlwaysAs(sql`search_vector("left"(title, 1000), "left"(description, 100000))`),
    /** Lower case without accents, truncated for sorting. */
    sortTitle: text("sort_title").notNull().generatedAlwaysAs(sql`"left"(lower(f_unaccent(title)), 100)`),
    /** sha256 (hex) of the import: a file, or a folder's sorted file hashes. */
    contentHash: text("content_hash").unique(),
    /** The facts as the last import had them; null for what was not imported. */
    imported: jsonb("imported").$type<Record<string, unknown>>(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index("media_shoot_id").on(table.shootId),
    index("media_search").using("gin", table.search),
    // The orders of visitors' lists. With the day of expiry, the newest are found without a look at each row.
    index("media_newest")
      .on(table.type, table.publishAt, table.id, table.expireAt)
      .where(sql`status = 'published'`),
    index("media_most_watched").on(table.type, table.rankedPlays, table.id).where(sql`status = 'published'`),
    index("media_longest")
      .on(table.type, sql`COALESCE(duration_seconds, photo_count, 0)`, table.id)
      .where(sql`status = 'published'`),
    index("media_by_title").on(table.type, table.sortTitle, table.id).where(sql`status = 'published'`),
    index("media_expiring").on(table.expireAt).where(sql`status = 'published' AND expire_at IS NOT NULL`),
    // Those of the studio's.
    index("media_studio_changed").on(table.updatedAt, table.id).where(sql`status <> 'deleted'`),
    index("media_studio_planned")
      .on(sql`COALESCE(publish_at, '-infinity'::timestamptz)`, table.id)
      .where(sql`status <> 'deleted'`),
    index("media_studio_title").on(table.sortTitle, table.id).where(sql`status <> 'deleted'`),
    // Those of problems and their counts.
    index("media_open").on(table.producedOn, table.id).where(sql`status NOT IN ('takenDown', 'deleted')`),
    index("media_publish_failed").on(table.id).where(sql`publish_problem IS NOT NULL`),
    index("media_deleted").on(table.id).where(sql`status = 'deleted'`),
    check(
      "media_type_length",
      sql`(type = 'video' AND photo_count IS NULL) OR (type = 'photoSet' AND duration_seconds IS NULL)`,
    ),
    check("media_planned", sql`publish_at IS NOT NULL OR status NOT IN ('scheduled', 'published')`),
  ],
);

export const videos = pgTable("videos", {
  mediaId: uuid("media_id")
    .primaryKey()
    .references(() => media.id, { onDelete: "cascade" }),
  markers: jsonb("markers").$type<Marker[]>().notNull().default([]),
  hasAudio: boolean("has_audio").notNull().default(true),
});

export const photos = pgTable(
  "photos",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** Part of its files' names; stays whatever its position becomes. */
    number: integer("number").notNull(),
    /** 1-based, without gaps; null when it is left out. Unique in its set once a transaction commits. */
    position: integer("position"),
    leftOutAt: timestamp("left_out_at", { withTimezone: true }),
    alt: text("alt").notNull().default(""),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** The largest width that was made. */
    widest: bigint("widest", { mode: "number" }).notNull(),
    color: text("color").notNull().default("#8a8088"),
    /** Open to everyone past the age gate, whatever the set's access. */
    isPreview: boolean("is_preview").notNull().default(false),
    /** sha256 (hex) of the file that it was made from. */
    sourceHash: text("source_hash").notNull(),
  },
  (table) => [
    unique("photos_media_number").on(table.mediaId, table.number),
    // Deferrable, which drizzle-kit cannot say: the migration makes it so.
    unique("photos_media_position").on(table.mediaId, table.position),
    check("photos_left_out", sql`(position IS NULL) = (left_out_at IS NOT NULL)`),
  ],
);

/** Links that show one draft to whoever holds them. */
export const draftLinks = pgTable(
  "draft_links",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** Null for a program. Losing the role ends the link. */
    makerId: uuid("maker_id").references(() => users.id, { onDelete: "cascade" }),
    /** sha256 (hex) of the token. */
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
  },
  (table) => [
    index("draft_links_media_id").on(table.mediaId),
    index("draft_links_maker_id").on(table.makerId),
  ],
);

export const mediaCreators = pgTable(
  "media_creators",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    creatorId: uuid("creator_id")
      .notNull()
      .references(() => creators.id, { onDelete: "cascade" }),
    /** Order of credit, from 0. */
    position: integer("position").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.creatorId] }),
    index("media_creators_creator_id").on(table.creatorId, table.mediaId),
  ],
);

export const tags = pgTable(
  "tags",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    slug: text("slug").notNull().unique(),
    name: text("name").notNull(),
    /** Live media with the tag, counted by rankTags(). */
    videoUses: integer("video_uses").notNull().default(0),
    photoSetUses: integer("photo_set_uses").notNull().default(0),
    search: tsvector("search").notNull().generatedAlwaysAs(sql`search_vector(name)`),
  },
  (table) => [
    index("tags_search").using("gin", table.search),
    // The names that are one tag, as names.server.ts compares them.
    index("tags_key").on(sql`replace(lower(f_unaccent(name)), ' ', '')`),
  ],
);

export const mediaTags = pgTable(
  "media_tags",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    tagId: uuid("tag_id")
      .notNull()
      .references(() => tags.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.tagId] }),
    index("media_tags_tag_id").on(table.tagId, table.mediaId),
  ],
);

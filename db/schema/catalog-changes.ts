import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** A change of many items at once, made by the queue or at once when there are few. */
export const bulkChanges = pgTable("bulk_changes", {
  id: uuid("id").primaryKey().defaultRandom(),
  /** The person who confirmed it, as in the audit log, with the role at that time. */
  actorId: uuid("actor_id"),
  actor: text("actor").notNull(),
  actorRole: text("actor_role").notNull(),
  change: jsonb("change").$type<Record<string, unknown>>().notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});

export const bulkChangeItems = pgTable(
  "bulk_change_items",
  {
    bulkChangeId: uuid("bulk_change_id")
      .notNull()
      .references(() => bulkChanges.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    mediaId: uuid("media_id").notNull(),
    /** At the time of the change. */
    title: text("title").notNull(),
    /** Null as long as it waits. */
    doneAt: timestamp("done_at", { withTimezone: true }),
    /** False also for an item that had the value already. */
    isChanged: boolean("is_changed").notNull().default(false),
    /** A sentence: why it could not be changed. */
    problem: text("problem"),
  },
  (table) => [
    primaryKey({ columns: [table.bulkChangeId, table.position] }),
    index("bulk_change_items_open").on(table.bulkChangeId, table.position).where(sql`done_at IS NULL`),
  ],
);

export const nameKind = pgEnum("name_kind", ["creator", "tag"]);

/** Earlier addresses of creators and tags, which redirect to the present one. */
export const formerSlugs = pgTable(
  "former_slugs",
  {
    kind: nameKind("kind").notNull(),
    slug: text("slug").notNull(),
    targetId: uuid("target_id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.slug] }),
    index("former_slugs_target").on(table.kind, table.targetId),
  ],
);

/** A creator or tag that is renamed, merged or deleted; the queue follows with the items that carry the name. */
export const nameChanges = pgTable("name_changes", {
  id: uuid("id").primaryKey().defaultRandom(),
  kind: nameKind("kind").notNull(),
  action: text("action").$type<"rename" | "merge" | "delete">().notNull(),
  subjectId: uuid("subject_id").notNull(),
  /** The name before the change. */
  subjectName: text("subject_name").notNull(),
  /** The one that a merged name becomes part of. */
  targetId: uuid("target_id"),
  /** Its name, or the new name of what is renamed. */
  targetName: text("target_name"),
  /** The person who confirmed it, as in the audit log. */
  actor: text("actor").notNull(),
  /** Items that carried the name when it was confirmed. */
  items: bigint("items", { mode: "number" }).notNull(),
  doneItems: bigint("done_items", { mode: "number" }).notNull().default(0),
  /** The search of items up to this id has the new name. */
  afterMediaId: uuid("after_media_id"),
  /** Whether it has in all of them. */
  isWalked: boolean("is_walked").notNull().default(false),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  doneAt: timestamp("done_at", { withTimezone: true }),
});

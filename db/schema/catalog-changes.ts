import { sql } from "drizzle-orm";
import {
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

/** Earlier addresses of creators and tags, which redirect to the present one. The id of what was merged is one of them. */
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

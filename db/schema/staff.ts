import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Triggers set the id, the time and both hashes, and refuse every change but an insert. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    /** Null for a command. */
    actorId: uuid("actor_id"),
    /** The email address at the time, or the command's name. */
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subjectKind: text("subject_kind").notNull(),
    subjectId: text("subject_id").notNull(),
    /** An item's title at the time, for a log that outlives the item. */
    subjectName: text("subject_name"),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    previousHash: text("previous_hash").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [
    index("audit_log_at").on(table.at),
    index("audit_log_actor").on(sql`lower(${table.actor})`, table.id),
    index("audit_log_action").on(table.action, table.id),
    index("audit_log_subject").on(table.subjectId, table.id),
    index("audit_log_person")
      .on(sql`lower(${table.after} ->> 'email')`, table.id)
      .where(sql`${table.subjectKind} = 'user'`),
  ],
);

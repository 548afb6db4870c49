import { sql } from "drizzle-orm";
import {
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

export const userRole = pgEnum("user_role", ["member", "editor", "publisher", "records", "owner"]);

/** A postal address as the member typed it; every part is optional. */
export interface BillingAddress {
  line1?: string;
  line2?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
}

/** The card on file, mirrored from the payment provider and never written by the member. */
export interface PaymentMethod {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email").notNull(),
    full_name: text("full_name"),
    billing_address: jsonb("billing_address").$type<BillingAddress>(),
    /** Mirror of how the provider charges, for example "charge_automatically". */
    billing_method: text("billing_method"),
    avatar_url: text("avatar_url"),
    payment_method: jsonb("payment_method").$type<PaymentMethod>(),
    role: userRole("role").notNull().default("member"),
    lastSeenAt: timestamp("last_seen_at", { withTimezone: true }),
    /** When the visit before the present one ended: what "New since last visit" counts from. */
    previousVisitAt: timestamp("previous_visit_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
  },
  (table) => [uniqueIndex("users_email_unique").on(sql`lower(${table.email})`)],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** sha256 (hex) of the random id in the cookie; the id itself is stored nowhere. */
    tokenHash: text("token_hash").notNull().unique(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signedInAt: timestamp("signed_in_at", { withTimezone: true }).notNull().defaultNow(),
    renewedAt: timestamp("renewed_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    /** "Firefox on Windows", for the list of devices. */
    device: text("device").notNull(),
    /** Network part of the address only: /24 or /48. */
    network: text("network"),
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [index("sessions_user_id").on(table.userId), index("sessions_expires_at").on(table.expiresAt)],
);

export const signinTokens = pgTable(
  "signin_tokens",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email").notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    codeHash: text("code_hash").notNull(),
    /** sha256 of the random cookie of the browser that asked. */
    browserHash: text("browser_hash").notNull(),
    device: text("device").notNull(),
    network: text("network"),
    next: text("next").notNull().default("/"),
    attempts: integer("attempts").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
  },
  (table) => [
    index("signin_tokens_email").on(sql`lower(${table.email})`),
    index("signin_tokens_browser_hash").on(table.browserHash),
    index("signin_tokens_expires_at").on(table.expiresAt),
  ],
);

/** Column names are those rate-limiter-flexible writes to. */
export const rateLimits = pgTable("rate_limits", {
  key: text("key").primaryKey(),
  points: integer("points").notNull(),
  expire: timestamp("expire", { withTimezone: true }),
});

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
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

export const userRole = pgEnum("user_role", ["member", "editor", "publisher", "records", "owner"]);

export interface BillingAddress {
  line1?: string;
  line2?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
}

/** Copied from the payment provider. Null if a bank account or a wallet has no such number. */
export interface PaymentMethod {
  /** "visa" for a card; otherwise the kind of method, such as "sepa_debit". */
  brand: string;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
}

export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email").notNull(),
    full_name: text("full_name"),
    billing_address: jsonb("billing_address").$type<BillingAddress>(),
    billing_method: text("billing_method"),
    avatar_url: text("avatar_url"),
    payment_method: jsonb("payment_method").$type<PaymentMethod>(),
    role: userRole("role").notNull().default("member"),
    lastSeenAt: timestamp("last_seen_at", { withTimezone: true }),
    /** End of the previous visit, from which "New since last visit" counts. */
    previousVisitAt: timestamp("previous_visit_at", { withTimezone: true }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    deletionRequestedAt: timestamp("deletion_requested_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("users_email_unique").on(sql`lower(${table.email})`),
    index("users_deletion_requested_at")
      .on(table.deletionRequestedAt)
      .where(sql`${table.deletionRequestedAt} IS NOT NULL`),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** sha256 (hex) of the random id in the cookie. */
    tokenHash: text("token_hash").notNull().unique(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signedInAt: timestamp("signed_in_at", { withTimezone: true }).notNull().defaultNow(),
    renewedAt: timestamp("renewed_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    /** "Firefox on Windows" */
    device: text("device").notNull(),
    /** The network part only: /24 or /48. */
    network: text("network"),
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    isCounted: boolean("is_counted").notNull().default(false),
  },
  (table) => [
    index("sessions_user_id").on(table.userId),
    index("sessions_expires_at").on(table.expiresAt),
    index("sessions_uncounted").on(table.signedInAt).where(sql`NOT is_counted`),
  ],
);

export const knownBrowsers = pgTable(
  "known_browsers",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** sha256 (hex) of the random id in the browser's cookie. */
    browserHash: text("browser_hash").notNull(),
    lastSignInAt: timestamp("last_sign_in_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.browserHash] }),
    index("known_browsers_last_sign_in_at").on(table.lastSignInAt),
  ],
);

export const signinTokens = pgTable(
  "signin_tokens",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email").notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    codeHash: text("code_hash").notNull(),
    /** sha256 of the requesting browser's random cookie. */
    browserHash: text("browser_hash").notNull(),
    device: text("device").notNull(),
    network: text("network"),
    next: text("next").notNull().default("/"),
    attempts: integer("attempts").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** The request is done: its code was used, or its link in the requesting browser. */
    usedAt: timestamp("used_at", { withTimezone: true }),
    /** In any browser. A scanner may press the button first, so the code still works after this. */
    linkUsedAt: timestamp("link_used_at", { withTimezone: true }),
    linkUsedDevice: text("link_used_device"),
    /** The email is sent only if the address has an account, which no page may reveal. */
    isFromReserve: boolean("is_from_reserve").notNull().default(false),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
  },
  (table) => [
    index("signin_tokens_email").on(sql`lower(${table.email})`),
    index("signin_tokens_browser_hash").on(table.browserHash),
    index("signin_tokens_expires_at").on(table.expiresAt),
  ],
);

/** rate-limiter-flexible sets the column names. */
export const rateLimits = pgTable("rate_limits", {
  key: text("key").primaryKey(),
  points: integer("points").notNull(),
  expire: timestamp("expire", { withTimezone: true }),
});

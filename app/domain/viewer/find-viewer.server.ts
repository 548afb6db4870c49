import { sql } from "drizzle-orm";
import { z } from "zod";
import { ROLES } from "#app/domain/staff/rights.ts";
import { db, uuids } from "#db/client.server.ts";
import { fixedSql } from "#db/fixed-sql.ts";
import { flag, number, readRow, readRows, text, timestamp } from "#db/rows.ts";
import type { AccessViewer } from "../access/access.ts";
import { IS_OPEN_SESSION } from "../auth/sessions.server.ts";
import {
  type CurrentSubscription,
  currentSubscription,
  hasAccess,
  subscriptionFromJson,
} from "../billing/subscriptions/current-subscription.server.ts";
import type { Role } from "../staff/rights.ts";

export interface SignedIn {
  sessionId: string;
  user: { id: string; email: string; fullName: string | null; avatarUrl: string | null; role: Role };
  subscription: CurrentSubscription | null;
  /** Seconds, by the database's clock. */
  expiresIn: number;
  renewedSecondsAgo: number;
  signedInSecondsAgo: number;
  now: Date;
}

export interface Viewer extends AccessViewer {
  user: SignedIn["user"] | null;
  subscription: SignedIn["subscription"];
  session: Omit<SignedIn, "user" | "subscription"> | null;
}

const FROM_OPEN_SESSIONS = fixedSql(
  sql`FROM sessions JOIN users u ON u.id = sessions.user_id AND ${IS_OPEN_SESSION}`,
);
const SUBSCRIPTION_OF_USER = fixedSql(currentSubscription(sql`u.id`));

const SignedInRow = z.object({
  session_id: text,
  user_id: text,
  email: text,
  full_name: text.nullable(),
  avatar_url: text.nullable(),
  role: z.enum(ROLES),
  subscription: z.record(text, z.unknown()).nullable(),
  expires_in: number,
  renewed_ago: number,
  signed_in_ago: number,
  now: timestamp,
});

export async function findSignedIn(tokenHash: string): Promise<SignedIn | null> {
  const row = await readRow(db, SignedInRow)`
    SELECT sessions.id AS session_id, u.id AS user_id, u.email, u.full_name, u.avatar_url, u.role,
      current.subscription,
      extract(epoch FROM sessions.expires_at - now())::float8 AS expires_in,
      extract(epoch FROM now() - sessions.renewed_at)::float8 AS renewed_ago,
      extract(epoch FROM now() - sessions.signed_in_at)::float8 AS signed_in_ago,
      clock_timestamp() AS now
    ${FROM_OPEN_SESSIONS} LEFT JOIN LATERAL (${SUBSCRIPTION_OF_USER}) current ON true
    WHERE sessions.token_hash = ${tokenHash}
  `;
  if (!row) return null;
  return {
    sessionId: row.session_id,
    user: {
      id: row.user_id,
      email: row.email,
      fullName: row.full_name,
      avatarUrl: row.avatar_url,
      role: row.role,
    },
    subscription: subscriptionFromJson(row.subscription),
    expiresIn: row.expires_in,
    renewedSecondsAgo: row.renewed_ago,
    signedInSecondsAgo: row.signed_in_ago,
    now: row.now,
  };
}

const OpenSession = z.object({ id: text, isSubscribed: flag, role: z.enum(ROLES) });
type OpenSession = z.infer<typeof OpenSession>;

export async function listOpenSessions(sessionIds: string[]): Promise<Map<string, OpenSession>> {
  const rows = await readRows(db, OpenSession)`
    SELECT sessions.id, u.role, ${hasAccess(sql`u.id`)} AS "isSubscribed"
    ${FROM_OPEN_SESSIONS}
    WHERE sessions.id = ANY(${uuids(sessionIds)})
  `;
  return new Map(rows.map((row) => [row.id, row]));
}

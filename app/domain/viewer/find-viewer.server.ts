import { sql } from "drizzle-orm";
import { db, uuids } from "#db/client.server.ts";
import { databaseTime } from "#db/clock.server.ts";
import type { AccessViewer } from "../access/access.ts";
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

const FROM_OPEN_SESSIONS = sql`FROM sessions s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
  AND s.revoked_at IS NULL AND s.expires_at > now()`;

export async function findSignedIn(tokenHash: string): Promise<SignedIn | null> {
  const [row] = await db.execute<{
    session_id: string;
    user_id: string;
    email: string;
    full_name: string | null;
    avatar_url: string | null;
    role: Role;
    subscription: Record<string, unknown> | null;
    expires_in: number;
    renewed_ago: number;
    signed_in_ago: number;
    now_ms: number;
  }>(sql`
    SELECT s.id AS session_id, u.id AS user_id, u.email, u.full_name, u.avatar_url, u.role,
      current.subscription,
      extract(epoch FROM s.expires_at - now())::float8 AS expires_in,
      extract(epoch FROM now() - s.renewed_at)::float8 AS renewed_ago,
      extract(epoch FROM now() - s.signed_in_at)::float8 AS signed_in_ago,
      ${databaseTime} AS now_ms
    ${FROM_OPEN_SESSIONS} LEFT JOIN LATERAL (${currentSubscription(sql`u.id`)}) current ON true
    WHERE s.token_hash = ${tokenHash}
  `);
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
    now: new Date(row.now_ms),
  };
}

interface OpenSession {
  [column: string]: unknown;
  id: string;
  isSubscribed: boolean;
  role: Role;
}

export async function listOpenSessions(sessionIds: string[]): Promise<Map<string, OpenSession>> {
  const rows = await db.execute<OpenSession>(sql`
    SELECT s.id, u.role, ${hasAccess(sql`u.id`)} AS "isSubscribed"
    ${FROM_OPEN_SESSIONS}
    WHERE s.id = ANY(${uuids(sessionIds)})
  `);
  return new Map(rows.map((row) => [row.id, row]));
}

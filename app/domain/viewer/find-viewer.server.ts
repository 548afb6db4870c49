import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { databaseTime } from "#db/clock.server.ts";
import type { Role } from "../access/access.ts";
import {
  type CurrentSubscription,
  currentSubscription,
  readSubscription,
} from "../billing/subscriptions/current-subscription.server.ts";

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

/** Null when the session is unknown, expired, revoked or its user is gone. */
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
    FROM sessions s
    JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
    LEFT JOIN LATERAL (${currentSubscription(sql`u.id`)}) current ON true
    WHERE s.token_hash = ${tokenHash} AND s.revoked_at IS NULL AND s.expires_at > now()
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
    subscription: readSubscription(row.subscription),
    expiresIn: row.expires_in,
    renewedSecondsAgo: row.renewed_ago,
    signedInSecondsAgo: row.signed_in_ago,
    now: new Date(row.now_ms),
  };
}

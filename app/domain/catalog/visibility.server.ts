import { sql } from "drizzle-orm";

/** True for a row `m` of media that is published and inside its dates, by the database's clock. */
export const isLive = sql`(m.status = 'published' AND m.publish_at <= now()
  AND (m.expire_at IS NULL OR m.expire_at > now()))`;

/** The same for a row `t` of media_terms, where only published media are. */
export const isLiveTerm = sql`t.publish_at <= now() AND (t.expire_at IS NULL OR t.expire_at > now())`;

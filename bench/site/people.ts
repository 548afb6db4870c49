import type { Sql } from "postgres";
import { hashSecret, newSecret } from "#app/domain/auth/secrets.server.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { adultCookie } from "#tests/support/people.ts";

export interface Subscriber {
  id: string;
  /** The Cookie header of the signed-in browser. */
  cookie: string;
}

/** The number of media that each subscriber has viewed, and of favorites; more than one page. */
const HISTORY = 30;

/** Adds subscribers with a session each, who have different favorites and views, half of those completed. */
export async function addSubscribers(sql: Sql, count: number): Promise<Subscriber[]> {
  const tokens = Array.from({ length: count }, newSecret);
  const rows = await sql<{ id: string; token: string }[]>`
    WITH given AS (SELECT token, hash, n FROM unnest(${tokens}::text[], ${tokens.map(hashSecret)}::text[])
        WITH ORDINALITY AS given(token, hash, n)),
    person AS (INSERT INTO users (email, previous_visit_at)
      SELECT 'reader-' || n || '@example.com', now() - interval '5 days' FROM given RETURNING id, email),
    member AS (SELECT person.id, token, hash FROM given JOIN person ON email = 'reader-' || n || '@example.com'),
    session AS (INSERT INTO sessions (user_id, token_hash, expires_at, device)
      SELECT id, hash, now() + interval '1 day', 'Firefox on Linux' FROM member),
    subscription AS (INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
        current_period_end)
      SELECT 'sub_' || id, id, 'demo', 'active', (SELECT min(id) FROM prices), now() - interval '1 day',
        now() + interval '29 days' FROM member)
    SELECT id, token FROM member`;
  await addHistory(
    sql,
    rows.map(({ id }) => id),
  );
  const cookies = await cookiesOf(rows.map(({ token }) => token));
  return rows.map(({ id }, at) => ({ id, cookie: cookies[at] ?? "" }));
}

async function cookiesOf(tokens: string[]): Promise<string[]> {
  const adult = await adultCookie();
  return Promise.all(tokens.map(async (token) => `${pair(await sessionCookie.serialize(token))}; ${adult}`));
}

export { adultCookie };

/** The cookies of further browsers, `each` of every person. */
export async function addSessions(sql: Sql, ids: string[], each: number): Promise<string[]> {
  const owners = ids.flatMap((id) => Array<string>(each).fill(id));
  const tokens = owners.map(newSecret);
  await sql`INSERT INTO sessions (user_id, token_hash, expires_at, device)
    SELECT id, hash, now() + interval '1 day', 'Firefox on Linux'
    FROM unnest(${owners}::uuid[], ${tokens.map(hashSecret)}::text[]) AS given(id, hash)`;
  return cookiesOf(tokens);
}

async function addHistory(sql: Sql, ids: string[]): Promise<void> {
  const newest = sql`WITH newest AS MATERIALIZED (SELECT id, COALESCE(duration_seconds, photo_count) AS extent
    FROM media WHERE status = 'published' AND publish_at <= now() ORDER BY publish_at DESC LIMIT 100)`;
  const chosen = sql`FROM unnest(${ids}::uuid[]) AS person(id) CROSS JOIN LATERAL (
      SELECT newest.*, md5(person.id::text || newest.id::text) AS place FROM newest ORDER BY place LIMIT ${HISTORY}) chosen`;
  await sql`${newest} INSERT INTO views (user_id, media_id, progress, completed_at, last_viewed_at)
    SELECT person.id, chosen.id, floor(extent / 3), CASE WHEN place < '8' THEN now() END,
      now() - ('x' || left(place, 4))::bit(16)::int * interval '1 minute' ${chosen}`;
  await sql`${newest} INSERT INTO favorites (user_id, media_id, favorited_at)
    SELECT person.id, chosen.id, now() - ('x' || left(place, 4))::bit(16)::int * interval '1 minute' ${chosen}`;
}

function pair(setCookie: string): string {
  return setCookie.split(";", 1)[0] ?? "";
}

import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { adultCookie } from "../support/people.ts";
import { startSite } from "../support/site.ts";

const CONNECTIONS = 5_000;
const SESSIONS_PER_MEMBER = 6;
const AT_ONCE = 50;

const site = await startSite();
const open: { destroy(): void }[] = [];
afterAll(async () => {
  for (const one of open) one.destroy();
  await site.stop();
});

test("a process holds 5,000 live connections, and refuses the next unless it replaces one", async () => {
  const cookies = await createSessions(CONNECTIONS + 1);
  await openAll(cookies.slice(0, CONNECTIONS));
  expect((await openOne(cookies.at(-1) ?? "")).status).toBe(503);
  expect((await openOne(cookies[0] ?? "")).status).toBe(200);
  expect((await openOne(cookies.at(-1) ?? "")).status, "the process is full again").toBe(503);
  expect((await site.fetch("/enter")).status, "pages are answered still").toBe(200);
}, 120_000);

async function openAll(cookies: string[]): Promise<void> {
  for (let from = 0; from < cookies.length; from += AT_ONCE) {
    const opened = await Promise.all(cookies.slice(from, from + AT_ONCE).map(openOne));
    for (const { status } of opened) expect(status).toBe(200);
  }
}

function openOne(cookie: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: "text/event-stream" };
    const sent = request(`${site.origin}/api/live`, { headers, agent: false }, (response) => {
      response.on("error", () => {});
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on("error", reject);
    sent.end();
    open.push(sent);
  });
}

async function createSessions(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString("base64url"));
  const hashes = JSON.stringify(tokens.map(hashSecret));
  await db.execute(sql`
    WITH people AS (
      INSERT INTO users (email) SELECT 'live-' || n || '@example.org'
      FROM generate_series(0, ${Math.floor(count / SESSIONS_PER_MEMBER)}::int) AS n RETURNING id
    ), numbered AS (SELECT id, row_number() OVER () - 1 AS n FROM people)
    INSERT INTO sessions (token_hash, user_id, device, expires_at)
    SELECT hash, numbered.id, 'Test', now() + interval '1 hour'
    FROM jsonb_array_elements_text(${hashes}::jsonb) WITH ORDINALITY AS given(hash, place)
    JOIN numbered ON numbered.n = (place - 1) / ${SESSIONS_PER_MEMBER}::int`);
  const adult = await adultCookie();
  return Promise.all(
    tokens.map(async (token) => `${adult}; ${(await sessionCookie.serialize(token)).split(";", 1)[0]}`),
  );
}

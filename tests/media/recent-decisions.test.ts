import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startStatementCounter } from "../support/database/statement-counter.ts";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";

const PHOTO = { name: "photo-1-480.webp", needs: "view", contentType: "image/webp" } as const;
const SET = { type: "photoSet" } as const;
/** An announcement takes milliseconds; what is kept without one ends after five seconds. */
const ANNOUNCED_WITHIN_MS = 3_000;
const FORGOTTEN_WITHIN_MS = 9_000;
/** Shorter than the pause before the site listens again. */
const UNHEARD_WITHIN_MS = 1_500;

const statements = await startStatementCounter(process.env.DATABASE_URL ?? "");
const { site, storage } = await startBytesSite({ DATABASE_URL: statements.url });
const bytes = Buffer.alloc(2_000, 7);
afterAll(async () => {
  await site.stop();
  statements.stop();
});

const statusOf = async (path: string, cookie: string) =>
  (await site.fetch(path, { headers: { cookie } })).status;

/** The first request makes the site listen, and the announcement of the reader's own creation may arrive late. */
async function untilKnown(path: string, cookie: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      statements.take();
      const status = await statusOf(path, cookie);
      return status === 200 && statements.take().statements === 0;
    },
    { timeout: 10_000 },
  );
}

type Reader = Awaited<ReturnType<typeof cookiesOf>>;
const ENDS: [string, number, (reader: Reader, mediaId: string) => Promise<unknown>][] = [
  [
    "a sign-out",
    403,
    ({ userId }) => db.update(sessions).set({ revokedAt: sql`now()` }).where(eq(sessions.userId, userId)),
  ],
  ["a deleted session", 403, ({ userId }) => db.delete(sessions).where(eq(sessions.userId, userId))],
  [
    "the end of a subscription",
    403,
    ({ userId }) =>
      db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId)),
  ],
  ["a takedown", 410, (_, id) => db.update(media).set({ status: "takenDown" }).where(eq(media.id, id))],
];

test.each(ENDS)("%s ends remembered decisions about a photo", async (_, refusal, end) => {
  const { path, mediaId } = await addFile(storage, bytes, SET, PHOTO);
  const reader = await cookiesOf("active");
  await untilKnown(path, reader.cookie);
  await end(reader, mediaId);
  await expect.poll(() => statusOf(path, reader.cookie), { timeout: ANNOUNCED_WITHIN_MS }).toBe(refusal);
});

test("without an announcement they end after seconds", async () => {
  const { path } = await addFile(storage, bytes, SET, PHOTO);
  const { cookie, userId } = await cookiesOf("active");
  await untilKnown(path, cookie);
  await db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.delete(sessions).where(eq(sessions.userId, userId));
  });
  expect(await statusOf(path, cookie)).toBe(200);
  await expect.poll(() => statusOf(path, cookie), { timeout: FORGOTTEN_WITHIN_MS }).toBe(403);
}, 20_000);

test("nothing is remembered while nobody listens to announcements", async () => {
  const { path } = await addFile(storage, bytes, SET, PHOTO);
  const { cookie, userId } = await cookiesOf("active");
  await untilKnown(path, cookie);
  await db.execute(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query = 'LISTEN peony_changes'`);
  await db.delete(sessions).where(eq(sessions.userId, userId));
  await expect.poll(() => statusOf(path, cookie), { timeout: UNHEARD_WITHIN_MS }).toBe(403);
}, 20_000);

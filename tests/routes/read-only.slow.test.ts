import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { isNull, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { createRole } from "#tests/support/database/role.ts";
import { startSite } from "#tests/support/site.ts";
import { UNTIL_NOTED } from "../support/people.ts";
import { createLibrary } from "../support/routes/library.ts";
import { isAsLeft, newCaller, PEOPLE, type Person } from "../support/routes/people.ts";
import { listRows } from "../support/routes/rows.ts";

const ORIGINAL = /\/originals\/\d+$/;
const READ_ONLY_PEOPLE: readonly Person[] = ["nobody", "visitor", "member", "subscriber"];

const library = await createLibrary();
const looks = listRows(library).filter(({ method }) => method === "GET");

// The role may only read tables, so every attempt of a page to write fails.
const readerUrl = await createRole("peony_reader", "SELECT");
const writable = await startSite({ dataDir: config.dataDir });
const reader = await startSite({ dataDir: config.dataDir, databaseUrl: readerUrl });
afterAll(() => Promise.all([writable, reader].map((site) => site.stop())));

test.each(READ_ONLY_PEOPLE)(
  "every GET by %s gives the same response without write access",
  async (person) => {
    const { cookie, target } = await newCaller(person, library.free.id);
    const answers: Record<string, string[]> = {};
    for (const { path } of looks) {
      const url = typeof path === "string" ? path : path(target);
      answers[url] = await Promise.all(
        [writable, reader].map(async (site) => {
          const { status, headers } = await site.fetch(url, { headers: { cookie } });
          return `${status} ${headers.get("location") ?? ""}`;
        }),
      );
    }
    const different = Object.entries(answers).filter(([, given]) => new Set(given).size > 1);
    expect(different).toEqual([]);
  },
);

test("a GET or HEAD changes no row of any table, by a script or a browser", async () => {
  for (const person of PEOPLE) {
    const { cookie, target } = await newCaller(person, library.free.id);
    // A visit is recorded once a minute; this simulates one that just was.
    await db.execute(sql`UPDATE users SET last_seen_at = now()`);
    const { "public.rate_limits": _, ...before } = await digestTables();
    for (const { path } of looks) {
      const url = typeof path === "string" ? path : path(target);
      await writable.fetch(url, { method: "HEAD", headers: { cookie } });
      // These write what the tests below cover: an entry of the audit log, and the progress.
      if (ORIGINAL.test(url)) continue;
      await writable.fetch(url, { headers: { cookie } });
      if (!/\/content\/photoSet\/[^/]+\/\d/.test(url)) await navigate(writable.origin + url, cookie);
    }
    // An export counts towards a limit.
    const { "public.rate_limits": __, ...after } = await digestTables();
    expect(after, person).toEqual(before);
  }
}, 120_000);

test("no page fails because a session cannot be renewed or a visit cannot be recorded", async () => {
  const { cookie } = await newCaller("subscriber", library.free.id);
  await db.execute(sql`UPDATE sessions SET renewed_at = now() - interval '20 minutes'`);
  const neverSeen = await countNeverSeen();
  const page = await reader.fetch("/user/account", { headers: { cookie } });
  expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
  const renewed = await writable.fetch("/user/account", { headers: { cookie } });
  expect([renewed.status, renewed.headers.getSetCookie().length]).toEqual([200, 1]);
  // The visit is noted after the answer, and would change a table under the next test.
  await expect.poll(countNeverSeen, UNTIL_NOTED).toBe(neverSeen - 1);
});

test("opening a photo saves progress, and still shows the photo without write access", async () => {
  const { cookie, target } = await newCaller("subscriber", library.free.id);
  const path = `/content/photoSet/${library.set.slug}/2`;
  await db.execute(sql`UPDATE users SET last_seen_at = now()`);
  const before = await digestTables();
  expect(await navigate(`${reader.origin}${path}`, cookie)).toBe(200);
  expect(await digestTables()).toEqual(before);
  expect(await navigate(`${writable.origin}${path}`, cookie)).toBe(200);
  expect((await digestTables())["public.views"]).not.toBe(before["public.views"]);
  expect(await isAsLeft(target)).toBe(true);
});

test("fetching an original writes only an entry of the audit log, and sends nothing without write access", async () => {
  const { cookie } = await newCaller("publisher", library.free.id);
  await db.execute(sql`UPDATE users SET last_seen_at = now()`);
  const url = paths.studioOriginal(library.gated.id, 1);
  const { "public.audit_log": entries, ...before } = await digestTables();
  expect((await reader.fetch(url, { headers: { cookie } })).status).toBe(500);
  expect((await writable.fetch(url, { headers: { cookie } })).status).toBe(200);
  const { "public.audit_log": entriesAfter, ...after } = await digestTables();
  expect(after).toEqual(before);
  expect(entriesAfter).not.toBe(entries);
});

function countNeverSeen(): Promise<number> {
  return db.$count(users, isNull(users.lastSeenAt));
}

/** fetch() would not send the headers of a browser's navigation. */
async function navigate(url: string, cookie: string): Promise<number | undefined> {
  const request = get(url, { headers: { cookie, "sec-fetch-mode": "navigate", "sec-fetch-site": "none" } });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

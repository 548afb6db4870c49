import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { paths } from "#app/paths.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { Jar } from "#tests/support/cookie-jar.ts";
import { startMailServer } from "#tests/support/copies/mail-server.ts";
import { type PgBouncer, startPgBouncer } from "#tests/support/database/pgbouncer.ts";
import {
  type RestartableServer,
  startRestartableServer,
} from "#tests/support/database/restartable-server.ts";
import { runScript } from "#tests/support/process/built-script.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

const STARTS_WITHIN_MS = 240_000;
const ENDS_WITHIN_MS = 60_000;
const DOWN_MS = 4_000;
/** PgBouncer asks the server again each second, and the site's breaker waits for up to four. A busy machine adds to both. */
const WELL_WITHIN_MS = 20_000;
/** The longest wait of a statement, and what a busy machine adds. */
const ANSWERED_WITHIN_MS = 15_000;
const WRITERS = 3;
const MAILS = 9;
/** One more for each job that ran when the worker lost the database. */
const MAILS_AT_ONCE = 3;

let server: RestartableServer;
let pgbouncer: PgBouncer;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let site: ChildProcess;
let origin: string;
let output = "";

/** The test's own modules read the site's settings when they are imported, so they are imported once these are known. */
async function modules() {
  const [{ db, closeDatabase }, people, media, outbox, live] = await Promise.all([
    import("#db/client.server.ts"),
    import("#tests/support/people.ts"),
    import("#tests/support/media.ts"),
    import("#app/domain/mail/outbox.server.ts"),
    import("#tests/support/live/live-reader.ts"),
  ]);
  return { db, closeDatabase, ...people, ...media, ...outbox, ...live };
}
let given: Awaited<ReturnType<typeof modules>>;

beforeAll(async () => {
  await buildWhenStale();
  [server, mails] = await Promise.all([startRestartableServer(), startMailServer()]);
  pgbouncer = await startPgBouncer(server.url);
  const addresses = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: server.url };
  const settings = { ...addresses, SMTP_URL: mails.url, SESSION_SECRET: "s".repeat(40) };
  Object.assign(process.env, settings);
  const { code, stdout } = await runScript("migrate", [], addresses);
  expect([code, stdout]).toEqual([0, "The database is up to date.\n"]);
  given = await modules();
  // Otherwise the demo loads its catalog.
  await given.createVideo({ access: "free" });
  const port = await findTestPort();
  origin = `http://127.0.0.1:${port}`;
  const { PATH, DATA_DIR } = process.env;
  site = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...{ PATH, DATA_DIR, NODE_ENV: "production", LOG_LEVEL: "warn" },
      ...{ PORT: String(port), WEB_PROCESSES: "2" },
      ...{ STRIPE_SECRET_KEY: "sk_test_ofthetest", STRIPE_API_URL: "http://127.0.0.1:1" },
      ...settings,
    },
  });
  for (const stream of [site.stdout, site.stderr])
    stream?.on("data", (part: Buffer) => {
      output += part.toString();
    });
  await vi.waitUntil(() => output.includes("Worker connected"), STARTS_WITHIN_MS);
}, 600_000);

afterAll(async () => {
  site.kill("SIGTERM");
  await vi.waitUntil(() => site.exitCode !== null, ENDS_WITHIN_MS);
  await given.closeDatabase();
  await pgbouncer.stop();
  await server.remove();
  await mails.stop();
}, 120_000);

const asSite = {
  fetch: (path: string, init?: RequestInit) => fetch(origin + path, { redirect: "manual", ...init }),
  get origin() {
    return origin;
  },
};

test("a whole site behind PgBouncer signs in by email, shows a page, and tells other devices about progress", async () => {
  const email = "reader@example.com";
  const jar = new Jar(asSite);
  await jar.post("/enter", { next: "/" });
  expect((await jar.post("/signin", { email, next: "/" })).status).toBe(303);
  await expect.poll(() => mails.mailsTo(email).length, { timeout: 60_000 }).toBe(1);
  const [, code = ""] = /^([0-9A-Z]{8})\r?$/m.exec(mails.mailsTo(email)[0]?.raw ?? "") ?? [];
  expect((await jar.post("/signin/code", { code })).status).toBe(303);

  const video = await given.createVideo({ access: "free" });
  const page = await jar.visit(`/content/video/${video.slug}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(video.title)]);

  const [reader] = await given.db.execute<{ id: string }>(sql`SELECT id FROM users WHERE email = ${email}`);
  const other = await given.followLive(asSite, await given.signedInCookie(reader?.id ?? ""));
  // Each of the two processes begins to listen with its first live connection.
  const isTold = async () => {
    await jar.post(paths.api.views(), { mediaId: video.id, progress: "60" });
    return other.events.join().includes(video.id);
  };
  await vi.waitUntil(isTold, { timeout: 30_000, interval: 3_000 });
  other.close();
  expect(output).not.toMatch(/pooler|announcements do not arrive/);
}, 120_000);

test("the doctor finds nothing wrong with the database, and refuses a direct address that leads to the pooler", async () => {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = process.env;
  const lines = async (direct: string | undefined) => {
    const env = { DATABASE_URL, DATABASE_DIRECT_URL: direct, PORT: new URL(origin).port };
    return (await runScript("doctor", [], env)).stdout.split("\n");
  };
  const good = await lines(DATABASE_DIRECT_URL);
  for (const check of ["database", "migrations", "announcements"])
    expect(good).toContainEqual(expect.stringMatching(new RegExp(`^ok +${check}`)));
  expect(await lines("")).toContainEqual(
    expect.stringMatching(/^FIX +database +DATABASE_URL leads to a pooler.*set DATABASE_DIRECT_URL/),
  );
  expect(await lines(`${DATABASE_URL}?application_name=direct`)).toContainEqual(
    expect.stringMatching(/^FIX +database +DATABASE_DIRECT_URL leads to a pooler/),
  );
}, 120_000);

test("a start without the direct address ends with one line", async () => {
  const { failure } = await import("#tests/support/process/failing-start.ts");
  const { code, lines } = await failure({ DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: "" });
  expect([code, lines]).toEqual([1, [expect.stringMatching(/^DATABASE_URL leads to a pooler/)]]);
});

test.each<[string, boolean, () => Promise<void>]>([
  [
    "PgBouncer is killed and comes back",
    false,
    async () => {
      await pgbouncer.kill();
      await sleep(DOWN_MS);
      await pgbouncer.start();
    },
  ],
  [
    "PostgreSQL is stopped and comes back",
    true,
    async () => {
      await server.stop();
      await sleep(DOWN_MS);
      await server.start();
    },
  ],
])(
  "%s: requests get an answer, the site is soon well, nothing confirmed is lost and nothing happens twice",
  async (name, losesWorker, fail) => {
    const addresses = Array.from({ length: MAILS }, (_, index) => `${index}-${losesWorker}@example.com`);
    for (const to of addresses)
      await given.enqueueMail({ kind: "test", to, subject: name, html: "h", text: "t" }, given.db);
    const { id: userId } = await given.createMember();
    const cookie = await given.signedInCookie(userId);
    const videos = await Promise.all(Array.from({ length: 80 }, () => given.createVideo({ access: "free" })));
    const load = startWriting(
      cookie,
      videos.map(({ id }) => id),
    );
    await sleep(500);
    await fail();
    const isWell = async () => (await fetch(`${origin}/content/video`, { headers: { cookie } })).status;
    await expect.poll(isWell, { timeout: WELL_WITHIN_MS, interval: 200 }).toBe(200);
    await sleep(1_000);
    const { statuses, confirmed, longestMs } = await load.stop();
    expect(longestMs).toBeLessThan(ANSWERED_WITHIN_MS);
    expect([...statuses.keys()].toSorted()).toEqual([303, 503]);

    const kept = await given.db.execute<{ id: string }>(
      sql`SELECT media_id AS id FROM favorites WHERE user_id = ${userId} AND is_favorited`,
    );
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(confirmed));
    expect(confirmed.length).toBeGreaterThan(0);
    const arrived = () => addresses.map((to) => mails.mailsTo(to).length);
    await expect.poll(() => Math.min(...arrived()), { timeout: 120_000 }).toBe(1);
    const twice = arrived().filter((count) => count > 1).length;
    expect(twice).toBeLessThanOrEqual(losesWorker ? MAILS_AT_ONCE : 0);
  },
  300_000,
);

/** Adds favorites, one after the other, whatever the site answers, until it is stopped. */
function startWriting(cookie: string, ids: string[]) {
  const statuses = new Map<number, number>();
  const confirmed: string[] = [];
  let isOver = false;
  let longestMs = 0;
  const write = async (mediaId: string) => {
    const sentAt = performance.now();
    const { status } = await fetch(origin + paths.api.favorites(), {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin },
      body: new URLSearchParams({ mediaId, next: "/" }),
    });
    longestMs = Math.max(longestMs, performance.now() - sentAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 303) confirmed.push(mediaId);
  };
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      const id = ids.shift();
      if (id === undefined) return;
      await write(id);
      await sleep(250);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(writers);
      return { statuses, confirmed, longestMs };
    },
  };
}

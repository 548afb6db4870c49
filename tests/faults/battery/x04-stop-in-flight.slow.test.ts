import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get as httpGet, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { createVideo } from "#tests/support/media.ts";
import { addFile } from "#tests/support/media-site.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { descendants, stillRunning } from "#tests/support/process/process-tree.ts";
import { expectFigures, type Figure } from "./support/figures.ts";
import { startSlowMailServer } from "./support/slow-mail-server.ts";
import {
  isAccepting,
  type SupervisedSite,
  spawnSupervisor,
  startSupervised,
} from "./support/supervised-site.ts";

const STREAMS = 5;
const STREAM_BYTES = 20 * 1024 * 1024;
const STREAM_MS = 3_000;
const SLOW_REQUESTS = 20;
const SLOW_MS = 3_000;
const SECOND_SIGNAL_MS = 500;
const MAX_EXIT_MS = 15_000;
const VARIANTS = ["none twice", "nginx"] as const;

const admin = postgres(process.env.DATABASE_URL ?? "", { max: 3, onnotice: () => {} });
const mailServer = await startSlowMailServer(SLOW_MS);
const made: string[] = [];
let video: string;

beforeAll(async () => {
  const storage = localStorage(config.media.dir);
  video = (await addFile(storage, Buffer.alloc(STREAM_BYTES, 7), { access: "free" })).path;
});
afterAll(async () => {
  mailServer.stop();
  await admin.end();
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
});

test("a stop finishes what is in flight and accepts nothing new", async () => {
  const figures: Record<string, Figure> = {};
  for (const variant of VARIANTS) {
    for (const [name, figure] of Object.entries(await stopInFlight(variant))) {
      figures[`${variant}: ${name}`] = figure;
    }
  }
  Object.assign(figures, await stopWhileStarting());
  expectFigures(figures);
}, 600_000);

async function stopInFlight(variant: (typeof VARIANTS)[number]): Promise<Record<string, Figure>> {
  const hasFront = variant.startsWith("nginx");
  const site = await startSupervised({
    DATABASE_URL: config.database.url,
    FRONT: hasFront ? "nginx" : "none",
    DATABASE_POOL: String(SLOW_REQUESTS),
    // The slow statements are not to be cancelled on a slow machine.
    DATABASE_TIMEOUT_MS: "30000",
    SMTP_URL: mailServer.url,
  });
  const started = descendants(site.process.pid ?? 0);
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(site)));
  const mailId = await startMail();
  const { unlock, requests } = await startSlowRequests(site);
  const probe = connect(site.port, "127.0.0.1");
  await once(probe, "connect");

  const signalledAt = Date.now();
  site.process.kill("SIGTERM");
  if (variant.endsWith("twice")) {
    void sleep(SECOND_SIGNAL_MS).then(() => site.process.kill("SIGTERM"));
  }
  const reading = Promise.all(streams.map(readSlowly));
  await expect.poll(() => isAccepting(site.port), { interval: 20 }).toBe(false);
  const readiness = await readinessOn(probe);
  await sleep(signalledAt + SLOW_MS - Date.now());
  const acceptedLater = Number(await isAccepting(site.port));
  await unlock();
  const answers = await Promise.all(requests);
  const received = await reading;
  const exitCode = await site.ended();
  const exitMs = Date.now() - signalledAt;

  const stored = await admin`DELETE FROM favorites RETURNING 1`;
  const [mail] = await admin`SELECT sent_at FROM mail_outbox WHERE id = ${mailId}`;
  const locked = await admin`SELECT 1 FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`;
  return {
    slowRequestsFinished: {
      is: answers.filter(({ status }) => status === 303).length,
      exactly: SLOW_REQUESTS,
    },
    theirRowsStored: { is: stored.length, exactly: SLOW_REQUESTS },
    toldToClose: {
      is: answers.filter(({ connection }) => connection === "close").length,
      exactly: SLOW_REQUESTS,
    },
    streamsFinished: { is: received.filter((bytes) => bytes === STREAM_BYTES).length, exactly: STREAMS },
    // nginx answers what came on an open connection as before; a new one is refused.
    ...(hasFront ? {} : { saysNotReady: { is: Number(readiness.includes(" 503 ")), exactly: 1 } }),
    acceptedWhileEnding: { is: acceptedLater, exactly: 0 },
    mailsUnsent: { is: Number(!mail?.sent_at), exactly: 0 },
    jobsStillLocked: { is: locked.length, exactly: 0 },
    processesLeft: { is: stillRunning(started).length, exactly: 0 },
    exitCode: { is: exitCode ?? -1, exactly: 0 },
    exitMs: { is: exitMs, atMost: MAX_EXIT_MS },
  };
}

async function openStream(site: SupervisedSite): Promise<IncomingMessage> {
  const headers = { cookie: await adultCookie() };
  const [response] = await once(httpGet(`${site.origin}${video}`, { headers, agent: false }), "response");
  response.pause();
  return response as IncomingMessage;
}

/** Spreads the reading over STREAM_MS. Resolves to the number of bytes, also when the response is cut off. */
async function readSlowly(response: IncomingMessage): Promise<number> {
  const startedAt = Date.now();
  let received = 0;
  try {
    for await (const chunk of response) {
      received += (chunk as Buffer).length;
      const aheadMs = (received / STREAM_BYTES) * STREAM_MS - (Date.now() - startedAt);
      if (aheadMs > 10) await sleep(aheadMs);
    }
  } catch {}
  return received;
}

/** Resolves once the mail server has its text, which it takes later. */
async function startMail(): Promise<string> {
  const before = mailServer.arrived();
  const mailId = await enqueueMail(
    { kind: "test", to: "reader@example.com", subject: "s", html: "h", text: "t" },
    db,
  );
  await expect.poll(mailServer.arrived, { timeout: 60_000 }).toBeGreaterThan(before);
  return mailId;
}

/** Resolves once every request waits for a row lock, until unlock(). */
async function startSlowRequests(site: SupervisedSite) {
  const { id: mediaId } = await createVideo({ access: "free" });
  const cookies = await Promise.all(
    Array.from({ length: SLOW_REQUESTS }, async () => signedInCookie((await createMember()).id)),
  );
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const locking = admin.begin(async (sql) => {
    await sql`LOCK TABLE favorites IN ACCESS EXCLUSIVE MODE`;
    isLocked();
    await unlocked;
  });
  await locked;
  const requests = cookies.map((cookie) => addFavorite(site, cookie, mediaId));
  const waiting = async () =>
    (await admin`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'favorites'::regclass`).length;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(SLOW_REQUESTS);
  return {
    requests,
    unlock: () => {
      unlock();
      return locking;
    },
  };
}

function addFavorite(site: SupervisedSite, cookie: string, mediaId: string) {
  const request = httpRequest(`${site.origin}${paths.api.favorites()}`, {
    method: "POST",
    agent: new Agent({ keepAlive: true }),
    headers: { cookie, origin: site.origin, "content-type": "application/x-www-form-urlencoded" },
  });
  request.end(new URLSearchParams({ mediaId, next: "/" }).toString());
  return new Promise<{ status: number; connection?: string }>((resolve) => {
    request.once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
    });
    request.once("error", () => resolve({ status: 0 }));
  });
}

/** Asks for readiness on a connection from before the signal; empty when it is closed instead. */
async function readinessOn(probe: ReturnType<typeof connect>): Promise<string> {
  let answer = "";
  probe.on("error", () => {});
  probe.on("data", (chunk) => {
    answer += chunk;
  });
  probe.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(probe, "close");
  return answer;
}

/** A stop while the database is created, starts, or is migrated ends all, as it does later. */
async function stopWhileStarting(): Promise<Record<string, Figure>> {
  const databaseUrl = await cloneDatabase(inject("serverUrl"), "template1");
  const lock = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await lock.unsafe("SELECT pg_advisory_lock(7304616)");
  const isMigrating = async () =>
    (
      await lock`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'`
    ).length > 0;
  const isCreating = (folder: string) => readdirSync(folder).some((name) => name.startsWith("postgres-new-"));
  const isStarting = (folder: string) => existsSync(join(folder, "postgres", "postmaster.pid"));
  const stops = [
    await stopOnce(isCreating, {}),
    await stopOnce(isStarting, {}),
    await stopOnce(isMigrating, { DATABASE_URL: databaseUrl }),
  ];
  await lock.end();
  return {
    "while starting: exits with 0": {
      is: stops.filter(({ code }) => code === 0).length,
      exactly: stops.length,
    },
    "while starting: exitMs": { is: Math.max(...stops.map(({ exitMs }) => exitMs)), atMost: MAX_EXIT_MS },
    "while starting: processes left": { is: stops.reduce((sum, { left }) => sum + left, 0), exactly: 0 },
  };
}

async function stopOnce(
  isReached: (folder: string) => boolean | Promise<boolean>,
  env: Record<string, string>,
) {
  const folder = await mkdtemp(join(tmpdir(), "peony-stop-"));
  made.push(folder);
  const site = await spawnSupervisor({ ...env, DATA_DIR: folder });
  await expect.poll(() => isReached(folder), { timeout: 60_000, interval: 5 }).toBe(true);
  const started = descendants(site.process.pid ?? 0);
  const signalledAt = Date.now();
  site.process.kill("SIGTERM");
  site.process.kill("SIGTERM");
  const code = await site.ended();
  return { code, exitMs: Date.now() - signalledAt, left: stillRunning(started).length };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { afterEach, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { followLive } from "#tests/support/live/live-reader.ts";
import { addFile } from "#tests/support/media-site.ts";
import { adultCookie, createMember, signedInCookie } from "#tests/support/people.ts";
import { descendants, stillRunning } from "#tests/support/process/process-tree.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

const VIDEO_BYTES = 24 * 1024 * 1024;
const STARTS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;
/** nginx's own limit for what still runs when it stops. */
const BROKEN_OFF_AFTER_MS = 4_000;

let video: string;
let supervisor: ChildProcess;

beforeAll(async () => {
  await buildWhenStale();
  const storage = localStorage(config.media.dir);
  video = (await addFile(storage, Buffer.alloc(VIDEO_BYTES, 7), { access: "free" })).path;
});
afterEach(async () => {
  if (supervisor.exitCode === null && supervisor.signalCode === null) await end();
});

test("the supervisor restarts nginx when it dies, and no worker stays behind", async () => {
  const { origin } = await start();
  const before = nginxProcesses();
  const master = before.find(({ command }) => command.includes("master")) ?? expect.unreachable("no nginx");
  process.kill(master.pid, "SIGKILL");
  await expect.poll(() => isAlive(origin)).toBe(false);
  await expect.poll(() => isAlive(origin), { timeout: STARTS_WITHIN_MS }).toBe(true);
  expect(stillRunning(before)).toEqual([]);
}, 90_000);

test("on SIGTERM a running video finishes, and every process ends in time", async () => {
  const { origin, port } = await start();
  const stream = await openVideo(origin);
  const started = descendants(supervisor.pid ?? 0);
  const startedAt = Date.now();
  const ended = end();
  await expect.poll(() => isAlive(origin)).toBe(false);
  let received = 0;
  for await (const chunk of stream) received += (chunk as Buffer).length;
  expect(received).toBe(VIDEO_BYTES);
  expect(await ended).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(ENDS_WITHIN_MS);
  expect(stillRunning(started)).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`peony-front-127.0.0.1-${port}-`))).toEqual(
    [],
  );
}, 90_000);

test("a client that reads nothing does not keep the site from ending in time", async () => {
  const { origin } = await start();
  (await openVideo(origin)).on("error", () => {}).pause();
  const startedAt = Date.now();
  expect(await end()).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(ENDS_WITHIN_MS);
}, 90_000);

test("on SIGTERM a stream of events ends after the balancer has left, says when to reconnect, and delays nothing", async () => {
  const drainSeconds = 3;
  const { origin } = await start({ DRAIN_SECONDS: String(drainSeconds) });
  const stream = await followLive({ origin }, await signedInCookie((await createMember()).id));
  await expect.poll(() => stream.text()).toContain("retry: ");
  const nginx = nginxProcesses();
  const startedAt = Date.now();
  const ended = end();
  await expect.poll(() => stream.hasEnded()).toBe(true);
  const endedAfterMs = Date.now() - startedAt;
  expect(endedAfterMs).toBeGreaterThanOrEqual(drainSeconds * 1000);
  expect(endedAfterMs).toBeLessThan(drainSeconds * 1000 + BROKEN_OFF_AFTER_MS);
  expect(stream.text().match(/retry: \d+\n\n/g)).toHaveLength(2);
  await expect.poll(() => stillRunning(nginx)).toEqual([]);
  expect(Date.now() - startedAt).toBeLessThan(drainSeconds * 1000 + BROKEN_OFF_AFTER_MS);
  expect(await ended).toBe(0);
}, 90_000);

test("nginx ends when its supervisor is killed", async () => {
  await start();
  const started = nginxProcesses();
  supervisor.kill("SIGKILL");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);
}, 90_000);

test("every answer of a hosted site's nginx asks for https", async () => {
  // The demos before have sold here, and a real site refuses their database.
  await db.delete(prices);
  await db.delete(products);
  const { origin } = await start({
    APP_URL: "https://peony.example",
    CONTACT_EMAIL: "contact@peony.example",
    SMTP_URL: "smtp://127.0.0.1:1",
    TRUST_PROXY: "1",
  });
  const known = { headers: { "x-forwarded-host": "peony.example" } };
  for (const [path, status, init] of [
    ["/favicon.ico", 200, known],
    ["/favicon.ico", 421, {}],
    ["/enter", 200, known],
  ] as const) {
    const answer = await fetch(origin + path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  }
}, 90_000);

/** The real processes on this file's database, which has a video, so that no demo catalog is loaded. */
async function start(env: Record<string, string> = {}): Promise<{ origin: string; port: number }> {
  const port = await findTestPort();
  const origin = `http://127.0.0.1:${port}`;
  supervisor = spawn(process.execPath, ["build/scripts/supervise.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATABASE_URL: config.database.url,
      DATA_DIR: config.dataDir,
      SESSION_SECRET: config.session.secret,
      HOST: "127.0.0.1",
      PORT: String(port),
      WEB_PROCESSES: "1",
      FRONT: "nginx",
      ...env,
    },
  });
  let printed = "";
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  await expect.poll(() => printed, { timeout: STARTS_WITHIN_MS }).toMatch(/ is at https?:/);
  return { origin, port };
}

async function end(): Promise<number | null> {
  const gone = once(supervisor, "exit");
  supervisor.kill("SIGTERM");
  await gone;
  return supervisor.exitCode;
}

function nginxProcesses() {
  return descendants(supervisor.pid ?? 0).filter(({ command }) => command.startsWith("nginx:"));
}

async function openVideo(origin: string): Promise<IncomingMessage> {
  const request = httpGet(origin + video, { headers: { cookie: await adultCookie() }, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

function isAlive(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

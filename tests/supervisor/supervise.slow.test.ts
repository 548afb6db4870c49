import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get as httpGet, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { findPaymentSettings } from "#scripts/supervisor/payment-settings.ts";
import { addFile } from "#tests/support/media-site.ts";
import { adultCookie } from "#tests/support/people.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";
import { descendants, stillRunning } from "../support/process/process-tree.ts";

const VIDEO_BYTES = 24 * 1024 * 1024;
const STARTS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;
/** Well below the 8 s in which running responses finish. */
const ANSWERS_WITHIN_MS = 2_000;
const ONE_ADDRESS = "127.0.0.2";

let video: string;
/** The site of one test, which ends with it. */
let supervisor: ChildProcess | null = null;
/** Everything that the sites have printed during one test. */
let said = "";

beforeAll(async () => {
  await buildWhenStale();
  const storage = localStorage(config.media.dir);
  video = (await addFile(storage, Buffer.alloc(VIDEO_BYTES, 7), { access: "free" })).path;
});
afterEach(async () => {
  if (supervisor !== null && isRunning(supervisor)) await end(supervisor);
  supervisor = null;
  const printed = said;
  said = "";
  await assertNoLeaks(printed, { databaseUrl: config.database.url ?? "", secrets: [config.session.secret] });
});

afterAll(() => Promise.all(shared.map((child) => isRunning(child) && end(child))));

/** Several tests share these sites, as each start takes five seconds; the first starts one, and the last ends it. */
const shared: ChildProcess[] = [];
const demo = startOnce({});
const onOneAddress = startOnce({ HOST: ONE_ADDRESS, STRIPE_SECRET_KEY: "sk_test_own", WEB_PROCESSES: "1" });

function startOnce(env: Record<string, string>): () => ReturnType<typeof start> {
  let site: ReturnType<typeof start> | undefined;
  return () => {
    site ??= start(undefined, env).then((started) => {
      supervisor = null;
      shared.push(started.process);
      return started;
    });
    return site;
  };
}

/** Runs the real processes on this file's database, which has a video, so that no demo catalog is loaded. */
async function start(
  args: string[] | "npm" = ["build/scripts/supervise.js"],
  env: Record<string, string> = {},
): Promise<{ origin: string; output: () => string; process: ChildProcess }> {
  const port = await findTestPort();
  const [command, given] = args === "npm" ? ["npm", ["start"]] : [process.execPath, args];
  const child = spawn(command, given, {
    stdio: ["ignore", "pipe", "pipe"],
    // A shell also gives a command in a terminal its own process group.
    detached: true,
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      DATABASE_URL: config.database.url,
      DATA_DIR: config.dataDir,
      SESSION_SECRET: config.session.secret,
      PORT: String(port),
      WEB_PROCESSES: "2",
      ...env,
    },
  });
  supervisor = child;
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      said += chunk.toString();
    });
  }
  const origin = `http://${env.HOST ?? "127.0.0.1"}:${port}`;
  await expect.poll(() => text, { timeout: STARTS_WITHIN_MS }).toContain("is at http://localhost");
  return { origin, output: () => text, process: child };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end(child: ChildProcess): Promise<number | null> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
  return child.exitCode;
}

async function isAlive(origin: string, path = "/healthz"): Promise<boolean> {
  // A connection that arrives just as the processes close their ports can stay unanswered in node:cluster until they end.
  return fetch(`${origin}${path}`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

test("a start waits for a slow computer, and says so after 30 s", async () => {
  const { output } = await start(undefined, {
    SLOW_START_MS: "32000",
    WEB_PROCESSES: "1",
    NODE_OPTIONS: `--import=${pathToFileURL("tests/support/process/slow-start.mjs").href}`,
  });
  expect(output()).toMatch(/does not answer yet.*the start waits for 5 minutes/);
});

test("a demo is open to its own machine only, and prints the keys for its private pages", async () => {
  const { origin, output } = await demo();
  expect(await isAlive(origin)).toBe(true);
  // Every address in 127.0.0.0/8 is this machine, but only a server that listens on all interfaces responds to all of
  // them.
  expect(await isAlive(origin.replace("127.0.0.1", "127.0.0.2"))).toBe(false);
  await expect.poll(output).toMatch(/simulates payments at \S+\n/);
  const headers = { "x-forwarded-for": "203.0.113.9" };
  const status = async (url: string) => (await fetch(url, { headers, redirect: "manual" })).status;
  for (const [printed, opened] of [
    [/emails appear at (\S+)/, 302],
    [/simulates payments at (\S+)/, 303],
  ] as const) {
    const url = new URL(printed.exec(output())?.[1] ?? "");
    url.hostname = "127.0.0.1";
    await expect.poll(() => isAlive(url.origin, url.pathname), { timeout: 25_000 }).toBe(true);
    expect([url.pathname, await status(url.origin + url.pathname)]).toEqual([url.pathname, 403]);
    expect([url.pathname, await status(url.href)]).toEqual([url.pathname, opened]);
  }
}, 90_000);

test("a site that listens on one address only answers there", async () => {
  const { origin } = await onOneAddress();
  expect(await isAlive(origin)).toBe(true);
  expect(await isAlive(origin.replace(ONE_ADDRESS, "127.0.0.1"))).toBe(false);
}, 90_000);

test("the demo runs a stand-in for payments, which commands find, and none with a key of its own", async () => {
  const { output } = await demo();
  await expect.poll(output).toMatch(/simulates payments at \S+\n/);
  const [, payments = ""] = /simulates payments at (\S+)/.exec(output()) ?? [];
  const { port } = new URL(payments);
  await expect.poll(() => isAlive(`http://127.0.0.1:${port}`, "/"), { timeout: 25_000 }).toBe(true);
  const settings = findPaymentSettings(config.dataDir, {});
  expect(settings.STRIPE_API_URL).toBe(`http://127.0.0.1:${port}`);
  const authorization = (key = "") => ({ headers: { authorization: `Bearer ${key}` } });
  const ask = (key?: string) =>
    fetch(`${settings.STRIPE_API_URL}/v1/prices/price_demo_monthly`, authorization(key));
  expect((await ask(settings.STRIPE_SECRET_KEY)).status).toBe(200);
  expect((await ask("sk_test_guessed")).status).toBe(401);
  expect(findPaymentSettings(config.dataDir, { APP_URL: "https://peony.example" })).toEqual({});

  const own = await onOneAddress();
  await expect.poll(own.output).toContain("Demo accounts");
  expect(own.output()).not.toContain("stand-in");
  expect(
    descendants(own.process.pid ?? 0).filter(({ command }) => command.includes("stripe-stand-in")),
  ).toEqual([]);
}, 90_000);

test("another stand-in sells its own prices, and the former one what it sold before", async () => {
  const onSale = async () => {
    const active = await db.select().from(prices).where(eq(prices.active, true));
    return active.map(({ interval, intervalCount }) => `${intervalCount} ${interval}`).toSorted();
  };
  await db.insert(products).values({ id: "prod_demo", name: "Membership" }).onConflictDoNothing();
  const yearly = { id: "price_demo_yearly", productId: "prod_demo", currency: "usd", unitAmount: 11_900 };
  await db
    .insert(prices)
    .values({ ...yearly, interval: "year" })
    .onConflictDoNothing();
  const dataDir = await mkdtemp(join(tmpdir(), "peony-ccbill-"));
  for (const [payments, name, sold] of [
    ["ccbill", "CCBill", ["30 day", "90 day"]],
    ["stripe", "Stripe", ["1 month", "1 year"]],
  ] as const) {
    const env = { PAYMENTS: payments, DATA_DIR: dataDir, WEB_PROCESSES: "1" };
    const { output, process: child } = await start(undefined, env);
    await expect.poll(output, { timeout: 25_000 }).toContain(`The stand-in for ${name} is at`);
    const [, control = ""] =
      new RegExp(`A stand-in for ${name} simulates payments at (\\S+)`).exec(output()) ?? [];
    const { port } = new URL(control);
    expect(findPaymentSettings(dataDir, {})).toHaveProperty(
      `${name.toUpperCase()}_API_URL`,
      `http://127.0.0.1:${port}`,
    );
    await expect.poll(onSale).toEqual(sold);
    await end(child);
  }
  await rm(dataDir, { recursive: true });
}, 90_000);

test("a killed web process and a killed worker are restarted", async () => {
  const { origin, process: supervisor } = await demo();
  const running = (part: string) =>
    descendants(supervisor.pid ?? 0).filter(({ command }) => command.includes(part));
  for (const part of ["remix-run/serve/dist/cli.js", "scripts/worker.js"]) {
    await expect
      .poll(() => running(part).length, { message: part, timeout: STARTS_WITHIN_MS })
      .toBeGreaterThan(0);
    const before = running(part).map(({ pid }) => pid);
    process.kill(before[0] ?? 0, "SIGKILL");
    await expect.poll(() => running(part).filter(({ pid }) => !before.includes(pid)).length).toBe(1);
  }
  await expect.poll(() => isAlive(origin)).toBe(true);
}, 90_000);

test("on SIGTERM a running response is finished, nothing new is accepted, and every process ends in time", async () => {
  const { origin, process: supervisor } = await demo();
  const headers = { cookie: await adultCookie() };
  const [answer] = (await once(httpGet(`${origin}${video}`, { headers, agent: false }), "response")) as [
    IncomingMessage,
  ];
  expect(answer.statusCode).toBe(200);
  answer.pause();
  const started = descendants(supervisor.pid ?? 0);
  expect(started.length).toBeGreaterThanOrEqual(4);

  const startedAt = Date.now();
  const ended = end(supervisor);
  await expect.poll(() => isAlive(origin)).toBe(false);
  let received = 0;
  for await (const chunk of answer) received += (chunk as Buffer).length;
  expect(received).toBe(VIDEO_BYTES);
  expect(await ended).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(ENDS_WITHIN_MS);
  expect(stillRunning(started)).toEqual([]);
}, 90_000);

test("a killed supervisor ends the web processes, the worker and the payments", async () => {
  const { output } = await start(undefined, { WEB_PROCESSES: "1" });
  await expect.poll(output, { timeout: 25_000 }).toContain("Worker connected");
  await expect.poll(output, { timeout: 25_000 }).toContain("The stand-in for Stripe is at");
  const started = descendants(supervisor?.pid ?? 0);
  expect(started.length).toBeGreaterThanOrEqual(4);
  supervisor?.kill("SIGKILL");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);
});

/** One web process is enough where the first case has shown that two end. */
const ENDINGS: [string, (pid: number) => unknown, { command?: "npm"; web: string }][] = [
  ["Ctrl-C, which a terminal sends to the whole group", (pid) => process.kill(-pid, "SIGINT"), { web: "2" }],
  ["a closed terminal", (pid) => process.kill(-pid, "SIGHUP"), { web: "1" }],
  ["a start script that was killed", (pid) => process.kill(pid, "SIGKILL"), { web: "1" }],
  ["npm that is told to end", (pid) => process.kill(pid, "SIGTERM"), { command: "npm", web: "1" }],
];

test.each(ENDINGS)(
  "%s ends everything in time and without a message",
  async (_, stop, { command = ["scripts/start.mjs"], web }) => {
    const { origin, output } = await start(command, { WEB_PROCESSES: web });
    // The worker starts last.
    await expect.poll(output, { timeout: STARTS_WITHIN_MS }).toContain("Worker connected");
    const started = descendants(supervisor?.pid ?? 0);
    expect(started.length).toBeGreaterThanOrEqual(5);
    const before = output();
    stop(supervisor?.pid ?? 0);
    const left = () => stillRunning(started);
    await expect.poll(left, { timeout: ENDS_WITHIN_MS }).toEqual([]);
    expect(await isAlive(origin)).toBe(false);
    const said = output().slice(before.length).split("\n");
    // Log lines of requests and jobs in progress do not report the end.
    const isUsual = (line: string) =>
      /^\[\S+\] INFO: |"msg":"(request|billing event (processed|not needed))"\}$/.test(line);
    expect(said.filter((line) => line !== "" && !isUsual(line))).toEqual([]);
  },
  90_000,
);

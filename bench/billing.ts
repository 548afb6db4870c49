import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { paths } from "#app/paths.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { findFreePort, startEmbedded } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { type Sent, sendAtOnce } from "./load/send-at-once.ts";
import { median, percentile } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { end, start, untilReady } from "./site/programs.ts";

const SECRET = "whsec_of_the_benchmark";
const SECRET_KEY = "sk_test_ofthebenchmark";
/** The same as the worker, which calls the provider. */
const NICENESS = 10;

const AT_ONCE = 50;
const BURSTS_A_TURN = 3;
const WARM_UP_TURNS = 4;
const TURNS = 20;
const QUICK_TURNS = 4;
const LIMIT_MS = 200;

interface Turn {
  events: number[];
  bare: number[];
}

/**
 * Measures how long the payment provider waits for the response to an event. 50 new, signed events arrive at once.
 * Each is stored with its job in a database that writes to disk, while the worker processes earlier ones. Alternating
 * with them, 50 concurrent requests send a form that the same process answers without storing anything.
 */
export async function benchBilling({ isQuick }: BenchOptions, report: Report): Promise<void> {
  await buildWhenStale();
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const database = await startEmbedded(folder, []);
  const [port, providerPort] = [await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const provider = `http://127.0.0.1:${providerPort}`;
  const programs: ChildProcess[] = [];
  try {
    await migrateDatabase(database.adminUrl);
    const env = environment(database.url, folder, { port, apiUrl: provider });
    programs.push(startProvider(providerPort));
    programs.push(start(["build/scripts/web.js"], env));
    await Promise.all([untilReady(`${origin}/healthz`), untilReady(provider)]);
    programs.push(start(["build/scripts/worker.js"], env));
    for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await takeTurn(origin, `warm-up_${turn}`);
    const turns: Turn[] = [];
    const count = isQuick ? QUICK_TURNS : TURNS;
    for (let turn = 0; turn < count; turn += 1) turns.push(await takeTurn(origin, `measured_${turn}`));
    reportTurns(turns, report);
  } finally {
    await Promise.all(programs.map(end));
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function reportTurns(turns: Turn[], report: Report): void {
  const p95 = (key: keyof Turn) =>
    percentile(
      turns.flatMap((turn) => turn[key]),
      0.95,
    );
  const ratios = turns.map((turn) => percentile(turn.events, 0.95) / percentile(turn.bare, 0.95));
  report({
    name: `event, ${AT_ONCE} at once, p95`,
    figure: `${p95("events").toFixed(0)} ms`,
    reference: `bare form ${p95("bare").toFixed(0)} ms`,
    ratio: median(ratios),
    goal: `<= ${LIMIT_MS} ms`,
    isMet: p95("events") <= LIMIT_MS,
  });
}

/** The real provider runs on another computer, so the stand-in must not take processor time from the measurement. */
function startProvider(port: number): ChildProcess {
  const args = ["build/scripts/stripe-stand-in.js", "--port", String(port)];
  const child = start(args, {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    STRIPE_SECRET_KEY: SECRET_KEY,
  });
  if (child.pid) setPriority(child.pid, getPriority() + NICENESS);
  return child;
}

function environment(
  databaseUrl: string,
  folder: string,
  { port, apiUrl }: { port: number; apiUrl: string },
): NodeJS.ProcessEnv {
  return {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    WEB_PROCESSES: "1",
    LOG_LEVEL: "error",
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: apiUrl,
  };
}

async function takeTurn(origin: string, name: string): Promise<Turn> {
  const turn: Turn = { events: [], bare: [] };
  for (let burst = 0; burst < BURSTS_A_TURN; burst += 1) {
    const events = Array.from({ length: AT_ONCE }, (_, index) => signed(`evt_${name}_${burst}_${index}`));
    turn.events.push(...(await sendAtOnce(origin + paths.api.billingWebhook(), events)));
  }
  for (let burst = 0; burst < BURSTS_A_TURN; burst += 1) {
    const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
    const forms = Array.from({ length: AT_ONCE }, () => ({ body: "theme=dark&next=%2F", headers }));
    turn.bare.push(...(await sendAtOnce(origin + paths.api.colorMode(), forms)));
  }
  return turn;
}

function signed(id: string): Sent {
  const body = eventOf(id);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
  return { body, headers: { "stripe-signature": signature } };
}

/** The event is as long as a real subscription event. */
function eventOf(id: string): string {
  const object = {
    id: `sub_${id}`,
    object: "subscription",
    customer: `cus_${id}`,
    description: "x".repeat(4_000),
  };
  const created = Math.floor(Date.now() / 1000);
  return JSON.stringify({
    id,
    object: "event",
    created,
    type: "customer.subscription.updated",
    data: { object },
  });
}

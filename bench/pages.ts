import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import postgres from "postgres";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { fillCatalogue } from "./fill-catalogue.ts";

export interface BareItem {
  href: string;
  src: string;
  title: string;
  creators: string;
}

const MEDIA = 1_000;
const PATH = "/content/video";
const CONNECTIONS = 20;
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
const TURNS = 4;
const SHARE_LIMIT = 0.4;
const MEMORY_LIMIT_MB = 250;
const READY_WITHIN_MS = 20_000;
const REMIX_SERVE = "node_modules/@remix-run/serve/dist/cli.js";

/**
 * Compares the signed-out list page with a plain React page of the same 24 items. Each is served by one remix-serve
 * process, in turns. Exits with 1 when the list page exceeds its limit of time or memory.
 */
async function benchPages(): Promise<boolean> {
  await buildWhenStale();
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const database = await startEmbedded(folder, ["-c", "fsync=off"]);
  const servers: ChildProcess[] = [];
  try {
    await migrateDatabase(database.adminUrl);
    const sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} });
    await fillCatalogue(sql, MEDIA);
    await sql.end();
    const env = { DATABASE_URL: database.url, DATA_DIR: folder, WEB_PROCESSES: "1" };
    const site = await serve(["build/scripts/web.js"], env);
    servers.push(site.process);
    const cookie = await passGate(site.origin);
    const items = await readItems(site.origin + PATH, cookie);
    const bareArgs = ["--import", "tsx", REMIX_SERVE, "bench/bare-build.tsx"];
    const bare = await serve(bareArgs, { BARE_ITEMS: JSON.stringify(items) });
    servers.push(bare.process);
    return await compare(site, bare, cookie);
  } finally {
    await Promise.all(servers.map(end));
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Server {
  origin: string;
  process: ChildProcess;
}

async function compare(site: Server, bare: Server, cookie: string): Promise<boolean> {
  const best = { site: 0, bare: 0 };
  const list = site.origin + PATH;
  for (const url of [list, bare.origin]) await requestsPerSecond(url, cookie, WARM_UP_SECONDS);
  for (let turn = 0; turn < TURNS; turn += 1) {
    best.site = Math.max(best.site, await requestsPerSecond(list, cookie, SECONDS));
    best.bare = Math.max(best.bare, await requestsPerSecond(bare.origin, cookie, SECONDS));
  }
  const share = best.site / best.bare;
  const memory = peakMemory(workerOf(site.process.pid ?? 0));
  console.log(`list page      ${best.site.toFixed(0)} requests/s`);
  console.log(`bare page      ${best.bare.toFixed(0)} requests/s`);
  console.log(`share          ${(share * 100).toFixed(0)} %, at least ${SHARE_LIMIT * 100} %`);
  console.log(`peak memory    ${memory.toFixed(0)} MB, at most ${MEMORY_LIMIT_MB} MB`);
  return share >= SHARE_LIMIT && memory <= MEMORY_LIMIT_MB;
}

async function end(server: ChildProcess): Promise<void> {
  const gone = once(server, "exit");
  server.kill("SIGTERM");
  await gone;
}

async function serve(args: string[], env: Record<string, string>): Promise<Server> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOST: "127.0.0.1", PORT: String(port), ...env },
  });
  const origin = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(100)) {
    const answer = await fetch(`${origin}/`).catch(() => null);
    if (answer && answer.status < 400) return { origin, process: child };
    if (Date.now() > deadline) throw new Error(`${args[0]} did not answer`);
  }
}

/** Returns the cookies that prove the age gate was passed. */
async function passGate(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/enter`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: origin },
    body: new URLSearchParams({ next: PATH }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function readItems(url: string, cookie: string): Promise<BareItem[]> {
  const html = await (await fetch(url, { headers: { cookie } })).text();
  const cards = html.match(/<article[\s\S]*?<\/article>/g) ?? [];
  const first = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const items = cards.map((card) => ({
    href: first(card, /href="([^"]+)"/),
    src: first(card, /src="([^"]+)"/),
    title: first(card, /<h3[^>]*><a[^>]*>([^<]+)/),
    creators: first(card, /<p[^>]*>(?:<a[^>]*>)?([^<]+)/),
  }));
  if (items.length !== 24 || items.some(({ href, title }) => !href || !title))
    throw new Error("No list to compare with");
  return items;
}

async function requestsPerSecond(url: string, cookie: string, duration: number): Promise<number> {
  const headers = { cookie, "accept-encoding": "gzip" };
  const result = await autocannon({ url, connections: CONNECTIONS, duration, headers });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.average;
}

/** The primary has exactly one web process. */
function workerOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

/** The peak in MB since the process began; Linux only. */
function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1.024e-3;
}

process.exit((await benchPages()) ? 0 : 1);

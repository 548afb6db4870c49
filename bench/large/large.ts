import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { startEmbedded } from "#db/server/embedded.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { assertFilled } from "../fill/assert-filled.ts";
import { createCatalogue } from "../fill/fill-catalogue.ts";
import { fillPeople } from "../fill/fill-people.ts";
import { Browser } from "../load/browser.ts";
import { median, percentile } from "../report/figures.ts";
import type { BenchOptions, Report } from "../report/report.ts";
import type { Subscriber } from "../site/people.ts";
import { type RunningSite, startWeb } from "../site/site.ts";
import { type Call, type Chosen, callsOf, chooseMedia } from "./large-calls.ts";
import { reportStatements, watchStatements } from "./slow-statements.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
const QUICK_LARGE = 50_000;
const RATIO_LIMIT = 1.3;
const SUBSCRIBERS = 400;
const WARM_UP = 40;
const TURNS = 11;
const QUICK_TURNS = 5;
const TIMES_A_TURN = 40;
const FLAGS = [
  ...["fsync=off", "shared_buffers=512MB", "max_wal_size=8GB"],
  "shared_preload_libraries=pg_stat_statements",
].flatMap((setting) => ["-c", setting]);

interface Side {
  sql: Sql;
  site: RunningSite;
  people: Subscriber[];
  chosen: Chosen;
  /** Counts all requests, so that people and media take turns. */
  sentCount: number;
}

/**
 * Compares the 95th percentiles of each page and call of two sites on one server: with 1,000 media and users, and with
 * a million of each, ten million views and ten million favorites.
 */
export async function benchLarge({ isQuick, only }: BenchOptions, report: Report): Promise<void> {
  await buildWhenStale();
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const server = await startEmbedded(folder, FLAGS);
  const sides: Side[] = [];
  const settings = {
    ...{ NODE_ENV: "production" as const, PATH: process.env.PATH, HOST: "127.0.0.1", DATA_DIR: folder },
    ...{ TRUST_PROXY: "1", SESSION_SECRET: randomBytes(32).toString("hex"), DATABASE_TIMEOUT_MS: "30000" },
  };
  try {
    const open = async (size: number): Promise<Side> => {
      const databaseUrl = await createCatalogue(server.adminUrl, size);
      const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
      await fillPeople(sql, size, folder);
      await assertFilled(sql, size);
      const env = { ...settings, DATABASE_URL: databaseUrl };
      // The configuration reads the environment when it is imported.
      Object.assign(process.env, env);
      const { addSubscribers } = await import("../site/people.ts");
      const people = await addSubscribers(sql, SUBSCRIBERS);
      const chosen = await chooseMedia(sql);
      await watchStatements(sql);
      const site = await startWeb({ env: (more) => ({ ...env, ...more }) });
      const side = { sql, site, people, chosen, sentCount: 0 };
      sides.push(side);
      return side;
    };
    const small = await open(SMALL);
    const begunAt = Date.now();
    const size = isQuick ? QUICK_LARGE : LARGE;
    const large = await open(size);
    const seconds = Math.round((Date.now() - begunAt) / 1000);
    console.log(`${size} media and users, ${size * 10} views and favorites each: filled in ${seconds} s`);
    const calls = callsOf().filter(({ name }) => only.length === 0 || only.includes(name));
    for (const call of calls) {
      await compare(call, { small, large, size, turns: isQuick ? QUICK_TURNS : TURNS, report });
    }
    await reportStatements({ small: small.sql, large: large.sql }, report);
  } finally {
    await Promise.all(sides.map(({ site }) => site.stop()));
    await Promise.all(sides.map(({ sql }) => sql.end()));
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(
  call: Call,
  {
    small,
    large,
    size,
    turns: count,
    report,
  }: Record<"small" | "large", Side> & {
    size: number;
    turns: number;
    report: Report;
  },
): Promise<void> {
  for (const side of [small, large]) await measureTurn(side, call, WARM_UP);
  const turns: Record<"small" | "large" | "ratio", number>[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    for (const { sql } of [small, large]) await sql`DELETE FROM rate_limits`;
    const [few, many] = [await measureTurn(small, call), await measureTurn(large, call)];
    turns.push({ small: few, large: many, ratio: many / few });
  }
  const of = (key: "small" | "large" | "ratio") => median(turns.map((turn) => turn[key]));
  report({
    name: `${call.name}, p95`,
    figure: `${of("large").toFixed(1)} ms of ${size}`,
    reference: `${of("small").toFixed(1)} ms of ${SMALL}`,
    ratio: of("ratio"),
    goal: `<= ${RATIO_LIMIT.toFixed(2)}`,
    isMet: of("ratio") <= RATIO_LIMIT,
  });
}

/** The 95th percentile in milliseconds, one request after the other, each by another subscriber. */
async function measureTurn(side: Side, call: Call, times = TIMES_A_TURN): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const index = side.sentCount++;
    const browser = new Browser(side.site.origin, side.people[index % side.people.length]?.cookie ?? "");
    const begunAt = performance.now();
    await call.send(browser, side.chosen, index);
    taken.push(performance.now() - begunAt);
    browser.close();
  }
  return percentile(taken, 0.95);
}

import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { paths } from "#app/paths.ts";
import {
  type StatementCount,
  type StatementCounter,
  startStatementCounter,
} from "#tests/support/database/statement-counter.ts";
import { Browser } from "./load/browser.ts";
import { cpuOf } from "./load/load.ts";
import { listPages, pageNames } from "./pages/pages.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { postersIn } from "./site/catalogue.ts";
import { type Library, type RunningSite, startWeb } from "./site/site.ts";

const STATEMENTS_GOAL = 3;
const ROUND_TRIPS_GOAL = 2;
/** The session, the limit, the right, the row, and its announcement afterwards. */
const PROGRESS_GOALS: [number, number] = [5, 5];
/** Its own, but none for the session, which is cached for five seconds; a few read that at once at first. */
const POSTER_GOAL = 1.5;
/** So long that whatever the site sends without waiting arrives meanwhile. */
const ANSWER_DELAY_MS = 60;
/** Time for background writes to finish. */
const SETTLED_AFTER_MS = 300;
/** The visits of the warm-up are noted within it, in one statement. */
const VISITS_NOTED_AFTER_MS = 5_500;
/** Few, so that each of them has prepared the statements after the warm-up, as all have on a site that has run for some time. */
const CONNECTIONS = 2;
/** A minute passes before each turn, so that what is shared or announced is read and sent on every connection too. */
const WARM_UP_TURNS = 8;
const WARM_UP_REQUESTS = 12;
/** Announcements of one turn are sent within it. */
const TURN_MS = 300;
/** More would wait for the few connections of searches, until they are refused. */
const SEARCHES_AT_ONCE = 2;

/** The names by which `--only` selects counts. */
export function statementNames(): string[] {
  return [...pageNames({ isSignedIn: true }), "posters", "progress", ...STUDIO_PARTS.map(nameOf)];
}

/** Of an item; the empty name is its overview. */
const STUDIO_PARTS = [
  "",
  ...["text", "credits", "dates", "access", "cover", "captions", "chapters", "trailer", "files", "photos"],
];
/** For a figure of processor time. */
const STUDIO_VISITS = 40;

const nameOf = (part: string) => `studio ${part || "overview"}`;

/**
 * Counts the statements of a page, its posters and a progress post, each for a returning subscriber, and of each part of
 * an item in the studio, so that session, limits and shared names count; first after a quiet minute, then at once again.
 */
export async function benchStatements(
  library: Library,
  { only }: BenchOptions,
  report: Report,
): Promise<void> {
  const counter = await startStatementCounter(library.databaseUrl, { answerDelayMs: ANSWER_DELAY_MS });
  const preload = pathToFileURL("bench/passing-minutes.mjs").href;
  const env = {
    DATABASE_URL: counter.url,
    DATABASE_POOL: String(CONNECTIONS),
    NODE_OPTIONS: `--import ${preload}`,
  };
  const site = await startWeb(library, { env });
  const people = library.subscribers.values();
  const nextPerson = () => new Browser(site.origin, people.next().value?.cookie ?? "");
  const count = { site, counter, nextPerson, report };
  try {
    for (const { name, path } of (await listPages(library)).filter((page) => page.isSignedIn)) {
      const atOnce = name === "search" ? SEARCHES_AT_ONCE : WARM_UP_REQUESTS;
      if (only.length === 0 || only.includes(name)) await countPage(count, { name, path, atOnce });
    }
    if (only.length === 0 || only.includes("posters")) await countPosters(count);
    if (only.length === 0 || only.includes("progress")) await countProgress(count, library);
    const parts = STUDIO_PARTS.filter((part) => only.length === 0 || only.includes(nameOf(part)));
    if (parts.length > 0) await countStudio(count, library, parts);
  } finally {
    await site.stop();
    counter.stop();
  }
}

interface Count {
  site: RunningSite;
  counter: StatementCounter;
  nextPerson(): Browser;
  report: Report;
}

async function countPage(
  given: Count,
  { name, path, atOnce }: { name: string; path: string; atOnce: number },
): Promise<void> {
  const { cold, warm } = await countTwice(given, (browser) => browser.get(path), atOnce);
  report(given, { name: `statements: ${name}`, cold, warm, goal: [STATEMENTS_GOAL, ROUND_TRIPS_GOAL] });
}

async function countProgress(given: Count, { sql }: Library): Promise<void> {
  const [media] = await sql<{ id: string }[]>`SELECT media_id AS id FROM videos JOIN media ON id = media_id
    WHERE status = 'published' AND publish_at <= now() LIMIT 1`;
  const fields = { mediaId: media?.id ?? "", progress: "5" };
  const { cold, warm } = await countTwice(given, (browser) => browser.post(paths.api.views(), fields));
  report(given, { name: "statements: progress", cold, warm, goal: PROGRESS_GOALS });
}

/** Also measures the processor time of the web process. */
async function countStudio(given: Count, { sql, subscribers }: Library, parts: string[]): Promise<void> {
  // The other suites take the first ones.
  const owner = subscribers.at(-1);
  if (!owner) throw new Error("Nobody could open the studio");
  await sql`UPDATE users SET role = 'owner' WHERE id = ${owner.id}`;
  const [items] = await sql<{ video: string; set: string }[]>`SELECT
    (SELECT media_id FROM videos ORDER BY jsonb_array_length(markers) DESC LIMIT 1) AS video,
    (SELECT id FROM media WHERE type = 'photoSet' ORDER BY photo_count DESC LIMIT 1) AS set`;
  const { site, counter } = given;
  const staff = { ...given, nextPerson: () => new Browser(site.origin, owner.cookie) };
  for (const part of parts) {
    const id = (part === "photos" ? items?.set : items?.video) ?? "";
    const path = part === "" ? paths.studioItem(id) : paths.studioItemPart(id, part);
    const { cold, warm } = await countTwice(staff, (browser) => browser.get(path));
    const browser = staff.nextPerson();
    const before = cpuOf(site);
    for (let visit = 0; visit < STUDIO_VISITS; visit += 1) await browser.get(path);
    const cpu = (cpuOf(site) - before) / STUDIO_VISITS;
    browser.close();
    await settled(counter);
    const goal: [number, number] = [STATEMENTS_GOAL, ROUND_TRIPS_GOAL];
    report(given, { name: `statements: ${nameOf(part)}`, cold, warm, goal, cpu });
  }
}

async function countPosters(given: Count): Promise<void> {
  const browser = given.nextPerson();
  const look = async () => {
    const { body } = await browser.get(paths.list("video"), { "accept-encoding": "identity" });
    return postersIn(body.toString());
  };
  const fetchAll = async () => {
    const posters = await look();
    await settled(given.counter);
    await Promise.all(posters.map((path) => browser.get(path)));
    return { count: (await settled(given.counter)).statements, files: posters.length };
  };
  await fetchAll();
  passMinute(given.site);
  const { count, files } = await fetchAll();
  browser.close();
  given.report({
    name: "statements: a poster",
    figure: `${(count / files).toFixed(2)}`,
    reference: `${count} for ${files} after their page`,
    ratio: null,
    goal: `<= ${POSTER_GOAL}`,
    isMet: count / files <= POSTER_GOAL,
  });
}

async function countTwice(
  { site, counter, nextPerson }: Count,
  visit: (browser: Browser) => Promise<unknown>,
  atOnce = WARM_UP_REQUESTS,
): Promise<{ cold: StatementCount; warm: StatementCount }> {
  const others = Array.from({ length: atOnce }, nextPerson);
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) {
    passMinute(site);
    await Promise.all(others.map(visit));
    await sleep(TURN_MS);
  }
  for (const other of others) other.close();
  await sleep(VISITS_NOTED_AFTER_MS);
  passMinute(site);
  await settled(counter);
  const browser = nextPerson();
  await visit(browser);
  const cold = await settled(counter);
  await visit(browser);
  const warm = await settled(counter);
  browser.close();
  return { cold, warm };
}

function passMinute({ pids }: RunningSite): void {
  for (const pid of pids) process.kill(pid, "SIGUSR2");
}

async function settled(counter: StatementCounter): Promise<StatementCount> {
  await sleep(SETTLED_AFTER_MS);
  return counter.take();
}

function report(
  { report: send }: Count,
  row: { name: string; cold: StatementCount; warm: StatementCount; goal: [number, number]; cpu?: number },
): void {
  const [statements, roundTrips] = row.goal;
  const text = (count: StatementCount) => `${count.statements} in ${count.roundTrips}`;
  send({
    name: row.name,
    figure: `${text(row.cold)} round trips`,
    reference: `at once again ${text(row.warm)}${row.cpu === undefined ? "" : `, ${row.cpu.toFixed(1)} ms cpu`}`,
    ratio: null,
    goal: `<= ${statements} in ${roundTrips}`,
    isMet: row.cold.statements <= statements && row.cold.roundTrips <= roundTrips,
  });
}

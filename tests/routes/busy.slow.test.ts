import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { liftRateLimits } from "#tests/support/database/lift-rate-limits.ts";
import { eventLoopCpuMs } from "#tests/support/process/process-figures.ts";
import {
  FIELDS,
  type HostileRequest,
  inField,
  inQuery,
  RUNS,
  readingsOf,
  send,
  UNITS,
} from "#tests/support/routes/hostile-requests.ts";
import { startSite } from "#tests/support/site.ts";
import { createLibrary } from "../support/routes/library.ts";
import { type Caller, newCaller, type Person } from "../support/routes/people.ts";
import { listRows } from "../support/routes/rows.ts";

const MAX_BUSY_MS = 200;
const TRIES = 3;
const TIMEOUT_MS = 300_000;
/** Few enough that together they usually stay below the bound of one. */
const BATCH = 12;
const PERSONS: Person[] = ["visitor", "subscriber"];

vi.setConfig({ testTimeout: TIMEOUT_MS });
const library = await createLibrary();
const rows = listRows(library).filter(
  (row, index, all) =>
    all.findIndex(({ route, method }) => route === row.route && method === row.method) === index,
);
const readings = new Map(rows.map((row) => [row, readingsOf(row)]));
const fields = Object.entries(FIELDS);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());
const pid = site.process.pid ?? 0;

beforeAll(async () => {
  // A refused request would not be read to its end.
  await liftRateLimits();
  // The first rendering of a page in a process includes its compilation.
  for (const row of rows) await send(site.origin, await requestOf(row, "subscriber"));
});

test.each(fields)("no text in this field blocks the event loop: %s", async (name, field) => {
  const tries: Try[] = [];
  const at = fields.findIndex(([, one]) => one === field);
  for (const [index, row] of rows.entries()) {
    // Headers and cookies are read in the same way for all routes, so a third of the cases is enough.
    if (/^(?:header|cookie) /.test(name) && (index + at) % 3 !== 0) continue;
    const person = PERSONS[index % PERSONS.length] ?? "visitor";
    const unit = UNITS[(index + at) % UNITS.length] ?? " ";
    tries.push({
      what: `${row.route} for ${person} with ${JSON.stringify(unit)}`,
      hostile: field(await requestOf(row, person), unit),
    });
  }
  expect(await slowAmong(tries)).toEqual([]);
});

test.each(rows)("no text that $method $route reads blocks the event loop", async (row) => {
  const given = await requestOf(row, "subscriber");
  const tries = (readings.get(row) ?? []).flatMap(({ name, file }) => {
    const field = row.method === "POST" ? inField(name) : inQuery(name);
    return unitsAt(row, file).map((unit) => ({
      what: `${name} with ${JSON.stringify(unit)}`,
      hostile: field(given, unit),
    }));
  });
  expect(await slowAmong(tries)).toEqual([]);
});

/** Routes share the texts of the code that they share, so that each is tried at two of them or more. */
function unitsAt(row: (typeof rows)[number], file: string): string[] {
  const sharing = rows.filter(
    (one) => one.method === row.method && (readings.get(one) ?? []).some((reading) => reading.file === file),
  );
  const parts = Math.min(Math.floor(sharing.length / 2), RUNS.length) || 1;
  return RUNS.filter((_, index) => index % parts === sharing.indexOf(row) % parts);
}

interface Try {
  what: string;
  hostile: HostileRequest;
}

/** Requests that together take less than the bound hold no slow one; others are looked at in halves, then alone. */
async function slowAmong(tries: Try[]): Promise<string[]> {
  const slow: string[] = [];
  for (let from = 0; from < tries.length; from += BATCH)
    slow.push(...(await slowIn(tries.slice(from, from + BATCH))));
  return slow;
}

async function slowIn(batch: Try[]): Promise<string[]> {
  const [first] = batch;
  if (first === undefined) return [];
  if (batch.length === 1) {
    const busyMs = await leastBusyMs(first);
    return busyMs < MAX_BUSY_MS ? [] : [`${first.what}: ${busyMs}`];
  }
  if ((await busyMsOf(batch)) < MAX_BUSY_MS) return [];
  const half = batch.length / 2;
  return [...(await slowIn(batch.slice(0, half))), ...(await slowIn(batch.slice(half)))];
}

/** The minimum of three attempts, so that garbage collection and compilation are not counted. */
async function leastBusyMs(one: Try): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES && least >= MAX_BUSY_MS; count += 1)
    least = Math.min(least, await busyMsOf([one]));
  return least;
}

async function busyMsOf(batch: Try[]): Promise<number> {
  const before = eventLoopCpuMs(pid);
  await Promise.all(batch.map(({ hostile }) => send(site.origin, hostile)));
  return eventLoopCpuMs(pid) - before;
}

const callers = new Map<string, Promise<Caller>>();

async function requestOf(
  { route, method, path }: (typeof rows)[number],
  person: Person,
): Promise<HostileRequest> {
  const key = `${method} ${route} ${person}`;
  const known = callers.get(key) ?? newCaller(person, library.free.id);
  callers.set(key, known);
  const { cookie, target } = await known;
  return {
    method,
    path: typeof path === "string" ? path : path(target),
    headers: { cookie, origin: site.origin },
    body: "",
  };
}

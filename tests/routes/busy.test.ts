import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import {
  FIELDS,
  type HostileRequest,
  inField,
  inQuery,
  namesReadBy,
  RUNS,
  send,
  UNITS,
} from "#tests/support/hostile-requests.ts";
import { eventLoopCpuMs } from "#tests/support/process/process-figures.ts";
import { startSite } from "#tests/support/site.ts";
import { createLibrary } from "../support/routes/library.ts";
import { type Caller, newCaller, type Person } from "../support/routes/people.ts";
import { listRows } from "../support/routes/rows.ts";

const MAX_BUSY_MS = 200;
const TRIES = 3;
const TIMEOUT_MS = 300_000;
const RANDOM_REQUESTS = 300;
/** The first rendering of a page in a process includes its compilation. */
const WARM_UP_TURNS = 3;
const PERSONS: Person[] = ["visitor", "subscriber"];

vi.setConfig({ testTimeout: TIMEOUT_MS });
const library = await createLibrary();
const rows = listRows(library).filter(
  (row, index, all) =>
    all.findIndex(({ route, method }) => route === row.route && method === row.method) === index,
);
const fields = Object.entries(FIELDS);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());
const pid = site.process.pid ?? 0;

beforeAll(async () => {
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) {
    for (const row of rows) await send(site.origin, await requestOf(row, "subscriber"));
  }
});

test.each(fields)("no text in this field keeps the event loop of a process busy: %s", async (name, field) => {
  const slow: string[] = [];
  const at = fields.findIndex(([, one]) => one === field);
  for (const [index, row] of rows.entries()) {
    // Headers and cookies are read in the same way for all routes, so a third of the cases is enough.
    if (/^(?:header|cookie) /.test(name) && (index + at) % 3 !== 0) continue;
    const person = PERSONS[index % PERSONS.length] ?? "visitor";
    const unit = UNITS[(index + at) % UNITS.length] ?? " ";
    const busyMs = await leastBusyMs(async () => field(await requestOf(row, person), unit));
    if (busyMs >= MAX_BUSY_MS)
      slow.push(`${row.route} for ${person} with ${JSON.stringify(unit)}: ${busyMs}`);
  }
  expect(slow).toEqual([]);
});

test.each(rows)("no text that $method $route reads keeps the event loop of a process busy", async (row) => {
  const slow: string[] = [];
  for (const name of namesReadBy(row.route)) {
    const field = row.method === "POST" ? inField(name) : inQuery(name);
    for (const unit of RUNS) {
      const busyMs = await leastBusyMs(async () => field(await requestOf(row, "subscriber"), unit));
      if (busyMs >= MAX_BUSY_MS) slow.push(`${name} with ${JSON.stringify(unit)}: ${busyMs}`);
    }
  }
  expect(slow).toEqual([]);
});

test("no request of any kind keeps the event loop of a process busy", async () => {
  const kinds = fc.record({
    row: fc.constantFrom(...rows),
    person: fc.constantFrom(...PERSONS),
    unit: fc.oneof(fc.constantFrom(...UNITS), fc.string({ minLength: 1, maxLength: 4 })),
    fields: fc.uniqueArray(fc.constantFrom(...fields), {
      minLength: 1,
      maxLength: 2,
      selector: ([name]) => name,
    }),
  });
  await fc.assert(
    fc.asyncProperty(kinds, async ({ row, person, unit, fields: chosen }) => {
      const made = async () =>
        chosen.reduce((given, [, field]) => field(given, unit), await requestOf(row, person));
      expect(await leastBusyMs(made)).toBeLessThan(MAX_BUSY_MS);
    }),
    { numRuns: RANDOM_REQUESTS },
  );
});

/** The minimum of three attempts, so that garbage collection and compilation are not counted. */
async function leastBusyMs(make: () => Promise<HostileRequest>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES && least >= MAX_BUSY_MS; count += 1) {
    const hostile = await make();
    const before = eventLoopCpuMs(pid);
    await send(site.origin, hostile);
    least = Math.min(least, eventLoopCpuMs(pid) - before);
  }
  return least;
}

const callers = new Map<string, Promise<Caller>>();

async function requestOf(
  { route, method, path }: (typeof rows)[number],
  person: Person,
): Promise<HostileRequest> {
  await db.delete(rateLimits);
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

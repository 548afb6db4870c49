import { afterAll, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { dataPath } from "#tests/support/crawl.ts";
import { listRoutes } from "#tests/support/route-manifest.ts";
import { startSite } from "#tests/support/site.ts";
import { createLibrary } from "../support/routes/library.ts";
import { type Caller, newCaller, PEOPLE, type Person } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";

const library = await createLibrary();
const rows = listRows(library);
const routes = await listRoutes();
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

test("every method of every route has a row, and every row a route", () => {
  const built = routes.flatMap(({ id, hasLoader, hasAction }) => [
    ...(hasLoader ? [`GET ${id}`] : []),
    ...(hasAction ? [`POST ${id}`] : []),
  ]);
  const listed = new Set(rows.map(({ method, route }) => `${method} ${route}`));
  const missing = built.filter((one) => !listed.has(one));
  const gone = [...listed].filter((one) => !built.includes(one));
  expect(missing, `Say in tests/support/routes/rows.ts who may use ${missing.join(", ")}`).toEqual([]);
  expect(
    gone,
    `The site has no ${gone.join(", ")}: take the row out of tests/support/routes/rows.ts`,
  ).toEqual([]);
});

describe.each(rows)("$method $route", (row) => {
  test("answers each person as the table says", async () => {
    const answers: Partial<Record<Person, string>> = {};
    for (const person of PEOPLE)
      answers[person] = await outcome(row, await newCaller(person, library.free.id));
    expect(answers).toEqual(row.expected);
  });
});

const pages = rows.filter(
  ({ method, route }) => method === "GET" && routes.find(({ id }) => id === route)?.hasPage,
);

test.each(pages)("everybody whose page of $route is refused is also refused its data", async (row) => {
  for (const person of PEOPLE) {
    const caller = await newCaller(person, library.free.id);
    const data = await ask({ ...row, path: dataPath(pathOf(row, caller)) }, caller);
    const [status, location] = row.expected[person].split(" ");
    if (status !== "302") expect([person, data.status]).toEqual([person, Number(status)]);
    else expect([person, data.status, await data.text()]).toEqual([person, 202, redirectTo(location)]);
  }
});

test("no route answers an unsupported method", async () => {
  const caller = await newCaller("owner", library.free.id);
  const answers: string[] = [];
  for (const { id, hasLoader, hasAction } of routes) {
    const row = rows.find(({ route }) => route === id);
    if (!row) continue;
    if (!hasLoader) answers.push(`${id} ${(await ask({ ...row, method: "GET" }, caller)).status}`);
    if (!hasAction) answers.push(`${id} ${(await ask({ ...row, method: "POST" }, caller)).status}`);
  }
  expect(answers.filter((one) => !/ 40[045]$/.test(one))).toEqual([]);
});

async function outcome(row: Row, caller: Caller): Promise<string> {
  const response = await ask(row, caller);
  const html = await response.text();
  // The subscriber's own, and the change of many items that the request began.
  const location = response.headers
    .get("location")
    ?.replace(/sub_[0-9a-f]+$/, "sub_x")
    .replace(/(?<=running=)[0-9a-f-]{36}$/, "id");
  const mark = response.status === 302 && row.method === "GET" ? null : await row.mark?.(html, caller.target);
  return [response.status, location, mark].filter(Boolean).join(" ");
}

async function ask(row: Row, caller: Caller): Promise<Response> {
  await db.delete(rateLimits);
  await row.prepare?.();
  return site.fetch(pathOf(row, caller), {
    method: row.method,
    headers: { cookie: caller.cookie, origin: site.origin },
    ...(row.method === "POST" ? { body: row.body?.(caller.target) ?? new URLSearchParams() } : {}),
  });
}

function pathOf({ path }: Row, { target }: Caller): string {
  return typeof path === "string" ? path : path(target);
}

function redirectTo(location = ""): unknown {
  return expect.stringContaining(JSON.stringify(location));
}

import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { listRoutes } from "#tests/support/route-manifest.ts";
import { startSite } from "#tests/support/site.ts";
import { createLibrary } from "../support/routes/library.ts";
import { newCaller } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";

const library = await createLibrary();
const rows = listRows(library);
const actions = (await listRoutes()).filter(({ hasAction }) => hasAction).map(({ id }) => id);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

/** The headers of a form that a page of another origin submits. */
const CROSS_SITE: Record<string, Record<string, string>> = {
  "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "another site in an old browser": { origin: "https://evil.example" },
  "another site that looks alike": { origin: `${site.origin}.evil.example` },
  "another port": { origin: "http://127.0.0.1:1" },
  "another scheme": { origin: site.origin.replace("http:", "https:") },
  "a sibling domain": { origin: "http://shop.localhost", "sec-fetch-site": "same-site" },
  "a sandboxed frame": { origin: "null", "sec-fetch-site": "cross-site" },
  "a sandboxed frame in an old browser": { origin: "null" },
  "a page that hides its origin": { "sec-fetch-site": "cross-site" },
  "a page that claims our origin": { origin: site.origin, "sec-fetch-site": "cross-site" },
  "no page that says anything": {},
};
const METHODS = ["POST", "PUT", "PATCH", "DELETE"];
/**
 * These routes are not called by browsers and get no Origin header. The payment provider's servers sign their
 * requests, and a cookie has no effect.
 */
const SIGNED_CALLS = ["routes/api.billing.webhook.$provider.($token)"];

/** One row for each address of an action. */
const addresses = actions.flatMap((route) => {
  const posted = rows.filter((row) => row.route === route && row.method === "POST");
  return posted.filter(({ path }, at) => posted.findIndex((row) => row.path === path) === at);
});

test.each(addresses)("$route at $path refuses every other site and changes no row", async (row) => {
  const { route } = row;
  const { cookie, target } = await newCaller("member", library.free.id);
  const before = await digestTables();
  const answers: Record<string, number> = {};
  for (const [who, headers] of Object.entries(CROSS_SITE)) {
    for (const method of METHODS) {
      for (const path of [pathOf(row, target), dataPath(pathOf(row, target))]) {
        const body = row.body?.(target);
        const answer = await site.fetch(path, { method, body, headers: { cookie, ...headers } });
        answers[`${method} ${path} from ${who}`] = answer.status;
        expect(answer.headers.getSetCookie(), `${method} ${path} from ${who}`).toEqual([]);
      }
    }
  }
  const refused = (called: string, status: number) => {
    // The site supports no other method.
    if (!called.startsWith("POST ")) return status === 405;
    return SIGNED_CALLS.includes(route) ? [400, 404].includes(status) : status === 403;
  };
  expect(Object.entries(answers).filter(([called, status]) => !refused(called, status))).toEqual([]);
  expect(await digestTables()).toEqual(before);
});

test("the same requests from our own pages are accepted, and the digest notices their changes", async () => {
  const seen: string[] = [];
  for (const route of actions) {
    const row = postRow(route);
    const { cookie, target } = await newCaller("member", library.free.id);
    const before = await digestTables();
    const answer = await site.fetch(pathOf(row, target), {
      method: "POST",
      body: row.body?.(target),
      headers: { cookie, origin: site.origin, "sec-fetch-site": "same-origin" },
    });
    expect(answer.status, route).not.toBe(403);
    const after = await digestTables();
    if (after["public.users"] !== before["public.users"]) seen.push(route);
  }
  expect(seen).toContain("routes/user.account");
});

test("behind a proxy that changes the host name, only our own origin is accepted", async () => {
  const env = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1" };
  const hosted = await startSite({ env });
  const post = (headers: Record<string, string>) =>
    hosted.fetch("/enter", { method: "POST", body: new URLSearchParams({ next: "/about" }), headers });
  const answers = await Promise.all([
    post({ origin: env.APP_URL }),
    post({ origin: env.APP_URL, "sec-fetch-site": "same-origin" }),
    post({ origin: env.APP_URL, "sec-fetch-site": "cross-site" }),
    post({ origin: hosted.origin }),
    post({ origin: "https://peony.example.evil.example" }),
    post({ origin: "peony.example" }),
  ]).finally(() => hosted.stop());
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 403, 403, 403, 403]);
});

function postRow(route: string): Row {
  const row = rows.find((one) => one.route === route && one.method === "POST");
  if (!row) throw new Error(`tests/support/routes/rows.ts has no POST row for ${route}`);
  return row;
}

function pathOf({ path }: Row, target: Parameters<Exclude<Row["path"], string>>[0]): string {
  return typeof path === "string" ? path : path(target);
}

/** The address to which the router's script submits a form: an index route's "?index" stays after the suffix. */
function dataPath(path: string): string {
  const [page, query] = path.split("?");
  return query === undefined ? `${page}.data` : `${page}.data?${query}`;
}

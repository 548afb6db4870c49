import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { dataPath } from "../support/crawl.ts";
import { createLibrary } from "../support/routes/library.ts";
import { type Caller, newCaller } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";
import { startSite } from "../support/site.ts";

const NOT_STORED = "private, no-store";
const FOR_AN_HOUR = "public, max-age=3600";
/** Responses that are the same for everybody, or that are not personal. */
const OTHERS: [RegExp, string[]][] = [
  [/^\/(sitemap\.xml|robots\.txt)$/, [FOR_AN_HOUR]],
  [/^\/(healthz|readyz)$/, ["no-store"]],
  [/^\/assets\/[^/]+\.\w+$/, ["public, max-age=31536000, immutable"]],
  [/^\/[\w-]+\.(ico|svg|png|webmanifest)$/, [FOR_AN_HOUR]],
  [/^\/studio\/media\/[^/]+\/originals\/\d+(\.data)?$/, [NOT_STORED, "private, no-store, no-transform"]],
  [/^\/media\//, [NOT_STORED, "private, no-store, no-transform", "private, max-age=3600, no-transform"]],
];
const library = await createLibrary();
const rows = listRows(library);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

/** One of each kind; the others have no page of their own. */
const ASKED = ["nobody", "no age proof", "visitor", "member", "subscriber", "owner"] as const;

describe.each(ASKED)("%s", (person) => {
  test("gets one Cache-Control with every response of every route, which never allows storing personal data", async () => {
    const caller = await newCaller(person, library.free.id);
    const wrong: string[] = [];
    const ask = async (method: string, path: string, body?: BodyInit) => {
      await db.delete(rateLimits);
      const headers = { cookie: caller.cookie, origin: site.origin };
      const answer = await site.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
      await answer.arrayBuffer();
      const lifetime = answer.headers.get("cache-control");
      if (!isRight(path, lifetime)) wrong.push(`${method} ${path} ${answer.status}: ${lifetime}`);
    };
    const reads = rows.filter(({ method }) => method === "GET").map((row) => pathOf(row, caller));
    for (const path of new Set(reads)) {
      for (const one of [path, dataPath(path)]) {
        await ask("GET", one);
        if (person === "subscriber") await ask("HEAD", one);
      }
    }
    for (const row of rows) await ask("POST", pathOf(row, caller), row.body?.(caller.target) ?? "x=1");
    expect(wrong).toEqual([]);
  }, 120_000);
});

test.each(["/x.png", "/nobody.ico", "/words-of-a-title.svg", "/assets/none.js", "/nowhere"])(
  "the page that says that %s does not exist is not stored",
  async (path) => {
    const { cookie } = await newCaller("member", library.free.id);
    for (const method of ["GET", "HEAD"]) {
      const answer = await site.fetch(path, { method, headers: { cookie } });
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, NOT_STORED]);
    }
  },
);

test("files of the site keep their lifetimes, also in a 304 response", async () => {
  const script = /"(\/assets\/[^"]+\.js)"/.exec(await (await site.fetch(paths.enter("/"))).text())?.[1] ?? "";
  for (const path of ["/favicon.ico", script]) {
    const answer = await getAsBrowser(path);
    const again = await getAsBrowser(path, { "if-none-match": answer.headers.etag ?? "" });
    expect([answer.statusCode, again.statusCode]).toEqual([200, 304]);
    for (const { headers } of [answer, again]) {
      expect(isRight(path, headers["cache-control"] ?? null), path).toBe(true);
    }
  }
});

/** fetch() sends Cache-Control: no-cache with every conditional request. */
async function getAsBrowser(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [answer] = (await once(httpGet(site.origin + path, { headers }), "response")) as [IncomingMessage];
  answer.resume();
  return answer;
}

/** fetch() joins repeated headers with commas, and no joined value is allowed here. */
function isRight(path: string, lifetime: string | null): boolean {
  const allowed = OTHERS.find(([pattern]) => pattern.test(path.split("?")[0] ?? ""))?.[1] ?? [NOT_STORED];
  return allowed.includes(lifetime ?? "") || lifetime === NOT_STORED;
}

function pathOf({ path }: Row, { target }: Caller): string {
  return typeof path === "string" ? path : path(target);
}

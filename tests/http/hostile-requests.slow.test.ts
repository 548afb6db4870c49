import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { liftRateLimits } from "../support/database/lift-rate-limits.ts";
import { listRoutes } from "../support/route-manifest.ts";
import { createLibrary } from "../support/routes/library.ts";
import { type Caller, newCaller } from "../support/routes/people.ts";
import type { Row } from "../support/routes/row.ts";
import { listRows } from "../support/routes/rows.ts";
import { startSite } from "../support/site.ts";
import { readSources } from "../support/sources/imports.ts";

const VALUES = [
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%FF%FE",
  "%",
  "%zz",
  "%0d%0aSet-Cookie:%20a=b",
  "%F0%9F%92%A9",
  "%E2%80%AE%EF%BF%BF",
  "x".repeat(6_000),
  "-1",
  "99999999999999999999",
  "NaN",
  "00000000-0000-0000-0000-000000000000",
  "..%2f..%2fetc%2fpasswd",
  "%5c%27%3b--",
];
const AT_ONCE = 4;
const MAX_TRIES = 5;
const PAUSE_MS = 500;
const library = await createLibrary();
const rows = listRows(library);
const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

const names = queryNames();
// A refused request would not be read to its end.
await liftRateLimits();

const subscriber: Caller = await newCaller("subscriber", library.free.id);

test("the corpus tries every parameter of every route", async () => {
  const dynamic = (await listRoutes()).filter(({ id }) => id.includes("$"));
  const tried = new Set(rows.filter((row) => withValue(row, "x").length > 0).map(({ route }) => route));
  expect(dynamic.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});

describe.each(VALUES)("the value %.40s", (value) => {
  test("makes no route fail in any part of its address", async () => {
    const requests = rows.flatMap((row) =>
      withValue(row, value).flatMap((path) => [
        { path, method: row.method },
        { path: asData(path), method: row.method },
      ]),
    );
    expect(await failuresOf(requests)).toEqual([]);
  });

  test("makes no route fail in the parameters of its query", async () => {
    const query = names.map((name) => `${name}=${value.slice(0, 200)}`).join("&");
    const requests = rows.map((row) => ({ path: `${barePath(row)}?${query}`, method: row.method }));
    expect(await failuresOf(requests)).toEqual([]);
  });

  test("makes no route fail in any field of its form", async () => {
    const requests = rows.flatMap((row) => {
      const form = row.body?.(subscriber.target);
      if (!(form instanceof URLSearchParams)) return [];
      return [...form.keys()].map((field) => {
        const others = [...form].filter(([name]) => name !== field);
        const body = `${new URLSearchParams(others)}&${field}=${value}`;
        return { path: pathOf(row), method: "POST", body };
      });
    });
    expect(await failuresOf(requests)).toEqual([]);
  });
});

test("no single parameter with a character that Postgres cannot store makes a page fail", async () => {
  expect(names).toEqual(expect.arrayContaining(["after", "q", "look", "token"]));
  const pages = new Set(rows.filter(({ method }) => method === "GET").map(barePath));
  const requests = [...pages].flatMap((path) =>
    names.map((name) => ({ path: `${path}?${name}=a%00b`, method: "GET" })),
  );
  expect(await failuresOf(requests)).toEqual([]);
}, 120_000);

describe.each(["TRACE", "CONNECT", "PROPFIND", "OPTIONS", "PUT", "PATCH", "DELETE", "get", "FETCH"])(
  "%s",
  (method) => {
    test("is refused everywhere", async () => {
      for (const path of ["/", "/about", "/favicon.ico", paths.list("video"), "/healthz", "/nowhere"]) {
        const answer = await say(
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`,
        );
        expect(answer, path).toMatch(/^HTTP\/1\.1 4(00|05) /);
      }
    });
  },
);

describe("the address in absolute form", () => {
  test("means the same as the address in the usual form", async () => {
    for (const target of [
      "http://localhost/about",
      "http://127.0.0.1:1/about?x=1",
      "HTTPS://localhost/about",
    ]) {
      const answer = await say(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await say("GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1\.1 302 /);
  });

  test.each(["ftp://localhost/about", "about", "*", "http:///about"])("%s is refused", async (target) => {
    expect(await say(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test.each(["a b", "a/b", "user@localhost", "localhost:99999", "[::1", "a?b", "1.2.3.999", ""])(
  "the host %j is refused",
  async (host) => {
    const answer = await say(`GET /about HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test("impossible ranges and preconditions break no file and no page", async () => {
  const conditions: [string, string][] = [
    ["range", "bytes=99999999-"],
    ["if-match", '"none"'],
    ["if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ];
  for (const [name, value] of conditions) {
    for (const path of ["/favicon.ico", "/about", await firstScript()])
      expect(await statusOf(path, { headers: { [name]: value } }), `${path} ${name}`).toBe(200);
  }
});

/** The addresses of a row, each with a different parameter replaced. */
function withValue(row: Row, value: string): string[] {
  const segments = pathOf(row).split("?")[0]?.split("/") ?? [];
  const names = row.route.replace("routes/", "").split(".");
  return names.flatMap((name, index) => {
    if (!name.startsWith("$")) return [];
    return [segments.map((segment, at) => (at === index + 1 ? value : segment)).join("/")];
  });
}

function pathOf({ path }: Row): string {
  return typeof path === "string" ? path : path(subscriber.target);
}

function barePath(row: Row): string {
  return pathOf(row).split("?")[0] ?? "";
}

function asData(path: string): string {
  return path === "/" ? "/_root.data" : `${path}.data`;
}

function queryNames(): string[] {
  const code = readSources(["app"]).map(({ text }) => text);
  const names = code.flatMap((text) => [
    ...text.matchAll(/(?:searchParams|params|query)\.(?:get|getAll|has)\("(\w+)"\)/g),
  ]);
  return [...new Set(names.map(([, name = ""]) => name))].filter((name) => name !== "");
}

interface Attempt {
  path: string;
  method: string;
  body?: string;
}

/** The requests for which the server responded with an internal error. */
async function failuresOf(attempts: Attempt[]): Promise<string[]> {
  const failures: string[] = [];
  const rest = [...attempts];
  const work = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const { path, method, body } = next;
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const init = body === undefined ? { method } : { method, body, headers };
      let status = await statusOf(path, init);
      // A search may time out on a busy machine, so it is repeated, each time after a longer pause.
      for (let tries = 1; status === 503 && tries < MAX_TRIES; tries += 1) {
        await sleep(tries * PAUSE_MS);
        status = await statusOf(path, init);
      }
      if (status >= 500) failures.push(`${status} ${method} ${path} ${body ?? ""}`.slice(0, 160));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

async function statusOf(path: string, init: RequestInit): Promise<number> {
  const headers = { cookie: subscriber.cookie, origin: site.origin, ...init.headers };
  const answer = await site.fetch(path, { ...init, headers });
  await answer.arrayBuffer();
  return answer.status;
}

async function firstScript(): Promise<string> {
  return /"(\/assets\/[^"]+\.js)"/.exec(await (await site.fetch("/about")).text())?.[1] ?? "";
}

/** Sends these bytes and returns the whole response. */
async function say(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes("\r\n\r\n")) socket.destroy();
  });
  socket.write(bytes);
  await once(socket, "close");
  return said;
}

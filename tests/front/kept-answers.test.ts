import { once } from "node:events";
import { get as httpGet, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { startBeforeStandIn } from "#tests/support/front/stand-in.ts";

/** The words of the site for a page that nginx may keep. */
const KEPT = { "Cache-Control": "max-age=1, stale-while-revalidate=1" };
const ANSWERS: Record<string, [number, Record<string, string>]> = {
  "/marked": [200, KEPT],
  "/unmarked": [200, { "Cache-Control": "private, no-store" }],
  "/redirect": [302, { Location: "/enter", "Cache-Control": "private, no-store" }],
  "/marked-with-cookie": [200, { ...KEPT, "Set-Cookie": "browser=secret; Path=/" }],
};

const received: string[] = [];
const nginx = await startBeforeStandIn(answer);
afterAll(() => nginx.stop());

function answer({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
  if (headers["x-front-call"] === "visitor") {
    response.writeHead(204, { "X-Front-Visitor": "light", "X-Accel-Expires": "5" }).end();
    return;
  }
  const [path = ""] = url.split("?");
  const [status, sent] = ANSWERS[path] ?? [404, {}];
  received.push(`${headers.host}${url}`);
  response.writeHead(status, sent).end(`${headers.host}${url} ${received.length}`);
}

test("a marked page that was kept is sent again", async () => {
  const [first, second] = [await get("/marked"), await get("/marked")];
  expect(second.text).toBe(first.text);
});

test.each(["/unmarked", "/redirect", "/marked-with-cookie"])(
  "the answer of %s is fetched each time",
  async (path) => {
    const answers = [await get(path), await get(path), await get(path)];
    expect(new Set(answers.map((one) => one.text)).size).toBe(3);
    expect(answers.map(({ headers }) => headers["cache-control"])).toEqual(
      Array(3).fill("private, no-store"),
    );
  },
);

test("every address and every host has an answer of its own", async () => {
  const local = [`localhost:${nginx.port}`, `127.0.0.1:${nginx.port}`, `a.localhost:${nginx.port}`];
  for (const host of local)
    for (const path of ["/marked", "/marked?page=2", "/marked?page=3"])
      expect((await get(path, host)).text).toMatch(`${host}${path} `);
});

test("nginx logs what it answers itself, as JSON without the query and the rest of the address", async () => {
  const before = nginx.output().length;
  await get("/marked?secret=word");
  await get("/marked?secret=word");
  await get("/media/none/secret-word.webp", "other.example");
  const entries = () =>
    nginx
      .output()
      .slice(before)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await expect.poll(() => entries().map(({ status }) => status)).toEqual(expect.arrayContaining([200, 421]));
  expect(nginx.output()).not.toMatch(/secret|word|other\.example/);
  for (const entry of entries())
    expect(entry).toEqual({
      level: 30,
      time: expect.any(Number),
      method: "GET",
      path: expect.stringMatching(/^\/(?:media\/)?\*$/),
      status: expect.any(Number),
      ms: expect.any(Number),
      msg: "request at the front",
    });
});

async function get(path: string, host = `127.0.0.1:${nginx.port}`) {
  const headers = { host, cookie: "adult=proof" };
  const request = httpGet({ host: "127.0.0.1", port: nginx.port, path, headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { headers: response.headers, text: await text(response) };
}

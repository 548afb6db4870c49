import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { errorText } from "#app/ui/errors/error-texts.ts";
import { CONSTANT_HEADERS } from "#app/web/server/constant-headers.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { addFile, cookiesOf } from "#tests/support/media-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const HOSTED = {
  APP_URL: "https://peony.example",
  SMTP_URL: "smtp://127.0.0.1:1",
  TRUST_PROXY: "0",
};
const site = await startFrontSite();
const hosted = await startFrontSite(HOSTED);
afterAll(() => Promise.all([site.stop(), hosted.stop()]));
const storage = localStorage(join(site.dataDir, "media"));
const adult = await adultCookie();
const { cookie: subscriber } = await cookiesOf("active");
const video = await addFile(storage, Buffer.alloc(4_000, 7));
const photo = await addFile(
  storage,
  Buffer.alloc(2_000, 8),
  {},
  { name: "photo-1-480.webp", contentType: "image/webp" },
);
const script = /"(\/assets\/[^"]+\.js)"/.exec(await (await site.fetch("/about")).text())?.[1] ?? "";

const LOOKS: [string, number, string, RequestInit?][] = [
  ["a page before the gate", 200, "/enter"],
  ["a redirect", 302, "/content/video"],
  ["a shared page", 200, "/content/video", as(adult)],
  ["a page that is not there", 404, "/nowhere", as(adult)],
  ["a script", 200, script],
  ["a script that is not there", 404, "/assets/none.js"],
  ["the folder of the scripts", 404, "/assets/"],
  ["a picture of the site", 200, "/favicon.ico"],
  ["a photo", 200, photo.path, as(subscriber)],
  ["a photo that is known", 304, photo.path, as(subscriber, { "if-none-match": `"${photo.hash}"` })],
  ["a part of a photo", 206, photo.path, as(subscriber, { range: "bytes=0-9" })],
  ["a photo before the gate", 403, photo.path],
  ["a photo that another site embeds", 403, photo.path, as(subscriber, { "sec-fetch-site": "cross-site" })],
  ["a video", 200, video.path, as(subscriber)],
  ["a part of a video", 206, video.path, as(subscriber, { range: "bytes=10-" })],
  ["a part that is not there", 416, video.path, as(subscriber, { range: "bytes=99999999-" })],
  ["an internal location of nginx", 404, "/_file/x", as(adult)],
  ["the error pages of nginx", 404, "/_pages/503.html", as(adult)],
  ["health", 200, "/healthz"],
  [
    "a picture of the site by a part that is not there",
    200,
    "/favicon.ico",
    { headers: { range: "bytes=99999-" } },
  ],
  ["a script by a part that is not there", 200, script, { headers: { range: "bytes=9999999-" } }],
  ["a script under a condition that does not hold", 200, script, { headers: { "if-match": '"zz"' } }],
  [
    "a picture under a condition that does not hold",
    200,
    "/favicon.ico",
    { headers: { "if-match": '"zz"' } },
  ],
  [
    "a form that is larger than the site takes",
    413,
    "/signin",
    { method: "POST", headers: { "sec-fetch-site": "same-origin" }, body: "x".repeat(7_900_000) },
  ],
  ["a form that is too large", 413, "/signin", { method: "POST", body: "x".repeat(9_000_000) }],
];

test.each(LOOKS)("%s has every constant header, once", async (_, status, path, init) => {
  const answer = await site.fetch(path, init);
  expect(answer.status).toBe(status);
  expectConstants(answer);
});

test("every host name but the site's own gets 421 in the site's words, even for files", async () => {
  const answers = await Promise.all(
    ["/", "/content/video", script, "/media/none/cover-480.webp"].map((path) => rawGet(hosted.port, path)),
  );
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1.1 421 /);
    expect(answer).toContain(errorText(421).sentence);
    for (const [name, value] of CONSTANT_HEADERS)
      expect(answer.split(`\r\n${name}: ${value}\r\n`)).toHaveLength(2);
    expect(answer).not.toContain("Peony");
  }
  expect(await rawGet(hosted.port, "/healthz")).toMatch(/^HTTP\/1.1 200 /);
  for (const host of ["peony.example", "PEONY.example:443"])
    expect(await rawGet(hosted.port, "/enter", host)).toMatch(/^HTTP\/1.1 200 /);
  expect(await rawGet(hosted.port, "http://peony.example/enter")).toMatch(/^HTTP\/1.1 200 /);
});

test("a full stop behind the host name gets 421 with and without nginx, because forms and cookies have the name without it", async () => {
  for (const [{ port, direct }, hosts] of [
    [site, ["localhost.", "LOCALHOST.:8080", "peony.localhost.", "127.0.0.1."]],
    [hosted, ["peony.example.", "peony.example.:443"]],
  ] as const)
    for (const host of hosts)
      for (const at of [port, Number(new URL(direct.origin).port)])
        expect([host, await rawGet(at, "/enter", host)]).toEqual([
          host,
          expect.stringMatching(/^HTTP\/1.1 421 /),
        ]);
});

test("a request that nginx cannot read or refuses gets the site's words and headers", async () => {
  for (const [request, status, words] of [
    ["GET / HTTP/1.1\r\nBad header\r\n\r\n", 400, "could not read this request"],
    ["nothing\r\n\r\n", 400, "could not read this request"],
    ["TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "Use GET, HEAD or POST"],
    ["PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "Use GET, HEAD or POST"],
    [`GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, "too long for this site"],
    [`GET /${"x".repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, "too long for this site"],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, 431, "too long for this site"],
  ] as const) {
    const answer = await raw(site.port, request);
    expect(answer).toContain(` ${status} `);
    expect(answer).toContain(words);
    for (const [name, value] of CONSTANT_HEADERS) expect(answer).toContain(`${name}: ${value}\r\n`);
  }
});

test("too many cookies for nginx get an answer that deletes them, but a long address does not", async () => {
  const request = (path: string, cookie: string) =>
    raw(site.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  for (const answer of [
    await request("/", `junk=${"x".repeat(140_000)}`),
    await request("/", Array.from({ length: 40 }, (_, index) => `c${index}=${"x".repeat(900)}`).join("; ")),
  ]) {
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(answer).toContain('\r\nClear-Site-Data: "cookies"\r\n');
    expect(answer).toContain("Reload this page, then sign in again");
  }
  const answer = await request(`/${"x".repeat(40_000)}`, "adult=1");
  expect(answer).toMatch(/^HTTP\/1.1 431 /);
  expect(answer).not.toContain("Clear-Site-Data");
  expect(answer).not.toContain("cookies");
});

test("scripts are sent as the build compressed them, and cached for a year", async () => {
  for (const [accepted, encoding] of [
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ] as const) {
    const { headers } = await site.fetch(script, { headers: { "accept-encoding": accepted } });
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  }
});

test("pages and their data are compressed for whoever accepts it, and say once what they vary by", async () => {
  for (const path of [paths.list("video"), `${paths.list("video")}.data`]) {
    const { headers, text } = await site.fetch(path, as(adult, { "accept-encoding": "gzip" })).then(read);
    expect(headers.get("content-encoding")).toBe("gzip");
    expect(headers.get("vary")?.match(/accept-encoding/gi)).toHaveLength(1);
    const plain = await site.fetch(path, as(adult, { "accept-encoding": "identity" })).then(read);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.text.length).toBe(text.length);
  }
});

async function read(answer: Response) {
  return { headers: answer.headers, text: await answer.text() };
}

test("without a web process, visitors still get a page of the site", async () => {
  site.direct.process.kill("SIGKILL");
  const answer = await site.fetch(paths.list("video"), as(adult));
  expect(answer.status).toBe(502);
  expectConstants(answer);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(await answer.text()).toContain(errorText(503).sentence);
});

function as(cookie: string, headers: Record<string, string> = {}): RequestInit {
  return { headers: { cookie, ...headers } };
}

function expectConstants({ headers }: Response): void {
  expect(CONSTANT_HEADERS.map(([name]) => [name, headers.get(name)])).toEqual(CONSTANT_HEADERS);
}

function rawGet(port: number, path: string, host = "other.example"): Promise<string> {
  return raw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
}

async function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.setTimeout(2_000, () => socket.end());
  socket.write(request);
  return text(socket);
}

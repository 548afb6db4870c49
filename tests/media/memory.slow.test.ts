import { once } from "node:events";
import { truncate } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { photos } from "#db/schema/catalog.ts";
import { forgetPeak, memoryMb } from "#tests/support/process/process-figures.ts";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";

const FILE_BYTES = 200 * 1024 * 1024;
const MAX_GROWTH_MB = 64;
const UNREAD_MS = 2_000;

const { site, dataDir, storage } = await startBytesSite();
afterAll(() => site.stop());
const pid = site.process.pid ?? 0;
const { cookie } = await cookiesOf("active");
const { mediaId, path } = await addFile(
  storage,
  Buffer.from("film"),
  { allowDownload: true },
  { bytes: FILE_BYTES },
);
await truncate(join(dataDir, "media", "media", mediaId, "video-720.mp4"), FILE_BYTES);
const archive = await addSet("slow-stones", 1);
const archiveOfMany = await addSet("many-stones", 1_000);

beforeAll(async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    await read("/about");
    await read(path, { range: "bytes=0-9999999" });
  }
});

test.each<[string, number, string, string, Record<string, string>]>([
  ["the whole file", 200, "GET", path, {}],
  ["a download", 200, "GET", `${path}?download`, {}],
  ["the whole file as a range", 206, "GET", path, { range: "bytes=0-" }],
  ["the last 150 MB", 206, "GET", path, { range: "bytes=-150000000" }],
  ["2,000 ranges", 200, "GET", path, { range: `bytes=${"0-99999999,".repeat(1_000)}0-1` }],
  ["a range of another version", 200, "GET", path, { range: "bytes=0-9", "if-range": '"x"' }],
  ["a set in one file", 200, "GET", archive, {}],
  ["the rest of a set in one file", 206, "GET", archive, { range: "bytes=1000-" }],
  ["a set of 1,000 photos in one file", 200, "GET", archiveOfMany, {}],
  ["a compressed file", 200, "GET", path, { "accept-encoding": "gzip, br, deflate" }],
  ["the head alone", 200, "HEAD", path, {}],
  ["its data form", 404, "GET", `${path}.data`, {}],
  ["its data form by route", 404, "GET", `${path}.data?_routes=routes%2Fmedia.%24`, {}],
  ["the head of its data form", 404, "HEAD", `${path}.data`, {}],
  ["what a form sends to its data form", 404, "POST", `${path}.data`, {}],
])(
  "one request for %s of 200 MB does not grow the memory of its process",
  async (_, status, method, path, headers) => {
    const { now } = memoryMb(pid);
    forgetPeak(pid);
    expect(await read(path, headers, method)).toBe(status);
    expect(memoryMb(pid).peak - now).toBeLessThan(MAX_GROWTH_MB);
  },
);

test("a client that reads nothing makes the site read almost nothing", async () => {
  const { now } = memoryMb(pid);
  forgetPeak(pid);
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1").pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  await sleep(UNREAD_MS);
  socket.destroy();
  expect(memoryMb(pid).peak - now).toBeLessThan(MAX_GROWTH_MB);
});

/** A set whose photos have 200 MB together, and the address of its archive. */
async function addSet(slug: string, count: number): Promise<string> {
  const name = "photo-1-800.jpg";
  const bytes = Math.floor(FILE_BYTES / count);
  const { mediaId: id } = await addFile(
    storage,
    Buffer.from("photo"),
    { type: "photoSet", allowDownload: true, photoCount: count, slug },
    { name, bytes, contentType: "image/jpeg", needs: "download" },
  );
  const facts = { mediaId: id, alt: "Stones", width: 800, height: 600, widest: 800, sourceHash: "" };
  await db
    .insert(photos)
    .values(
      Array.from({ length: count }, (_, index) => ({ ...facts, number: index + 1, position: index + 1 })),
    );
  await truncate(join(dataDir, "media", "media", id, name), bytes);
  // All others share the file of the first.
  await db.execute(sql`INSERT INTO media_files
      (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
    SELECT media_id, 'photo-' || n || '-800.jpg', storage_key, content_type, bytes, sha256, crc32, needs, width, height
    FROM media_files, generate_series(2, ${count}::int) n WHERE media_id = ${id}`);
  return paths.mediaArchive(id);
}

async function read(
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<number | undefined> {
  const { hostname, port, origin } = new URL(site.origin);
  const sent = request({
    hostname,
    port,
    method,
    path,
    headers: { cookie, origin, ...headers },
  }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
  return answer.statusCode;
}

import { request } from "node:http";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startStore } from "#tests/support/store/start-store.ts";

const engine = await startStore();
const { startFrontSite } = await import("#tests/support/front/front-site.ts");
const { addFile, cookiesOf, storageIn } = await import("#tests/support/media-site.ts");
const { adultCookie } = await import("#tests/support/people.ts");

const site = await startFrontSite();
afterAll(() => site.stop());
const storage = storageIn(site.dataDir);
const PHOTO = Buffer.from("the bytes of a paid photo");
const photo = await addFile(storage, PHOTO, {}, { name: "photo-1-480.webp", contentType: "image/webp" });
const video = await addFile(storage, Buffer.alloc(3_000_000, 7), { allowDownload: true });

test("nginx sends what the site allows from the store, with the site's headers and no others", async () => {
  const { cookie } = await cookiesOf("active");
  const answer = await site.fetch(photo.path, {
    headers: { cookie, authorization: "Basic eDp5", "if-range": '"old"' },
  });
  expect(await answer.text()).toBe(PHOTO.toString());
  const { etag, "content-type": type, ...headers } = Object.fromEntries(answer.headers);
  expect([etag, type]).toEqual([`"${photo.hash}"`, "image/webp"]);
  expect(headers).toMatchObject({
    "cache-control": "private, no-store, no-transform",
    "content-length": String(PHOTO.byteLength),
    "content-security-policy": "sandbox; default-src 'none'",
  });
  expect(Object.keys(headers).filter((name) => /^x-(?:amz|rgw|stored|accel)/.test(name))).toEqual([]);
  const part = await site.fetch(video.path, { headers: { cookie, range: "bytes=100-299" } });
  expect([part.status, part.headers.get("content-range"), (await part.arrayBuffer()).byteLength]).toEqual([
    206,
    "bytes 100-299/3000000",
    200,
  ]);
  const download = await site.fetch(`${video.path}?download`, { headers: { cookie } });
  expect([(await download.arrayBuffer()).byteLength, download.headers.get("content-disposition")]).toEqual([
    3_000_000,
    expect.stringContaining("attachment"),
  ]);
});

test("nobody else gets it, and nobody asks nginx for the store", async () => {
  for (const cookie of ["", await adultCookie(), (await cookiesOf()).cookie])
    expect((await site.fetch(photo.path, { headers: { cookie } })).status).toBeGreaterThanOrEqual(400);
  const { cookie } = await cookiesOf("active");
  const direct = await ask("/_stored", { cookie, "x-stored-at": `${engine.origin}/`, "x-stored-host": "x" });
  expect(direct).toBe(404);
});

test("a missing object is 404 and logged; a store that is away is 503, and the site goes on when it is back", async () => {
  const { cookie } = await cookiesOf("active");
  const { mediaId } = await addFile(
    storage,
    PHOTO,
    {},
    { name: "photo-1-480.webp", contentType: "image/webp" },
  );
  await storage.deleteFolder(`media/${mediaId}`);
  expect((await site.fetch(`/media/${mediaId}/photo-1-480.webp`, { headers: { cookie } })).status).toBe(404);
  onTestFinished(() => engine.up());
  await engine.down();
  for (const path of [photo.path, `${video.path}?download`]) {
    const answer = await site.fetch(path, { headers: { cookie } });
    expect([answer.status, answer.headers.has("retry-after")], path).toEqual([503, true]);
    expect(await answer.text()).not.toContain("Amz");
    expect([answer.headers.get("cache-control"), answer.headers.get("content-disposition")], path).toEqual([
      "private, no-store",
      null,
    ]);
  }
  await engine.up();
  expect((await site.fetch(photo.path, { headers: { cookie } })).status).toBe(200);
  expect(site.frontOutput() + site.output()).not.toContain("X-Amz-Signature");
});

/** fetch() would not send these headers. */
function ask(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: site.port, path, headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { adultCookie } from "#tests/support/people.ts";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";

const { site, storage } = await startBytesSite();
afterAll(() => site.stop());

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const gated = await addFile(storage, bytes);
const cover = await addFile(
  storage,
  bytes,
  {},
  { name: "cover-480.avif", needs: "see", contentType: "image/avif" },
);
const adult = await adultCookie();
const subscriber = await cookiesOf("active");
const member = await cookiesOf();
const lapsed = await cookiesOf("canceled");
const owner = await cookiesOf(undefined, "owner");

function get(path: string, cookie: string, headers: Record<string, string> = {}, method = "GET") {
  return site.fetch(path, { method, headers: { cookie, ...headers } });
}

async function statusAndLength(response: Response) {
  return [response.status, (await response.arrayBuffer()).byteLength];
}

test("a subscriber gets the exact bytes, which no cache may store", async () => {
  const response = await get(gated.path, subscriber.cookie, { "accept-encoding": "gzip" });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-length": "1000",
    "accept-ranges": "bytes",
    etag: `"${gated.hash}"`,
    "cache-control": "private, no-store, no-transform",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  });
});

test.each([
  ["nobody without an age proof", "", 403],
  ["a stranger past the gate", adult, 403],
  ["a member", member.cookie, 403],
  ["a lapsed subscriber", lapsed.cookie, 403],
  ["a subscriber without an age proof", subscriber.cookie.split("; ").at(-1) ?? "", 403],
])("%s is refused without any byte", async (_, cookie, status) => {
  expect(await statusAndLength(await get(gated.path, cookie))).toEqual([status, 0]);
  expect(await statusAndLength(await get(gated.path, cookie, { range: "bytes=0-9" }))).toEqual([status, 0]);
  const tag = { "if-none-match": `"${gated.hash}"` };
  expect(await statusAndLength(await get(gated.path, cookie, tag))).toEqual([status, 0]);
});

test("a cover is for everyone past the gate and may be cached for an hour", async () => {
  const response = await get(cover.path, adult);
  expect(await statusAndLength(response)).toEqual([200, 1000]);
  expect(response.headers.get("cache-control")).toBe("private, max-age=3600, no-transform");
  expect(await statusAndLength(await get(cover.path, ""))).toEqual([403, 0]);
});

test("small files of the same length are never mixed up", async () => {
  const image = { name: "cover-480.avif", needs: "see", contentType: "image/avif" } as const;
  const contents = [1, 2, 3].map((value) => Buffer.alloc(1000, value));
  const files = await Promise.all(contents.map((content) => addFile(storage, content, {}, image)));
  for (const index of [0, 1, 2, 0, 1, 2]) {
    const response = await get(files[index]?.path ?? "", adult);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(contents[index]);
  }
});

test("taken-down media is gone and unpublished media does not exist, except for staff", async () => {
  const takenDown = await addFile(storage, bytes, { status: "takenDown" });
  const scheduled = await addFile(storage, bytes, { publishAt: new Date(Date.now() + 60_000) });
  const draft = await addFile(storage, bytes, { status: "draft" });
  expect(await statusAndLength(await get(takenDown.path, subscriber.cookie))).toEqual([410, 0]);
  expect(await statusAndLength(await get(takenDown.path, owner.cookie))).toEqual([410, 0]);
  expect(await statusAndLength(await get(scheduled.path, subscriber.cookie))).toEqual([404, 0]);
  expect(await statusAndLength(await get(draft.path, subscriber.cookie))).toEqual([404, 0]);
  expect(await statusAndLength(await get(draft.path, owner.cookie))).toEqual([200, 1000]);
});

test("a range is answered with exactly its bytes", async () => {
  const response = await get(gated.path, subscriber.cookie, { range: "bytes=100-199" });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-range")).toBe("bytes 100-199/1000");
  expect(response.headers.get("content-length")).toBe("100");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(100, 200));
});

test("a range outside the file is refused with the file's length", async () => {
  const response = await get(gated.path, subscriber.cookie, { range: "bytes=1000-" });
  expect(response.headers.get("content-range")).toBe("bytes */1000");
  expect(await statusAndLength(response)).toEqual([416, 0]);
});

test("several ranges and an old If-Range are answered with the whole file", async () => {
  const several = await get(gated.path, subscriber.cookie, { range: "bytes=0-1,5-6" });
  expect(await statusAndLength(several)).toEqual([200, 1000]);
  const old = await get(gated.path, subscriber.cookie, { range: "bytes=0-1", "if-range": '"old"' });
  expect(await statusAndLength(old)).toEqual([200, 1000]);
  const same = await get(gated.path, subscriber.cookie, {
    range: "bytes=0-1",
    "if-range": `"${gated.hash}"`,
  });
  expect(await statusAndLength(same)).toEqual([206, 2]);
});

test("HEAD gives the length and no body", async () => {
  const response = await get(gated.path, subscriber.cookie, { range: "bytes=0-1" }, "HEAD");
  expect(response.headers.get("content-length")).toBe("1000");
  expect(await statusAndLength(response)).toEqual([200, 0]);
});

test("a copy that is still valid is not sent again", async () => {
  const response = await get(cover.path, adult, { "if-none-match": `W/"x", "${cover.hash}"` });
  expect(await statusAndLength(response)).toEqual([304, 0]);
});

test("another site cannot embed or link to a file", async () => {
  for (const site of ["cross-site", "same-site"]) {
    const response = await get(cover.path, subscriber.cookie, { "sec-fetch-site": site });
    expect(await statusAndLength(response)).toEqual([403, 0]);
  }
  const own = await get(cover.path, subscriber.cookie, { "sec-fetch-site": "same-origin" });
  expect(await statusAndLength(own)).toEqual([200, 1000]);
});

test("a download needs the right to download, and has a neutral name", async () => {
  expect((await get(`${gated.path}?download=1`, subscriber.cookie)).status).toBe(403);
  const open = await addFile(storage, bytes, { allowDownload: true });
  const response = await get(`${open.path}?download=1`, subscriber.cookie);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="video-720.mp4"');
  expect(await statusAndLength(response)).toEqual([200, 1000]);
});

test("the link of a refused download leads to the gate, or is answered with a sentence that no cache may store", async () => {
  const photo = { name: "photo-1-960.jpg", needs: "download", contentType: "image/jpeg" } as const;
  const kept = await addFile(storage, bytes, {}, photo);
  const takenDown = await addFile(storage, bytes, { status: "takenDown", allowDownload: true });
  const draft = await addFile(storage, bytes, { status: "draft", allowDownload: true }, photo);
  const lost = await addFile(storage, bytes, { allowDownload: true });
  await storage.delete(`media/${lost.mediaId}/video-720.mp4`);
  const gate = await get(`${gated.path}?download`, "");
  expect([gate.status, gate.headers.get("location")]).toEqual([302, paths.enter(`${gated.path}?download=`)]);
  const mayNot = "right now. Your subscription may have ended, or the site may no longer offer the download.";
  for (const [path, cookie, status, sentence] of [
    [gated.path, lapsed.cookie, 403, `You cannot download this video ${mayNot}`],
    [kept.path, subscriber.cookie, 403, `You cannot download this photo ${mayNot}`],
    [takenDown.path, subscriber.cookie, 410, "This video was taken down."],
    [draft.path, subscriber.cookie, 404, "This photo is no longer here."],
    [lost.path, subscriber.cookie, 404, "This video is no longer here."],
  ] as const) {
    const answer = await get(`${path}?download`, cookie);
    expect([answer.status, await answer.text()], path).toEqual([status, sentence]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(await statusAndLength(await get(path, cookie)), path).toEqual([
      path === gated.path || path === kept.path ? 403 : status,
      0,
    ]);
  }
  const remote = await get(`${gated.path}?download`, subscriber.cookie, { "sec-fetch-site": "cross-site" });
  expect([remote.status, await remote.text()]).toEqual([
    403,
    "Another site started this download. Open the page of the video and start it there.",
  ]);
});

test("an avatar is only for its owner", async () => {
  const version = "a".repeat(32);
  await storage.put(`avatars/${member.userId}/${version}.webp`, bytes);
  const path = `/media/avatars/${member.userId}/${version}.webp`;
  expect(await statusAndLength(await get(path, member.cookie))).toEqual([200, 1000]);
  expect(await statusAndLength(await get(path, subscriber.cookie))).toEqual([403, 0]);
  expect(await statusAndLength(await get(path, adult))).toEqual([403, 0]);
});

test.each([
  "/media/",
  "/media/x/y",
  "/media/avatars/..%2f..%2fsession-secret",
  `/media/${gated.mediaId}/..%2f..%2f..%2fsession-secret`,
  `/media/${gated.mediaId}/%252e%252e%252fsession-secret`,
  `/media/${gated.mediaId}/video-720.mp4%00`,
  `/media/${gated.mediaId}/video-720.mp4/more`,
  "/media/creators/nobody/portrait-480.avif",
])("%s does not exist", async (path) => {
  const [status, length] = await statusAndLength(await get(path, owner.cookie));
  expect([403, 404]).toContain(status);
  expect(length).toBe(0);
});

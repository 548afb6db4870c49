import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { saveCaptions } from "#app/domain/catalog/edit/files/captions.server.ts";
import { makeCover } from "#app/domain/catalog/edit/files/covers.server.ts";
import { addPhoto } from "#app/domain/catalog/edit/photos/import-photos.server.ts";
import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import { importUploads } from "#app/domain/uploads/import-uploads.server.ts";
import { takeLock } from "#app/domain/uploads/upload-locks.server.ts";
import { writePiece } from "#app/domain/uploads/write-piece.server.ts";
import { db } from "#db/client.server.ts";
import { H264 } from "#tests/support/import-folder.ts";
import { createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { workOff } from "./support/encoded.ts";

vi.setConfig({ testTimeout: 120_000 });

const MARK = "<script>alert('polyglot')</script>";
const ROOM = async () => ({ freeBytes: 1e12, quotaBytes: 1e12 });
const folder = await mkdtemp(join(tmpdir(), "peony-hostile-"));
let connections = 0;
const listener = createServer((_, answer) => answer.end()).on("connection", () => {
  connections += 1;
});
await once(listener.listen(0, "127.0.0.1"), "listening");
afterAll(() => listener.close());
const { port } = listener.address() as AddressInfo;
const address = `http://127.0.0.1:${port}/x.ts`;

const jpeg = await sharp({ create: { width: 160, height: 200, channels: 3, background: "red" } })
  .jpeg()
  .toBuffer();
const video = join(folder, "video.mp4");
execFileSync(config.media.ffmpeg, [
  "-v",
  "error",
  "-f",
  "lavfi",
  "-i",
  "testsrc2=s=160x90:r=10:d=1",
  ...H264,
  video,
]);

/** Each names another address or a file of the server, which a program would have to open. */
const REFERRING: Record<string, string> = {
  "list.mp4": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`,
  "list.jpg": `#EXTM3U\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`,
  "concat.mkv": `ffconcat version 1.0\nfile '${address}'\n`,
  "session.mp4": `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${address}\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
  "drawing.jpg": `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${address}" width="9" height="9"/></svg>`,
  "passwd-list.mp4": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
  "passwd-concat.mkv": "ffconcat version 1.0\nfile 'file:///etc/passwd'\n",
  "passwd-drawing.jpg": `<!DOCTYPE svg [<!ENTITY p SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd" width="9" height="9"/><text>&p;</text></svg>`,
  "passwd-drawing.svg": `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY p SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="file:///etc/passwd" width="9" height="9"/><text y="9">&p;</text></svg>`,
  // Players would play it, so that a program that follows it makes a draft.
  "neighbor-list.mp4": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${video}\n#EXT-X-ENDLIST\n`,
  "neighbor-concat.mkv": `ffconcat version 1.0\nfile 'file://${video}'\n`,
  "script.gif": `GIF89a=1;/*${address}*/${MARK}`,
};

async function uploaded(files: Record<string, Uint8Array>) {
  const { id: userId } = await createMember({ role: "editor" });
  const chosen = Object.entries(files).map(([path, { length }]) => ({
    path,
    bytes: length,
    fingerprint: "f",
  }));
  const declared = await declareBatch(userId, chosen, ROOM);
  if ("problem" in declared) throw new Error(declared.problem);
  for (const { id: uploadId, path } of declared.uploads) {
    const signal = new AbortController().signal;
    const lock = await takeLock({ userId, uploadId }, { signal, onWanted: () => {} });
    if (typeof lock === "string") throw new Error(lock);
    const bytes = (async function* () {
      yield files[path] ?? new Uint8Array();
    })();
    await writePiece({ userId, uploadId, token: lock.token, offset: 0 }, bytes, ROOM).catch(() => {});
    await lock.release();
  }
  await importUploads(new AbortController().signal);
  return db.execute<{ path: string; state: string; note: string | null; mediaId: string | null }>(sql`
    SELECT path, state, note, media_id AS "mediaId" FROM uploads WHERE batch_id IN
      (SELECT id FROM upload_batches WHERE user_id = ${userId}) ORDER BY position`);
}

test("uploads and item forms refuse files that name other addresses, with a reason and without a connection", async () => {
  const files = Object.fromEntries(
    Object.entries(REFERRING).map(([name, text]) => [name, Buffer.from(text)]),
  );
  const rows = await uploaded(files);
  expect(rows.map(({ path, state }) => `${path} ${state}`)).toEqual(
    Object.keys(REFERRING).map((name) => `${name} refused`),
  );
  expect(rows.every(({ note }) => note !== null && note !== "")).toBe(true);
  const set = await createPhotoSet({ withFiles: true });
  for (const [name, text] of Object.entries(REFERRING)) {
    const path = join(folder, name);
    await writeFile(path, text);
    const outcome = async (act: Promise<unknown>) => act.then(String, (error: Error) => error.message);
    expect(await outcome(addPhoto(HOST, set.id, { path, fileName: name })), name).toMatch(/picture/);
    await writeFile(path, text);
    expect(await outcome(makeCover(HOST, set.id, { kind: "upload", path })), name).toMatch(/picture/);
  }
  expect(connections).toBe(0);
  expect(await filesWith(PASSWORDS)).toEqual([]);
});

/** Its first line: "root:x:0:0:…". */
const [PASSWORDS = ""] = (await readFile("/etc/passwd", "utf8")).split("\n");

/** Files of the storage that hold these bytes, also those that no row names. */
async function filesWith(bytes: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(config.media.dir, { recursive: true })) {
    const path = join(config.media.dir, name);
    if ((await stat(path)).isFile() && (await readFile(path)).includes(bytes)) found.push(name);
  }
  return found;
}

test("content hidden after a picture or a video is in no file that visitors get", async () => {
  const zip = Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.from(MARK)]);
  const rows = await uploaded({
    "page.jpg": Buffer.concat([jpeg, Buffer.from(MARK)]),
    "archive.mp4": Buffer.concat([await readFile(video), zip]),
  });
  expect(rows.map(({ path, state }) => [path, state])).toEqual([
    ["page.jpg", "takenIn"],
    ["archive.mp4", "takenIn"],
  ]);
  // Its first file may be a copy of the pictures and the audio; the others are made from it.
  await workOff();
  expect(
    (await readdir(join(config.media.dir, "media", rows[1]?.mediaId ?? ""), { recursive: true })).join(),
  ).toContain("rung-");
  for (const { mediaId } of rows) {
    const root = join(config.media.dir, "media", mediaId ?? "");
    for (const name of await readdir(root, { recursive: true })) {
      const path = join(root, name);
      if ((await stat(path)).isFile()) expect((await readFile(path)).includes(MARK), name).toBe(false);
    }
  }
  expect(connections).toBe(0);
});

test("captions keep no reference to another address", async () => {
  const { id } = await createVideo({ withFiles: true });
  const file = Buffer.from(
    `WEBVTT\n\nSTYLE\n::cue { background: url(${address}) }\n\n00:01.000 --> 00:02.000\n<img src="${address}"><b>Hello</b>\n`,
  );
  expect(await saveCaptions(HOST, id, { language: "en", label: "English", file }, null)).toMatchObject({
    saved: true,
  });
  const [row] = await db.execute<{ storageKey: string }>(sql`
    SELECT storage_key AS "storageKey" FROM media_files WHERE media_id = ${id} AND name = 'captions-en.vtt' AND retired_at IS NULL`);
  const stored = await readFile(join(config.media.dir, row?.storageKey ?? ""), "utf8");
  expect(stored).toContain("Hello");
  expect(stored).not.toMatch(/url\(|<img/);
  expect(connections).toBe(0);
});

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { checkFiles } from "#app/domain/catalog/media/check-files.server.ts";
import { FILE_LIMITS, PIECE_BYTES } from "#app/file-limits.ts";
import { withoutValues } from "#app/log.server.ts";
import { db } from "#db/client.server.ts";
import { createMember } from "#tests/support/people.ts";
import { declareBatch } from "./batches.server.ts";
import { cleanUpUploads } from "./clean-up-uploads.server.ts";
import { importUploads } from "./import-uploads.server.ts";
import { dismissBatch, goOnWithout, listBatches, removeUploads, retryBatch } from "./own-batches.server.ts";
import { nextPieceProblem } from "./space.server.ts";
import { partPath, stagedFolder, stagedPath } from "./staged-files.server.ts";
import { pathProblem } from "./upload-limits.ts";
import { takeLock } from "./upload-locks.server.ts";
import { findUpload, writePiece } from "./write-piece.server.ts";

/** A fault of the file system at one of its functions. */
const fault = vi.hoisted(() => ({ at: (_name: string, _path: string): Promise<never> | null => null }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  return {
    ...real,
    mkdir: (path: string, options: object) => fault.at("mkdir", path) ?? real.mkdir(path, options),
    async open(path: string, flags: string, mode?: number) {
      await fault.at("open", path);
      const handle = await real.open(path, flags, mode);
      const [write, sync] = [handle.write.bind(handle), handle.sync.bind(handle)] as const;
      return Object.assign(handle, {
        write: (...args: Parameters<typeof write>) => fault.at("write", path) ?? write(...args),
        sync: () => fault.at("sync", path) ?? sync(),
      });
    },
  };
});

const ROOM = async () => ({ freeBytes: 1e12, quotaBytes: 1e12 });
const NEVER = new AbortController().signal;

beforeEach(async () => {
  await db.execute(sql`DELETE FROM upload_batches`);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
  await rm(join(config.media.dir, ".uploads"), { recursive: true, force: true });
});

const editor = () => createMember({ role: "editor" });

async function declare(userId: string, files: Record<string, Uint8Array>) {
  const chosen = Object.entries(files).map(([path, { length }]) => ({
    path,
    bytes: length,
    fingerprint: "f",
  }));
  const declared = await declareBatch(userId, chosen, ROOM);
  if ("problem" in declared) throw new Error(declared.problem);
  const [batchId = ""] = declared.batchIds;
  return { batchId, ...declared };
}

async function lock(userId: string, uploadId: string, onWanted = () => {}) {
  const taken = await takeLock({ userId, uploadId }, { signal: NEVER, onWanted });
  if (typeof taken === "string") throw new Error(taken);
  return taken;
}

async function send(userId: string, uploadId: string, bytes: Uint8Array, offset = 0, space = ROOM) {
  const own = await lock(userId, uploadId);
  try {
    return await writePiece({ userId, uploadId, token: own.token, offset }, inChunks(bytes), space);
  } finally {
    await own.release();
  }
}

async function* inChunks(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}

async function upload(userId: string, files: Record<string, Uint8Array>) {
  const { batchId, uploads } = await declare(userId, files);
  for (const { id, path } of uploads) await send(userId, id, files[path] ?? new Uint8Array());
  return batchId;
}

const picture = (hue: string) =>
  sharp({ create: { width: 160, height: 200, channels: 3, background: hue } })
    .jpeg()
    .toBuffer();

const rowsOf = (userId: string) =>
  db.execute<{ path: string; state: string; note: string | null; mediaId: string | null }>(sql`
    SELECT path, state, note, media_id AS "mediaId" FROM uploads JOIN upload_batches batch ON batch.id = batch_id
    WHERE user_id = ${userId} ORDER BY batch.created_at DESC, position`);

const states = async (userId: string) =>
  Object.fromEntries((await rowsOf(userId)).map(({ path, state, note }) => [path, note ?? state]));

test("a file sent in pieces is stored byte for byte, and a lost connection keeps what arrived", async () => {
  const { id: userId } = await editor();
  const bytes = Buffer.concat([await picture("red"), randomBytes(PIECE_BYTES + 300_000)]);
  const { batchId, uploads } = await declare(userId, { "a.jpg": bytes });
  const id = uploads[0]?.id ?? "";
  const own = await lock(userId, id);
  async function* cut() {
    yield bytes.subarray(0, 100_000);
    throw new Error("the connection was lost");
  }
  const piece = { userId, uploadId: id, token: own.token, offset: 0 };
  await expect(writePiece(piece, cut(), ROOM)).rejects.toThrow("lost");
  await own.release();
  expect(await findUpload(userId, id)).toMatchObject({ receivedBytes: 100_000 });
  await expect(send(userId, id, bytes.subarray(0, 10), 0)).rejects.toMatchObject({ status: 409 });
  await send(userId, id, bytes.subarray(100_000, 100_000 + PIECE_BYTES), 100_000);
  const rest = 100_000 + PIECE_BYTES;
  await expect(send(userId, id, Buffer.alloc(PIECE_BYTES), rest)).rejects.toMatchObject({ status: 413 });
  expect(await findUpload(userId, id)).toMatchObject({ receivedBytes: rest });
  await send(userId, id, bytes.subarray(rest), rest);
  expect((await readFile(partPath(batchId, id))).equals(bytes)).toBe(true);
  expect(await states(userId)).toEqual({ "a.jpg": "complete" });
  const unknown: string[] = [];
  await checkFiles({ isReadingBytes: false, onProblem: ({ storageKey }) => void unknown.push(storageKey) });
  expect(unknown.filter((key) => key.includes("uploads") || key.includes(id))).toEqual([]);
});

test("nobody can see or change another person's upload", async () => {
  const [owner, other] = await Promise.all([editor(), editor()]);
  const { batchId, uploads } = await declare(owner.id, { "a.jpg": await picture("red") });
  const id = uploads[0]?.id ?? "";
  expect(await findUpload(other.id, id)).toBeNull();
  expect(await takeLock({ userId: other.id, uploadId: id }, { signal: NEVER, onWanted: () => {} })).toBe(
    "gone",
  );
  const own = await lock(owner.id, id);
  const piece = { userId: other.id, uploadId: id, token: own.token, offset: 0 };
  await expect(writePiece(piece, inChunks(Buffer.from("x")), ROOM)).rejects.toMatchObject({ status: 404 });
  await removeUploads(other.id, [id]);
  await dismissBatch(other.id, batchId);
  await retryBatch(other.id, batchId);
  expect(await listBatches(other.id)).toEqual([]);
  expect(await findUpload(owner.id, id)).not.toBeNull();
});

test("a lock goes to whoever waits for it, and the lock of a dead process ends with its lease", async () => {
  const { id: userId } = await editor();
  const { uploads } = await declare(userId, { "a.jpg": await picture("red") });
  const id = uploads[0]?.id ?? "";
  const first = await lock(userId, id, () => void first.release());
  const second = await lock(userId, id);
  const late = { userId, uploadId: id, token: first.token, offset: 0 };
  await expect(writePiece(late, inChunks(Buffer.from("x")), ROOM)).rejects.toMatchObject({ status: 409 });
  await second.release();
  await db.execute(
    sql`UPDATE uploads SET lock_token = gen_random_uuid(), locked_until = now() + interval '1 second'`,
  );
  const third = await lock(userId, id);
  await third.release();
});

test("files that exceed the disk or a person's quota are refused with a sentence, and complete ones stay", async () => {
  const { id: userId } = await editor();
  const bytes = await picture("red");
  const chosen = [{ path: "b.mp4", bytes: 5e9, fingerprint: "" }];
  expect(await declareBatch(userId, chosen, async () => ({ freeBytes: 1e12, quotaBytes: 4e9 }))).toEqual({
    problem: expect.stringMatching(/^Your uploads can use up to 4 GB/),
  });
  const { uploads } = await declare(userId, { "a.jpg": bytes, "b.jpg": bytes });
  const [one, other] = uploads.map(({ id }) => id);
  await send(userId, one ?? "", bytes);
  const full = async () => ({ freeBytes: 1e9, quotaBytes: 1e12 });
  await expect(send(userId, other ?? "", bytes, 0, full)).rejects.toMatchObject({ status: 507 });
  const small = async () => ({ freeBytes: 1e12, quotaBytes: 100 });
  await expect(send(userId, other ?? "", bytes, 0, small)).rejects.toMatchObject({ status: 507 });
  expect(await states(userId)).toEqual({ "a.jpg": "complete", "b.jpg": "uploading" });
});

test.each(["mkdir", "open", "write", "sync"] as const)(
  "a disk that is full at the %s of a piece answers 507, and stored bytes stay",
  async (step) => {
    const { id: userId } = await editor();
    const bytes = Buffer.concat([await picture("red"), randomBytes(200_000)]);
    const { batchId, uploads } = await declare(userId, { "a.jpg": bytes });
    const id = uploads[0]?.id ?? "";
    if (step !== "mkdir" && step !== "open") await send(userId, id, bytes.subarray(0, 100_000));
    const [offset, rest] =
      step === "mkdir" || step === "open" ? [0, bytes] : [100_000, bytes.subarray(100_000)];
    const noSpace = () =>
      Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC", syscall: step }));
    fault.at = (name, path) => (name === step && path.includes(batchId) ? noSpace() : null);
    onTestFinished(() => {
      fault.at = () => null;
    });
    await expect(send(userId, id, rest, offset)).rejects.toMatchObject({ status: 507 });
    fault.at = () => null;
    expect(await findUpload(userId, id)).toMatchObject({ receivedBytes: offset });
    await send(userId, id, rest, offset);
    expect((await readFile(partPath(batchId, id))).equals(bytes)).toBe(true);
  },
);

test("files are declared only if the disk has room for them, their drafts and what others still send", async () => {
  const [{ id: userId }, { id: other }] = await Promise.all([editor(), editor()]);
  const chosen = [{ path: "b.mp4", bytes: 5e9, fingerprint: "" }];
  const announce = (freeBytes: number) =>
    declareBatch(userId, chosen, async () => ({ freeBytes, quotaBytes: 1e12 }));
  expect(await announce(15.9e9)).toEqual({
    problem: expect.stringMatching(/^These files need 15 GB until they are imported,.* has 15 GB/),
  });
  expect(await announce(16e9)).toHaveProperty("batchIds");
  await db.execute(sql`DELETE FROM upload_batches`);

  await declareBatch(other, chosen, ROOM);
  await db.execute(sql`UPDATE uploads SET received_bytes = 4e9`);
  expect(await announce(26.9e9)).toHaveProperty("problem");
  await db.execute(sql`UPDATE uploads SET received_bytes = bytes, state = 'complete'`);
  expect(await announce(25.9e9)).toHaveProperty("problem");
  await db.execute(sql`UPDATE upload_batches SET began_at = now()`);
  expect(await announce(25.9e9)).toHaveProperty("problem");
  await db.execute(sql`UPDATE upload_batches SET ended_at = now()`);
  expect(await announce(16e9)).toHaveProperty("batchIds");
});

test("when several people declare files at the same moment, one of them gets the space", async () => {
  const people = await Promise.all([editor(), editor(), editor(), editor()]);
  const announce = ({ id }: { id: string }) =>
    declareBatch(id, [{ path: "b.mp4", bytes: 5e9, fingerprint: "" }], async () => ({
      freeBytes: 16e9,
      quotaBytes: 1e12,
    }));
  // They read what is there, and wait before they write.
  const answers = await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE upload_batches IN SHARE MODE`);
    const announced = people.map(announce);
    const waiting = () =>
      db.execute(sql`
      SELECT FROM pg_locks WHERE NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    await expect.poll(waiting).toHaveLength(people.length);
    return { announced };
  });
  const declared = await Promise.all(answers.announced);
  expect(declared.filter((answer) => "batchIds" in answer)).toHaveLength(1);
});

test("an idle upload holds no space after an hour, until its next piece", async () => {
  const [{ id: userId }, { id: other }] = await Promise.all([editor(), editor()]);
  const bytes = await picture("maroon");
  const { uploads } = await declare(other, { "a.jpg": bytes, "b.jpg": bytes });
  const [arrived, half] = uploads.map(({ id }) => id);
  await send(other, arrived ?? "", bytes);
  // As if it were a video.
  await db.execute(sql`UPDATE uploads SET bytes = 5e9 WHERE id = ${half ?? ""}`);
  const chosen = [{ path: "b.mp4", bytes: 5e9, fingerprint: "" }];
  const announce = async (freeBytes: number) => {
    const answer = await declareBatch(userId, chosen, async () => ({ freeBytes, quotaBytes: 1e12 }));
    await db.execute(sql`DELETE FROM upload_batches WHERE user_id = ${userId}`);
    return "batchIds" in answer;
  };
  const rest = async (ago: string) =>
    db.execute(sql`UPDATE upload_batches SET updated_at = now() - ${ago}::interval WHERE user_id = ${other}`);
  await rest("59 minutes");
  expect(await announce(30e9)).toBe(false);
  await rest("61 minutes");
  expect(await announce(16.1e9)).toBe(true);
  // The rest of its batch has arrived, and will be imported.
  expect(await announce(16e9)).toBe(false);
  await send(other, half ?? "", bytes);
  expect(await announce(30e9)).toBe(false);
});

const announced = (count: number, folder = "a") =>
  Array.from({ length: count }, (_, index) => ({
    path: `${folder}/${index}.jpg`,
    bytes: 1_000,
    fingerprint: "",
  }));

test("a person can declare 5,000 files in 50 uploads, and others go on", async () => {
  const [{ id: one }, { id: many }, { id: other }] = [await editor(), await editor(), await editor()];
  for (let count = 0; count < 50; count += 1) await declareBatch(one, announced(1), ROOM);
  expect(await declareBatch(one, announced(1), ROOM)).toEqual({
    problem: "You can have up to 50 uploads that are not imported yet. Finish or remove some of them first.",
  });
  for (let count = 0; count < 5; count += 1) await declareBatch(many, announced(1_000, String(count)), ROOM);
  expect(await declareBatch(many, announced(1), ROOM)).toEqual({
    problem:
      "You can have up to 5,000 files that are not imported yet. Finish or remove some of your uploads first.",
  });
  // Only refused files: they would fill the list as well.
  const refused = [{ path: "x.jpg", bytes: 0, fingerprint: "" }];
  expect(await declareBatch(one, refused, ROOM)).toHaveProperty("problem");

  const [open] = (await listBatches(one)).filter(({ step }) => step === "coming");
  await removeUploads(one, open?.uploads.map(({ id }) => id) ?? []);
  expect(await declareBatch(one, announced(1), ROOM)).toHaveProperty("batchIds");
  await upload(other, { "b.jpg": await picture("red") });
});

test("files that are tried again count against the limit of open uploads", async () => {
  const { id: userId } = await editor();
  const broken = (await picture("olive")).subarray(0, 300);
  const batchId = await upload(userId, { "Set/1.jpg": broken, "Set/2.jpg": await picture("plum") });
  await importUploads(NEVER);
  const before = await states(userId);
  for (let count = 0; count < 50; count += 1) await declareBatch(userId, announced(1), ROOM);
  const problem =
    "You can have up to 50 uploads that are not imported yet. Finish or remove some of them first.";
  expect([await retryBatch(userId, batchId), await goOnWithout(userId, batchId)]).toEqual([problem, problem]);
  expect(await states(userId)).toMatchObject(before);
  await db.execute(sql`DELETE FROM upload_batches WHERE ended_at IS NULL`);
  // Files, not uploads: it would be the 5,001st and 5,002nd.
  for (let count = 0; count < 5; count += 1)
    await declareBatch(userId, announced(count === 4 ? 999 : 1_000, String(count)), ROOM);
  expect(await retryBatch(userId, batchId)).toMatch(/^You can have up to 5,000 files/);
  await db.execute(sql`DELETE FROM upload_batches WHERE ended_at IS NULL`);
  expect(await goOnWithout(userId, batchId)).toBeNull();
});

test("files that are declared at the same moment do not pass the limit together", async () => {
  const { id: userId } = await editor();
  for (let count = 0; count < 4; count += 1) await declareBatch(userId, announced(1_000), ROOM);
  const answers = await Promise.all([1, 2, 3].map(() => declareBatch(userId, announced(600), ROOM)));
  expect(answers.filter((answer) => "batchIds" in answer)).toHaveLength(1);
});

test("an upload that never began stays on the list, and after an hour counts toward no limit", async () => {
  const [{ id: idle }, { id: busy }, { id: begun }] = [await editor(), await editor(), await editor()];
  const photo = await picture("red");
  for (const userId of [idle, busy, begun])
    for (let count = 0; count < 50; count += 1) await declareBatch(userId, announced(1), ROOM);
  const quota = async () => ({ freeBytes: 1e12, quotaBytes: 50_000 });
  const [begunFile] = (await listBatches(begun))[0]?.uploads ?? [];
  await db.execute(sql`UPDATE uploads SET received_bytes = 200 WHERE id = ${begunFile?.id ?? ""}`);
  const pass = async (ago: string) => {
    await db.execute(sql`UPDATE upload_batches SET created_at = now() - ${ago}::interval,
      updated_at = now() - ${ago}::interval`);
    await cleanUpUploads();
  };
  await pass("59 minutes");
  expect(await declareBatch(idle, announced(1), ROOM)).toHaveProperty("problem");
  await pass("61 minutes");
  expect(await rowsOf(idle)).toHaveLength(50);
  expect((await listBatches(idle))[0]).toMatchObject({ step: "coming", uploads: [{ receivedBytes: 0 }] });
  expect(await declareBatch(idle, announced(1), quota)).toHaveProperty("batchIds");
  expect(await declareBatch(begun, announced(1), ROOM)).toHaveProperty("batchIds");
  // It is sending one of them, and the others wait.
  const [now] = (await listBatches(busy))[0]?.uploads ?? [];
  await db.execute(sql`UPDATE uploads SET bytes = ${photo.length} WHERE id = ${now?.id ?? ""}`);
  await send(busy, now?.id ?? "", photo);
  expect(await declareBatch(busy, announced(1), ROOM)).toHaveProperty("problem");
  await pass("8 days");
  expect(await rowsOf(idle)).toEqual([]);
});

test("a piece does not read what others have declared", async () => {
  const { id: userId } = await editor();
  const { id: other } = await editor();
  await db.execute(sql`WITH batch AS (
      INSERT INTO upload_batches (id, user_id) SELECT gen_random_uuid(), ${other} FROM generate_series(1, 180) RETURNING id)
    INSERT INTO uploads (id, batch_id, position, path, bytes, fingerprint)
    SELECT gen_random_uuid(), batch.id, number, number || '.jpg', 1000, '' FROM batch, generate_series(1, 1000) AS number`);
  await db.execute(sql`ANALYZE uploads`);
  const seen = await db.transaction(async (tx) => {
    // The counts still hold those of earlier transactions of the connection.
    const count = async () => {
      const [row] = await tx.execute<{ rows: number }>(sql`
        SELECT (pg_stat_get_xact_tuples_fetched('uploads'::regclass)
          + pg_stat_get_xact_tuples_returned('uploads'::regclass))::int AS rows`);
      return row?.rows ?? 0;
    };
    const before = await count();
    expect(await nextPieceProblem(userId, 1_000, await ROOM(), tx)).toBeNull();
    return (await count()) - before;
  });
  expect(seen).toBe(0);
});

test("a file that is neither a video nor a picture is refused with its first piece, whatever its name", async () => {
  const { id: userId } = await editor();
  const bytes = Buffer.from("PK\u0003\u0004".repeat(100));
  const { uploads } = await declare(userId, {
    "film.doc": bytes,
    ".DS_Store": bytes,
    "empty.mp4": Buffer.alloc(0),
  });
  expect(uploads).toHaveLength(1);
  await expect(send(userId, uploads[0]?.id ?? "", bytes)).rejects.toMatchObject({ status: 415 });
  expect(await states(userId)).toEqual({
    "film.doc": "neither a video nor a picture",
    ".DS_Store": "hidden, its name begins with a dot",
    "empty.mp4": "the file is empty",
  });
  expect((await listBatches(userId))[0]).toMatchObject({ step: "ended", mayRetry: false });
});

/** The beginning of an HEVC picture, as telephones write it. */
const heicOf = (brand: string) =>
  Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic${"\0".repeat(400)}`, "latin1");

test("HEIC is refused with its first piece, with the reason of the import, and AVIF is not", async () => {
  const { id: userId } = await editor();
  const avif = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .avif()
    .toBuffer();
  const generic = Buffer.from(avif);
  generic.write("mif1", 8, "latin1");
  const files = { "1.HEIC": heicOf("heic"), "2.jpg": heicOf("mif1"), "3.avif": avif, "4.avif": generic };
  const { uploads } = await declare(userId, files);
  const [first, second, third, fourth] = uploads.map(({ id }) => id);
  for (const [id, bytes] of [[first, files["1.HEIC"]] as const, [second, files["2.jpg"]] as const])
    await expect(send(userId, id ?? "", bytes)).rejects.toMatchObject({
      status: 415,
      message: "This file was refused: HEIC is not supported; save it as JPEG first.",
    });
  await send(userId, third ?? "", avif);
  await send(userId, fourth ?? "", generic);
  const reason = "HEIC is not supported; save it as JPEG first";
  expect(await states(userId)).toEqual({
    ...{ "1.HEIC": reason, "2.jpg": reason },
    ...{ "3.avif": "complete", "4.avif": "complete" },
  });
});

test("pictures that are too large, or too many for one set, are refused before they are sent", async () => {
  const { id: userId } = await editor();
  const large = FILE_LIMITS.photo + 1;
  const folderOf = (folder: string, pictures: number) =>
    Array.from({ length: pictures }, (_, index) => ({ path: `${folder}/${index}.jpg`, bytes: 5 }));
  const chosen = [
    ...folderOf("Many", 1_001),
    ...["Many/0.CR2", "Many/film.mp4"].map((path) => ({ path, bytes: 5 })),
    ...folderOf("Full", 1_000),
    ...["Full/._0.jpg", "Full/0.CR2"].map((path) => ({ path, bytes: 5 })),
    { path: "Full/large.jpg", bytes: large },
    { path: "unnamed", bytes: large },
  ];
  const declared = await declareBatch(
    userId,
    chosen.map((file) => ({ ...file, fingerprint: "f" })),
    ROOM,
  );
  if ("problem" in declared) throw new Error(declared.problem);
  const sent = declared.uploads.map(({ path }) => path);
  expect(sent.filter((path) => path.startsWith("Many/"))).toEqual(["Many/film.mp4"]);
  expect(sent.filter((path) => path.startsWith("Full/"))).toHaveLength(1_001);
  const unnamed = declared.uploads.find(({ path }) => path === "unnamed");
  const piece = Buffer.concat([await picture("red"), Buffer.alloc(PIECE_BYTES)]).subarray(0, PIECE_BYTES);
  await expect(send(userId, unnamed?.id ?? "", piece)).rejects.toMatchObject({ status: 415 });
  expect(await states(userId)).toMatchObject({
    "Many/0.jpg": "more than 1,000 pictures",
    "Many/0.CR2": "a camera's raw picture; save it as JPEG first",
    "Full/large.jpg": "larger than 300 MB",
    unnamed: "larger than 300 MB",
  });
});

test("the last of a thousand small files of one batch queues the import, once", async () => {
  const { id: userId } = await editor();
  const bytes = await picture("teal");
  const names = Array.from({ length: 1_000 }, (_, index) => `Set/${index + 1}.jpg`);
  const { batchId, uploads } = await declare(userId, Object.fromEntries(names.map((name) => [name, bytes])));
  expect(uploads.map(({ path }) => path)).toEqual(names);
  // Each takes the same way, so all but fifty are said to be here.
  await db.execute(sql`UPDATE uploads SET state = 'complete', received_bytes = bytes
    WHERE batch_id = ${batchId} AND position < 950`);
  const waiting = uploads.slice(950).map(({ id }) => id);
  // Three at a time, as a browser sends them.
  const sender = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      expect(await queuedImports()).toBe(0);
      await send(userId, id, bytes);
    }
  };
  await Promise.all([sender(), sender(), sender()]);
  expect(new Set(Object.values(await states(userId)))).toEqual(new Set(["complete"]));
  expect(await queuedImports()).toBe(1);
});

async function queuedImports(): Promise<number> {
  const jobs = await db.execute(sql`
    SELECT FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'take-in-uploads'`);
  return jobs.length;
}

test("names that lead out of their folder are refused", () => {
  for (const path of ["", "..", "a/../b", "a/./b", "a\\b", "a\u0000", "x".repeat(501), "é".repeat(200)]) {
    expect(pathProblem(path), path).not.toBeNull();
  }
  expect(pathProblem("Summer – 2026/a (1).jpg")).toBeNull();
  expect([10, 11].map((folders) => pathProblem(`${"a/".repeat(folders)}b.jpg`))).toEqual([
    null,
    "it is more than 10 folders deep",
  ]);
});

test("a folder of pictures becomes one draft of the person who sent it, and the same folder again points to it", async () => {
  const { id: userId, email } = await editor();
  const files = { "Summer/1.jpg": await picture("teal"), "Summer/2.jpg": await picture("navy") };
  const batchId = await upload(userId, files);
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  const [batch] = await listBatches(userId);
  expect(batch).toMatchObject({ step: "ended", problem: null, mayRetry: false });
  const mediaId = batch?.results[0]?.mediaId;
  expect(batch?.results).toMatchObject([{ title: "Summer", state: "takenIn", files: 2, note: null }]);
  expect((await rowsOf(userId)).map((row) => row.mediaId)).toEqual([mediaId, mediaId]);
  const [item] = await db.execute(sql`SELECT title, status, photo_count::int AS photos,
    (SELECT actor FROM audit_log WHERE subject_id = media.id::text AND action = 'media.imported') AS actor
    FROM media WHERE id = ${mediaId ?? ""}`);
  expect(item).toEqual({ title: "Summer", status: "draft", photos: 2, actor: email });
  await expect(stat(partPath(batchId, "x").replace(/\/parts.*/, ""))).rejects.toThrow("ENOENT");

  await upload(userId, files);
  await importUploads(NEVER);
  const [again] = await listBatches(userId);
  expect(again?.results).toMatchObject([{ title: "Summer", state: "present", files: 2, mediaId }]);
});

test("a refusal keeps its files for another try, until the uploader dismisses it", async () => {
  const { id: userId } = await editor();
  const broken = (await picture("olive")).subarray(0, 300);
  const batchId = await upload(userId, { "Set/1.jpg": broken, "Other/1.jpg": await picture("plum") });
  await importUploads(NEVER);
  const [batch] = await listBatches(userId);
  expect(batch).toMatchObject({ step: "ended", mayRetry: true });
  const found = await states(userId);
  expect(found["Other/1.jpg"]).toBe("takenIn");
  expect(found["Set/1.jpg"]).not.toMatch(/^(complete|takenIn)$/);
  await retryBatch(userId, batchId);
  await importUploads(NEVER);
  expect(await states(userId)).toEqual(found);
  await dismissBatch(userId, batchId);
  expect(await listBatches(userId)).toEqual([]);
});

test("a set is imported without the file that held it back, and that file leaves the disk, the list and the quota", async () => {
  const { id: userId } = await editor();
  const [red, blue] = [await picture("firebrick"), await picture("royalblue")];
  const damaged = red.subarray(0, 300);
  const batchId = await upload(userId, {
    "Set/1.jpg": red,
    "Set/2.jpg": damaged,
    "Set/2.cr2": Buffer.from("raw"),
    "Set/3.jpg": blue,
    "Other/1.jpg": damaged,
  });
  await importUploads(NEVER);
  const refused = await states(userId);
  const setNote = "not imported without another file of its set, which was refused";
  expect(refused).toMatchObject({
    "Set/1.jpg": setNote,
    "Set/3.jpg": setNote,
    "Set/2.cr2": "the raw picture of 2.jpg",
  });
  expect((await listBatches(userId))[0]).toMatchObject({ mayRetry: true, inTheWay: 1, heldBack: 2 });
  await goOnWithout((await editor()).id, batchId);
  expect(await states(userId)).toEqual(refused);

  const space = async () => ({ freeBytes: 1e12, quotaBytes: red.length + blue.length + damaged.length + 10 });
  const more = (bytes: number) => declareBatch(userId, [{ path: "b.jpg", bytes, fingerprint: "" }], space);
  expect(await more(10)).toHaveProperty("problem");
  await goOnWithout(userId, batchId);
  expect(await more(11)).toHaveProperty("problem");
  expect(await more(10)).toHaveProperty("batchIds");
  for (const name of ["2.jpg", "2.cr2"])
    await expect(stat(join(stagedFolder(batchId), stagedPath(`Set/${name}`)))).rejects.toThrow("ENOENT");
  await importUploads(NEVER);
  const batch = (await listBatches(userId)).find(({ id }) => id === batchId);
  // A set of one damaged file has nothing that could go on.
  expect(batch).toMatchObject({ step: "ended", mayRetry: true, inTheWay: 0, heldBack: 0 });
  expect(batch?.results).toContainEqual(
    expect.objectContaining({ title: "Set", state: "takenIn", files: 2, note: null }),
  );
  const mediaId = batch?.results.find(({ state }) => state === "takenIn")?.mediaId;
  const [item] = await db.execute(
    sql`SELECT photo_count::int AS photos FROM media WHERE id = ${mediaId ?? ""}`,
  );
  expect(item).toEqual({ photos: 2 });
  expect(await states(userId)).not.toHaveProperty("Set/2.jpg");
});

test("removed files leave the disk and the list, the rest of their batch is imported, and a batch whose import runs stays", async () => {
  const { id: userId } = await editor();
  const [red, blue] = [await picture("crimson"), await picture("navy")];
  const { batchId, uploads } = await declare(userId, { "a.jpg": red, "b.jpg": blue, "c.jpg": blue });
  const [whole, half, missing] = uploads.map(({ id }) => id);
  await send(userId, whole ?? "", red);
  const own = await lock(userId, half ?? "");
  async function* cut() {
    yield blue.subarray(0, 500);
    throw new Error("the connection was lost");
  }
  const piece = { userId, uploadId: half ?? "", token: own.token, offset: 0 };
  await expect(writePiece(piece, cut(), ROOM)).rejects.toThrow("lost");
  await own.release();
  await stat(partPath(batchId, half ?? ""));
  await removeUploads(userId, [half ?? ""]);
  await expect(stat(partPath(batchId, half ?? ""))).rejects.toThrow("ENOENT");
  expect(await findUpload(userId, half ?? "")).toBeNull();
  expect(await queuedImports()).toBe(0);
  await removeUploads(userId, [missing ?? ""]);
  expect(await queuedImports()).toBe(1);
  expect(await states(userId)).toEqual({ "a.jpg": "complete" });

  await db.execute(sql`UPDATE upload_batches SET began_at = now()`);
  await removeUploads(userId, [whole ?? ""]);
  expect(await states(userId)).toEqual({ "a.jpg": "complete" });
  await db.execute(sql`UPDATE upload_batches SET began_at = NULL`);
  await removeUploads(userId, [whole ?? ""]);
  expect(await listBatches(userId)).toEqual([]);
  await expect(stat(partPath(batchId, whole ?? ""))).rejects.toThrow("ENOENT");
});

test("a file that was staged before a restore leaves the disk when it is removed, and does not become a draft", async () => {
  const { id: userId } = await editor();
  const [coral, orange, beige] = [await picture("coral"), await picture("orange"), await picture("beige")];
  const chosen = { "Set/1.jpg": coral, "Set/2.jpg": orange, "Other/1.jpg": beige };
  const { batchId, uploads } = await declare(userId, chosen);
  const [unwanted, kept, lost] = uploads.map(({ id }) => id);
  await send(userId, unwanted ?? "", coral);
  await send(userId, kept ?? "", orange);
  await send(userId, lost ?? "", beige);
  await rm(partPath(batchId, lost ?? ""));
  await importUploads(NEVER);
  const moved = join(stagedFolder(batchId), stagedPath("Set/1.jpg"));
  await stat(moved);
  expect(await states(userId)).toMatchObject({ "Set/1.jpg": "complete", "Other/1.jpg": "uploading" });
  await removeUploads(userId, [unwanted ?? ""]);
  await expect(stat(moved)).rejects.toThrow("ENOENT");
  await send(userId, lost ?? "", beige);
  await importUploads(NEVER);
  expect(await states(userId)).toEqual({ "Set/2.jpg": "takenIn", "Other/1.jpg": "takenIn" });
  const [set] = await db.execute(sql`
    SELECT photo_count::int AS photos FROM media JOIN uploads ON media_id = media.id WHERE uploads.id = ${kept ?? ""}`);
  expect(set).toEqual({ photos: 1 });
});

test("after a restore without the files, a draft wants neither its files nor its sidecar again", async () => {
  const { id: userId } = await editor();
  const bytes = Buffer.alloc(5);
  const names = [
    "1.mp4",
    "1.yaml",
    "1.en.vtt",
    "2.mp4",
    "2.yaml",
    "Film/1.mp4",
    "Film/captions.vtt",
    "Set/1.jpg",
  ];
  await declare(userId, Object.fromEntries([...names, "Set/media.yaml"].map((name) => [name, bytes])));
  // A sidecar is imported with its video or without: it may have been there at a first try.
  const restore = (taken: string[]) =>
    db.transaction(async (tx) => {
      const isTaken = sql`path = ANY(${sql.param(`{${taken.join()}}`)}::text[])`;
      await tx.execute(sql`UPDATE upload_batches SET began_at = now()`);
      await tx.execute(sql`UPDATE uploads SET received_bytes = bytes,
        state = CASE WHEN ${isTaken} THEN 'takenIn'::upload_state ELSE 'complete' END`);
    });
  await restore(["1.mp4", "2.yaml", "Film/1.mp4", "Set/media.yaml"]);
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  const found = await states(userId);
  const wanted = Object.keys(found).filter((path) => found[path] === "uploading");
  expect(wanted).toEqual(["2.mp4", "2.yaml", "Set/1.jpg", "Set/media.yaml"]);

  await restore(["1.mp4", "2.mp4", "Film/1.mp4", "Set/1.jpg"]);
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  expect(new Set(Object.values(await states(userId)))).toEqual(new Set(["takenIn"]));
  expect((await listBatches(userId))[0]).toMatchObject({ step: "ended", problem: null, mayRetry: false });
});

test("after a restore, the rest of a set that is a draft already does not become a second draft", async () => {
  const { id: userId } = await editor();
  const set = { "Rest/1.jpg": await picture("teal"), "Rest/2.jpg": await picture("plum") };
  const batchId = await upload(userId, set);
  const rows = await db.execute<{ id: string; path: string }>(
    sql`UPDATE uploads SET state = 'takenIn' WHERE batch_id = ${batchId} RETURNING id, path`,
  );
  await db.execute(sql`UPDATE upload_batches SET began_at = now()`);
  await rm(partPath(batchId, rows.find(({ path }) => path === "Rest/1.jpg")?.id ?? ""));
  const count = () => db.execute(sql`SELECT count(*) FROM media`);
  const before = await count();
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  expect(await count()).toEqual(before);
  expect((await listBatches(userId))[0]).toMatchObject({ step: "ended", problem: null, mayRetry: false });
});

test("a waiting batch says how many batches of anybody are imported first", async () => {
  const [{ id: userId }, { id: other }] = await Promise.all([editor(), editor()]);
  const file = await picture("linen");
  await upload(other, { "a.jpg": file });
  await declare(other, { "unfinished.jpg": file });
  await upload(userId, { "b.jpg": file });
  const before = async () =>
    (await listBatches(userId)).map(({ step, batchesBefore }) => [step, batchesBefore]);
  expect(await before()).toEqual([["waiting", 1]]);
  await upload(userId, { "c.jpg": file });
  expect(await before()).toEqual([
    ["waiting", 2],
    ["waiting", 1],
  ]);
  await db.execute(sql`UPDATE upload_batches SET ended_at = now() WHERE user_id = ${other}`);
  expect(await before()).toEqual([
    ["waiting", 1],
    ["waiting", 0],
  ]);
});

test("a small upload is imported before a large one that came shortly before it, but not before one that has waited long", async () => {
  const [{ id: userId }, { id: other }] = await Promise.all([editor(), editor()]);
  const small = async () => {
    await upload(userId, { "b.jpg": await picture("silver") });
    return (await listBatches(userId))[0]?.batchesBefore;
  };
  await upload(other, { "a.jpg": await picture("linen") });
  await db.execute(sql`UPDATE uploads SET bytes = 36e9 WHERE batch_id IN
    (SELECT id FROM upload_batches WHERE user_id = ${other})`);
  expect(await small()).toBe(0);
  await importUploads(NEVER);
  const begun = await db.execute<{ user_id: string }>(
    sql`SELECT user_id FROM upload_batches WHERE user_id IN (${userId}, ${other}) ORDER BY began_at`,
  );
  expect(begun.map(({ user_id }) => user_id)).toEqual([userId, other]);

  await upload(other, { "c.jpg": await picture("wheat") });
  await db.execute(sql`UPDATE uploads SET bytes = 36e9 WHERE state = 'complete'`);
  await db.execute(
    sql`UPDATE upload_batches SET created_at = now() - interval '2 hours' WHERE user_id = ${other}`,
  );
  expect(await small()).toBe(1);
});

const APART = [
  {
    files: ["1.jpg", "film.mp4", "Set/1.jpg", "Film/a.mp4", "Film/a.yaml"],
    apart: ["film.mp4", "Film/a.mp4", "Film/a.yaml"],
  },
  // A sidecar may describe both, a clip belongs to its photo, and a video among videos waits for nothing else.
  { files: ["Set/1.jpg", "Set/a.mp4", "Set/a.yaml"], apart: [] },
  { files: ["IMG_1.JPG", "IMG_1.MOV", "2.HEIC", "2.mov", "3.jpg"], apart: [] },
  { files: ["a.mp4", "b.mp4"], apart: [] },
  { files: ["1.jpg"], apart: [] },
];
test.each(APART)("of $files, the import waits for $apart alone", async ({ files, apart }) => {
  const { id: userId } = await editor();
  await declare(userId, Object.fromEntries(files.map((path) => [path, new Uint8Array(5)])));
  const batches = (await listBatches(userId)).map(({ uploads }) => uploads.map(({ path }) => path));
  const together = files.filter((path) => !apart.includes(path));
  expect(batches).toEqual(apart.length > 0 ? [apart, together] : [together]);
});

test("a set becomes a draft while a video that was chosen with it is still coming", async () => {
  const { id: userId } = await editor();
  const files = {
    "film.mp4": new Uint8Array(5),
    "1.jpg": await picture("linen"),
    "2.jpg": await picture("plum"),
  };
  const { uploads } = await declare(userId, files);
  for (const { id, path } of uploads) if (path !== "film.mp4") await send(userId, id, files[path as "1.jpg"]);
  await importUploads(NEVER);
  expect(await states(userId)).toEqual({ "1.jpg": "takenIn", "2.jpg": "takenIn", "film.mp4": "uploading" });
});

test("an open upload is on the list, however many have ended since", async () => {
  const { id: userId } = await editor();
  const { batchId } = await declare(userId, { "a.jpg": await picture("thistle") });
  await db.execute(sql`
    INSERT INTO upload_batches (id, user_id, has_files, created_at, ended_at)
    SELECT gen_random_uuid(), ${userId}, false, now() + at * interval '1 second', now() FROM generate_series(1, 30) at`);
  const listed = await listBatches(userId);
  expect(listed).toHaveLength(30);
  expect(listed[0]).toMatchObject({ id: batchId, step: "coming" });
  const ended = listed.slice(1).map(({ createdAt }) => createdAt.getTime());
  expect(ended).toEqual([...ended].sort((one, other) => other - one));
});

test("an import that was stopped or killed continues, and one that never ends fails", async () => {
  const { id: userId } = await editor();
  await upload(userId, { "One/1.jpg": await picture("gold") });
  const stopped = new AbortController();
  stopped.abort();
  await importUploads(stopped.signal);
  expect(await attempts()).toBe(0);
  await importUploads(NEVER);
  expect(await states(userId)).toEqual({ "One/1.jpg": "takenIn" });
  await upload(userId, { "Two/1.jpg": await picture("tan") });
  await db.execute(sql`UPDATE upload_batches SET attempts = 3 WHERE ended_at IS NULL`);
  await importUploads(NEVER);
  expect((await listBatches(userId))[0]?.problem).toMatch(/never finished/);
});

const attempts = async () => {
  const [row] = await db.execute<{ attempts: number }>(sql`SELECT attempts::int FROM upload_batches`);
  return row?.attempts;
};

test("the error of a full disk does not name folders, whose names people chose", async () => {
  const { id: userId } = await editor();
  const batchId = await upload(userId, { "Canary/1.jpg": await picture("slateblue") });
  const importWith = async (folder: string, code: string) => {
    fault.at = (name, path) => {
      if (name !== "mkdir" || !path.startsWith(folder)) return null;
      const message = `${code}: a fault of the disk, mkdir '${path}'`;
      return Promise.reject(Object.assign(new Error(message), { code, path, syscall: "mkdir" }));
    };
    const { failed } = await importUploads(NEVER);
    expect(JSON.stringify(failed.map(({ error }) => withoutValues(error)))).not.toContain("Canary");
    const [batch] = await listBatches(userId);
    await retryBatch(userId, batchId);
    return [failed.length, batch?.problem, batch?.results[0]?.note];
  };
  onTestFinished(() => {
    fault.at = () => null;
  });
  const full = "the disk of the media folder is full";
  expect(await importWith(stagedFolder(batchId), "EDQUOT")).toEqual([1, full, undefined]);
  expect(await importWith(stagedFolder(batchId), "EIO")).toEqual([1, "unexpected: EIO", undefined]);
  expect(await importWith(join(config.media.workDir, ".incoming"), "ENOSPC")).toEqual([0, null, full]);
  expect(await importWith("/nowhere", "")).toEqual([0, null, null]);
  expect(await states(userId)).toEqual({ "Canary/1.jpg": "takenIn" });
});

test.each([
  ["without the role", sql`role = 'member'`],
  ["who has asked for the account to be deleted", sql`deletion_requested_at = now()`],
])("files of a person %s are not imported, and are deleted", async (_, change) => {
  const { id: userId } = await editor();
  const batchId = await upload(userId, { "Late/1.jpg": await picture("pink") });
  await db.execute(sql`UPDATE users SET ${change} WHERE id = ${userId}`);
  await importUploads(NEVER);
  expect((await listBatches(userId))[0]?.problem).toMatch(/can no longer add items/);
  await expect(stat(join(config.media.dir, ".uploads", batchId))).rejects.toThrow("ENOENT");
});

test("the clean-up ends all uploads of a person without the role, and deletes their files, but nobody else's", async () => {
  const [{ id: userId }, { id: other }] = await Promise.all([editor(), editor()]);
  const red = await picture("wheat");
  const refused = await upload(userId, { "Set/1.jpg": red.subarray(0, 300) });
  await importUploads(NEVER);
  const half = await declare(userId, { "a.jpg": red, "b.jpg": red });
  await send(userId, half.uploads[0]?.id ?? "", red);
  const complete = await upload(userId, { "c.jpg": red });
  const kept = await upload(other, { "d.jpg": red });
  const folders = () => readdir(join(config.media.dir, ".uploads"));
  await cleanUpUploads();
  expect((await folders()).sort()).toEqual([refused, half.batchId, complete, kept].sort());
  await db.execute(sql`UPDATE users SET role = 'member' WHERE id = ${userId}`);
  await cleanUpUploads();
  expect(await folders()).toEqual([kept]);
  const batches = new Map((await listBatches(userId)).map((batch) => [batch.id, batch]));
  for (const id of [half.batchId, complete]) {
    const problem = expect.stringMatching(/can no longer add items/);
    expect(batches.get(id)).toMatchObject({ step: "ended", mayRetry: false, problem, uploads: [] });
  }
  expect(batches.get(refused)).toMatchObject({
    step: "ended",
    mayRetry: false,
    results: [{ state: "refused" }],
  });
  await importUploads(NEVER);
  expect(await db.execute(sql`SELECT FROM uploads WHERE media_id IS NOT NULL`)).toHaveLength(1);
});

test("the clean-up imports what has arrived of a batch when the rest has not come in a week", async () => {
  const { id: userId } = await editor();
  const red = await picture("red");
  const { uploads } = await declare(userId, { "a.jpg": red, "b.jpg": await picture("blue") });
  const [arrived, missing] = uploads;
  await send(userId, arrived?.id ?? "", red);
  await db.execute(sql`UPDATE upload_batches SET updated_at = now() - interval '8 days'`);
  await cleanUpUploads();
  expect(await findUpload(userId, missing?.id ?? "")).toBeNull();
  await importUploads(NEVER);
  const [batch] = await listBatches(userId);
  expect(batch?.results.map(({ title, state }) => [title, state])).toEqual([["a.jpg", "takenIn"]]);
});

test("the clean-up leaves a batch that has arrived and waits for the worker", async () => {
  const { id: userId } = await editor();
  const batchId = await upload(userId, { "a.jpg": await picture("red") });
  await db.execute(sql`UPDATE upload_batches SET updated_at = now() - interval '8 days'`);
  await cleanUpUploads();
  expect((await listBatches(userId)).map(({ id, step }) => [id, step])).toEqual([[batchId, "waiting"]]);
});

test("the clean-up deletes uploads that were idle for a week, and folders without rows", async () => {
  const { id: userId } = await editor();
  const { batchId, uploads } = await declare(userId, { "a.jpg": await picture("red") });
  await send(userId, uploads[0]?.id ?? "", (await picture("red")).subarray(0, 100));
  const stray = join(config.media.dir, ".uploads", "00000000-0000-4000-8000-000000000000");
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, "x"), "x");
  await cleanUpUploads();
  expect(await findUpload(userId, uploads[0]?.id ?? "")).not.toBeNull();
  await stat(stray);
  await db.execute(sql`UPDATE upload_batches SET updated_at = now() - interval '8 days'`);
  const old = new Date(Date.now() - 3 * 3_600_000);
  await utimes(stray, old, old);
  await utimes(join(config.media.dir, ".uploads", batchId), old, old);
  await cleanUpUploads();
  expect(await listBatches(userId)).toEqual([]);
  await expect(stat(stray)).rejects.toThrow("ENOENT");
  await expect(stat(join(config.media.dir, ".uploads", batchId))).rejects.toThrow("ENOENT");
});

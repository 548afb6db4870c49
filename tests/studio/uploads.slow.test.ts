import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { importUploads } from "#app/domain/uploads/import-uploads.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { H264 } from "#tests/support/import-folder.ts";
import { createMember, letSignInGrowOld, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { decode } from "../media/support/seen-video.ts";

const ENTRANCES = ["the site", "nginx"] as const;
const PIECE = 5 * 1024 ** 2;
const start = {
  "the site": async () => startSite({ dataDir: config.dataDir }),
  nginx: async () => startFrontSite({}, { dataDir: config.dataDir }),
} satisfies Record<(typeof ENTRANCES)[number], () => Promise<Site>>;
const sites = {} as Record<(typeof ENTRANCES)[number], Site>;

beforeAll(async () => {
  for (const entrance of ENTRANCES) sites[entrance] = await start[entrance]();
}, 240_000);
afterAll(() => Promise.all(Object.values(sites).map((site) => site.stop())));

async function person(role: "member" | "editor" | "records" = "editor") {
  const { id } = await createMember({ role });
  return { id, headers: { cookie: await signedInCookie(id), "sec-fetch-site": "same-origin" } };
}

type Person = Awaited<ReturnType<typeof person>>;

const TUS = { "tus-resumable": "1.0.0" };
const PATCH = {
  ...TUS,
  "x-http-method-override": "PATCH",
  "content-type": "application/offset+octet-stream",
};

function announce(site: Site, { headers }: Person, name: string, bytes: number): Promise<Response> {
  const metadata = `filename ${Buffer.from(name).toString("base64")}`;
  return site.fetch(paths.studioUploadFiles(), {
    method: "POST",
    headers: { ...headers, ...TUS, "upload-length": String(bytes), "upload-metadata": metadata },
  });
}

async function begin(site: Site, person: Person, name: string, bytes: number): Promise<string> {
  const answer = await announce(site, person, name, bytes);
  expect(answer.status).toBe(201);
  expect([...answer.headers.keys()].filter((header) => header.startsWith("access-control-"))).toEqual([]);
  return answer.headers.get("location") ?? "";
}

const send = (site: Site, { headers }: Person, path: string, offset: number, body: Uint8Array<ArrayBuffer>) =>
  site.fetch(path, {
    method: "POST",
    headers: { ...headers, ...PATCH, "upload-offset": String(offset) },
    body,
  });

async function offsetOf(site: Site, { headers }: Person, path: string) {
  const answer = await site.fetch(path, { method: "HEAD", headers: { ...headers, ...TUS } });
  return answer.headers.get("upload-offset");
}

/** Below `config.media.dir`. */
async function partOf(path: string): Promise<string> {
  const id = path.split("/").at(-1) ?? "";
  const [row] = await db.execute<{ batch: string }>(
    sql`SELECT batch_id AS batch FROM uploads WHERE id = ${id}`,
  );
  return `.uploads/${row?.batch}/parts/${id}`;
}

const storedAs = async (path: string): Promise<Buffer> =>
  readFile(join(config.media.dir, await partOf(path)));

const picture = async (more: number) => {
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([jpeg, randomBytes(more)]);
};

test.each(ENTRANCES)(
  "behind %s, pieces of a file arrive as they were sent, and no other method reads or ends it",
  async (entrance) => {
    const site = sites[entrance];
    const editor = await person();
    const bytes = await picture(PIECE + 1_000);
    const path = await begin(site, editor, "a.jpg", bytes.length);
    expect(path).toMatch(/^\/studio\/upload\/files\/[\da-f-]{36}$/);
    const first = await send(site, editor, path, 0, bytes.subarray(0, PIECE));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, String(PIECE)]);
    expect((await send(site, editor, path, 0, bytes.subarray(0, 10))).status).toBe(409);
    expect((await send(site, editor, path, PIECE, Buffer.alloc(PIECE + 1))).status).toBe(413);
    expect(await offsetOf(site, editor, path)).toBe(String(PIECE));
    expect((await send(site, editor, path, PIECE, bytes.subarray(PIECE))).status).toBe(204);
    expect((await storedAs(path)).equals(bytes)).toBe(true);

    const get = await site.fetch(path, { headers: { ...editor.headers, ...TUS } });
    expect([get.status, (await get.arrayBuffer()).byteLength < 200]).toEqual([405, true]);
    const override = (method: string) =>
      site.fetch(path, {
        method: "POST",
        headers: { ...editor.headers, ...TUS, "x-http-method-override": method },
      });
    expect((await override("GET")).status).toBe(405);
    expect((await override("DELETE")).status).toBe(405);
    for (const method of ["PATCH", "DELETE"]) {
      expect((await site.fetch(path, { method, headers: { ...editor.headers, ...TUS } })).status).toBe(405);
    }
    const hidden = await site.fetch(`/media/${await partOf(path)}`, { headers: editor.headers });
    expect(hidden.status).toBe(404);
  },
);

test.each(ENTRANCES)("behind %s, an endless piece is cut, and counts as one piece", async (entrance) => {
  const site = sites[entrance];
  const editor = await person();
  const path = await begin(site, editor, "endless.jpg", 40 * PIECE);
  const chunk = await picture(64 * 1024);
  const isOver = new AbortController();
  let sentBytes = 0;
  const endless = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Without a turn of the event loop, neither the answer nor the end of the test would ever be seen.
      await nextTurn();
      sentBytes += chunk.length;
      // A site that reads on would hold or store all of this.
      if (sentBytes > 20 * PIECE) {
        isOver.abort();
        controller.close();
      } else {
        controller.enqueue(chunk);
      }
    },
  });
  const status = await site
    .fetch(path, {
      ...{ method: "POST", body: endless, duplex: "half", signal: isOver.signal },
      headers: { ...editor.headers, ...PATCH, "upload-offset": "0" },
    } as RequestInit)
    .then(
      (answer) => answer.status,
      () => "cut",
    );
  expect(isOver.signal.aborted).toBe(false);
  expect([413, "cut"]).toContain(status);
  // nginx cuts it as a network does, and what came before that stays.
  const most = entrance === "nginx" ? PIECE : 0;
  expect(Number(await offsetOf(site, editor, path))).toBeLessThanOrEqual(most);
});

test("nobody but the person who sends it reaches an upload, whatever their session", async () => {
  const site = sites["the site"];
  const editor = await person();
  const bytes = await picture(100);
  const path = await begin(site, editor, "a.jpg", bytes.length);
  const statuses = async (headers: Record<string, string>) => [
    (await site.fetch(path, { method: "HEAD", headers: { ...headers, ...TUS } })).status,
    (await send(site, { id: "", headers: headers as Person["headers"] }, path, 0, bytes)).status,
  ];
  expect(await statuses((await person()).headers)).toEqual([404, 404]);
  expect(await statuses((await person("member")).headers)).toEqual([404, 404]);
  expect(await statuses((await person("records")).headers)).toEqual([404, 404]);
  expect(await statuses({ "sec-fetch-site": "same-origin" })).toEqual([401, 401]);
  expect(await statuses({ ...editor.headers, "sec-fetch-site": "cross-site" })).toEqual([403, 403]);
  expect(await offsetOf(site, editor, path)).toBe("0");
  const page = await site.fetch(paths.studioUpload(), { headers: (await person()).headers });
  expect(await page.text()).not.toContain(path.split("/").at(-1));
});

test.each(ENTRANCES)(
  "behind %s, 40 MB continue after a restart, and are the same bytes",
  async (entrance) => {
    const editor = await person();
    const bytes = await picture(40 * 1024 ** 2);
    let site = await start[entrance]();
    const path = await begin(site, editor, "a.jpg", bytes.length);
    let offset = 0;
    const sendNext = async () => {
      const answer = await send(site, editor, path, offset, bytes.subarray(offset, offset + PIECE));
      offset = Number(answer.headers.get("upload-offset"));
    };
    for (let piece = 0; piece < 3; piece += 1) await sendNext();
    site.process.kill("SIGKILL");
    await site.stop().catch(() => {});
    site = await start[entrance]();
    expect(await offsetOf(site, editor, path)).toBe(String(3 * PIECE));
    while (offset < bytes.length) await sendNext();
    expect((await storedAs(path)).equals(bytes)).toBe(true);
    await site.stop();
  },
);

test("an upload outlasts a recent sign-in and keeps its session alive, but a new upload needs a recent sign-in", async () => {
  const site = sites["the site"];
  const editor = await person();
  const bytes = await picture(PIECE + 1_000);
  const path = await begin(site, editor, "a.jpg", bytes.length);
  expect((await send(site, editor, path, 0, bytes.subarray(0, PIECE))).status).toBe(204);
  await letSignInGrowOld(editor.id, "13 hours");
  await db.execute(sql`
    UPDATE sessions SET renewed_at = now() - interval '7 hours', expires_at = now() + interval '1 hour'
    WHERE user_id = ${editor.id}`);
  expect(await offsetOf(site, editor, path)).toBe(String(PIECE));
  expect((await send(site, editor, path, PIECE, bytes.subarray(PIECE))).status).toBe(204);
  expect((await storedAs(path)).equals(bytes)).toBe(true);
  const [session] = await db.execute(sql`
    SELECT expires_at > now() + interval '7 hours' AS "isRenewed" FROM sessions WHERE user_id = ${editor.id}`);
  expect(session).toEqual({ isRenewed: true });

  const announceWith = async (headers: Record<string, string>) => {
    const upload = { "upload-length": "10", "upload-metadata": `filename ${btoa("b.jpg")}` };
    const init = { method: "POST", headers: { ...editor.headers, ...TUS, ...upload, ...headers } };
    return (await site.fetch(paths.studioUploadFiles(), init)).status;
  };
  expect(await announceWith({})).toBe(401);
  expect(await announceWith({ "x-http-method-override": "PATCH" })).toBe(404);
  expect(await announceWith({ "x-http-method-override": "POST" })).toBe(405);
  const form = await site.fetch(paths.studioUpload(), {
    method: "POST",
    headers: { ...editor.headers, origin: site.origin },
    body: new URLSearchParams({ intent: "declare", file: "10 f b.jpg" }),
  });
  expect([form.status, form.headers.get("location")]).toEqual([303, expect.stringContaining("confirm")]);
  expect(await db.execute(sql`SELECT FROM upload_batches WHERE user_id = ${editor.id}`)).toHaveLength(1);
});

test("a video that is sent in pieces becomes a draft whose first file plays", async () => {
  const site = sites.nginx;
  const editor = await person();
  const folder = await mkdtemp(join(tmpdir(), "peony-upload-"));
  const source = join(folder, "film.mp4");
  const input = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2"];
  execFileSync(config.media.ffmpeg, ["-v", "error", ...input, ...H264, "-c:a", "aac", source]);
  const bytes = await readFile(source);
  const piece = Math.ceil(bytes.length / 3);
  const path = await begin(site, editor, "film.mp4", bytes.length);
  // The uploads of other tests need not be imported before it.
  await db.execute(sql`DELETE FROM upload_batches WHERE user_id <> ${editor.id}`);
  for (let at = 0; at < bytes.length; at += piece) {
    const answer = await send(site, editor, path, at, new Uint8Array(bytes.subarray(at, at + piece)));
    expect(answer.status).toBe(204);
  }
  await importUploads(new AbortController().signal);
  const [draft] = await db.execute<{ id: string; name: string; status: string }>(sql`
    SELECT m.id, f.name, m.status FROM uploads u JOIN media m ON m.id = u.media_id JOIN media_files f ON f.media_id = m.id
    WHERE u.id = ${path.split("/").at(-1)} AND f.content_type = 'video/mp4'`);
  expect(draft?.status).toBe("draft");
  const file = await site.fetch(`/media/${draft?.id}/${draft?.name}`, { headers: editor.headers });
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
  const fetched = join(folder, "fetched.mp4");
  await writeFile(fetched, Buffer.from(await file.arrayBuffer()));
  const decoded = decode(fetched, ["-an", "-f", "framemd5"]).toString();
  // Fifty frames, none of which is repeated.
  const frames = decoded.split("\n").filter((line) => line.startsWith("0,"));
  expect(new Set(frames.map((line) => line.split(",").at(-1))).size).toBe(50);
}, 120_000);

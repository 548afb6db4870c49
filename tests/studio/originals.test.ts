import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { ACCESS_MAX_AGE_MS } from "#app/domain/access/access.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { auditLog } from "#db/schema/staff.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { openVideo } from "#tests/support/front/watch-video.ts";
import { createOriginal, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const ENTRANCES = ["the site", "nginx"] as const;
const BYTES = Buffer.alloc(300_000, "as it was imported ");
/** More than the sockets on the way hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, "slowly ");
const sites = {} as Record<(typeof ENTRANCES)[number], Site>;

beforeAll(async () => {
  sites["the site"] = await startSite({ dataDir: config.dataDir });
  sites.nginx = await startFrontSite({}, { dataDir: config.dataDir });
}, 240_000);
afterAll(() => Promise.all(Object.values(sites).map((site) => site.stop())));

async function person(role: "member" | "editor" | "publisher" | "owner") {
  const { id, email } = await createMember({ role });
  return { id, email, headers: { cookie: await signedInCookie(id) } };
}

async function keptVideo(fileName = "Día 1.mov", bytes = BYTES) {
  const video = await createVideo({ title: "Silk" });
  return { ...video, ...(await createOriginal(video.id, bytes, { fileName })) };
}

const files = (id: string) => paths.studioItemPart(id, "files");

const entriesAbout = async (id: string) => {
  const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, id)).orderBy(auditLog.id);
  return entries.map(({ actor, action, subjectName, after }) => ({ actor, action, subjectName, after }));
};

test.each(ENTRANCES)(
  "behind %s, an original is an uncached attachment, whole or in parts",
  async (entrance) => {
    const { path, hash } = await keptVideo();
    const { headers } = await person("publisher");
    const site = sites[entrance];
    const whole = await site.fetch(path, { headers });
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": String(BYTES.byteLength),
      "content-disposition": "attachment; filename=\"Dia 1.mov\"; filename*=UTF-8''D%C3%ADa%201.mov",
      "cache-control": "private, no-store, no-transform",
      etag: `"${hash}"`,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).toBe(true);
    const part = async (range: string, more = {}) => {
      const answer = await site.fetch(path, { headers: { ...headers, range, ...more } });
      return [answer.status, answer.headers.get("content-range"), (await answer.arrayBuffer()).byteLength];
    };
    const size = BYTES.byteLength;
    expect(await part("bytes=100-199")).toEqual([206, `bytes 100-199/${size}`, 100]);
    expect(await part("bytes=299000-")).toEqual([206, `bytes 299000-299999/${size}`, 1000]);
    expect(await part("bytes=0-9", { "if-range": '"another"' })).toEqual([200, null, size]);
    // nginx adds a page of its own.
    expect(await part(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, expect.any(Number)]);
    const head = await site.fetch(path, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(size)]);
  },
);

test("an original that is being downloaded is not sent on after a takedown or the end of the role", async () => {
  const [video, kept, set] = [
    await keptVideo("a.mov", LARGE),
    await keptVideo("b.mov", LARGE),
    await createPhotoSet(),
  ];
  const photo = await createOriginal(set.id, LARGE, { photo: 1 });
  const [publisher, former] = [await person("publisher"), await person("publisher")];
  const fetched = [
    { path: video.path, cookie: publisher.headers.cookie },
    { path: photo.path, cookie: publisher.headers.cookie },
    { path: kept.path, cookie: former.headers.cookie },
  ];
  const running = await Promise.all(
    ENTRANCES.flatMap((entrance) =>
      fetched.map(({ path, cookie }) => openVideo(sites[entrance].origin + path, cookie)),
    ),
  );
  expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  for (const { id } of [video, set])
    expect(await changeState(HOST, id, "takeDown", { reason: "A complaint" })).toMatchObject({ done: true });
  await db.update(users).set({ role: "editor" }).where(eq(users.id, former.id));
  await sleep(ACCESS_MAX_AGE_MS);
  const received = await Promise.all(running.map(bytesUntilClosed));
  expect(received.map((bytes) => bytes < LARGE.byteLength)).toEqual(running.map(() => true));
}, 60_000);

async function bytesUntilClosed(stream: IncomingMessage): Promise<number> {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.on("error", () => {});
  await new Promise((resolve) => stream.on("close", resolve));
  return bytes;
}

test("a fetch in many parts is one entry an hour, for each person and each file", async () => {
  const set = await createPhotoSet({ title: "Linen", photos: 2 });
  const [first, second] = [1, 2].map((photo) =>
    createOriginal(set.id, Buffer.from(`photo ${photo}`), { photo }),
  );
  const [one, two] = [(await first)?.path ?? "", (await second)?.path ?? ""];
  const [publisher, owner] = [await person("publisher"), await person("owner")];
  const site = sites["the site"];
  const ask = (path: string, { headers }: typeof owner, more = {}) =>
    site.fetch(path, { headers: { ...headers, ...more } }).then((answer) => answer.arrayBuffer());

  await site.fetch(one, { method: "HEAD", headers: publisher.headers });
  expect(await entriesAbout(set.id)).toEqual([]);
  await Promise.all([0, 1, 2, 3].map((at) => ask(one, publisher, { range: `bytes=${at}-${at}` })));
  await ask(one, publisher);
  await ask(two, publisher);
  await ask(one, owner);
  const entry = { action: "original.fetched", subjectName: "Linen" };
  expect(await entriesAbout(set.id)).toEqual([
    { ...entry, actor: publisher.email, after: { photo: 1, number: 1 } },
    { ...entry, actor: publisher.email, after: { photo: 2, number: 2 } },
    { ...entry, actor: owner.email, after: { photo: 1, number: 1 } },
  ]);
  const page = await (await site.fetch(paths.studioItem(set.id), { headers: owner.headers })).text();
  expect(page.replaceAll("<!-- -->", "")).toContain("downloaded the original of photo 2 of “Linen”");
});

test("only the role with a recent sign-in fetches an original", async () => {
  const { id, path } = await keptVideo();
  const site = sites["the site"];
  for (const role of ["member", "editor"] as const) {
    const answer = await site.fetch(path, { headers: (await person(role)).headers });
    expect([role, answer.status]).toEqual([role, 404]);
  }
  const publisher = await person("publisher");
  const crossSite = { ...publisher.headers, "sec-fetch-site": "cross-site" };
  expect((await site.fetch(path, { headers: crossSite })).status).toBe(403);
  await db
    .update(sessions)
    .set({ signedInAt: new Date(Date.now() - 13 * 3_600_000) })
    .where(eq(sessions.userId, publisher.id));
  const late = await site.fetch(path, { headers: publisher.headers });
  expect([late.status, late.headers.get("location")]).toEqual([
    302,
    `/user/confirm?for=studio&next=${encodeURIComponent(path)}`,
  ]);
  expect(await entriesAbout(id)).toEqual([]);
});

test("only addresses of stored originals answer", async () => {
  const { id, path } = await keptVideo();
  const { headers } = await person("owner");
  for (const wrong of ["0", "2", "01", "1x", "-1", "1.0", "99999999999", "%00", "original"]) {
    const answer = await sites["the site"].fetch(path.replace(/1$/, wrong), { headers });
    expect([wrong, answer.status]).toEqual([wrong, 404]);
  }
  expect((await sites["the site"].fetch(paths.studioOriginal("x", 1), { headers })).status).toBe(404);
  expect(await entriesAbout(id)).toEqual([]);
});

test("the files of an item say what is kept, with links for those who may fetch it", async () => {
  const { id, path } = await keptVideo(`<b>"Day" & night</b>.mov`);
  const show = async (role: "editor" | "publisher", of = id) => {
    const { headers } = await person(role);
    const page = await (await sites["the site"].fetch(files(of), { headers })).text();
    const section = /<section id="originals".*?<\/section>/s.exec(page)?.[0] ?? "";
    return { text: section.replace(/<[^>]*>/g, ""), hasLink: section.includes(`href="${path}"`) };
  };
  const shown = "&lt;b&gt;&quot;Day&quot; &amp; night&lt;/b&gt;.mov";
  const publisher = await show("publisher");
  expect(publisher.hasLink).toBe(true);
  expect(publisher.text).toContain(shown);
  expect(publisher.text).toContain("300 kB, h264 with aac, 640 × 360, 10:00");
  const editor = await show("editor");
  expect([editor.hasLink, editor.text.includes(shown)]).toEqual([false, true]);
  expect(editor.text).toContain("A publisher or an owner can download them.");
  const { id: without } = await createVideo();
  expect((await show("publisher", without)).text).toContain(
    "The site did not keep them when this item was imported.",
  );
});

test("nobody fetches the original of a taken down item until the item is back", async () => {
  const { id, path } = await keptVideo();
  const { headers } = await person("owner");
  const site = sites["the site"];
  const look = async () => {
    const page = await (await site.fetch(files(id), { headers })).text();
    const section = /<section id="originals".*?<\/section>/s.exec(page)?.[0] ?? "";
    const answer = await site.fetch(path, { headers });
    const body = Buffer.from(await answer.arrayBuffer());
    const isRefused = section.includes("Nobody can download them while the item is taken down.");
    return [answer.status, body.equals(BYTES), section.includes(`href="${path}"`), isRefused];
  };
  expect(await changeState(HOST, id, "takeDown", { reason: "A test" })).toMatchObject({ done: true });
  expect(await look()).toEqual([410, false, false, true]);
  expect(await entriesAbout(id)).toEqual([expect.objectContaining({ action: "media.takenDown" })]);
  expect(await changeState(HOST, id, "bringBack")).toMatchObject({ done: true });
  expect(await look()).toEqual([200, true, true, false]);
});

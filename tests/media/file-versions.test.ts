import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { claimFileVersion, replaceFiles } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { COVER_WIDTHS, fileNames, IMAGE_FORMATS } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { bringBackPhoto, leaveOutPhoto } from "#tests/support/photo-order.ts";
import { startSite } from "#tests/support/site.ts";

/** An announcement takes milliseconds; what is kept without one ends after five seconds. */
const ANNOUNCED_WITHIN_MS = 3_000;
const VIDEO = fileNames.video(360);
const COVER = [
  ...COVER_WIDTHS.flatMap((width) => IMAGE_FORMATS.map((format) => fileNames.cover(width, format))),
  fileNames.blur(),
];

const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

const adult = await adultCookie();
const subscriber = await cookieOf("member", true);
const editor = await cookieOf("editor");

async function cookieOf(role: "member" | "editor", isSubscribed = false): Promise<string> {
  const { id } = await createMember({ role });
  if (isSubscribed) await subscribe(id);
  return signedInCookie(id);
}

const look = (path: string, cookie: string) => site.fetch(path, { headers: { cookie } });
const statusOf = async (path: string, cookie: string) => (await look(path, cookie)).status;

async function replace(mediaId: string, names: string[], needs: MediaFileRow["needs"]): Promise<number> {
  const version = await claimFileVersion(mediaId);
  if (version === null) throw new Error("no version");
  const contentType = names.includes(VIDEO) ? "video/mp4" : "image/webp";
  const files = await Promise.all(
    names.map((name) =>
      storeMediaFile(Buffer.from(`new ${name}`), { mediaId, version, name, contentType, needs }),
    ),
  );
  await db.transaction((tx) => replaceFiles(tx, mediaId, files));
  return version;
}

test("a page names the new cover at its next load, and the old address answers for a day", async () => {
  const { id, slug } = await createVideo({ withFiles: true });
  const name = fileNames.blur();
  const page = paths.media("video", slug);
  expect(await (await look(page, adult)).text()).toContain(paths.mediaFile(id, name));

  const version = await replace(id, COVER, "see");
  await expect
    .poll(async () => (await look(page, adult)).text())
    .toContain(paths.mediaFile(id, name, version));
  expect(await (await look(page, adult)).text()).not.toContain(paths.mediaFile(id, name));
  for (const [address, content] of [
    [paths.mediaFile(id, name), name],
    [paths.mediaFile(id, name, version), `new ${name}`],
  ] as const) {
    const answer = await look(address, adult);
    expect([answer.status, answer.headers.get("cache-control"), await answer.text()]).toEqual([
      200,
      "private, max-age=3600, no-transform",
      content,
    ]);
  }

  await db.execute(sql`UPDATE media_files SET retired_at = now() - interval '24 hours'
    WHERE media_id = ${id} AND retired_at IS NOT NULL`);
  await expect
    .poll(() => statusOf(paths.mediaFile(id, name), adult), { timeout: ANNOUNCED_WITHIN_MS })
    .toBe(404);
  expect(await statusOf(paths.mediaFile(id, name, version), adult)).toBe(200);
});

test("a replaced video needs the same right as the new one, at each request", async () => {
  const { id, slug } = await createVideo({ withFiles: true });
  const version = await replace(id, [VIDEO], "view");
  const addresses = [paths.mediaFile(id, VIDEO), paths.mediaFile(id, VIDEO, version)];
  for (const address of addresses) {
    expect([await statusOf(address, subscriber), await statusOf(address, adult)]).toEqual([200, 403]);
  }
  const page = await (await look(paths.media("video", slug), subscriber)).text();
  expect([page.includes(addresses[1] ?? ""), page.includes(addresses[0] ?? "")]).toEqual([true, false]);
  await db.execute(sql`UPDATE media SET status = 'hidden', hidden_from = 'published' WHERE id = ${id}`);
  for (const address of addresses) expect(await statusOf(address, subscriber)).toBe(404);
});

test("each file has one address", async () => {
  const { id } = await createVideo({ withFiles: true });
  await replace(id, [VIDEO], "view");
  for (const path of [`${id}/0/${VIDEO}`, `${id}/01/${VIDEO}`, `${id}/2/${VIDEO}`, `${id}/x/${VIDEO}`]) {
    expect(await statusOf(`/media/${path}`, subscriber), path).toBe(404);
  }
  for (const path of [`1/${id}/${VIDEO}`, `${id}/1/1/${VIDEO}`, `${id}/1/`, `${id}/9999999999/${VIDEO}`]) {
    expect(await statusOf(`/media/${path}`, subscriber), path).toBe(404);
  }
});

test("a photo that is left out is at once only for those who edit", async () => {
  const set = await createPhotoSet({ previews: 3, withFiles: true });
  const [photo] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${set.id} AND number = 2`,
  );
  const photoId = photo?.id ?? "";
  const file = paths.mediaFile(set.id, fileNames.photo(2, 480, "webp"));
  const seen = async (cookie: string) => statusOf(file, cookie);
  expect([await seen(adult), await seen(subscriber), await seen(editor)]).toEqual([200, 200, 200]);

  expect(await leaveOutPhoto(HOST, set.id, photoId)).toBeNull();
  await expect.poll(() => seen(adult), { timeout: ANNOUNCED_WITHIN_MS }).toBe(404);
  expect([await seen(subscriber), await seen(editor)]).toEqual([404, 200]);
  expect((await look(file, editor)).headers.get("cache-control")).toBe("private, no-store, no-transform");
  expect(await (await look(paths.media("photoSet", set.slug), subscriber)).text()).not.toContain("photo-2-");
  const next = await (await look(paths.photo(set.slug, 2), subscriber)).text();
  expect([next.includes("photo-3-480"), next.includes("photo-2-480")]).toEqual([true, false]);
  // The last position is gone, and its address leads to the present last.
  expect((await look(paths.photo(set.slug, 3), subscriber)).headers.get("location")).toBe(
    paths.photo(set.slug, 2),
  );

  expect(await bringBackPhoto(HOST, set.id, photoId)).toBeNull();
  await expect.poll(() => seen(adult), { timeout: ANNOUNCED_WITHIN_MS }).toBe(200);
});

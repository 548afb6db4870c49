import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { claimFileVersion, replaceFiles } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { storePhoto } from "#app/domain/media/store-picture.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, HOST } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { bringBackPhoto, leaveOutPhoto } from "#tests/support/photo-order.ts";
import { startSite } from "#tests/support/site.ts";

const DOWNLOAD = fileNames.photoDownload(1, 4096);

const site = await startSite({ dataDir: config.dataDir });
afterAll(() => site.stop());

const adult = await adultCookie();
const member = await createMember();
await subscribe(member.id);
const subscriber = await signedInCookie(member.id);
const look = (path: string, cookie: string) => site.fetch(path, { headers: { cookie } });

/** The first photo of the set is a preview, made of a picture of 5000 pixels, which takes seconds. */
async function createLargeSet() {
  const set = await createPhotoSet({ allowDownload: true, previews: 1, withFiles: true });
  const version = (await claimFileVersion(set.id)) ?? 0;
  const pixels = { width: 5000, height: 3000, channels: 3 as const, background: "#805040" };
  const original = await sharp({ create: pixels })
    .withExif({ IFD0: { Make: "CANARY-CAMERA" } })
    .jpeg()
    .toBuffer();
  const photo = await storePhoto(original, { mediaId: set.id, version, number: 1, needs: "view" });
  await db.transaction(async (tx) => {
    await replaceFiles(tx, set.id, photo.files);
    await tx.execute(sql`UPDATE photos SET width = ${photo.width}, height = ${photo.height}, widest = ${photo.widest}
      WHERE media_id = ${set.id} AND number = 1`);
  });
  return { ...set, download: paths.mediaFile(set.id, DOWNLOAD, version) };
}

const set = await createLargeSet();

test("a large photo is shown in up to 4096 pixels, and is downloaded as a JPEG without metadata", async () => {
  const page = await (await look(paths.photo(set.slug, 1), subscriber)).text();
  expect(page).toContain("photo-1-4096.avif 4096w");
  expect(page).toContain(`href="${set.download}?download"`);

  const answer = await look(`${set.download}?download`, subscriber);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(answer.headers.get("content-disposition")).toContain("attachment");
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { format, width, height, exif } = await sharp(bytes).metadata();
  expect({ format, width, height, exif }).toEqual({
    format: "jpeg",
    width: 4096,
    height: 2458,
    exif: undefined,
  });
  expect(bytes.includes("CANARY-CAMERA")).toBe(false);
  // A preview shows the photo to everybody, and is no download.
  expect((await look(paths.mediaFile(set.id, fileNames.photo(1, 4096, "webp"), 1), adult)).status).toBe(200);
  expect((await look(set.download, adult)).status).toBe(403);
});

test("a photo of a set without downloads has no link to its JPEG, and nobody gets it", async () => {
  await db.execute(sql`UPDATE media SET allow_download = false WHERE id = ${set.id}`);
  await expect.poll(async () => (await look(set.download, subscriber)).status).toBe(403);
  expect(await (await look(paths.photo(set.slug, 1), subscriber)).text()).not.toContain("?download");
  for (const address of [set.download, `${set.download}?download`]) {
    expect((await look(address, subscriber)).status).toBe(403);
  }
  await db.execute(sql`UPDATE media SET allow_download = true WHERE id = ${set.id}`);
});

test("the JPEG of a photo that is left out is only for those who edit", async () => {
  const [photo] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${set.id} AND number = 1`,
  );
  expect(await leaveOutPhoto(HOST, set.id, photo?.id ?? "")).toBeNull();
  await expect.poll(async () => (await look(set.download, subscriber)).status).toBe(404);
  expect(await bringBackPhoto(HOST, set.id, photo?.id ?? "")).toBeNull();
  await expect.poll(async () => (await look(set.download, subscriber)).status).toBe(200);
  expect((await look(set.download, adult)).status).toBe(403);
});

test("a photo without a JPEG, as in most of the demo, downloads its largest WebP", async () => {
  await db.execute(sql`DELETE FROM media_files WHERE media_id = ${set.id} AND name = ${DOWNLOAD}`);
  const page = await (await look(paths.photo(set.slug, 1), subscriber)).text();
  expect(page).toContain(`${paths.mediaFile(set.id, fileNames.photo(1, 4096, "webp"), 1)}?download`);
});

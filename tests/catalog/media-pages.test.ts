import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { photos } from "#db/schema/catalog.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { createPhotoSet, createVideo, type TestMedia } from "../support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

let site: Site;
let video: TestMedia;
let set: TestMedia;
let takenDown: TestMedia;
let draft: TestMedia;

beforeAll(async () => {
  video = await createVideo({ withFiles: true });
  set = await createPhotoSet({ photos: 3, previews: 1, withFiles: true });
  takenDown = await createVideo({ status: "takenDown" });
  draft = await createVideo({ status: "draft" });
  site = await startSite();
});
afterAll(() => site.stop());

test("without access one gets a teaser without any address of a protected file, on the page and in the data", async () => {
  const member = await createMember();
  const lapsed = await createMember();
  await subscribe(lapsed.id, "canceled");
  const cookies = [await adultCookie(), await signedInCookie(member.id), await signedInCookie(lapsed.id)];
  for (const cookie of cookies) {
    for (const suffix of ["", ".data"]) {
      const page = await site.fetch(`/content/video/${video.slug}${suffix}`, { headers: { cookie } });
      const text = await page.text();
      expect(page.status).toBe(200);
      expect(text).toMatch(/\/blur(-480\.webp|\\?")/);
      expect(text).not.toContain("video-360.mp4");
    }
    const photos = await (await site.fetch(`/content/photoSet/${set.slug}`, { headers: { cookie } })).text();
    expect(photos).toContain("photo-1-480");
    expect(photos).not.toContain("photo-2-480");
    const photo = await (await site.fetch(`/content/photoSet/${set.slug}/2`, { headers: { cookie } })).text();
    expect(photo).not.toContain("photo-2-480");
  }
});

test("a subscriber gets the video, from the second in the address", async () => {
  const member = await createMember();
  await subscribe(member.id);
  const cookie = await signedInCookie(member.id);
  const page = await site.fetch(`/content/video/${video.slug}?t=83`, { headers: { cookie } });
  expect(await page.text()).toContain("video-360.mp4#t=83");
});

test("the player shows the poster in the video's own ratio, and the cover where there is none", async () => {
  const upright = await createVideo();
  const facts = { contentType: "image/webp", bytes: 1, sha256: "0", crc32: 0, needs: "view" } as const;
  const storageKey = `media/${upright.id}/poster.webp`;
  await db.insert(mediaFiles).values({ mediaId: upright.id, name: "poster.webp", storageKey, ...facts });
  const member = await createMember();
  await subscribe(member.id);
  const cookie = await signedInCookie(member.id);
  const posterOn = async ({ slug }: TestMedia) => {
    const page = await (await site.fetch(`/content/video/${slug}`, { headers: { cookie } })).text();
    return /<video[^>]* poster="([^"]*)"/.exec(page)?.[1];
  };
  expect(await posterOn(upright)).toBe(`/media/${upright.id}/poster.webp`);
  expect(await posterOn(video)).toBe(`/media/${video.id}/cover-960.webp`);
});

test("an old slug redirects to the current one, a video that was taken down is gone and a draft does not exist", async () => {
  const headers = { cookie: await adultCookie() };
  const [, shortId] = /-([^-]+)$/.exec(video.slug) ?? [];
  for (const old of [`another-title-${shortId}`, shortId]) {
    const moved = await site.fetch(`/content/video/${old}`, { headers });
    expect([moved.status, moved.headers.get("location")]).toEqual([301, `/content/video/${video.slug}`]);
  }
  for (const [{ slug }, status, title] of [
    [takenDown, 410, "No longer here"],
    [draft, 404, "Page not found"],
  ] as const) {
    const answer = await site.fetch(`/content/video/${slug}`, { headers });
    const named = expect.stringContaining(`<title>${title} · Peony</title>`);
    expect([answer.status, await answer.text()]).toEqual([status, named]);
  }
});

test("an address in another case redirects to the site's own, with its query", async () => {
  const headers = { cookie: await adultCookie() };
  const moves = [
    [`/content/photoset/${set.slug}?from=mail`, `/content/photoSet/${set.slug}?from=mail`],
    [`/content/photoset/${set.slug}/2?from=mail`, `/content/photoSet/${set.slug}/2?from=mail`],
    [`/Content/photoSet/${set.slug}`, `/content/photoSet/${set.slug}`],
    [`/content/Video/${video.slug}?t=83&q=360`, `/content/video/${video.slug}?t=83&q=360`],
  ] as const;
  for (const [requested, moved] of moves) {
    const answer = await site.fetch(requested, { headers });
    expect([answer.status, answer.headers.get("location")], requested).toEqual([301, moved]);
    expect((await site.fetch(moved, { headers })).status, moved).toBe(200);
  }
  const hidden = await site.fetch(`/content/Video/${draft.slug}`, { headers });
  expect(hidden.status).toBe(404);
});

test("a photo number out of range redirects to the nearest", async () => {
  const headers = { cookie: await adultCookie() };
  for (const [requested, nearest] of [
    ["99", "3"],
    ["0", "1"],
    ["-4", "1"],
    ["x", "1"],
    ["02", "2"],
  ]) {
    const answer = await site.fetch(`/content/photoSet/${set.slug}/${requested}`, { headers });
    expect(answer.headers.get("location")).toBe(`/content/photoSet/${set.slug}/${nearest}`);
  }
});

test("without scripts the heart of a photo leads back to the photo's buttons", async () => {
  const member = await createMember();
  await subscribe(member.id);
  const cookie = await signedInCookie(member.id);
  const path = `/content/photoSet/${set.slug}/2`;
  const answer = await site.fetch("/api/favorites", {
    method: "POST",
    headers: { cookie, origin: site.origin },
    body: new URLSearchParams({ mediaId: set.id, photo: "2", isFavorited: "true", next: path }),
  });
  const [page, anchor] = (answer.headers.get("location") ?? "").split("#");
  expect([answer.status, page]).toEqual([303, path]);
  const html = await (await site.fetch(path, { headers: { cookie } })).text();
  expect(html).toContain(` id="${anchor}"`);
});

test("each free photo of a locked video's shoot has a name, whatever its description", async () => {
  const shootId = randomUUID();
  const part = await createVideo({ shootId });
  const free = await createPhotoSet({ shootId, photos: 3, previews: 2 });
  await db.update(photos).set({ alt: "" }).where(eq(photos.mediaId, free.id));
  const answer = await site.fetch(`/content/video/${part.slug}`, {
    headers: { cookie: await adultCookie() },
  });
  const html = (await answer.text()).replaceAll("<!-- -->", "");
  for (const position of [1, 2]) {
    const [, words = ""] =
      new RegExp(`<a [^>]*href="/content/photoSet/${free.slug}/${position}"[^>]*>(.*?)</a>`).exec(html) ?? [];
    expect(words.replace(/<[^>]*>/g, "")).toBe(`Free photo ${position}`);
  }
});

test("a set whose free photos a locked video shows is not shown a second time", async () => {
  const shootId = randomUUID();
  const part = await createVideo({ shootId });
  const [free, closed] = [
    await createPhotoSet({ shootId, photos: 3, previews: 2 }),
    await createPhotoSet({ shootId, photos: 3 }),
  ];
  const answer = await site.fetch(`/content/video/${part.slug}`, {
    headers: { cookie: await adultCookie() },
  });
  const html = await answer.text();
  expect(html).toContain(`href="/content/photoSet/${free.slug}/1"`);
  expect(html).not.toContain(`href="/content/photoSet/${free.slug}"`);
  expect(html).toContain(`href="/content/photoSet/${closed.slug}"`);
});

test("before the age gate is passed no page of the library opens", async () => {
  for (const path of [
    "/",
    "/creators",
    "/content/video",
    `/content/video/${video.slug}`,
    `/content/photoSet/${set.slug}/1`,
  ]) {
    const answer = await site.fetch(path);
    expect(answer.headers.get("location"), path).toMatch(/^\/enter\?next=|^\/enter$/);
  }
});

import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { recordVisits } from "#app/domain/auth/users.server.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, createVideo, type TestMedia } from "../support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };

let site: Site;
let video: TestMedia;
let set: TestMedia;
let userId: string;
let cookie: string;

beforeAll(async () => {
  video = await createVideo({ durationSeconds: 600, allowDownload: true, withFiles: true });
  set = await createPhotoSet({ photos: 12, withFiles: true });
  site = await startSite();
  userId = (await createMember()).id;
  await subscribe(userId);
  cookie = await signedInCookie(userId);
});
afterAll(() => site.stop());

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.fetch(path, {
    method: "POST",
    headers: { cookie, origin: site.origin, ...headers },
    body: new URLSearchParams(fields),
  });
const open = async (path: string, headers: Record<string, string> = {}) =>
  (await site.fetch(path, { headers: { cookie, ...headers } })).text();
/** fetch() would not send the headers of a browser's navigation. */
async function navigate(path: string, headers: Record<string, string>): Promise<void> {
  const request = httpGet(new URL(path, site.origin), { headers: { cookie, ...headers } });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await once(answer, "end");
}
const rowsOf = async (id = userId) =>
  db.execute<{ media_id: string; progress: number }>(
    sql`SELECT media_id, progress FROM views WHERE user_id = ${id} ORDER BY media_id`,
  );
const forgetAll = () => post("/api/views/forget-all", {});

test("a beacon saves the progress of the signed-in member, whatever user the form names", async () => {
  const other = await createMember();
  const answer = await post("/api/views", { mediaId: video.id, progress: "83.5", userId: other.id });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ mediaId: video.id, userId, progress: 83.5 });
  expect(await rowsOf(other.id)).toEqual([]);
  expect(await open(`/content/video/${video.slug}`)).toContain("video-360.mp4#t=83");
});

test("both the address and Start over replace the stored progress", async () => {
  await post("/api/views", { mediaId: video.id, progress: "83" });
  expect(await open(`/content/video/${video.slug}?t=7`)).toContain("video-360.mp4#t=7");
  const next = `/content/video/${video.slug}`;
  const answer = await post("/api/views/start-over", { mediaId: video.id, next });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${next}#media-${video.id}`]);
  expect(await open(next)).not.toContain("#t=");
});

test.each([
  [{ progress: "5" }, 422],
  [{ mediaId: "x", progress: "5" }, 422],
  [{ mediaId: "00000000-0000-4000-8000-000000000000", progress: "5" }, 404],
  [{ mediaId: "VIDEO" }, 422],
  [{ mediaId: "VIDEO", progress: "" }, 422],
  [{ mediaId: "VIDEO", progress: "soon" }, 422],
  [{ mediaId: "VIDEO", progress: "-1" }, 422],
  [{ mediaId: "VIDEO", progress: "Infinity" }, 422],
  [{ mediaId: "VIDEO", progress: "5", sequence: "1.5" }, 422],
])("a beacon of %o is refused with %i and stores nothing", async (fields: Record<string, string>, status) => {
  await forgetAll();
  const sent = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === "VIDEO" ? video.id : value]),
  );
  expect((await post("/api/views", sent)).status).toBe(status);
  expect(await rowsOf()).toEqual([]);
});

test("a photo page saves progress when a person opens it, and never when a browser prefetches it", async () => {
  await forgetAll();
  const photo = `/content/photoSet/${set.slug}/7`;
  for (const headers of [
    {},
    { "sec-fetch-mode": "cors" },
    { ...NAVIGATION, purpose: "prefetch" },
    { ...NAVIGATION, "sec-purpose": "prefetch;prerender" },
  ]) {
    await navigate(photo, headers as Record<string, string>);
  }
  expect(await rowsOf()).toEqual([]);
  await navigate(photo, NAVIGATION);
  expect(await rowsOf()).toEqual([{ media_id: set.id, progress: 7 }]);
  expect(await open(`/content/photoSet/${set.slug}`)).toMatch(/Continue at photo (<!-- -->)?7/);
});

test("a script that opens many photo pages gets the photos, but saves no more than the limit", async () => {
  const { id } = await createMember();
  await subscribe(id);
  const { points } = LIMITS.progressByUser;
  for (let point = 0; point < points; point += 1) await takePoint("progressByUser", id);
  const headers = { cookie: await signedInCookie(id), ...NAVIGATION };
  await navigate(`/content/photoSet/${set.slug}/3`, headers);
  expect(await rowsOf(id)).toEqual([]);
});

test("a locked photo page saves no progress", async () => {
  const lapsed = await createMember();
  await navigate(`/content/photoSet/${set.slug}/2`, {
    cookie: await signedInCookie(lapsed.id),
    ...NAVIGATION,
  });
  expect(await rowsOf(lapsed.id)).toEqual([]);
});

test("without JavaScript a member can type where they stopped, but no time outside the video", async () => {
  await forgetAll();
  const path = `/content/video/${video.slug}`;
  const refused = await post(path, { stoppedAt: "later" });
  expect(refused.status).toBe(422);
  const page = await refused.text();
  expect(page).toContain("minutes and seconds");
  expect(page).toContain('value="later"');
  const answer = await post(path, { stoppedAt: "4:10" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
  expect(await open(path)).toContain("#t=250");
});

test("only members who may watch a video see the field for where they stopped", async () => {
  const path = `/content/video/${video.slug}`;
  const lapsed = await createMember();
  const locked = await open(path, { cookie: await signedInCookie(lapsed.id) });
  expect(locked).toContain("Watch this video</h2>");
  expect(locked).not.toContain('name="stoppedAt"');
  expect(await open(path)).toContain('name="stoppedAt"');
});

test("Continue on home leads back to both, and each can be removed from it", async () => {
  await forgetAll();
  await post("/api/views", { mediaId: video.id, progress: "83" });
  await post("/api/views", { mediaId: set.id, progress: "7" });
  const home = await open("/");
  expect(home).toContain(`/content/photoSet/${set.slug}/7`);
  expect(home).toMatch(/1:23 of (<!-- -->)?10:00|1:23<!-- --> of/);
  await post("/api/views/hide", { mediaId: set.id, next: "/" });
  await post("/api/views/seen", { mediaId: video.id, next: "/" });
  expect(await open("/")).not.toContain('action="/api/views/hide"');
  expect(await open("/user/history")).toContain(set.title);
});

test("the new items since the last visit lead to the list with the newest of them", async () => {
  const { id } = await createMember();
  await recordVisits([id]);
  await db.execute(sql`UPDATE users SET last_seen_at = now() - interval '2 hours' WHERE id = ${id}`);
  const own = { cookie: await signedInCookie(id) };
  for (const [create, list, label] of [
    [createPhotoSet, "/content/photoSet", "All photos"],
    [createVideo, "/content/video", "All videos"],
  ] as const) {
    await create({ publishAt: new Date(Date.now() - 1_000) });
    const home = await open("/", own);
    const [link] = /<a [^>]*aria-label="[^"]*: New since your last visit[^>]*>[^<]*/.exec(home) ?? [];
    expect(link).toContain(`href="${list}"`);
    expect(link).toMatch(new RegExp(`aria-label="${label}: .*>${label}$`));
  }
});

test("the history forgets one or all, and only the member's own", async () => {
  const other = await createMember();
  await subscribe(other.id);
  const theirs = { cookie: await signedInCookie(other.id) };
  await post("/api/views", { mediaId: video.id, progress: "83" }, theirs);
  await post("/api/views", { mediaId: video.id, progress: "83" });
  await post("/api/views", { mediaId: set.id, progress: "3" });
  await post("/api/views/forget", { mediaId: video.id });
  expect(await rowsOf()).toEqual([{ media_id: set.id, progress: 3 }]);
  await forgetAll();
  expect(await rowsOf()).toEqual([]);
  expect(await rowsOf(other.id)).toHaveLength(1);
});

test("a favorite is set by form and by script, and the list shows it", async () => {
  const first = await post("/api/favorites", { mediaId: video.id });
  expect(await first.json()).toMatchObject({ mediaId: video.id, userId, isFavorited: true });
  expect(await open("/user/favorites")).toContain(video.title);
  const next = "/content/video?sort=title";
  const off = await post("/api/favorites", { mediaId: video.id, isFavorited: "false", next });
  expect([off.status, off.headers.get("location")]).toEqual([303, `${next}#media-${video.id}`]);
  expect(await (await post("/api/favorites", { mediaId: video.id })).json()).toMatchObject({
    isFavorited: false,
  });
  expect((await post("/api/favorites", { mediaId: video.id, isFavorited: "maybe" })).status).toBe(422);
  const offSite = await post("/api/favorites", { mediaId: video.id, next: "https://evil.example/" });
  expect(offSite.headers.get("location")).toBe(`/#media-${video.id}`);
});

test("a favorite that was taken down is a tombstone that can be removed, but not marked again", async () => {
  const gone = await createVideo({ title: "Not to be read again" });
  await post("/api/favorites", { mediaId: gone.id });
  await db.execute(sql`UPDATE media SET status = 'takenDown' WHERE id = ${gone.id}`);
  const page = await open("/user/favorites");
  expect(page).toContain("No longer available");
  expect(page).not.toContain("Not to be read again");
  expect((await post("/api/favorites", { mediaId: gone.id, isFavorited: "true" })).status).toBe(404);
  expect((await post("/api/favorites", { mediaId: gone.id, isFavorited: "false" })).status).toBe(200);
  expect(await open("/user/favorites")).not.toContain("No longer available");
});

test("a favorite photo is added, found again, locked, and removed without JavaScript", async () => {
  const kept = await createPhotoSet({ title: "Slow stones", photos: 3, withFiles: true });
  const member = await createMember();
  await subscribe(member.id);
  const own = { cookie: await signedInCookie(member.id) };
  const page = `/content/photoSet/${kept.slug}/2`;
  const form = { mediaId: kept.id, photo: "2", isFavorited: "true" };
  expect(await open(page, own)).toContain(`<input type="hidden" name="photo" value="2"/>`);
  const marked = await post("/api/favorites", { ...form, next: page }, own);
  expect([marked.status, marked.headers.get("location")]).toEqual([303, `${page}#photo-${kept.id}-2`]);
  const unknown = await post("/api/favorites", { ...form, photo: "4" }, own);
  expect(unknown.status).toBe(404);

  const tab = "/user/favorites?type=photo";
  const list = await open(tab, own);
  expect(list).toContain(`id="photo-${kept.id}-2"`);
  expect(list).toContain(`/media/${kept.id}/photo-2-`);
  expect(await open(tab)).not.toContain(kept.id);
  await db.execute(sql`UPDATE subscriptions SET status = 'canceled' WHERE user_id = ${member.id}`);
  const locked = await open(tab, own);
  expect(locked).toContain(`href="${page}"`);
  expect(locked).toContain(", locked");
  expect(locked).not.toContain(`/media/${kept.id}/photo-2-`);
  await db.execute(sql`UPDATE media SET status = 'takenDown' WHERE id = ${kept.id}`);
  const tombstone = await open(tab, own);
  expect(tombstone).toContain("No longer available");
  expect(tombstone).not.toContain("Slow stones");

  // A double click sends the form twice.
  for (const _ of [1, 2]) {
    const removed = await post("/api/favorites", { ...form, isFavorited: "false", next: tab }, own);
    expect([removed.status, removed.headers.get("location")]).toEqual([303, `${tab}#photo-${kept.id}-2`]);
    expect(await open(tab, own)).toContain("No favorite photos yet");
  }
});

test("without JavaScript a refused heart gets its own page, which leads back", async () => {
  const seen = await createPhotoSet({ photos: 3, withFiles: true });
  const member = await createMember();
  const own = { cookie: await signedInCookie(member.id) };
  const next = `/content/photoSet/${seen.slug}?page=1&as=x`;
  const form = { mediaId: seen.id, photo: "2", isFavorited: "true" };
  const refusal = async (headers: Record<string, string>, fields: Record<string, string> = {}) => {
    const answer = await post("/api/favorites", { ...form, ...fields }, { ...own, ...headers });
    return { status: answer.status, text: await answer.text() };
  };
  const asBrowser = { accept: "text/html,application/xhtml+xml" };
  const notOpen = await refusal(asBrowser, { next });
  expect(notOpen.status).toBe(404);
  expect(notOpen.text).toContain("This was not saved, because you no longer have access to it.");
  expect(notOpen.text).toContain(`<a href="${next.replace("&", "&amp;")}">Go back</a>`);
  const remote = await refusal(asBrowser, { next: "https://evil.example/" });
  expect(remote.text).not.toContain("evil.example");

  await db.execute(sql`UPDATE media SET status = 'hidden' WHERE id = ${seen.id}`);
  expect(await refusal(asBrowser, { next })).toEqual(notOpen);
  expect(await refusal({})).toEqual({ status: 404, text: `{"error":"Request Failed"}` });
});

test("a set that has lost photos continues at its last photo, on its page, at home and in the history", async () => {
  await forgetAll();
  await db.execute(sql`INSERT INTO views (user_id, media_id, progress) VALUES (${userId}, ${set.id}, 75)`);
  const page = await open(`/content/photoSet/${set.slug}`);
  expect(page.replaceAll("<!-- -->", "")).toContain("Continue at photo 12 of 12");
  expect(page).toContain(`href="/content/photoSet/${set.slug}/12"`);
  expect((await open("/")).replaceAll("<!-- -->", "")).toContain("Photo 12 of 12");
  expect((await open("/user/history")).replaceAll("<!-- -->", "")).toContain("Photo 12 of 12");
});

test("a download with its size is offered only to those with the right", async () => {
  expect(await open(`/content/video/${video.slug}`)).toContain("video-360.mp4?download");
  const page = await site.fetch(`/content/video/${video.slug}`, { headers: { cookie: await adultCookie() } });
  expect(await page.text()).not.toContain("?download");
});

test("more than sixty writes a minute are refused with the time to wait", async () => {
  const busy = await createMember();
  const headers = { cookie: await signedInCookie(busy.id) };
  const statuses: number[] = [];
  for (let index = 0; index < 61; index++) {
    statuses.push((await post("/api/favorites", { mediaId: video.id }, headers)).status);
  }
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200));
  expect(statuses[60]).toBe(429);
});

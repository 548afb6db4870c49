import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { createCreator, createPhotoSet, createVideo, type TestMedia } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;
let editor: string;
let subscriber: string;
let adult: string;
beforeAll(async () => {
  site = await startSite({ dataDir: config.dataDir });
  editor = await signedInCookie((await createMember({ role: "editor" })).id);
  const { id } = await createMember();
  await subscribe(id);
  subscriber = await signedInCookie(id);
  adult = await adultCookie();
});
afterAll(() => site.stop());

const read = async (path: string, cookie: string) => (await site.fetch(path, { headers: { cookie } })).text();
const mark = (html: string) =>
  /<aside[^>]*aria-label="For the staff">(.*?)<\/aside>/s.exec(html)?.[1] ?? null;
/** fetch() does not send this header as given. */
async function navigate(path: string, cookie: string): Promise<void> {
  const request = get(`${site.origin}${path}`, { headers: { cookie, "sec-fetch-mode": "navigate" } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response.resume(), "end");
}

const isOpen = (html: string) => /<source[^>]*video-360\.mp4/.test(html);
const page = ({ type, slug }: TestMedia) => paths.media(type, slug);

test.each([
  ["Draft", { status: "draft" as const }],
  ["Hidden", { status: "hidden" as const }],
  ["Expired", { expireAt: new Date(Date.now() - 1000) }],
  [
    "Scheduled for Thursday, 1 January 2099, 00:00 (UTC)",
    { status: "scheduled" as const, publishAt: new Date("2099-01-01") },
  ],
])("the staff sees that an item is not public: %s", async (label, state) => {
  const video = await createVideo(state);
  const set = await createPhotoSet(state);
  for (const path of [page(video), page(set), paths.photo(set.slug, 1)]) {
    expect(mark(await read(path, editor))).toContain(`${label}</strong>`);
  }
  expect(mark(await read(page(video), editor))).toContain(paths.studioItem(video.id));
});

test("a published item shows staff a link to the studio, and nobody else a mark", async () => {
  const video = await createVideo();
  const marked = mark(await read(page(video), editor));
  expect(marked).toContain(paths.studioItem(video.id));
  expect(marked).not.toContain("<strong");
  for (const cookie of [adult, subscriber]) expect(await read(page(video), cookie)).not.toContain("/studio/");
});

test("staff view a page as a visitor, a member and a subscriber", async () => {
  for (const status of ["published", "draft"] as const) {
    const video = await createVideo({ access: "subscriber", allowDownload: true, status });
    const as = (other: string) => read(`${page(video)}?as=${other}`, editor);
    const visitor = await as("visitor");
    expect(isOpen(visitor)).toBe(false);
    expect(visitor).toContain("Sign in / Sign Up</a>");
    expect(visitor).not.toContain("?download");
    const member = await as("member");
    expect(isOpen(member)).toBe(false);
    expect(member).toContain("You need a subscription for this.");
    const subscribed = await as("subscriber");
    expect(isOpen(subscribed)).toBe(true);
    expect(subscribed).toContain("?download");
    expect(mark(visitor)).toContain(`as a visitor ${status === "draft" ? "will" : "does"}`);
    expect(isOpen(await as("owner"))).toBe(true);
  }
});

test("only staff can view as others, and nothing records what they see", async () => {
  const video = await createVideo({ access: "subscriber" });
  for (const cookie of [adult, subscriber]) {
    const plain = await read(page(video), cookie);
    for (const other of ["visitor", "member", "subscriber"]) {
      const viewed = await read(`${page(video)}?as=${other}`, cookie);
      expect([isOpen(viewed), mark(viewed)]).toEqual([isOpen(plain), null]);
    }
  }
  const answer = await site.fetch(`${page(video)}?as=visitor`, { headers: { cookie: editor } });
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(mark(await read(`${page(video)}?as=visitor`, adult))).toBeNull();
});

test("the lightbox shows staff what the other viewer would see, and records nothing", async () => {
  const set = await createPhotoSet({ photos: 3, previews: 1 });
  const list = async (query: string) => JSON.parse(await read(paths.photoList(set.slug) + query, editor));
  expect(await list("")).toMatchObject({
    count: 3,
    photos: { length: 3 },
    progressSubject: { mediaId: set.id },
  });
  expect(await list("?as=visitor")).toMatchObject({ count: 3, photos: { length: 1 }, progressSubject: null });
  const page = await read(`${paths.media("photoSet", set.slug)}?as=visitor`, editor);
  expect(page).toContain("2 more photos");
});

test("a photo that staff view as somebody else is not recorded as seen", async () => {
  const { id } = await createMember({ role: "editor" });
  const cookie = await signedInCookie(id);
  const set = await createPhotoSet({ title: "Not recorded" });
  await navigate(`${paths.photo(set.slug, 2)}?as=subscriber`, cookie);
  expect(await read(paths.history(), cookie)).not.toContain("Not recorded");
  await navigate(paths.photo(set.slug, 2), cookie);
  expect(await read(paths.history(), cookie)).toContain("Not recorded");
});

test("cards show the date, and lead to creators", async () => {
  const ann = await createCreator({ name: "Ann Quill" });
  await createVideo({ creators: [ann.id], publishAt: new Date("2026-03-04T12:00:00Z") });
  const list = await read(paths.list("video", { creator: ann.slug }), adult);
  expect(list).toContain("4 Mar 2026");
  expect(list).toMatch(new RegExp(`<a[^>]*href="${paths.creator(ann.slug)}"[^>]*>Ann Quill</a>`));
});

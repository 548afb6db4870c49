import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo } from "../support/media.ts";
import { adultCookie, createMember, signedInCookie } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

let site: Site;
let cookie: string;
const get = (path: string) => site.fetch(path, { headers: { cookie } });
const page = async (path: string) => (await get(path)).text();
const cardCount = (html: string) => html.match(/<article/g)?.length ?? 0;

beforeAll(async () => {
  cookie = await adultCookie();
  const ann = await createCreator({ name: "Ann" });
  for (let index = 0; index < 30; index += 1) {
    await createVideo({ title: `Silk ${index}`, creators: [ann.id], tags: ["Slow light"] });
  }
  await createVideo({ title: "Zenith", status: "draft" });
  await createPhotoSet({ title: "Paper Moon" });
  site = await startSite({ env: { SESSION_SECRET: config.session.secret } });
});
afterAll(() => site.stop());

test("nobody sees a list before the age gate", async () => {
  const answer = await site.fetch("/content/video?tag=slow-light");
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe("/enter?next=%2Fcontent%2Fvideo%3Ftag%3Dslow-light");
});

test("a list is pages of 24 that link to each other without a script", async () => {
  const first = await page("/content/video");
  expect(cardCount(first)).toBe(24);
  const next = /<a[^>]*rel="next"[^>]*href="([^"]+)"|<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(first);
  const second = await page((next?.[1] ?? next?.[2] ?? "").replaceAll("&amp;", "&"));
  expect(cardCount(second)).toBe(6);
  expect(second).toMatch(/<link rel="prev"/);
});

test("the wrong case of photoSet is redirected permanently, an unknown type does not exist", async () => {
  const moved = await get("/content/photoset?q=moon");
  expect([moved.status, moved.headers.get("location")]).toEqual([301, "/content/photoSet?q=moon"]);
  expect((await get("/content/books")).status).toBe(404);
  expect((await get("/creators/nobody")).status).toBe(404);
});

test("a typo leads to the corrected words, and from there to the exact ones", async () => {
  const answer = await get("/content/video?q=sillk&sort=title");
  expect([answer.status, answer.headers.get("location")]).toEqual([
    302,
    "/content/video?q=silk&sort=title&typed=sillk",
  ]);
  const html = await page("/content/video?q=silk&sort=title&typed=sillk");
  expect(html).toMatch(/Showing results for <strong>silk<\/strong>/);
  expect(html).toMatch(
    /href="\/content\/video\?q=sillk&amp;sort=title&amp;exact=1">Search for (<!-- -->)?sillk/,
  );
  expect(cardCount(html)).toBe(24);
  expect(html, "the next page is of the right words alone").toMatch(
    /href="[^"]*q=silk&amp;sort=title&amp;after=/,
  );
  expect(cardCount(await page("/content/video?q=sillk&exact=1"))).toBe(0);
  expect(await page("/content/video?q=zenith")).toContain("Nothing matches");
});

test("a corrected search is not corrected again: no redirect loop", async () => {
  expect((await get("/content/video?q=sillk&typed=slilk")).status).toBe(200);
});

test("home, creators and a profile answer for visitors and members", async () => {
  const member = await createMember();
  const signedIn = await signedInCookie(member.id);
  for (const path of ["/", "/creators", "/content/photoSet", "/content/video?seen=unseen"]) {
    expect((await get(path)).status).toBe(200);
    expect((await site.fetch(path, { headers: { cookie: signedIn } })).status).toBe(200);
  }
  const slug = /href="\/creators\/([^"?]+)"/.exec(await page("/creators"))?.[1] ?? "";
  expect(cardCount(await page(`/creators/${slug}`))).toBe(24);
});

test("media credited to nobody has neither an empty line nor a stray comma", async () => {
  const video = await createVideo({ title: "Unsigned", publishAt: new Date() });
  const credited = /Unsigned<\/a><\/h3><p[^>]*><span class="_creators/;
  const list = await page("/content/video?q=unsigned");
  expect(list).toContain("Unsigned</a></h3>");
  expect(list).not.toMatch(credited);
  expect(await page("/content/video?q=silk")).toMatch(
    /Silk \d+<\/a><\/h3><p[^>]*><span class="_creators[^>]*><a[^>]*>Ann<\/a><\/span>/,
  );
  expect(await page(`/content/video/${video.slug}`)).not.toMatch(/<p[^>]*><\/p>/);
  await vi.waitFor(async () => expect(await opening()).toBe("Newest: Unsigned"), { timeout: 5_000 });
  await db.execute(sql`UPDATE media SET publish_at = now() - interval '1 day' WHERE id = ${video.id}`);
  await vi.waitFor(async () => expect(await opening()).toMatch(/^Newest: Silk \d+, Ann$/), {
    timeout: 5_000,
  });
});

/** The announcement of the newest video for signed-out visitors. */
async function opening() {
  const [, words] = /<span>(Newest: .*?)<\/span>/.exec(await page("/")) ?? [];
  return words?.replaceAll("<!-- -->", "");
}

test("crawlers find the pages before the gate, each of which answers, and no title behind it", async () => {
  expect(await page("/robots.txt")).toContain("/sitemap.xml");
  const xml = await page("/sitemap.xml");
  const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = ""]) => new URL(address).pathname,
  );
  expect(addresses).toEqual(["/enter", "/about", "/privacy", "/terms", "/2257"]);
  for (const address of addresses) {
    const answer = await site.fetch(address);
    expect(answer.status, address).toBe(200);
    expect(await answer.text()).toContain('content="follow, index"');
  }
});

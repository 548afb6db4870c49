import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createVideo, type TestMedia } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const TARGETS = [
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/%09//../..//evil.example",
  "/.//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "\\\\evil.example",
];

let site: Site;
let video: TestMedia;
let cookie: string;
beforeAll(async () => {
  video = await createVideo({ access: "member" });
  site = await startSite();
  cookie = await signedInCookie((await createMember()).id);
});
afterAll(() => site.stop());
beforeEach(async () => {
  await db.delete(rateLimits);
});

/** Every route that redirects to its `next` parameter. */
const DOORS: Record<string, (next: string) => Promise<Response>> = {
  "the age gate": async (next) => (await newcomer()).post("/enter", { next }),
  "the look for a cookie": async (next) =>
    (await newcomer()).visit(`/no-cookies?${new URLSearchParams({ for: "gate", next })}`),
  "the age gate, passed before": (next) => look("/enter", next),
  "the sign-in page, signed in": (next) => look("/signin", next),
  "a code": async (next) => {
    const jar = new Jar(site);
    await jar.post("/signin", { email: "next@example.com", next });
    return jar.post("/signin/code", { code: (await newestMail("next@example.com")).code });
  },
  "a link": async (next) => {
    const jar = new Jar(site);
    await jar.post("/signin", { email: "link@example.com", next });
    return jar.post("/signin/verify", { token: (await newestMail("link@example.com")).token });
  },
  "the color switch": (next) => change("/api/color-mode", { theme: "dark", next }),
  "a favorite": (next) => change("/api/favorites", { mediaId: video.id, next }),
  "a place": (next) => change("/api/views", { mediaId: video.id, progress: "5", next }),
};

test.each(Object.keys(DOORS))("%s leads only inside this site", async (name) => {
  const door = DOORS[name] ?? expect.unreachable;
  for (const target of TARGETS) {
    await db.delete(rateLimits);
    const answer = await door(target);
    const location = answer.headers.get("location") ?? "none";
    expect([302, 303]).toContain(answer.status);
    expect([target, new URL(location, site.origin).origin]).toEqual([target, site.origin]);
    expect(location).toMatch(/^\/(?![/\\])/);
  }
  const inside = await door("/content/video?sort=title");
  expect(inside.headers.get("location")).toMatch(/^\/content\/video\?sort=title/);
});

test.each([
  ["a favorite pressed", "/api/favorites", "/content/video?sort=title"],
  ["a favorite pressed by a script", "/api/favorites.data", "/user/favorites?page=2"],
  ["progress removed", "/api/views/forget", "/user/history"],
  ["a profile saved", "/user/account", "/user/account"],
])("%s after the session ended leads back to its page by the sign-in", async (_, action, page) => {
  const jar = new Jar(site);
  await jar.post("/enter", { next: "/" });
  const answer = await jar.post(
    action,
    { mediaId: video.id, isFavorited: "true" },
    { Referer: `${site.origin}${page}` },
  );
  const text = (answer.headers.get("location") ?? "") + (await answer.text());
  expect(decodeURIComponent(text)).toContain(`/signin?next=${page}`);
});

test.each<[string, string, Record<string, string>]>([
  ["the studio", "/studio/media/some-item/text", { title: "New", description: "", version: "1" }],
  ["the account", "/user/account", { intent: "profile", full_name: "Ada" }],
])(
  "a form of %s that is sent after the end of the session leads to a sign-in that says what is lost",
  async (_, page, fields) => {
    const jar = new Jar(site);
    await jar.post("/enter", { next: "/" });
    const answer = await jar.post(page, fields, { Referer: `${site.origin}${page}` });
    const signIn = answer.headers.get("location") ?? "";
    expect(signIn).toBe(paths.signInUnsaved(page));
    const html = await (await jar.visit(signIn)).text();
    expect(html).toContain("Your changes were not saved.");
    expect(html).toContain(`name="next" value="${page}"`);
    expect((await jar.visit(page)).headers.get("location")).toBe(paths.signIn(page));
  },
);

test.each(["https://evil.example/content/video", "no address", "//evil.example/", "javascript:alert(1)", ""])(
  "a form sent from %j leads through the sign-in to the home page",
  async (referrer) => {
    const jar = new Jar(site);
    await jar.post("/enter", { next: "/" });
    const answer = await jar.post("/api/favorites", { mediaId: video.id }, { Referer: referrer });
    expect(["/signin", "/signin?next=%2F"]).toContain(answer.headers.get("location"));
  },
);

test("somebody who leaves the gate and is of legal age after all arrives at the requested page", async () => {
  const next = "/content/video?sort=title";
  const gate = paths.enter(next);
  const left = `/enter?${new URLSearchParams({ left: "1", next })}`;
  const html = async (path: string) => (await (await site.fetch(path)).text()).replaceAll("&amp;", "&");
  expect(await html(gate)).toContain(`href="${left}"`);
  expect(await html(left)).toContain(`href="${gate}"`);
  for (const target of TARGETS) {
    const page = await html(`/enter?${new URLSearchParams({ left: "1", next: target })}`);
    expect(page).toContain(`href="${paths.enter("/")}"`);
  }
});

test("an emailed link without its token is not answered like a valid one", async () => {
  const answer = await new Jar(site).visit("/signin/verify");
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Ask for a new link")]);
});

/** A browser that has shown a cookie. */
async function newcomer(): Promise<Jar> {
  const jar = new Jar(site);
  await jar.post("/api/color-mode", { theme: "dark" });
  return jar;
}

function look(path: string, next: string): Promise<Response> {
  return site.fetch(`${path}?${new URLSearchParams({ next })}`, { headers: { cookie } });
}

function change(path: string, fields: Record<string, string>): Promise<Response> {
  const headers = { cookie, origin: site.origin };
  return site.fetch(path, { method: "POST", body: new URLSearchParams(fields), headers });
}
